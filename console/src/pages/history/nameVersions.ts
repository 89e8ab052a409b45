/** Names for the numbers that versions of links bear: a removed mapping is told by its application and its scope. */
import { ask } from '../../graph';
import type { ChangeSetDetailQuery } from '../../operations/generated/graph';
import { namesOf } from '../../operations/generated/history';
import type { Difference } from '../../ui/Diff';
import { fullName } from '../../words';

export type Version = NonNullable<NonNullable<ChangeSetDetailQuery['changeSet']>['versions']>['nodes'][number];

export interface Named {
  /** The changes that people can read, with names for numbers. */
  changesOf: (version: Version) => Difference[];
  /** What a link joined; undefined of other records. */
  titleOf: (version: Version | undefined) => string | undefined;
}

const kinds = {
  applicationId: 'applications',
  accessScopeId: 'scopes',
  accessScopeTypeId: 'types',
  userId: 'users',
} as const;
type NumberField = keyof typeof kinds;

const isNumberField = (field: string): field is NumberField => field in kinds;

/** Numbers of the record itself, which say nothing to people. */
const ownNumbers =
  /^(accessScopeApplicationsMapperId|accessScopeTypeApplicationsMapperId|profileAccessScopeId|userProfileId|translationId)$/;
const ownTables: Record<string, NumberField> = {
  applications: 'applicationId',
  access_scopes: 'accessScopeId',
  access_scope_types: 'accessScopeTypeId',
  users: 'userId',
};

/** One request, where there is any number to name. Throws Refusal. */
export async function nameVersions(versions: readonly Version[], signal: AbortSignal): Promise<Named> {
  const wanted: Record<(typeof kinds)[NumberField], Set<number>> = {
    applications: new Set(),
    scopes: new Set(),
    types: new Set(),
    users: new Set(),
  };
  for (const { recordTable, changes } of versions)
    for (const { field, before, after } of changes)
      if (isNumberField(field) && ownTables[recordTable] !== field)
        for (const value of [before, after]) if (typeof value === 'number') wanted[kinds[field]].add(value);
  const names = new Map<string, string>();
  const lists = Object.fromEntries(Object.entries(wanted).map(([kind, numbers]) => [kind, [...numbers].slice(0, 200)]));
  if (Object.values(lists).some(({ length }) => length > 0)) {
    const found = await ask(
      namesOf,
      lists as { applications: number[]; scopes: number[]; types: number[]; users: number[] },
      signal,
    );
    for (const { applicationId, name } of found.applications.nodes) names.set(`applicationId ${applicationId}`, name);
    for (const { accessScopeId, name } of found.accessScopes.nodes) names.set(`accessScopeId ${accessScopeId}`, name);
    for (const { accessScopeTypeId, name } of found.accessScopeTypes.nodes)
      names.set(`accessScopeTypeId ${accessScopeTypeId}`, name);
    for (const { userId, ...person } of found.users.nodes) names.set(`userId ${userId}`, fullName(person));
  }
  const nameOf = (field: string, value: unknown): unknown => names.get(`${field} ${String(value)}`) ?? value;
  return {
    changesOf: ({ recordTable, changes }) =>
      changes
        .filter(({ field }) => !ownNumbers.test(field) && ownTables[recordTable] !== field)
        .map(({ field, before, after }) => ({
          field: field.replace(/Id$/, ''),
          before: nameOf(field, before),
          after: nameOf(field, after),
        })),
    titleOf: (version) => {
      const ends = (version?.changes ?? []).flatMap(({ field, before, after }) => {
        const name = names.get(`${field} ${String(before ?? after)}`);
        return name ? [name] : [];
      });
      return ends.length > 0 ? ends.join(' and ') : undefined;
    },
  };
}
