/** What profiles and users open, asked of the graph and counted by brute force over random catalogues. */
import fc from 'fast-check';
import { insert, linkProfile, newProfile, newScope, newScopeType, newUser, systemUser } from '../support/records.js';
import { seed } from '../support/schedules.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const size = { types: 3, scopes: 8, profiles: 5, users: 6, applications: 12 };
const random = fc.sample(fc.noBias(fc.nat(999)), { numRuns: 2000, ...(seed !== undefined && { seed }) });
/** True for so many of a thousand. */
const chance = (thousandths: number) => random.pop()! < thousandths;
const each = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

interface Catalogue {
  types: { id: number; name: string; isActive: boolean }[];
  scopes: { id: number; guid: string; type: number; isActive: boolean }[];
  profiles: { id: string; scopes: number[] }[];
  users: { guid: string; isBlocked: boolean; profiles: number[] }[];
  applications: { name: string; isActive: boolean; scopes: Map<number, string>; types: Map<number, string> }[];
}

async function makeCatalogue(): Promise<Catalogue> {
  const { context } = graph.app;
  const { sql } = context;
  // the first profile opens the first application, so that something is opened in every catalogue
  const types = await each(size.types, async (n) => {
    const [id, isActive] = [await newScopeType(context, `type${n}`), n === 0 || !chance(150)];
    await sql.rows('update access_scope_types set is_active = $2 where access_scope_type_id = $1', [id, isActive]);
    return { id, name: `type${n}`, isActive };
  });
  const scopes = await each(size.scopes, async (n) => {
    const [type, isActive] = [n % size.types, n === 0 || !chance(150)];
    const made = await newScope(context, types[type]!.id, undefined, {
      access_scope_key: `k${n}`,
      is_active: isActive,
    });
    return { id: made.access_scope_id, guid: made.access_scope_guid, type, isActive };
  });
  const profiles = await each(size.profiles, async (n) => {
    const id = await newProfile(context, `p${n}`);
    const own = scopes
      .keys()
      .filter((scope) => n + scope === 0 || chance(300))
      .toArray();
    for (const scope of own)
      await insert(sql, 'profile_access_scopes', {
        profile_id: id,
        access_scope_id: scopes[scope]!.id,
        created_by: systemUser,
      });
    return { id, scopes: own };
  });
  const users = await each(size.users, async (n) => {
    const isBlocked = chance(200);
    const user = await newUser(context, { first_name: `U${n}`, is_blocked: isBlocked });
    const held = profiles
      .keys()
      .filter(() => chance(400))
      .toArray();
    for (const profile of held)
      for (const role of chance(300) ? ['member', 'chief'] : ['member'])
        await linkProfile(context, user.user_id, profiles[profile]!.id, role);
    return { guid: user.user_guid, isBlocked, profiles: held };
  });
  const applications = await each(size.applications, async (n) => {
    const [name, isActive] = [`${n % 2 === 0 ? 'Brücke' : 'Launchpad'} ${n}`, n === 0 || !chance(200)];
    const icons = { icon_default: 'i', icon_hover: 'h', app_type: 'web', rendering_mode: 'r', link_type: 'l' };
    const row = await insert<{ application_id: number }>(sql, 'applications', {
      name,
      is_active: isActive,
      created_by: systemUser,
      ...icons,
    });
    const { application_id } = row;
    const map = async (table: string, column: string, of: { id: number }[], thousandths: number) => {
      const states = new Map<number, string>();
      for (const [index, { id }] of of.entries())
        if (n + index === 0 || chance(thousandths)) {
          states.set(index, n + index === 0 || chance(700) ? 'active' : 'planned');
          const state = states.get(index);
          await insert(sql, table, { application_id, [column]: id, state, created_by: systemUser });
        }
      return states;
    };
    return {
      name,
      isActive,
      scopes: await map('access_scope_applications_mappers', 'access_scope_id', scopes, 150),
      types: await map('access_scope_type_applications_mappers', 'access_scope_type_id', types, 150),
    };
  });
  return { types, scopes, profiles, users, applications };
}

