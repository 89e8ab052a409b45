/** The way into the console begins: to the identity provider. */
import type { Request, Response } from 'express';
import { IdentityProviderUnavailable } from '../auth/idToken.js';
import type { ProviderSignIn } from '../auth/providerSignIn.js';
import type { Dependencies } from '../context.js';
import { GatehouseError, unavailable } from '../errors.js';
import type { BodyReader } from '../http/body.js';
import { sessionHash } from '../services/console/sessions.js';
import { type ConsoleAddress, ownPath } from './address.js';
import type { Cookies } from './cookies.js';
import { keepFlow } from './flow.js';
import { sendPage } from './page.js';
import { findSecret } from './session.js';

export interface SignIn {
  dependencies: Dependencies;
  address: ConsoleAddress;
  cookies: Cookies;
  bodies: BodyReader;
}

/** GET /console/sign-in: `return` is the path to come back to, `provider` an issuer, `again` asks anew who it is. */
export async function redirectToProvider(
  { dependencies, address, cookies }: SignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const { config, signIns } = dependencies;
  const query = textsOf(request);
  const to = ownPath(query.return, address);
  response.set('cache-control', 'no-store');
  if (config.adminAuth === 'none') return response.redirect(302, to);
  // cookies belong to a host: the sign-in begins under the one to which the provider comes back
  if (query.here === undefined && request.headers.host !== new URL(address.origin).host)
    return response.redirect(302, address.origin + address.root + signInWith({ ...query, here: '1' }));
  const chosen = signIns.length === 1 ? signIns[0] : signIns.find(({ issuer }) => issuer === query.provider);
  if (!chosen) return sendChoice(response, signIns, query);
  const isAgain = query.again === '1';
  const maxAgeSeconds = isAgain ? 0 : config.consoleMaxHours * 3_600;
  const { address: at, checks } = await chosen.begin(maxAgeSeconds).catch(throwUnavailable);
  const secret = findSecret(cookies.session, request);
  const replaces = secret === undefined ? {} : { replaces: sessionHash(secret).toString('hex') };
  keepFlow(dependencies, cookies.flow, response, { ...checks, issuer: chosen.issuer, to, isAgain, ...replaces });
  response.redirect(302, at);
}

/** The query's parameters that have one value. */
const textsOf = ({ query }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const signInWith = (query: Record<string, string>): string => `sign-in?${new URLSearchParams(query)}`;

function sendChoice(response: Response, signIns: readonly ProviderSignIn[], query: Record<string, string>): void {
  if (signIns.length === 0)
    throw new GatehouseError('UNAVAILABLE', 'No identity provider signs anybody in to the console yet.', {
      detail: 'no entry of ID_TOKEN_ISSUERS has `console`',
    });
  const links = signIns.map(({ issuer, name }) => [signInWith({ ...query, provider: issuer }), name] as const);
  sendPage(response, { status: 200, title: 'Sign in with', links });
}

/** A provider that is away as a 503. */
export function throwUnavailable(error: unknown): never {
  if (error instanceof IdentityProviderUnavailable)
    throw unavailable('The identity provider', error, error.retryAfterSeconds, 'nobody was signed in');
  throw error;
}
