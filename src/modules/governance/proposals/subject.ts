/**
 * Who and what a proposal is about: the records that its changes name, the people who gain or lose by it, and the identity
 * providers that say who these people are. If one of them becomes another, the proposal is no longer the one that was read.
 */
import { createHash } from 'node:crypto';
import type { Config, IdTokenIssuer } from '../../../config/config.js';
import type { Context } from '../../../context.js';
import { User } from '../../../entities/User.js';
import { isGuid, isStorable } from '../../../entities/valueForms.js';
import type { CountedEffect } from '../../changes/outcomes.js';
import type { PlannedChange } from '../../changes/plannedChange.js';

/** Hashes of what a proposal is about. */
export interface Subject {
  /** The names, owners and identities of the records that the changes name, and the entries of access scopes, as they are before the changes. */
  named: string;
  /** The identities of the people who gain or lose. */
  people: string;
  /** The entries of ID_TOKEN_ISSUERS by which these people sign in, by `idpname`; empty for people without one. */
  issuers: Record<string, string>;
}

export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.named === other.named &&
  one.people === other.people &&
  Object.keys({ ...one.issuers, ...other.issuers }).every((idpname) => one.issuers[idpname] === other.issuers[idpname]);

/** The columns that say who or what a record is, by table and key; those of users are the fields below. */
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
    columns: ['name', 'access_scope_type_id', 'access_scope_key', 'concrete_id', 'is_wildcard'],
  },
  { table: 'access_scope_types', key: 'access_scope_type_guid', type: 'uuid', columns: ['name'] },
];

/** The fields of a user by which the user signs in; a change of one makes the user another person. */
export const identifyingFields = ['idpname', 'idpid'] as const;
/** The fields by which people recognize a user, too. */
export const namingFields = [...identifyingFields, 'userName', 'firstName', 'lastName', 'email'] as const;

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
const peopleStatement = `select coalesce(array_agg(distinct idpname), '{}') as idpnames,
    md5(coalesce(string_agg(jsonb_build_array(user_id, idpname, idpid)::text, ',' order by user_id), '')) as hash
  from users where user_id = any($1::int[])`;

interface Facts {
  hash: string;
  /** Null stands for users without one. */
  idpnames: (string | null)[];
}

/** A key of a record is not longer. */
const keyCharactersMax = 50;

/** The texts in the changes that can be keys of records. */
export function textsIn(plan: readonly PlannedChange[]): string[] {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.length <= 2 * keyCharactersMax && isStorable(value))
      texts.add(isGuid(value) ? value.toLowerCase() : value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { parts = [] } of plan) for (const { value } of parts) collect(value);
  return [...texts];
}

/** Call it before the changes are made: a change must not hide that somebody else changed the same. */
export async function readNamed({ sql }: Context, plan: readonly PlannedChange[]): Promise<Facts> {
  const texts = textsIn(plan);
  const [named] = await sql.rows<Facts>(namedStatement, [texts.filter(isGuid), texts]);
  return named!;
}

/** Call it when the changes are made. */
export async function readSubject({ sql, config }: Context, named: Facts, { gains }: CountedEffect): Promise<Subject> {
  const { groups, passing } = gains.counted;
  const ids = new Set(groups.flatMap(({ userIds }) => userIds));
  for (const id of passing.get(User)?.keys() ?? []) ids.delete(id as number);
  const [people] = await sql.rows<Facts>(peopleStatement, [[...ids]]);
  const idpnames = [...new Set([...named.idpnames, ...people!.idpnames].map((name) => name ?? ''))];
  return {
    named: named.hash,
    people: people!.hash,
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
