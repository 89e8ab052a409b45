/** Sign-in and sign-out of the console: pages, redirects, callback. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../../../auth/idToken.js';
import { type ProviderSignIn, SignInRefused } from '../../../auth/providerSignIn.js';
import type { ConsoleAddress } from '../../../config/consoleAddress.js';
import { networkOf } from '../../../config/parsers.js';
import { badInput, GatehouseError, unavailable } from '../../../errors.js';
import { cardPage, cardStyle, escapeHtml } from '../../../html.js';
import { type BodyReader, type BodyRule, parseJsonBody } from '../../../http/body.js';
import { addressOf, traceIdNow } from '../../../http/requestContext.js';
import { noteFirstUse } from '../../../services/tokens/proofOfPossession.js';
import { signInOf } from '../../../services/tokens/providerLogout.js';
import { type Administrator, findAdministrator } from '../administrators.js';
import { type Flow, findFlow, findSecret, identifySession, keepFlow, type Sessions } from '../session.js';
import { beginSession, chooseProfile, endSession, freshMinutes, sessionHash } from '../sessions.js';

/** Returns a path of the console; the console's root for any other text, so that nobody is sent to another site. @param path as it was requested */
function ownPath(path: unknown, { origin, root }: ConsoleAddress): string {
  if (typeof path !== 'string' || path.length > pathCharactersMax || !path.startsWith(root)) return root;
  const url = URL.parse(path, origin);
  // the parsed path is compared, because the parser resolves `/console/../`, backslashes and line breaks
  if (url?.origin !== origin || !url.pathname.startsWith(root) || passing.test(url.pathname.slice(root.length)))
    return root;
  return url.pathname + url.search + url.hash;
}

const pathCharactersMax = 2_000;
/** Pages that are not opened again after a sign-in. */
const passing = /^(sign-in|callback|sign-out|profile|graphql|no-access)\/?$/;

interface Page {
  status: number;
  title: string;
  /** Sentences, each a paragraph. */
  text?: readonly string[];
  /** Addresses and their texts. */
  links?: readonly (readonly [address: string, name: string])[];
  /** The address to which the browser is redirected at once. */
  goesTo?: string;
}

const style = `${cardStyle}
ul{display:grid;gap:8px;margin:16px 0 0;padding:0;list-style:none}
a{display:block;padding:10px 14px;border:1px solid light-dark(#d5d9e2,#2b3240);border-radius:8px;color:light-dark(#3450c4,#98a9ff);font-weight:600;text-decoration:none}
a:hover{border-color:#3b5bdb}
a:focus-visible{outline:2px solid #3b5bdb;outline-offset:2px}`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function sendPage(response: Response, { status, title, text = [], links = [], goesTo }: Page): void {
  response.status(status).set({ 'content-security-policy': policy, 'cache-control': 'no-store' }).type('html');
  if (goesTo !== undefined) response.set('refresh', `0; url=${goesTo}`);
  const paragraphs = text.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
  const items = links.map(([address, name]) => `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a></li>`);
  const card = `<h1>${escapeHtml(title)}</h1>
${paragraphs}
${items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : ''}`;
  response.send(cardPage({ title: `${title} · Gatehouse`, style, card }));
}

/** A line that helps to find the request in the log. */
export const traceLine = (): string => `Trace id: ${traceIdNow()}`;

export interface SignIn extends Sessions {
  address: ConsoleAddress;
  bodies: BodyReader;
}

/** GET /console/sign-in: `return` is the path to come back to, `provider` an issuer, `again` asks the person to authenticate again. */
export async function redirectToProvider(
  { dependencies, signIns, address, cookies }: SignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const { config } = dependencies;
  const query = textsOf(request);
  const to = ownPath(query.return, address);
  response.set('cache-control', 'no-store');
  if (config.adminAuth === 'none') return response.redirect(302, to);
  // cookies belong to a host, so the sign-in begins at the host to which the provider returns
  if (query.here === undefined && request.headers.host !== new URL(address.origin).host)
    return response.redirect(302, address.origin + address.root + signInWith({ ...query, here: '1' }));
  const chosen = signIns.length === 1 ? signIns[0] : signIns.find(({ issuer }) => issuer === query.provider);
  if (!chosen) return sendChoice(response, signIns, query);
  const signsInAgain = query.again === '1';
  const maxAgeSeconds = signsInAgain ? 0 : config.consoleMaxHours * 3_600;
  const { address: at, checks } = await chosen.begin(maxAgeSeconds).catch(throwUnavailable);
  const secret = findSecret(cookies.session, request);
  const replaces = secret === undefined ? {} : { replaces: sessionHash(secret).toString('hex') };
  keepFlow(dependencies, cookies.flow, response, {
    ...checks,
    issuer: chosen.issuer,
    to,
    isAgain: signsInAgain,
    ...replaces,
  });
  response.redirect(302, at);
}

