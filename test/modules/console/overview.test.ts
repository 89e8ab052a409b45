/** What the overview counts, hints about unusual profiles, and suggested values: each compared with records of the tests' own. */
import { randomUUID } from 'node:crypto';
import { applyFile, planFile } from '../../../src/modules/catalogueFile/applyFile.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import {
  insert,
  linkProfile,
  newClient,
  newProfile,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
});
afterEach(() => graph?.close());
const rows = (statement: string, values: unknown[] = []) => graph.app.context.sql.rows(statement, values);
const overview = async (fields: string, token?: string) =>
  (await graph.data(`{ overview { ${fields} } }`, {}, token)).overview;

async function held(
  person: object,
  ...profiles: { profileId: string; ends?: string; usedAt?: string; givenAt?: string }[]
) {
  const { user_id } = await newUser(graph.app.context, person);
  for (const { profileId, ends, usedAt, givenAt } of profiles) {
    await linkProfile(graph.app.context, user_id, profileId, 'member');
    await rows(
      `update user_profiles set valid_until = now() + $3::interval, last_used_at = now() - $4::interval, created_date = now() - $5::interval
       where user_id = $1 and profile_id = $2`,
      [user_id, profileId, ends ?? null, usedAt ?? null, givenAt ?? '0 days'],
    );
  }
  return user_id;
}

it('grants that end are counted within their days, and people who then hold nothing', async () => {
  const [one, other] = [await newProfile(graph.app.context), await newProfile(graph.app.context)];
  await held({}, { profileId: one, ends: '2 days' });
  await held({}, { profileId: one, ends: '20 days' }, { profileId: other });
  await held({}, { profileId: one, ends: '20 days' }, { profileId: other, ends: '40 days' });
  await held({}, { profileId: one, ends: '-1 day' }, { profileId: other, ends: '29 days' });
  expect(
    await overview('grantsEnding { total thisWeek lastProfile } more: grantsEnding(days: 50) { total lastProfile }'),
  ).toEqual({
    grantsEnding: { total: 4, thisWeek: 1, lastProfile: 2 },
    more: { total: 5, lastProfile: 3 },
  });
});

it('assignments that nobody uses are counted from their age on, those of blocked people never', async () => {
  const profileId = await newProfile(graph.app.context);
  await held({}, { profileId, givenAt: '100 days' });
  await held({}, { profileId, givenAt: '10 days' });
  await held({}, { profileId, givenAt: '200 days', usedAt: '95 days' });
  await held({}, { profileId, givenAt: '200 days', usedAt: '5 days' });
  await held({ is_blocked: true }, { profileId, givenAt: '200 days' });
  expect(
    await overview('unusedGrants { total never } blockedHolders few: unusedGrants(days: 7) { total never }'),
  ).toEqual({
    unusedGrants: { total: 2, never: 1 },
    blockedHolders: 1,
    few: { total: 3, never: 2 },
  });
});

it('records of a file that something else changed are counted once each, until the file is applied again', async () => {
  const { context } = graph.app;
  const kind = await newScopeType(context, 'kind');
  const scopes = [
    await newScope(context, kind, undefined, { access_scope_key: 'a' }),
    await newScope(context, kind, undefined, { access_scope_key: 'b' }),
  ].map(({ access_scope_guid }) => access_scope_guid);
  const [one, other] = [randomUUID(), randomUUID()];
  const file = {
    managedBy: 'maps',
    applications: [one, other].map((applicationGuid, index) => ({ applicationGuid, name: `A${index}`, ...icons })),
    profiles: [{ profileId: 'map', name: 'Map', accessScopeGuids: [scopes[0]] }],
  };
  const apply = async () => applyFile(context, file, (await planFile(context, file)).hash);
  await apply();
  expect(await overview('changedByHand { managedBy records }')).toEqual({ changedByHand: [] });
  const change = `mutation ($guid: UUID!, $name: String!) { updateApplication(applicationGuid: $guid, input: { name: $name }) { name } }`;
  await graph.data(change, { guid: one, name: 'B' });
  await graph.data(change, { guid: one, name: 'C' });
  await graph.data(
    'mutation ($scopes: [UUID!]!) { setProfileAccessScopes(profileId: "map", accessScopeGuids: $scopes) { name } }',
    { scopes },
  );
  // one of its own is not the file's
  await importFile(context, { applications: [{ applicationGuid: randomUUID(), name: 'mine', ...icons }] });
  expect(await overview('changedByHand { managedBy records }')).toEqual({
    changedByHand: [{ managedBy: 'maps', records: 2 }],
  });
  await apply();
  expect(await overview('changedByHand { managedBy records }')).toEqual({ changedByHand: [] });
});

