/** Stores the sessions of the console. The cookie contains a secret, the database its hash; there is no token. */
import { createHash } from 'node:crypto';
import { administrationScopes, type Caller, permissionsOf } from '../../auth/caller.js';
import { generateSecret } from '../../auth/clientSecret.js';
import type { Dependencies } from '../../context.js';
import { asReadFailure } from '../../errors.js';
import { type ConsoleCallerState, callers } from '../tokens/caller.js';
import { findAdministratorByGuid } from './administrators.js';

interface NewSession {
  userGuid: string;
  profileId: string;
  issuer: string;
  /** The result of providerSessionHash. */
  providerSession: string | null;
  /** When the user authenticated; null: unknown. */
  authenticatedAt: Date | null;
}

type Deps = Pick<Dependencies, 'sql' | 'config'>;

/** Maximum number of sessions of a user; the oldest end if there are more. */
const sessionsMax = 20;

export const sessionHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Begins a session; returns the secret for its cookie. */
export async function beginSession({ sql, config }: Deps, session: NewSession): Promise<string> {
  const secret = generateSecret();
  const { userGuid, profileId, issuer, providerSession, authenticatedAt } = session;
  await sql.transaction(async (transaction) => {
    // one at a time, because simultaneous sign-ins would each count only themselves
    await transaction.rows("select pg_advisory_xact_lock(hashtextextended('console ' || $1, 0))", [userGuid]);
    await transaction.rows(
      `delete from console_sessions where session_hash in (select session_hash from console_sessions
         where user_guid = $1::uuid order by seen_at desc offset ${sessionsMax - 1})`,
      [userGuid],
    );
    // a provider's clock may be ahead; `least` ignores a null
    await transaction.rows(
      `insert into console_sessions (session_hash, user_guid, profile_id, issuer, authenticated_at, provider_session, ends_at)
       values ($1, $2, $3, $4, case when $5::timestamptz is not null then least($5, now()) end, $7, now() + make_interval(hours => $6))`,
      [sessionHash(secret), userGuid, profileId, issuer, authenticatedAt, config.consoleMaxHours, providerSession],
    );
  });
  return secret;
}

/**
 * The signed-in user with the profile's current permissions; undefined if the session has ended, the user is blocked or lost
 * the profile, or the provider is no longer one of the console.
 */
export async function findSessionCaller(
  { sql, config }: Deps,
  secret: string,
  issuers: readonly string[],
): Promise<(Caller & { kind: 'user' }) | undefined> {
  const legacy = { readScopes: config.adminReadScopes, writeScopes: config.adminWriteScopes };
  const hash = sessionHash(secret);
  const wanted = administrationScopes(legacy).join(' ');
  const values = { wanted, session_hash: hash, idle_minutes: config.consoleIdleMinutes };
  const now = await sql.batchedRow<ConsoleCallerState>(callers.ofConsole, values).catch((error) => {
    throw asReadFailure(error);
  });
  if (now.user_guid === null || !issuers.includes(now.issuer)) return undefined;
  if (now.is_to_be_noted) await noteUse(sql, hash);
  return {
    kind: 'user',
    sub: now.user_guid,
    profileId: now.profile_id,
    roleId: now.role_id,
    permissions: permissionsOf(now.scopes, legacy),
    session: { startedAt: now.created_at, endsAt: now.ends_at, isFresh: now.is_fresh },
  };
}

/** Notes the use of a session. If another transaction has locked it, such as a trial of a change, its next use is noted. */
const noteUse = (sql: Deps['sql'], hash: Buffer) =>
  sql.rows(
    `update console_sessions set seen_at = now() where session_hash = (select session_hash from console_sessions
       where session_hash = $1 and seen_at < now() - interval '1 minute' for no key update skip locked)`,
    [hash],
  );

interface EndedSession {
  userGuid: string;
  profileId: string;
  issuer: string;
}

/** Undefined if there was none. */
export async function endSession({ sql }: Pick<Deps, 'sql'>, hash: Buffer): Promise<EndedSession | undefined> {
  const [ended] = await sql.rows<EndedSession>(
    `delete from console_sessions where session_hash = $1
     returning user_guid as "userGuid", profile_id as "profileId", issuer`,
    [hash],
  );
  return ended;
}

/** Switches the session to the profile; false if the user does not hold it or it has no administration permissions. */
export async function chooseProfile(
  dependencies: Dependencies,
  secret: string,
  userGuid: string,
  profileId: string,
): Promise<boolean> {
  const administrator = await findAdministratorByGuid(dependencies, userGuid);
  if (!administrator?.profiles.some((profile) => profile.profileId === profileId)) return false;
  await dependencies.sql.rows('update console_sessions set profile_id = $2 where session_hash = $1', [
    sessionHash(secret),
    profileId,
  ]);
  return true;
}
