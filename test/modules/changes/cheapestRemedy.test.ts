/**
 * On random catalogues of eight people: of all single changes that would open an application for somebody, tried one by one in
 * memory by the glossary's sentence, none gives others less than the first remedy. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED
 * the same again.
 */
import fc from 'fast-check';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { linkProfile, newUser } from '../../support/records.js';
import { factor, seed } from '../../support/schedules.js';
import { readWorld, type World, waysOf } from './accessOracle.js';
import { anyChange, appGuid, catalogue, each, plan, size } from './randomCatalogue.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
const explain = `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) {
  isOpen remedies { changes othersGaining } } }`;

type Row = Record<string, unknown>;
type Change = (world: World) => void;
const administration = /^admin:/;

/** Every change of one record that could open the application for the person. */
function singleChanges(world: World, user: Row, application: Row): Change[] {
  const rows = (table: keyof World): Row[] => [...world[table].values()];
  const set = (table: keyof World, key: unknown, values: Row): Change => {
    return (copy) => void copy[table].set(String(key), { ...copy[table].get(String(key)), ...values });
  };
  const add = (table: keyof World, values: Row): Change => set(table, 'added', { ...values, ended: false });
  const mapped = (table: keyof World, column: string, id: unknown): Change => {
    const isThis = (row: Row) => row[column] === id && row.application_id === application.application_id;
    const [key] = [...world[table]].find(([, row]) => isThis(row)) ?? ['added'];
    return set(table, key, { [column]: id, application_id: application.application_id, state: 'active' });
  };
  const typeOf = (scope: Row) => world.access_scope_types.get(String(scope.access_scope_type_id))!;
  const scopes = rows('access_scopes').filter((scope) => typeOf(scope).name !== 'admin');
  const types = rows('access_scope_types').filter(({ name }) => name !== 'admin');
  const held = rows('user_profiles').filter(({ user_id, ended }) => user_id === user.user_id && !ended);
  const has = (profile: unknown, scope: Row) =>
    rows('profile_access_scopes').some(
      (row) => row.profile_id === profile && row.access_scope_id === scope.access_scope_id && !row.ended,
    );
  return [
    ...scopes.map(({ access_scope_id: id }) => mapped('access_scope_applications_mappers', 'access_scope_id', id)),
    ...types.map(({ access_scope_type_id: id }) =>
      mapped('access_scope_type_applications_mappers', 'access_scope_type_id', id),
    ),
    ...rows('profiles')
      .filter(({ profile_id }) => !held.some((link) => link.profile_id === profile_id))
      .map(({ profile_id }) => add('user_profiles', { user_id: user.user_id, profile_id })),
    ...held.flatMap(({ profile_id }) =>
      scopes
        .filter((scope) => !has(profile_id, scope))
        .map(({ access_scope_id }) => add('profile_access_scopes', { profile_id, access_scope_id })),
    ),
    ...scopes.map(({ access_scope_id: id }) => set('access_scopes', id, { is_active: true })),
    ...types.map(({ access_scope_type_id: id }) => set('access_scope_types', id, { is_active: true })),
    set('applications', application.application_id, { is_active: true }),
    set('users', user.user_id, { is_blocked: false }),
  ];
}

/** Who has what, administration left out. */
const reached = (world: World): Map<string, Set<string>> => {
  const of = new Map<string, Set<string>>();
  for (const { user, what } of waysOf(world))
    if (!administration.test(what)) of.set(user, (of.get(user) ?? new Set()).add(what));
  return of;
};

it('no single change would open an application for fewer others than the first remedy', async () => {
  const { context } = graph.app;
  const { sql } = context;
  await graph.data(apply, { changes: catalogue });
  const more = await Promise.all(each(5, () => newUser(context)));
  const links = fc.array(fc.uniqueArray(fc.nat(size.profiles - 1)), { minLength: 5, maxLength: 5 });
  const changes = fc.array(anyChange, { minLength: 15, maxLength: 25 });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(changes, links, async (drawn, profiles) => {
      await graph.data(apply, { changes: await plan(context, drawn) });
      await sql.rows('delete from user_profiles where user_id = any($1::int[])', [more.map(({ user_id }) => user_id)]);
      for (const [index, { user_id }] of more.entries())
        for (const profile of profiles[index]!) await linkProfile(context, user_id, `p${profile}`, 'member');
      const world = await readWorld(sql);
      const before = reached(world);
      for (const user of world.users.values())
        for (const guid of each(size.applications, appGuid)) {
          const userGuid = String(user.user_guid);
          if (before.get(userGuid)?.has(guid)) continue;
          const application = [...world.applications.values()].find((row) => row.application_guid === guid)!;
          const others = singleChanges(world, user, application).flatMap((change) => {
            const copy = structuredClone(world);
            change(copy);
            const after = reached(copy);
            const gainers = [...after].filter(([who, has]) => has.difference(before.get(who) ?? new Set()).size > 0);
            return after.get(userGuid)?.has(guid) ? [gainers.length - 1] : [];
          });
          const asked = { user: userGuid, app: guid };
          const { isOpen, remedies } = (await graph.data(explain, asked)).explainAccess;
          expect([asked, isOpen]).toEqual([asked, false]);
          if (others.length === 0) continue;
          compared += 1;
          expect([asked, remedies.length > 0]).toEqual([asked, true]);
          expect([asked, remedies[0].othersGaining <= Math.min(...others), remedies[0], others]).toEqual([
            asked,
            true,
            remedies[0],
            others,
          ]);
        }
    }),
    { numRuns: 4 * factor, endOnFailure: true, seed },
  );
  expect(compared).toBeGreaterThan(0);
});
