/**
 * Who and what a proposal is about: the records that its changes name or restore, the application of a request, the people who
 * gain or lose by it, and the identity providers that say who these people are. If one of them becomes another, the proposal is no longer the one that was read.
 */
import { createHash } from 'node:crypto';
import type { Config, IdTokenIssuer } from '../../../config/config.js';
import type { Context } from '../../../context.js';
import { User } from '../../../entities/User.js';
import { isGuid, isStorable } from '../../../entities/valueForms.js';
import { lasts } from '../../../services/access/grants.js';
import { heldEntries } from '../../../services/access/held.js';
import { openings } from '../../../services/access/openings.js';
import { ownChangeSet } from '../../../services/execute.js';
import type { CountedEffect } from '../../changes/outcomes.js';
import type { PlannedChange } from '../../changes/plannedChange.js';

/** Hashes of what a proposal is about. */
export interface Subject {
  /** The names, owners and identities of the records that the changes name, and the entries of access scopes, as they are before the changes. */
  named: string;
  /** The identities of the people who gain or lose, now or because a grant is new or ends later, and what such grants open. */
  people: string;
  /** The entries of ID_TOKEN_ISSUERS by which these people sign in, by `idpname`; empty for people without one. */
  issuers: Record<string, string>;
}

/** A subject as a proposal stores it. */
export interface StoredSubject extends Subject {
  /** The `issuers` when it was proposed: their change is in no history. */
  first: Subject['issuers'];
}

export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.named === other.named &&
  one.people === other.people &&
  Object.keys({ ...one.issuers, ...other.issuers }).every((idpname) => one.issuers[idpname] === other.issuers[idpname]);

/** SQL of what says who or what a record is, by table and key; the columns of users are the fields below. */
const facts: readonly { table: string; key: string; type: 'uuid' | 'text'; columns: readonly string[] }[] = [
  {
    table: 'users',
    key: 'user_guid',
    type: 'uuid',
    columns: ['idpname', 'idpid', 'user_name', 'first_name', 'last_name', 'email'],
  },
  {
    table: 'profiles',
    key: 'profile_id',
    type: 'text',
    columns: ['name', 'owner_profile_id', 'external_group', 'external_group_administers'],
  },
  { table: 'roles', key: 'role_id', type: 'text', columns: ['name'] },
  { table: 'applications', key: 'application_guid', type: 'uuid', columns: ['name', 'owner_profile_id'] },
  {
    table: 'access_scopes',
    key: 'access_scope_guid',
    type: 'uuid',
    columns: [
      'name',
      '(select name from access_scope_types type where type.access_scope_type_id = access_scopes.access_scope_type_id)',
      'access_scope_key',
      'concrete_id',
      'is_wildcard',
    ],
  },
  { table: 'access_scope_types', key: 'access_scope_type_guid', type: 'uuid', columns: ['name'] },
];

/** The fields of a user by which the user signs in; a change of one makes the user another person. */
export const identifyingFields = ['idpname', 'idpid'] as const;
/** The fields by which people recognize a user, too. */
export const namingFields = [...identifyingFields, 'userName', 'firstName', 'lastName', 'email'] as const;
/** SQL: whether the audit event of an update changed one of the fields; personal data have no versions. */
export const fieldsChanged = (fields: readonly string[]): string => `detail->'fields' ?| '{${fields.join(',')}}'`;

const byType = { uuid: '$1::uuid[]', text: '$2::text[]' };
const namedStatement = `select md5(coalesce(string_agg(line, chr(10) order by line), '')) as hash,
    coalesce(array_agg(distinct idpname) filter (where is_user), '{}') as idpnames
  from (${facts
    .map(
      ({ table, key, type, columns }) =>
        `select jsonb_build_array('${table}', ${key}, ${columns.join(', ')})::text as line, ${
          table === 'users' ? 'idpname, true as is_user' : 'null as idpname, false as is_user'
        } from ${table} where ${key} = any(${byType[type]})`,
    )
    .join(' union all ')}) named`;
/** SQL: the keys of the records that change sets changed: an undo names only the set. */
const undoneStatement = `select distinct key from change_sets join record_versions using (change_set_id)
  cross join lateral (select coalesce(after, before) as record) version
  cross join lateral (values ${facts
    .map(({ table, key, type }) => {
      const id = key.replace('_guid', '_id');
      return type === 'text'
        ? `(record->>'${key}')`
        : `((select ${key}::text from ${table} where ${id} = (record->>'${id}')::int))`;
    })
    .join(', ')}) keys (key)
  where change_set_guid = any($1::uuid[]) and key is not null`;
/** SQL: locks these records, so that nobody makes them others before the approval is committed. */
const lockStatement = `select ${facts
  .map(
    ({ table, key, type }) =>
      `(select count(*) from (select from ${table} where ${key} = any(${byType[type]}) order by ${key} for share) own)`,
  )
  .join(' + ')}`;
const lockPeople =
  'select count(*) from (select from users where user_id = any($1::int[]) order by user_id for share) own';
/** SQL: whether the grant `link` is new, or ends later than before the own change set. */
const isGivenMore = `(own.before is null
    or coalesce(link.valid_until, 'infinity') > coalesce((own.before->>'valid_until')::timestamptz, 'infinity'))`;
/** SQL: the grants that the own change set wrote, as they were before it. */
const ownGrants = `own as materialized (
    select distinct on (record_table, record->>'user_id', record->>'profile_id', record->>'role_id', record->>'access_scope_id')
      record_table, before, record
    from record_versions cross join lateral (select coalesce(after, before) as record) version
    where change_set_id = ${ownChangeSet} and record_table in ('user_profiles', 'profile_access_scopes')
    order by record_table, record->>'user_id', record->>'profile_id', record->>'role_id', record->>'access_scope_id', record_version_id)`;
