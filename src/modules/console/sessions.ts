/** Stores the sessions of the console. The cookie contains a secret, the database its hash; there is no token. */
import { createHash } from 'node:crypto';
import { administrationScopes, type Caller, permissionsOf } from '../../auth/caller.js';
import { generateSecret } from '../../auth/clientSecret.js';
import type { Context, Dependencies } from '../../context.js';
import { throwReadFailure } from '../../errors.js';
import { holdsNow } from '../../services/access/held.js';
import { permit } from '../../services/permit.js';
import { change, runIn, writeAudit } from '../../services/records/change.js';
import { holderOf, readCallers } from '../../services/tokens/caller.js';
import { endConsoleSessions } from '../../services/tokens/endSessions.js';
import { deferProviderLogouts, isSignedOut, type signInOf } from '../../services/tokens/providerLogout.js';
import { timeText } from '../../sql.js';
import { findAdministratorByGuid } from './administrators.js';

interface NewSession {
  userGuid: string;
  profileId: string;
  issuer: string;
  signIn: ReturnType<typeof signInOf>;
  /** When the user authenticated; null: unknown. */
  authenticatedAt: Date | null;
}

type Deps = Pick<Dependencies, 'sql' | 'config'>;

/** A session of the console. All null if it has ended, or its user lost the permission. */
interface ConsoleCallerState {
  user_guid: string | null;
  profile_id: string;
  issuer: string;
  created_at: string;
  ends_at: string;
  role_id: string;
  scopes: string[];
  /** Whether the user authenticated in the last ten minutes. */
  is_fresh: boolean;
  /** Whether its last use was noted more than a minute ago. */
  is_to_be_noted: boolean;
}

/** How long after an authentication a dangerous operation needs no new one. */
export const freshMinutes = 10;

// the provider states when the user authenticated
const callerOfSession = readCallers(
  { wanted: 'text', session_hash: 'bytea', idle_minutes: 'int' },
  `
  select asked.ord, session.*
  from asked left join lateral (
    select session.user_guid, session.profile_id, session.issuer, session.created_at, session.ends_at, holder.role_id, holder.scopes,
      coalesce(session.authenticated_at > now() - interval '${freshMinutes} minutes', false) as is_fresh,
      session.seen_at < now() - interval '1 minute' as is_to_be_noted
    from console_sessions session
    cross join lateral (${holderOf('session.user_guid', 'session.profile_id')}) holder
    where session.session_hash = asked.session_hash and session.ends_at > now()
      and session.seen_at > now() - make_interval(mins => asked.idle_minutes)
  ) session on true`,
);

/** Maximum number of sessions of a user; the oldest end if there are more. */
const sessionsMax = 20;

export const sessionHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const idLength = 32;

/** Names a session where people see it; neither the cookie nor its hash can be found from it. */
const idOf = (hash: Buffer): string => createHash('sha256').update(hash).digest('hex').slice(0, idLength);
const idColumn = `left(encode(sha256(s.session_hash), 'hex'), ${idLength})`;

/**
 * Begins a session; returns the secret for its cookie. Undefined if the user was meanwhile blocked, lost the profile, or signed out
 * at the provider.
 */
