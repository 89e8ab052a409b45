/** The one statement that judges a caller of the administration by what the database says now, for one or for many at once. */
import type { SharedStatement } from '../../sql.js';
import { scopeEntryColumn, scopeIsInUse } from '../scopeEntry.js';
import { heldRole } from './claims.js';
import { operatorTokenType } from './operatorRecord.js';

/** All null for somebody who may not call any more: blocked, without the profile, or with a session that is revoked. */
export interface CallerState {
  role_id: string | null;
  /** Those that are in use and permit something here. */
  scopes: string[] | null;
  /** The session is that of a token of the operator, which has scopes of its own. */
  is_operator: boolean | null;
}

/** Of a session of the console; all null for one that is over, or whose person may not call any more. */
export interface ConsoleCallerState {
  user_guid: string | null;
  profile_id: string;
  issuer: string;
  created_at: string;
  ends_at: string;
  role_id: string;
  scopes: string[];
  /** Whether the person proved who it is in the last ten minutes. */
  is_fresh: boolean;
  /** Whether its last use was noted more than a minute ago. */
  is_to_be_noted: boolean;
}

/** For how long after a person proved who it is nobody asks again before what is dangerous. */
export const freshMinutes = 10;

const types = {
  sub: 'uuid',
  profile_id: 'text',
  wanted: 'text',
  sid: 'uuid',
  session_hash: 'bytea',
  idle_minutes: 'int',
};

/**
 * SQL: the few access scopes that permit anything here, found once for all who ask: by their types, which have an index.
 * From a profile's scopes it would be thousands for whoever has as many. `wanted` are their entries with spaces between.
 */
export const granting = `granting as materialized (
    select scope.access_scope_id, ${scopeEntryColumn} as entry
    from (select string_to_array(wanted, ' ') as entries from asked limit 1) wanted,
      lateral (select * from access_scope_types
        where name = any(array(select split_part(entry, ':', 1) from unnest(wanted.entries) entry)) offset 0) type,
      lateral (select * from access_scopes where access_scope_type_id = type.access_scope_type_id offset 0) scope
    where ${scopeIsInUse} and ${scopeEntryColumn} = any(wanted.entries)
  )`;

/** SQL: the user who is not blocked and holds the profile. */
const holderOf = (userGuid: string, profileId: string): string => `
    select link.role_id, array(select granting.entry from granting where (
      select true from profile_access_scopes has
      where has.profile_id = ${profileId} and has.access_scope_id = granting.access_scope_id limit 1)) as scopes
    from users u cross join lateral (select ${heldRole('u.user_id', profileId)} as role_id) link
    where u.user_guid = ${userGuid} and not u.is_blocked and link.role_id is not null`;
const holder = holderOf('asked.sub', 'asked.profile_id');

const ofUser = `
  select asked.ord, holder.*, null::boolean as is_operator
  from asked left join lateral (${holder}) holder on true`;

const ofSession = `
  select asked.ord, holder.*, session.token_type = '${operatorTokenType}' and not coalesce(u.is_blocked, false) as is_operator
  from asked
  left join tokens session on session.token_guid = asked.sid and not session.is_revoked
  left join users u on u.user_guid = asked.sub
  left join lateral (${holder}) holder on session.token_type <> '${operatorTokenType}'`;

// a person who signed in proved who it is at the time that the provider says
const ofConsole = `
  select asked.ord, session.*
  from asked left join lateral (
    select session.user_guid, session.profile_id, session.issuer, session.created_at, session.ends_at, holder.role_id, holder.scopes,
      coalesce(session.authenticated_at > now() - interval '${freshMinutes} minutes', false) as is_fresh,
      session.seen_at < now() - interval '1 minute' as is_to_be_noted
    from console_sessions session
    cross join lateral (${holderOf('session.user_guid', 'session.profile_id')}) holder
    where session.session_hash = asked.session_hash and session.ends_at > now()
      and session.seen_at > now() - make_interval(mins => asked.idle_minutes)
  ) session on true`;

function sharedBy(names: readonly (keyof typeof types)[], select: string): SharedStatement {
  const columns = (suffix: string) => names.map((name, index) => `$${index + 1}::${types[name]}${suffix}`).join(', ');
  const from = (asked: string) => `with asked as materialized (select * from ${asked}), ${granting} ${select}`;
  return {
    one: from(`(values (1, ${columns('')})) asked(ord, ${names.join(', ')})`),
    many: from(`unnest(${columns('[]')}) with ordinality asked(${names.join(', ')}, ord)`),
  };
}

/**
 * Of sub, profile id and wanted scopes: for a token without a session, and with its sid after them for one that has one. Of
 * wanted scopes, hash and idle minutes: for a session of the console.
 */
export const callers = {
  ofUser: sharedBy(['sub', 'profile_id', 'wanted'], ofUser),
  ofSession: sharedBy(['sub', 'profile_id', 'wanted', 'sid'], ofSession),
  ofConsole: sharedBy(['wanted', 'session_hash', 'idle_minutes'], ofConsole),
};
