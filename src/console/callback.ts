/** The way into the console ends: back from the identity provider, with a session. */
import type { Request, Response } from 'express';
import { IdTokenInvalid, type VerifiedIdToken } from '../auth/idToken.js';
import { type ProviderSignIn, SignInRefused } from '../auth/providerSignIn.js';
import { GatehouseError, unavailable } from '../errors.js';
import { addressOf, networkOf } from '../http/address.js';
import { traceIdNow } from '../http/requestContext.js';
import { type Administrator, findAdministrator } from '../services/console/administrators.js';
import { beginSession, endSession } from '../services/console/sessions.js';
import { freshMinutes } from '../services/tokens/callerStatement.js';
import { providerSessionHash } from '../services/tokens/providerSignOut.js';
import { noteFirstUse } from '../services/tokens/singleUse.js';
import { ownPath } from './address.js';
import { type Flow, findFlow } from './flow.js';
import { sendPage, traceLine } from './page.js';
import { type SignIn, throwUnavailable } from './signIn.js';

/** People who come back at the same moment, in all and by their networks; the provider is asked for each, within time limits. */
const redeemedAtOnceMax = 50;
const redeemed = new Map<string, number>();
let redeemedOfAll = 0;

/** GET /console/callback. What is refused is shown on a page; the reason is for the log. */
export async function finishSignIn(signIn: SignIn, request: Request, response: Response): Promise<void> {
  const { dependencies, cookies } = signIn;
  const flow = findFlow(dependencies, cookies.flow, request);
  const provider = flow && dependencies.signIns.find(({ issuer }) => issuer === flow.issuer);
  if (!flow || !provider) throw refuse(signIn, request, 'no sign-in is under way in this browser');
  const search = searchOf(request.originalUrl);
  // what another site made up ends no sign-in that is under way, and asks the provider nothing
  if (new URLSearchParams(search).get('state') !== flow.state)
    throw refuse(signIn, request, 'the state is that of another sign-in');
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

/**
 * Gives what frees the place. A network holds no more places than are left for the others: 25, and who comes from elsewhere
 * finds one. Throws UNAVAILABLE where there is none.
 */
function takePlace(network: string): () => void {
  const ofOne = redeemed.get(network) ?? 0;
  if (ofOne >= redeemedAtOnceMax - redeemedOfAll) throw unavailable('The sign-in');
  redeemedOfAll += 1;
  redeemed.set(network, ofOne + 1);
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
    throw new SignInRefused('the provider did not ask anew who it is (auth_time)');
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
    const reason = administrator ? 'no profile that administers' : 'no such user of that issuer, or blocked';
    noteRefusal(signIn, request, reason);
    return sendForbidden(signIn, response);
  }
  const { userGuid } = administrator;
  const { issuer } = flow;
  const profileId = await endReplaced(signIn, flow, administrator);
  const providerSession = providerSessionHash(issuer, verified.claims.sid);
  const session = { userGuid, profileId, issuer, providerSession, authenticatedAt: authenticatedAtOf(verified) };
  const secret = await beginSession(dependencies, session);
  cookies.session.write(response, secret, dependencies.config.consoleMaxHours * 3_600);
  const { log } = dependencies;
  log.info(
    { traceId: traceIdNow(), issuer, userGuid, profileId, address: addressOf(request) },
    'signed in to the console',
  );
  const goesTo = ownPath(flow.to, address);
  // 200 and not 302: a chain of redirects that another site began carries no SameSite=Strict cookie
  sendPage(response, { status: 200, title: 'Signed in', links: [[goesTo, 'Go on']], goesTo });
}

/** Ends the session that this one takes the place of; gives the profile to go on with. */
async function endReplaced(
  { dependencies }: SignIn,
  { replaces }: Flow,
  { userGuid, profiles }: Administrator,
): Promise<string> {
  const before = replaces === undefined ? undefined : await endSession(dependencies, Buffer.from(replaces, 'hex'));
  const isHeld = profiles.some(({ profileId }) => profileId === before?.profileId);
  return before?.userGuid === userGuid && isHeld ? before.profileId : profiles[0]!.profileId;
}

function sendForbidden({ address }: SignIn, response: Response): void {
  sendPage(response, {
    status: 403,
    title: 'No access',
    text: ['The identity provider knows you, but no profile of yours administers Gatehouse.', traceLine()],
    links: [[`${address.root}sign-in?again=1`, 'Sign in as somebody else']],
  });
}

/** OpenID Connect Core 1.0 §2; null where the provider does not say. */
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