export async function beginSession({ sql, config }: Deps, session: NewSession): Promise<string | undefined> {
  const secret = generateSecret();
  const { userGuid, profileId, issuer, signIn, authenticatedAt } = session;
  const begun = await sql.transaction(async (transaction) => {
    // one at a time, because simultaneous sign-ins would each count only themselves
    await transaction.rows("select pg_advisory_xact_lock(hashtextextended('console ' || $1, 0))", [userGuid]);
    // first, because no sign-out at a provider may wait for a change of the user that is under way
    const holdings = await transaction.rows(`select from ${holdsNow('$1::uuid', '$2')} holding`, [userGuid, profileId]);
    if (holdings.length === 0) return holdings;
    await transaction.rows(
      `delete from console_sessions where session_hash in (select session_hash from console_sessions
         where user_guid = $1::uuid order by seen_at desc offset ${sessionsMax - 1})`,
      [userGuid],
    );
    // a statement of its own, because the next one sees only what was committed before it
    await transaction.rows(`select ${deferProviderLogouts}`);
    // a provider's clock may be ahead; `least` ignores a null
    return transaction.rows(
      `insert into console_sessions (session_hash, user_guid, profile_id, issuer, authenticated_at, provider_session, ends_at)
       select $1, $2, $3, $4, case when $5::timestamptz is not null then least($5, now()) end, session_hash, now() + make_interval(hours => $6)
       from (select $7::text as session_hash, $8::text as user_hash, $9::timestamptz as issued_at) asked
       where not ${isSignedOut} returning true`,
      [
        sessionHash(secret),
        userGuid,
        profileId,
        issuer,
        authenticatedAt,
        config.consoleMaxHours,
        signIn.session_hash,
        signIn.user_hash,
        signIn.issued_at,
      ],
    );
  });
  return begun.length > 0 ? secret : undefined;
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
  const hash = sessionHash(secret);
  const wanted = administrationScopes(config).join(' ');
  const values = { wanted, session_hash: hash, idle_minutes: config.consoleIdleMinutes };
  const now = await sql.batchedRow<ConsoleCallerState>(callerOfSession, values).catch(throwReadFailure);
  if (now.user_guid === null || !issuers.includes(now.issuer)) return undefined;
  if (now.is_to_be_noted) await noteUse(sql, hash);
  return {
    kind: 'user',
    sub: now.user_guid,
    profileId: now.profile_id,
    roleId: now.role_id,
    permissions: permissionsOf(now.scopes, config),
    session: { id: idOf(hash), startedAt: now.created_at, endsAt: now.ends_at, isFresh: now.is_fresh },
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

interface ListedSession {
  sessionId: string;
  profileId: string;
  profileName: string | null;
  startedAt: string;
  seenAt: string;
  endsAt: string;
  /** Whether it is that of the request. */
  isCurrent: boolean;
}

/** A user lists and ends the own sessions; those of others need the permission. */
function permitSessionsOf(context: Context, userGuid: string): void {
  const { caller } = context;
  const isOwn = caller.kind === 'user' && caller.sub.toLowerCase() === userGuid.toLowerCase();
  if (!isOwn) permit(context, 'admin:security');
}

/** The sessions of a user in the console that have not ended, the latest use first. Throws FORBIDDEN. */
export async function listSessions(context: Context, userGuid: string): Promise<ListedSession[]> {
  permitSessionsOf(context, userGuid);
  const { caller, sql, config } = context;
  const rows = await sql.rows<Omit<ListedSession, 'isCurrent'>>(
    `select ${idColumn} as "sessionId", s.profile_id as "profileId", p.name as "profileName",
       ${timeText('s.created_at')} as "startedAt", ${timeText('s.seen_at')} as "seenAt", ${timeText('s.ends_at')} as "endsAt"
     from console_sessions s left join profiles p using (profile_id)
     where s.user_guid = $1::uuid and s.ends_at > now() and s.seen_at > now() - make_interval(mins => $2)
     order by s.seen_at desc, s.created_at desc`,
    [userGuid, config.consoleIdleMinutes],
  );
  const current = caller.kind === 'user' ? caller.session?.id : undefined;
  return rows.map((row) => ({ ...row, isCurrent: row.sessionId === current }));
}

/** Ends a session of the console at once; false if there is none. Throws FORBIDDEN for one of another user. */
export async function endListedSession(context: Context, sessionId: string): Promise<boolean> {
  if (context.caller.kind === 'anonymous') permit(context, 'admin:security');
  const condition = `${idColumn} = $1`;
  const [session] = await context.sql.rows<{ userGuid: string }>(
    `select s.user_guid::text as "userGuid" from console_sessions s where ${condition}`,
    [sessionId],
  );
  const isOwn = session && context.caller.kind === 'user' && session.userGuid === context.caller.sub.toLowerCase();
  if (isOwn) {
    await context.sql.rows(`delete from console_sessions s where ${condition}`, [sessionId]);
    return true;
  }
  permit(context, 'admin:security');
  if (!session) return false;
  await change(
    context,
    'admin:security',
    async (em) => {
      await endConsoleSessions(em, condition, [sessionId]);
      const subjectId = `console session of userGuid ${session.userGuid}`;
      await writeAudit(runIn(em), [{ action: 'revoke', subjectType: 'Token', subjectId, detail: { count: 1 } }]);
    },
    { onlyEnds: true },
  );
  return true;
}