it('clients with two secrets and planned go-lives are listed; a caller who may not read one of them still gets the rest', async () => {
  const { context } = graph.app;
  for (const id of ['alone', 'ended', 'two']) await newClient(context, undefined, { client_id: id });
  await rows(
    `update clients set previous_secret = client_secret, previous_secret_ends_at = now() + case client_id when 'two' then 1 else -1 end * interval '1 day' where client_id <> 'alone'`,
  );
  const sub = randomUUID();
  const applyAt = new Date(Date.now() + 86_400_000).toISOString();
  const proposed = await graph.data(
    'mutation ($at: DateTime!) { proposeChanges(changes: [{ createRole: { input: { roleId: "new", name: "New" } } }], note: "go", applyAt: $at) { proposalGuid revision } }',
    { at: applyAt },
    graph.token(['admin:read'], { sub }),
  );
  const { proposalGuid, revision } = proposed.proposeChanges;
  await graph.data(
    'mutation ($guid: UUID!, $revision: Int!) { approveProposal(proposalGuid: $guid, ifRevision: $revision) { state } }',
    {
      guid: proposalGuid,
      revision,
    },
  );
  const fields =
    'twoSecrets { totalCount nodes { clientId } } goLives { totalCount nodes { proposalGuid state applyAt } } nextKeyAt blockedHolders';
  const all = await overview(fields);
  expect(all).toMatchObject({
    twoSecrets: { totalCount: 1, nodes: [{ clientId: 'two' }] },
    goLives: { totalCount: 1, nodes: [{ proposalGuid, state: 'SCHEDULED', applyAt }] },
  });
  const [key] = (await rows(
    "select activated_at as at from signing_keys where state = 'active' and alg <> 'HS256'",
  )) as [{ at: string }];
  expect(Date.parse(all.nextKeyAt)).toBeGreaterThan(Date.parse(key.at));
  const { json } = await graph.ask(`{ overview { ${fields} } }`, {}, graph.token(['admin:read']));
  expect(json.data.overview).toMatchObject({
    twoSecrets: null,
    nextKeyAt: null,
    goLives: { totalCount: 1 },
    blockedHolders: 0,
  });
  expect(json.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
    'FORBIDDEN',
    'FORBIDDEN',
  ]);
});

it('a profile is unusual where fewer than a twentieth of a department of twenty or more hold it', async () => {
  const { context } = graph.app;
  await newProfile(context, 'usual');
  await newProfile(context, 'rare');
  const people = [...Array(41).keys()].map((n) => ({
    department: 'Large',
    profiles: ['usual', ...(n < 2 ? ['rare'] : [])],
  }));
  // two of forty are five per cent, two of forty-one are fewer; nineteen people are too few to tell
  for (const department of ['Exact', 'Small'])
    for (let n = 0; n < (department === 'Exact' ? 40 : 19); n++)
      people.push({ department, profiles: n < (department === 'Exact' ? 2 : 1) ? ['rare'] : [] });
  for (const [n, { department, profiles }] of people.entries())
    await held(
      { department, first_name: `P${String(n).padStart(3, '0')}` },
      ...profiles.map((profileId) => ({ profileId })),
    );
  const query = `query ($has: Boolean!) { users(filter: { hasUnusualProfiles: $has }, first: 100) {
    totalCount nodes { firstName unusualProfiles { profile { profileId } holders colleagues } } } }`;
  const unusual = [{ profile: { profileId: 'rare' }, holders: 2, colleagues: 41 }];
  expect((await graph.data(query, { has: true })).users).toEqual({
    totalCount: 2,
    nodes: ['P000', 'P001'].map((firstName) => ({ firstName, unusualProfiles: unusual })),
  });
  const [{ count }] = (await rows('select count(*)::int as count from users')) as [{ count: number }];
  expect((await graph.data(query, { has: false })).users.totalCount).toBe(count - 2);
  // an assignment that has ended counts for nobody
  await rows("update user_profiles set valid_until = now() where profile_id = 'rare'");
  expect((await graph.data(query, { has: true })).users.totalCount).toBe(0);
});

