/** The one statement that judges a caller of the administration by what the database says now, for one or for many at once. */
import type { SharedStatement } from '../../sql.js';
import { scopeEntryColumn, scopeIsInUse } from '../scopeEntry.js';
import { heldRole } from './claims.js';
import { operatorTokenType } from './operatorRecord.js';

/** All null for somebody who may not call any more: blocked, without the profile, or with a session that is revoked. */
export interface Standing {
  role_id: string | null;
  /** Those that are in use and permit something here. */
  scopes: string[] | null;
  /** The session is that of a token of the operator, which has scopes of its own. */
  is_operator: boolean | null;
}

const parameters = ['sub', 'profile_id', 'wanted', 'sid'];
const types = ['uuid', 'text', 'text', 'uuid'];

/**
 * SQL: the few access scopes that permit anything here, found once for all who ask: by their types, which have an index.
 * From a profile's scopes it would be thousands for whoever has as many. `wanted` are their entries with spaces between.
 */
const granting = `granting as materialized (
    select scope.access_scope_id, ${scopeEntryColumn} as entry
    from (select string_to_array(wanted, ' ') as entries from asked limit 1) wanted,
      lateral (select * from access_scope_types
        where name = any(array(select split_part(entry, ':', 1) from unnest(wanted.entries) entry)) offset 0) type,
      lateral (select * from access_scopes where access_scope_type_id = type.access_scope_type_id offset 0) scope
    where ${scopeIsInUse} and ${scopeEntryColumn} = any(wanted.entries)
  )`;

/** SQL: the user of `asked` who is not blocked and holds the profile. */
const holder = `
    select link.role_id, array(select granting.entry from granting where (
      select true from profile_access_scopes has
      where has.profile_id = asked.profile_id and has.access_scope_id = granting.access_scope_id limit 1)) as scopes
    from users u cross join lateral (select ${heldRole('u.user_id', 'asked.profile_id')} as role_id) link
    where u.user_guid = asked.sub and not u.is_blocked and link.role_id is not null`;

const ofUser = `
  select asked.ord, holder.*, null::boolean as is_operator
  from asked left join lateral (${holder}) holder on true`;

const ofSession = `
  select asked.ord, holder.*, session.token_type = '${operatorTokenType}' and not coalesce(u.is_blocked, false) as is_operator
  from asked
  left join tokens session on session.token_guid = asked.sid and not session.is_revoked
  left join users u on u.user_guid = asked.sub
  left join lateral (${holder}) holder on session.token_type <> '${operatorTokenType}'`;

function sharedBy(names: readonly string[], select: string): SharedStatement {
  const columns = (suffix: string) => names.map((_name, index) => `$${index + 1}::${types[index]}${suffix}`).join(', ');
  const from = (asked: string) => `with asked as materialized (select * from ${asked}), ${granting} ${select}`;
  return {
    one: from(`(values (1, ${columns('')})) asked(ord, ${names.join(', ')})`),
    many: from(`unnest(${columns('[]')}) with ordinality asked(${names.join(', ')}, ord)`),
  };
}

/** Of sub, profile id and wanted scopes: for a token without a session, and with its sid after them for one that has one. */
export const callers = { ofUser: sharedBy(parameters.slice(0, 3), ofUser), ofSession: sharedBy(parameters, ofSession) };
