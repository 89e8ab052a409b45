/** The way out of the console, and to another profile of the same person. */
import type { Request, Response } from 'express';
import { badInput, GatehouseError } from '../errors.js';
import { type BodyRule, jsonOf } from '../http/body.js';
import { chooseProfile, endSession, sessionHash } from '../services/console/sessions.js';
import { sendPage } from './page.js';
import { findSecret, identifySession } from './session.js';
import type { SignIn } from './signIn.js';

/** POST /console/sign-out: the session ends here, and then at the provider, where that has a place for it. */
export async function leave(
  { dependencies, address, cookies }: SignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const secret = findSecret(cookies.session, request);
  const ended = secret === undefined ? undefined : await endSession(dependencies, sessionHash(secret));
  cookies.session.clear(response);
  // what the pages kept of the person
  response.set('clear-site-data', '"cache", "storage"');
  const signedOut = `${address.root}signed-out`;
  const provider = dependencies.signIns.find(({ issuer }) => issuer === ended?.issuer);
  // whoever wants out is out, also while the provider is away
  const elsewhere = await provider?.endSessionAddress(address.origin + signedOut).catch(() => undefined);
  const goesTo = elsewhere ?? signedOut;
  if (request.headers['x-gatehouse-console'] === '1') {
    response.set('cache-control', 'no-store').json({ location: goesTo });
    return;
  }
  // 200 and not 303: the pages' policy lets a form lead to this site alone
  sendPage(response, { status: 200, title: 'Signed out', links: [[goesTo, 'Go on']], goesTo });
}

/** GET /console/signed-out */
export function showSignedOut({ address }: SignIn, response: Response): void {
  sendPage(response, { status: 200, title: 'Signed out', links: [[address.root, 'Sign in']] });
}

const profileJson: BodyRule = {
  accepts: (type) => type === 'application/json',
  described: 'JSON (application/json)',
  bytesMax: 4_096,
};

/** POST /console/profile `{"profileId"}`: the session goes on with that profile. Throws UNAUTHENTICATED, BAD_USER_INPUT, FORBIDDEN. */
export async function switchProfile(
  { dependencies, cookies, bodies }: SignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = await identifySession(dependencies, cookies.session, request);
  const { profileId } = (jsonOf(await bodies.read(request, profileJson)) ?? {}) as { profileId?: unknown };
  if (typeof profileId !== 'string') throw badInput({ profileId: ['A text is required.'] });
  const secret = findSecret(cookies.session, request);
  const isChosen =
    secret !== undefined &&
    caller.kind === 'user' &&
    (await chooseProfile(dependencies, secret, caller.sub, profileId));
  if (!isChosen) throw new GatehouseError('FORBIDDEN', 'No profile of yours that administers is of that id.');
  response.status(204).set('cache-control', 'no-store').end();
}
