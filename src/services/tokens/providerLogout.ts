/** Handles sign-outs at an identity provider (OpenID Connect Back-Channel Logout 1.0): ends sessions here and refuses earlier ID tokens. */
import { hash } from 'node:crypto';
import { ageSecondsMax, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid, startOf } from '../../entities/valueForms.js';
import { note } from '../../observability/currentRequest.js';
import { alone, type Sql, valuesOf } from '../../sql.js';
import { announceChange, writeAuditAlone } from '../records/change.js';
import { noteFirstUse } from './proofOfPossession.js';
import { isLive } from './renewalToken.js';
import { TokenRefusal, verifyProviderToken } from './tokenRefusal.js';

/** The hash of a provider's session; null for an ID token without `sid`. */
const providerSessionHash = (issuer: string, sid: unknown): string | null =>
  typeof sid === 'string' && sid !== '' ? hash('sha256', JSON.stringify([issuer, sid]), 'base64url') : null;

/** The hash of a provider's user. The case of guids doesn't matter. */
function providerUserHash({ issuer, sub }: VerifiedIdToken): string {
  const name = issuer.subject === 'userGuid' ? sub.toLowerCase() : sub;
  return hash('sha256', JSON.stringify([issuer.issuer, 'sub', name]), 'base64url');
}

/** The values for `isSignedOut` from an ID token: its session, its user, and when it was issued. */
export const signInOf = (verified: VerifiedIdToken) => ({
  session_hash: providerSessionHash(verified.issuer.issuer, verified.claims.sid),
  user_hash: providerUserHash(verified),
  issued_at: new Date((verified.claims.iat as number) * 1_000),
});
export const providerTypes = { session_hash: 'text', user_hash: 'text', issued_at: 'timestamptz' };

/** SQL: whether the session or the user was signed out after the ID token was issued. `asked` has the columns of `signInOf`. */
export const isSignedOut = `exists (select from provider_sign_outs gone
      where gone.name_hash in (asked.session_hash, asked.user_hash) and asked.issued_at <= gone.issued_until)`;

/** The reason of the refusal, for the log. */
export const issuedBeforeSignOut = 'it was issued before a sign-out at its provider';

const lock = "hashtextextended('gatehouse sign-outs', 0)";
/** SQL: a condition, always true, for the statement that inserts records: a concurrent sign-out waits until they are committed. */
export const deferProviderLogouts = `(select pg_advisory_xact_lock_shared(${lock})) is not null`;
const awaitInserts = `select pg_advisory_xact_lock(${lock})`;

const signedOut = alone(providerTypes, ({ rows }) => `select ${isSignedOut} as is_signed_out from ${rows}`);

export async function wasSignedOut(sql: Sql, verified: VerifiedIdToken): Promise<boolean> {
  const [row] = await sql.rows<{ is_signed_out: boolean }>(signedOut.one, valuesOf(signedOut, signInOf(verified)));
  return row!.is_signed_out;
}

const storeSignOut = `insert into provider_sign_outs as noted (name_hash, issued_until, ends_at) values ($1, $2, $3)
  on conflict (name_hash) do update set issued_until = greatest(noted.issued_until, excluded.issued_until),
    ends_at = greatest(noted.ends_at, excluded.ends_at)
  where noted.issued_until < excluded.issued_until`;

/**
 * Makes earlier ID tokens invalid. For a session this includes those of the logout token's own second, since a new
 * sign-in has a new session. For a user it doesn't, since they may belong to a new sign-in. When this returns, the records of
 * exchanges that did not see the sign-out are committed.
 */
async function noteSignOut(sql: Sql, logout: VerifiedIdToken): Promise<void> {
  const { issuer, claims } = logout;
  const iat = claims.iat as number;
  const session = providerSessionHash(issuer.issuer, claims.sid);
  const [name, until] = session === null ? [providerUserHash(logout), iat - 1] : [session, iat];
  await sql.rows(storeSignOut, [name, new Date(until * 1_000), new Date((iat + ageSecondsMax(issuer)) * 1_000)]);
  await sql.rows(awaitInserts);
}