/** The parameters of the query that have exactly one value. */
const textsOf = ({ query }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const signInWith = (query: Record<string, string>): string => `sign-in?${new URLSearchParams(query)}`;

function sendChoice(response: Response, signIns: readonly ProviderSignIn[], query: Record<string, string>): void {
  if (signIns.length === 0)
    throw new GatehouseError('UNAVAILABLE', 'No identity provider is configured for the console yet.', {
      detail: 'no entry of ID_TOKEN_ISSUERS has `console`',
    });
  const links = signIns.map(({ issuer, name }) => [signInWith({ ...query, provider: issuer }), name] as const);
  sendPage(response, { status: 200, title: 'Sign in with', links });
}

/** Reports an unavailable provider as a 503. */
function throwUnavailable(error: unknown): never {
  if (error instanceof IdentityProviderUnavailable)
    throw unavailable('The identity provider', error, error.retryAfterSeconds, 'nobody was signed in');
  throw error;
}

/** POST /console/sign-out: ends the session here, and then at the provider if it has an address for that. */
export async function leave(
  { dependencies, signIns, address, cookies }: SignIn,
  request: Request,
  response: Response,
): Promise<void> {
  const secret = findSecret(cookies.session, request);
  const ended = secret === undefined ? undefined : await endSession(dependencies, sessionHash(secret));
  cookies.session.clear(response);
  // data of the user that the pages stored
  response.set('clear-site-data', '"cache", "storage"');
  const signedOut = `${address.root}signed-out`;
  const provider = signIns.find(({ issuer }) => issuer === ended?.issuer);
  // a sign-out also works while the provider is unavailable
  const elsewhere = await provider?.endSessionAddress(address.origin + signedOut).catch(() => undefined);
  const goesTo = elsewhere ?? signedOut;
  if (request.headers['x-gatehouse-console'] === '1') {
    response.set('cache-control', 'no-store').json({ location: goesTo });
    return;
  }
  // 200 and not 303: the content security policy allows forms to redirect only to this site
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

/** POST /console/profile `{"profileId"}`: continues the session with that profile. Throws UNAUTHENTICATED, BAD_USER_INPUT, FORBIDDEN. */
export async function switchProfile(signIn: SignIn, request: Request, response: Response): Promise<void> {
  const { dependencies, cookies, bodies } = signIn;
  const caller = await identifySession(signIn, request);
  const { profileId } = (parseJsonBody(await bodies.read(request, profileJson)) ?? {}) as { profileId?: unknown };
  if (typeof profileId !== 'string') throw badInput({ profileId: ['A text is required.'] });
  const secret = findSecret(cookies.session, request);
  const isChosen =
    secret !== undefined &&
    caller.kind === 'user' &&
    (await chooseProfile(dependencies, secret, caller.sub, profileId));
  if (!isChosen)
    throw new GatehouseError('FORBIDDEN', 'You hold no profile with this id and administration permissions.');
  response.status(204).set('cache-control', 'no-store').end();
}

/** Limits simultaneous returns from the provider, in total and by network; each causes a request to the provider. */
const redeemedAtOnceMax = 50;
const redeemed = new Map<string, number>();
let redeemedOfAll = 0;

/** GET /console/callback. A refusal is shown on a page; its reason is logged. */
export async function finishSignIn(signIn: SignIn, request: Request, response: Response): Promise<void> {
  const { dependencies, signIns, cookies } = signIn;
  const flow = findFlow(dependencies, cookies.flow, request);
  const provider = flow && signIns.find(({ issuer }) => issuer === flow.issuer);
  if (!flow || !provider) throw refuse(signIn, request, 'no sign-in is under way in this browser');
  const search = searchOf(request.originalUrl);
  // a forged request neither ends a pending sign-in nor causes a request to the provider
  if (new URLSearchParams(search).get('state') !== flow.state)
    throw refuse(signIn, request, 'the state is that of another sign-in');
  // the state is used up by what follows, so that the page of an error leads to a new sign-in and not to a reload
  response.locals.signInAgain = signInWith({
    return: flow.to,
    provider: flow.issuer,
    ...(flow.isAgain && { again: '1' }),
  });
  const leave = takePlace(networkOf(addressOf(request)));
  try {
    const use = { kind: 'sign-in', name: [flow.issuer, flow.state], endsAtSeconds: flow.endsAt } as const;
    const isFirst = await noteFirstUse(dependencies.sql, use);
    if (!isFirst) throw new SignInRefused('this sign-in was finished before');
    const verified = await redeem(signIn, provider, flow, search);
    cookies.flow.clear(response);
    await enter(signIn, request, response, flow, verified);
  } catch (error) {
    if (error instanceof SignInRefused) throw refuse(signIn, request, error.reason);
    if (error instanceof IdTokenInvalid) throw refuse(signIn, request, `the ID token: ${error.reason}`);
    throwUnavailable(error);
  } finally {
    leave();
  }
}

/** Takes a place and returns the function that frees it. One network can hold at most half of the places (25). Throws UNAVAILABLE if no place is free. */
function takePlace(network: string): () => void {
  const countOfNetwork = redeemed.get(network) ?? 0;
  if (countOfNetwork >= redeemedAtOnceMax - redeemedOfAll) throw unavailable('The sign-in');
  redeemedOfAll += 1;
  redeemed.set(network, countOfNetwork + 1);
  return () => {
    redeemedOfAll -= 1;
    const left = redeemed.get(network)! - 1;
    if (left > 0) redeemed.set(network, left);
    else redeemed.delete(network);
  };
}

async function redeem(
  { dependencies: { idTokens } }: SignIn,
  provider: ProviderSignIn,
  flow: Flow,
  search: string,
): Promise<VerifiedIdToken> {
  const idToken = await provider.redeem(search, flow);
  const verified = await idTokens.verify(idToken, 'console');
  if (verified.issuer.issuer !== flow.issuer) throw new SignInRefused('the ID token is of another issuer');
  if (flow.isAgain && !isFresh(verified))
    throw new SignInRefused('the provider did not authenticate the user again (auth_time)');
  return verified;
}

async function enter(
  signIn: SignIn,
  request: Request,
  response: Response,
  flow: Flow,
  verified: VerifiedIdToken,
): Promise<void> {
  const { dependencies, address, cookies } = signIn;
  const administrator = await findAdministrator(dependencies, verified.issuer, verified.sub);
  if (!administrator?.profiles[0]) {
    const reason = administrator
      ? 'no profile with administration permissions'
      : 'no such user of that issuer, or blocked';
    noteRefusal(signIn, request, reason);
    return sendForbidden(signIn, response);
  }
  const { userGuid } = administrator;
  const { issuer } = flow;
  const profileId = await endReplaced(signIn, flow, administrator);
  const session = {
    userGuid,
    profileId,
    issuer,
    signIn: signInOf(verified),
    authenticatedAt: authenticatedAtOf(verified),
  };
  const secret = await beginSession(dependencies, session);
  if (secret === undefined) {
    noteRefusal(signIn, request, 'signed out at the provider, blocked or without the profile since');
    return sendForbidden(signIn, response);
  }
  cookies.session.write(response, secret, dependencies.config.consoleMaxHours * 3_600);
  const { log } = dependencies;
  log.info(
    { traceId: traceIdNow(), issuer, userGuid, profileId, address: addressOf(request) },
    'signed in to the console',
  );
  const goesTo = ownPath(flow.to, address);
  // 200 and not 302: browsers send no SameSite=Strict cookie in a chain of redirects that began at another site
  sendPage(response, { status: 200, title: 'Signed in', links: [[goesTo, 'Go on']], goesTo });
}

/** Ends the session that this one replaces, and returns its profile. */
async function endReplaced(
  { dependencies }: SignIn,
  { replaces }: Flow,
  { userGuid, profiles }: Administrator,
): Promise<string> {
  const before = replaces === undefined ? undefined : await endSession(dependencies, Buffer.from(replaces, 'hex'));
  const isHeld = profiles.some(({ profileId }) => profileId === before?.profileId);
  return before?.userGuid === userGuid && isHeld ? before.profileId : profiles[0]!.profileId;
}

/** The console says it in its own frame, at an address that a reload keeps; the page itself is for browsers that go nowhere. */
function sendForbidden({ address }: SignIn, response: Response): void {
  sendPage(response, {
    goesTo: `${address.root}no-access?trace=${traceIdNow()}`,
    status: 403,
    title: 'No access',
    text: ['You signed in, but none of your profiles has administration permissions.', traceLine()],
    links: [[`${address.root}sign-in?again=1`, 'Sign in as another user']],
  });
}

/** OpenID Connect Core 1.0 §2; null if the provider does not send it. */
const authenticatedAtOf = ({ claims: { auth_time: seconds } }: VerifiedIdToken): Date | null =>
  typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds < 1e11
    ? new Date(seconds * 1_000)
    : null;

function isFresh(verified: VerifiedIdToken): boolean {
  const authenticatedAt = authenticatedAtOf(verified);
  return authenticatedAt !== null && Date.now() - authenticatedAt.getTime() < freshMinutes * 60_000;
}

function refuse(signIn: SignIn, request: Request, reason: string): GatehouseError {
  noteRefusal(signIn, request, reason);
  return new GatehouseError(
    'BAD_USER_INPUT',
    'This sign-in did not begin in this browser, took longer than ten minutes, or was refused by the identity provider.',
  );
}

function noteRefusal({ dependencies: { log } }: SignIn, request: Request, reason: string): void {
  log.info({ traceId: traceIdNow(), reason, address: addressOf(request) }, 'console sign-in refused');
}

function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}
