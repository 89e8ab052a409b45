/** Sign-out at the identity provider ends the sessions here that came from it, the console's too (OpenID Connect Back-Channel Logout 1.0). */
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { unavailable } from '../../errors.js';
import { noteEndedSessions } from '../../observability/currentRequest.js';
import type { Sql } from '../../sql.js';
import { announceChange, writeAudit } from '../records/auditLog.js';
import { noteSignOut, providerSessionHash } from './providerSignOut.js';
import { isLive } from './renewalToken.js';
import { noteFirstUse } from './singleUse.js';
import { TokenRefusal } from './tokenRefusal.js';

// locked in one order, so that two of these never wait for each other
const end = (ofToken: string, ofConsole: string): string => `
  with chosen as (
    select t.id from tokens t where ${ofToken} and ${isLive('t')} order by t.id for no key update
  ), revoked as (
    update tokens t set is_revoked = true, revoked_at = now(), revoked_by = $2, revoked_by_ip = $3
    from chosen where t.id = chosen.id returning 1
  ), left_console as (
    delete from console_sessions s where ${ofConsole} returning 1
  )
  select (select count(*) from revoked)::int + (select count(*) from left_console)::int as count`;
const endOfSession = end(
  't.token_guid in (select token_guid from provider_sessions where session_hash = $1)',
  's.provider_session = $1',
);
// a provider speaks of its own users; records of before don't say by which issuer they came
const whose = {
  userGuid: 'u.user_guid = $1::uuid and (u.idpname is null or u.idpname = $5)',
  idpid: 'u.idpid = $1 and u.idpname = $5',
};
const ofUser = (subject: keyof typeof whose): string => `select u.user_guid from users u where ${whose[subject]}`;
const endOfUser = (subject: keyof typeof whose): string =>
  end(
    `t.user_id in (${ofUser(subject)}) and coalesce(t.issuer, $4) = $4 and t.token_type = 'refresh'`,
    `s.user_guid in (${ofUser(subject)}) and s.issuer = $4`,
  );
const statements = { userGuid: endOfUser('userGuid'), idpid: endOfUser('idpid') };

/** Ends the sessions and gives how many. Throws TokenRefusal `invalidLogoutToken`, and UNAVAILABLE when nothing was judged. */
export async function endByLogoutToken(context: Context, logoutToken: string): Promise<number> {
  const verified = await verify(context, logoutToken);
  const { issuer, claims, endsAtSeconds } = verified;
  const { sql, config, traceId, face, log } = context;
  const once = { kind: 'logout' as const, name: [issuer.issuer, String(claims.jti)] as const, endsAtSeconds };
  const namesNobody = isOfNobody(verified);
  // committed before records are looked for: an exchange is refused by it, or its record is found
  if (!namesNobody) await noteSignOut(sql, verified);
  const ended = await sql.transaction(async (transaction) => {
    if (!(await noteFirstUse(transaction, once))) throw invalid('it was used before');
    const author = { actor: config.systemUserGuid, traceId, face };
    await announceChange(transaction.rows, author);
    const count = namesNobody ? 0 : await endSessions(transaction, context, verified);
    const detail = { count, issuer: issuer.issuer };
    if (count > 0)
      await writeAudit(transaction.rows, author, [
        { action: 'revoke', subjectType: 'Token', subjectId: `signed out at ${issuer.idpname}`.slice(0, 255), detail },
      ]);
    return count;
  });
  noteEndedSessions(ended);
  log.info({ traceId, issuer: issuer.issuer, sessions: ended }, 'sessions ended: signed out at the identity provider');
  return ended;
}

/** By `sub` alone, which is none of a user here. */
const isOfNobody = ({ issuer, claims, sub }: VerifiedIdToken): boolean =>
  providerSessionHash(issuer.issuer, claims.sid) === null && issuer.subject === 'userGuid' && !isGuid(sub);

async function endSessions(sql: Sql, { address }: Context, { issuer, claims, sub }: VerifiedIdToken): Promise<number> {
  const by = [`provider ${issuer.idpname}`.slice(0, 120), address];
  const session = providerSessionHash(issuer.issuer, claims.sid);
  const [ended] = await (session === null
    ? sql.rows<{ count: number }>(statements[issuer.subject], [sub, ...by, issuer.issuer, issuer.idpname])
    : sql.rows<{ count: number }>(endOfSession, [session, ...by]));
  return ended!.count;
}

async function verify({ idTokens }: Context, logoutToken: string): Promise<VerifiedIdToken> {
  try {
    return await idTokens.verify(logoutToken, 'logout');
  } catch (error) {
    if (error instanceof IdTokenInvalid) throw invalid(error.reason);
    if (error instanceof IdentityProviderUnavailable)
      throw unavailable('The identity provider', error, error.retryAfterSeconds);
    throw error;
  }
}

const invalid = (detail: string): TokenRefusal => new TokenRefusal('invalidLogoutToken', detail);