/** What the profiles open: names with keys of scopes and types, and the number of all profiles that do. */
function opened(catalogue: Catalogue, profiles: number[], filter: { scope?: number; isActive?: boolean }) {
  const { types, scopes, applications } = catalogue;
  const waysOf = (application: Catalogue['applications'][number], through: number[], only?: number) => {
    const used = [...new Set(through.flatMap((profile) => catalogue.profiles[profile]!.scopes))].filter(
      (scope) =>
        scopes[scope]!.isActive && types[scopes[scope]!.type]!.isActive && (only === undefined || scope === only),
    );
    const byType = used.map((scope) => scopes[scope]!.type).filter((type) => application.types.get(type) === 'active');
    return {
      accessScopes: used.filter((scope) => application.scopes.get(scope) === 'active').map((scope) => `k${scope}`),
      accessScopeTypes: [...new Set(byType)].map((type) => types[type]!.name).sort(),
    };
  };
  const isWay = ({ accessScopes, accessScopeTypes }: ReturnType<typeof waysOf>) =>
    accessScopes.length + accessScopeTypes.length > 0;
  return applications
    .filter(({ isActive }) => isActive === (filter.isActive ?? true))
    .map((application) => ({
      name: application.name,
      ...waysOf(application, profiles, filter.scope),
      profiles: catalogue.profiles
        .keys()
        .filter((profile) => isWay(waysOf(application, [profile])))
        .toArray().length,
    }))
    .filter(isWay)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

interface Node {
  application: { name: string };
  accessScopes: { accessScopeKey: string }[];
  accessScopeTypes: { name: string }[];
  profiles: number;
}
const plain = ({ nodes }: { nodes: Node[] }) =>
  nodes.map(({ application, accessScopes, accessScopeTypes, profiles }) => ({
    name: application.name,
    accessScopes: accessScopes.map(({ accessScopeKey }) => accessScopeKey).sort(),
    accessScopeTypes: accessScopeTypes.map(({ name }) => name).sort(),
    profiles,
  }));
const page = `totalCount pageInfo { hasNextPage endCursor }
  nodes { application { name } accessScopes { accessScopeKey } accessScopeTypes { name } profiles }`;
const ask = `query ($first: Int, $offset: Int, $text: String, $scope: UUID, $onlyThis: Boolean, $isActive: Boolean) {
  profiles { nodes { profileId opens(first: $first, offset: $offset, text: $text, accessScopeGuid: $scope, onlyThis: $onlyThis, isActive: $isActive) { ${page} } } }
  users { nodes { userGuid opens(first: $first, offset: $offset, text: $text, accessScopeGuid: $scope, onlyThis: $onlyThis, isActive: $isActive) { ${page} } } } }`;

it('the applications that a profile or a user opens are those that a count over all ways finds, filtered and by pages', async () => {
  const catalogue = await makeCatalogue();
  const filters = [
    {},
    { first: 2, offset: 1 },
    { first: 0 },
    { first: 3, offset: 99 },
    { text: 'brucke' },
    { onlyThis: true },
    { isActive: false },
    ...catalogue.scopes.keys().map((scope) => ({ scope })),
  ] as { first?: number; offset?: number; text?: string; scope?: number; onlyThis?: boolean; isActive?: boolean }[];
  let listed = 0;
  for (const filter of filters) {
    const variables = { ...filter, scope: filter.scope === undefined ? null : catalogue.scopes[filter.scope]!.guid };
    const data = await graph.data(ask, variables);
    const owners = [
      ...catalogue.profiles.map(({ id }, n) => ({ kind: 'profiles', key: 'profileId', id, through: [n] })),
      ...catalogue.users.map(({ guid, isBlocked, profiles }) => ({
        kind: 'users',
        key: 'userGuid',
        id: guid,
        through: isBlocked ? [] : profiles,
      })),
    ];
    for (const { kind, key, id, through } of owners) {
      const { opens } = data[kind].nodes.find((node: Record<string, unknown>) => node[key] === id);
      const all = opened(catalogue, through, filter).filter(
        ({ name, profiles }) => (!filter.text || name.startsWith('Brücke')) && (!filter.onlyThis || profiles === 1),
      );
      const [start, end] = [filter.offset ?? 0, (filter.offset ?? 0) + (filter.first ?? 100)];
      expect([filter, id, opens.totalCount, plain(opens)]).toEqual([
        filter,
        id,
        all.length,
        all.slice(start, end).map((item) => ({ ...item, accessScopes: [...item.accessScopes].sort() })),
      ]);
      expect(opens.pageInfo.hasNextPage).toBe(end < all.length);
      listed += all.length;
    }
  }
  expect(listed).toBeGreaterThan(0);
});

it('the applications of all profiles of a page are read in one statement, and a cursor leads on', async () => {
  graph.app.takeStatements();
  await graph.data(
    '{ profiles(first: 5) { nodes { opens(first: 3) { totalCount nodes { application { name } } } } } }',
  );
  expect(graph.app.takeStatements().filter((text) => text.includes('row_number'))).toHaveLength(1);
  const next =
    'query ($id: ID!, $after: String) { profile(profileId: $id) { opens(first: 1, after: $after) { totalCount nodes { application { name } } pageInfo { hasNextPage endCursor } } } }';
  for (const id of ['p0', 'p1', 'p2', 'p3', 'p4']) {
    const names: string[] = [];
    let after: string | null = null;
    let opens: { totalCount: number; nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    do {
      ({ opens } = (await graph.data(next, { id, after })).profile);
      names.push(...opens.nodes.map(({ application }) => application.name));
      after = opens.pageInfo.endCursor;
    } while (opens.pageInfo.hasNextPage);
    expect(new Set(names).size).toBe(opens.totalCount);
  }
});

it.each([1, 100])('a page of %d that begins after the last place that there can be is empty', async (first) => {
  const page = `opens(first: ${first}, offset: 2147483647) { totalCount nodes { profiles } }`;
  const { profile, users } = await graph.data(`{ profile(profileId: "p0") { ${page} } users { nodes { ${page} } } }`);
  const total = (await graph.data('{ profile(profileId: "p0") { opens { totalCount } } }')).profile.opens.totalCount;
  expect(profile.opens).toEqual({ totalCount: total, nodes: [] });
  expect(users.nodes.flatMap(({ opens }: { opens: { nodes: object[] } }) => opens.nodes)).toEqual([]);
});

it('reading what profiles open is refused without admin:read, and for more than 100 records at once', async () => {
  const own = graph.token([], { sub: (await newUser(graph.app.context)).user_guid });
  const refused = await graph.ask('{ viewer { user { opens { totalCount } } } }', {}, own);
  expect(refused.json.errors[0].extensions.code).toBe('FORBIDDEN');
  for (let n = 0; n < 101; n++) await newProfile(graph.app.context, `more${n}`);
  const many = await graph.ask('{ profiles(first: 101) { nodes { opens(first: 1) { totalCount } } } }');
  expect(many.json.errors[0].extensions.code).toBe('TOO_LARGE');
});