// locked in one order, so that two of these never deadlock
const end = (tokens: string, consoleSessions: string): string => `
  with chosen as (
    select t.id from tokens t where ${tokens} and ${isLive('t')} order by t.id for no key update
  ), revoked as (
    update tokens t set is_revoked = true, revoked_at = now(), revoked_by = $2, revoked_by_ip = $3
    from chosen where t.id = chosen.id returning 1
  ), left_console as (
    delete from console_sessions s where ${consoleSessions} returning 1
  )
  select (select count(*) from revoked)::int + (select count(*) from left_console)::int as count`;
const endOfSession = end(
  't.token_guid in (select token_guid from provider_sessions where session_hash = $1)',
  's.provider_session = $1',
);
// a provider ends sessions of its own users only; older records don't have their issuer
const userConditions = {
  userGuid: 'u.user_guid = $1::uuid and (u.idpname is null or u.idpname = $5)',
  idpid: 'u.idpid = $1 and u.idpname = $5',
};
const tokensOfUser = (subject: keyof typeof userConditions): string =>
  `select u.user_guid from users u where ${userConditions[subject]}`;
const endOfUser = (subject: keyof typeof userConditions): string =>
  end(
    `t.user_id in (${tokensOfUser(subject)}) and coalesce(t.issuer, $4) = $4 and t.token_type = 'refresh'`,
    `s.user_guid in (${tokensOfUser(subject)}) and s.issuer = $4`,
  );
const statements = { userGuid: endOfUser('userGuid'), idpid: endOfUser('idpid') };

/** Ends the sessions and returns their number. Throws TokenRefusal `invalidLogoutToken`, and UNAVAILABLE when the provider can't be reached. */
export async function endByLogoutToken(context: Context, logoutToken: string): Promise<number> {
  const verified = await verifyProviderToken(context, 'invalidLogoutToken', logoutToken, 'logout');
  const { issuer, claims, endsAtSeconds } = verified;
  const { sql, config, traceId, face, log } = context;
  const once = { kind: 'logout' as const, name: [issuer.issuer, String(claims.jti)] as const, endsAtSeconds };
  const namesNobody = hasNoSubject(verified);
  // committed first, so that a concurrent exchange is refused or its record is found below
  if (!namesNobody) await noteSignOut(sql, verified);
  const ended = await sql.transaction(async (transaction) => {
    if (!(await noteFirstUse(transaction, once))) throw invalid('it was used before');
    await announceChange(transaction.rows, { actor: config.systemUserGuid, traceId, face });
    const count = namesNobody ? 0 : await endSessions(transaction, context, verified);
    const detail = { count, issuer: issuer.issuer };
    if (count > 0)
      await writeAuditAlone(transaction.rows, [
        { action: 'revoke', subjectType: 'Token', subjectId: startOf(`signed out at ${issuer.idpname}`, 255), detail },
      ]);
    return count;
  });
  note('endedSessions', ended);
  log.info({ traceId, issuer: issuer.issuer, sessions: ended }, 'sessions ended: signed out at the identity provider');
  return ended;
}

const invalid = (detail: string): TokenRefusal => new TokenRefusal('invalidLogoutToken', detail);

/** Whether the logout token names only a `sub`, and no user here can have it. */
const hasNoSubject = ({ issuer, claims, sub }: VerifiedIdToken): boolean =>
  providerSessionHash(issuer.issuer, claims.sid) === null && issuer.subject === 'userGuid' && !isGuid(sub);

async function endSessions(sql: Sql, { address }: Context, { issuer, claims, sub }: VerifiedIdToken): Promise<number> {
  const by = [startOf(`provider ${issuer.idpname}`, 120), address];
  const session = providerSessionHash(issuer.issuer, claims.sid);
  const [ended] = await (session === null
    ? sql.rows<{ count: number }>(statements[issuer.subject], [sub, ...by, issuer.issuer, issuer.idpname])
    : sql.rows<{ count: number }>(endOfSession, [session, ...by]));
  return ended!.count;
}
