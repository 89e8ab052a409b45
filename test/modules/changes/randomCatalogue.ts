/** A small random catalogue: what it is made of, and changes of it that can be made of what is there. */
import fc from 'fast-check';
import type { Context } from '../../../src/context.js';
import { icons } from '../../support/changeSets.js';

const guid = (kind: number, n: number) => `${String(kind).repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** How many there are of each kind. */
export const size = { types: 2, scopes: 5, profiles: 3, users: 3, applications: 3 };
export const each = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));
export const [typeGuid, scopeGuid, userGuid, appGuid] = [1, 2, 3, 4].map((kind) => (n: number) => guid(kind, n)) as [
  (n: number) => string,
  (n: number) => string,
  (n: number) => string,
  (n: number) => string,
];

/** Changes that make it from nothing. */
export const catalogue = [
  { createRole: { input: { roleId: 'member', name: 'Member' } } },
  ...each(size.types, (n) => ({
    createAccessScopeType: { input: { accessScopeTypeGuid: typeGuid(n), name: `t${n}` } },
  })),
  ...each(size.scopes, (n) => ({
    createAccessScope: {
      input: {
        accessScopeGuid: scopeGuid(n),
        accessScopeTypeGuid: typeGuid(n % size.types),
        name: `S${n}`,
        accessScopeKey: `k${n % 3}`,
      },
    },
  })),
  ...each(size.profiles, (n) => ({ createProfile: { input: { profileId: `p${n}`, name: `P${n}` } } })),
  ...each(size.users, (n) => ({ createUser: { input: { userGuid: userGuid(n), firstName: `U${n}` } } })),
  ...each(size.applications, (n) => ({
    createApplication: { input: { applicationGuid: appGuid(n), name: `A${n}`, ...icons } },
  })),
];

export const below = (max: number) => fc.integer({ min: 0, max: max - 1 });
const anyMember = fc.oneof(
  fc
    .record({ n: below(size.scopes), isActive: fc.boolean() })
    .map(({ n, isActive }) => ({ updateAccessScope: { accessScopeGuid: scopeGuid(n), input: { isActive } } })),
  fc.record({ n: below(size.scopes), t: below(size.types) }).map(({ n, t }) => ({
    updateAccessScope: { accessScopeGuid: scopeGuid(n), input: { accessScopeTypeGuid: typeGuid(t) } },
  })),
  fc
    .record({ n: below(size.types), isActive: fc.boolean() })
    .map(({ n, isActive }) => ({ updateAccessScopeType: { accessScopeTypeGuid: typeGuid(n), input: { isActive } } })),
  fc
    .record({ n: below(size.applications), isActive: fc.boolean() })
    .map(({ n, isActive }) => ({ updateApplication: { applicationGuid: appGuid(n), input: { isActive } } })),
  fc
    .record({ n: below(size.users), isBlocked: fc.boolean() })
    .map(({ n, isBlocked }) => ({ updateUser: { userGuid: userGuid(n), input: { isBlocked } } })),
  fc.record({ n: below(size.profiles), scopes: fc.uniqueArray(below(size.scopes)) }).map(({ n, scopes }) => ({
    setProfileAccessScopes: { profileId: `p${n}`, accessScopeGuids: scopes.map(scopeGuid) },
  })),
  fc
    .record({ u: below(size.users), p: below(size.profiles), gives: fc.boolean() })
    .map(({ u, p, gives }) => ({ link: { u, p, gives } })),
  fc
    .record({ a: below(size.applications), s: below(size.scopes), state: fc.constantFrom('active', 'planned', null) })
    .map((cell) => ({ cell: { ...cell, type: false } })),
  fc
    .record({ a: below(size.applications), s: below(size.types), state: fc.constantFrom('active', 'planned', null) })
    .map((cell) => ({ cell: { ...cell, type: true } })),
);
/** A change that may need to know what is there. */
export type Any = Record<string, never> & {
  assignProfiles?: { userGuids: string[]; profileId: string; roleId: string };
  cell?: { a: number; s: number; state: string | null; type: boolean };
  link?: { u: number; p: number; gives: boolean };
};

export const anyChange = anyMember as never as fc.Arbitrary<Any>;

/** The set as it can be made of what is there: cells are read, links are given or taken where they can be. */
export async function plan({ sql }: Context, changes: readonly Any[]): Promise<object[]> {
  const states = new Map<string, string>();
  for (const { app, target, state } of await sql.rows<{ app: string; target: string; state: string }>(
    `select a.application_guid app, s.access_scope_guid target, m.state from access_scope_applications_mappers m join applications a using (application_id) join access_scopes s using (access_scope_id)
     union all select a.application_guid, t.access_scope_type_guid, m.state from access_scope_type_applications_mappers m join applications a using (application_id) join access_scope_types t using (access_scope_type_id)`,
  ))
    states.set(`${app} ${target}`, state);
  const links = new Set(
    (
      await sql.rows<{ key: string }>(
        `select u.user_guid || ' ' || profile_id as key from user_profiles join users u using (user_id)`,
      )
    ).map(({ key }) => key),
  );
  return changes.flatMap(({ cell, link, ...change }): object[] => {
    if (cell) {
      const target = cell.type ? { accessScopeTypeGuid: typeGuid(cell.s) } : { accessScopeGuid: scopeGuid(cell.s) };
      const key = `${appGuid(cell.a)} ${Object.values(target)[0]}`;
      const from = states.get(key) ?? null;
      if (cell.state) states.set(key, cell.state);
      else states.delete(key);
      return [{ mapping: { applicationGuid: appGuid(cell.a), ...target, from, to: cell.state } }];
    }
    if (!link) {
      const { profileId, roleId, userGuids = [] } = change.assignProfiles ?? {};
      if (roleId === 'member') for (const guid of userGuids) links.add(`${guid} ${profileId}`);
      return [change];
    }
    const key = `${userGuid(link.u)} p${link.p}`;
    if (links.has(key) === link.gives) return [];
    if (link.gives) links.add(key);
    else links.delete(key);
    const assignment = { userGuid: userGuid(link.u), profileId: `p${link.p}`, roleId: 'member' };
    return [link.gives ? { assignProfile: assignment } : { unassignProfile: assignment }];
  });
}