/** SQL: the profiles of people, and the access scopes of profiles, that are given or end later. */
const givenProfiles = `own join user_profiles link on link.user_id = (record->>'user_id')::int
    and link.profile_id = record->>'profile_id' and link.role_id = record->>'role_id'
    and record_table = 'user_profiles' and ${isGivenMore}`;
const givenScopes = `own join profile_access_scopes link on link.profile_id = record->>'profile_id'
    and link.access_scope_id = (record->>'access_scope_id')::int
    and record_table = 'profile_access_scopes' and ${isGivenMore}`;
/** SQL: people who have a grant that is new or ends later, or hold a profile of which an access scope is new or ends later. */
export const givenMore = `with ${ownGrants}
  select link.user_id from ${givenProfiles}
  union select held.user_id from ${givenScopes}
  join user_profiles held on held.profile_id = link.profile_id and ${lasts('held')}`;
/** SQL: all that these grants open and put into tokens, also where nobody gains it now: somebody is blocked, or has it for longer. */
const givenHash = `with ${ownGrants}, links as materialized (
    select has.profile_access_scope_id as id from ${givenProfiles} join profile_access_scopes has on has.profile_id = link.profile_id
    union select link.profile_access_scope_id from ${givenScopes})
  select md5(coalesce(string_agg(distinct what, chr(10) order by what), '')) as hash from (
    select application_guid::text as what from (${openings('has.profile_access_scope_id in (select id from links)')}) opening
      join applications a using (application_id) where a.is_active and not exists (select from record_versions made
        where change_set_id = ${ownChangeSet} and record_table = 'applications' and before is null and record_key = application_guid::text)
    union all select value from (${heldEntries('has.profile_access_scope_id in (select id from links)')}) entry) given`;
/** SQL: beside the issuers of these people, those of people whom the own change set makes or changes: as they sign in after it. */
const peopleStatement = `select coalesce(array_agg(distinct idpname), '{}') || array(
      select distinct idpname from users where user_guid in (
        select subject_id::uuid from audit_events where change_set_id = ${ownChangeSet} and subject_type = 'User')) as idpnames,
    md5(coalesce(string_agg(jsonb_build_array(user_id, idpname, idpid)::text, ',' order by user_id), '')) as hash
  from users where user_id = any($1::int[])`;

interface Facts {
  hash: string;
  /** Null stands for users without one. */
  idpnames: (string | null)[];
}

/** A key of a record is not longer. */
const keyCharactersMax = 50;

/** A request for access names its application and its person, whatever the changes name. */
interface Requested {
  requestedApplicationGuid: string | null;
  proposedBy: string;
}

/** The texts in the changes that can be keys of records. */
export function textsIn(plan: readonly PlannedChange[], request?: Requested): string[] {
  const texts = new Set(request?.requestedApplicationGuid && [request.requestedApplicationGuid, request.proposedBy]);
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.length <= 2 * keyCharactersMax && isStorable(value))
      texts.add(isGuid(value) ? value.toLowerCase() : value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { parts = [] } of plan) for (const { value } of parts) collect(value);
  return [...texts];
}

/**
 * Call it before the changes are made: a change must not hide that somebody else changed the same. Waits for changes of these
 * records that are about to be committed, except in a trial.
 */
export async function readNamed({ sql, isDryRun }: Context, texts: readonly string[]): Promise<Facts> {
  const undone = await sql.rows<{ key: string }>(undoneStatement, [texts.filter(isGuid)]);
  const keys = [...texts, ...undone.map(({ key }) => key)];
  const values = [keys.filter(isGuid), keys];
  if (!isDryRun) await sql.rows(lockStatement, values);
  const [named] = await sql.rows<Facts>(namedStatement, values);
  return named!;
}

/** Call it when the changes are made. It waits as `readNamed` does. */
export async function readSubject(
  { sql, config, isDryRun }: Context,
  named: Facts,
  { gains }: CountedEffect,
): Promise<Subject> {
  // the groups of both sides: everybody whose access or tokens change
  const { groups, passing } = gains.counted;
  const given = await sql.rows<{ user_id: number }>(givenMore);
  const [opened] = given.length > 0 ? await sql.rows<{ hash: string }>(givenHash, [config.mappingActiveStates]) : [];
  const ids = new Set([...groups.flatMap(({ userIds }) => userIds), ...given.map(({ user_id: id }) => id)]);
  for (const id of passing.get(User)?.keys() ?? []) ids.delete(id as number);
  if (!isDryRun) await sql.rows(lockPeople, [[...ids]]);
  const [people] = await sql.rows<Facts>(peopleStatement, [[...ids]]);
  const idpnames = [...new Set([...named.idpnames, ...people!.idpnames].map((name) => name ?? ''))];
  return {
    named: named.hash,
    people: [people!.hash, opened?.hash].join(' '),
    issuers: hashIssuers(config, idpnames),
  };
}

/** What decides who a `sub` is, and whose signature says so. */
const factsOf = ({
  issuer,
  audience,
  idpname,
  subject,
  jwksUri,
  jwks,
  algorithms,
  authorizedParties,
}: IdTokenIssuer) => [
  [issuer, audience, idpname, subject],
  [jwksUri, jwks, algorithms, authorizedParties],
];

/** Hashes by `idpname`. People without one sign in by any issuer. */
export const hashIssuers = ({ idTokenIssuers = [] }: Config, idpnames: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    idpnames.map((name) => {
      const own = idTokenIssuers.filter(({ idpname }) => name === '' || idpname === name);
      return [
        name,
        createHash('md5')
          .update(JSON.stringify(own.map(factsOf)))
          .digest('hex'),
      ];
    }),
  );