it('values are suggested by how many records have them, and found by any part without accents', async () => {
  const { context } = graph.app;
  for (const department of ['Küche', 'Küche', 'Lager', '', null]) await newUser(context, { department });
  const query =
    'query ($text: String, $first: Int) { suggestions(field: DEPARTMENT, text: $text, first: $first) { value count } }';
  const suggest = async (variables: object) => (await graph.data(query, variables)).suggestions;
  expect(await suggest({})).toEqual([
    { value: 'Küche', count: 2 },
    { value: 'Lager', count: 1 },
  ]);
  expect(await suggest({ text: 'UCHE' })).toEqual([{ value: 'Küche', count: 2 }]);
  expect(await suggest({ text: 'a', first: 1 })).toEqual([{ value: 'Lager', count: 1 }]);
  const { json } = await graph.ask(query, { first: 51 });
  expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
});

it('the mappings of a type are its own and those of its access scopes', async () => {
  const { context } = graph.app;
  const [type, other] = [await newScopeType(context), await newScopeType(context)];
  const scope = await newScope(context, type, undefined, { access_scope_key: 'c' });
  for (let n = 0; n < 3; n++) {
    const texts = {
      icon_default: 'i',
      icon_hover: 'h',
      app_type: 'web',
      rendering_mode: 'r',
      link_type: 'l',
      created_by: systemUser,
    };
    const { application_id } = await insert<{ application_id: number }>(context.sql, 'applications', {
      name: `A${n}`,
      ...texts,
    });
    const more = { application_id, state: 'active', created_by: systemUser };
    await insert(context.sql, 'access_scope_applications_mappers', { access_scope_id: scope.access_scope_id, ...more });
    if (n === 0)
      await insert(context.sql, 'access_scope_type_applications_mappers', { access_scope_type_id: type, ...more });
  }
  const { accessScopeTypes } = await graph.data(
    '{ accessScopeTypes(orderBy: [{ accessScopeTypeId: ASC }]) { nodes { accessScopeTypeId mappings } } }',
  );
  const counts = new Map(
    accessScopeTypes.nodes.map((node: { accessScopeTypeId: number; mappings: number }) => [
      node.accessScopeTypeId,
      node.mappings,
    ]),
  );
  expect([counts.get(type), counts.get(other)]).toEqual([4, 0]);
});

it('the lists of the overview can be read to their ends, page by page', async () => {
  for (let index = 0; index < 5; index++)
    await newClient(graph.app.context, undefined, {
      previous_secret: 'x',
      previous_secret_ends_at: new Date(Date.now() + (index + 1) * 3_600_000).toISOString(),
    });
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { twoSecrets } = await overview(
      `twoSecrets(first: 2${after ? `, after: "${after}"` : ''}) { totalCount nodes { clientId } pageInfo { hasNextPage endCursor } }`,
    );
    expect(twoSecrets.totalCount).toBe(5);
    seen.push(...twoSecrets.nodes.map(({ clientId }: { clientId: string }) => clientId));
    after = twoSecrets.pageInfo.hasNextPage ? twoSecrets.pageInfo.endCursor : null;
  } while (after);
  expect(new Set(seen).size).toBe(5);
  const { twoSecrets } = await overview('twoSecrets(first: 2, offset: 3) { nodes { clientId } }');
  expect(twoSecrets.nodes.map(({ clientId }: { clientId: string }) => clientId)).toEqual(seen.slice(3));
  const { goLives, reviews } = await overview(
    'goLives(first: 1, offset: 1) { nodes { state } } reviews(first: 1, offset: 1) { nodes { name } }',
  );
  expect([goLives, reviews]).toEqual([{ nodes: [] }, { nodes: [] }]);
});
