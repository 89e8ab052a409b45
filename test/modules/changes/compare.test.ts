/** Two profiles, or two users, side by side. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { linkProfile, newProfile, newScope, newScopeType, newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const parts = (field: string) =>
  `onlyLeft { totalCount nodes { ${field} } } onlyRight { nodes { ${field} } } both { nodes { ${field} } }`;

it('a comparison says what one profile or user has, what the other, and what both, also to callers who may read one of the two', async () => {
  const { context } = graph.app;
  const [left, right] = [await newProfile(context), await newProfile(context)];
  const type = await newScopeType(context);
  const own = await newScope(context, type, left, { access_scope_key: 'left' });
  const shared = await newScope(context, type, left, { access_scope_key: 'shared' });
  await context.sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by) values ($1, $2, '00000000-0000-0000-0000-000000000001')`,
    [right, shared.access_scope_id],
  );
  const [ofLeft, ofBoth] = [randomUUID(), randomUUID()];
  for (const [applicationGuid, scope] of [
    [ofLeft, own],
    [ofBoth, shared],
  ] as const)
    await graph.data(
      `mutation ($input: CreateApplicationInput!, $guid: UUID!, $items: [AccessScopeApplicationsMapperCreateInput!]!) {
        createApplication(input: $input) { name }
        createAccessScopeApplicationsMappers(applicationGuid: $guid, items: $items) { state } }`,
      {
        input: { applicationGuid, name: 'A', ...icons },
        guid: applicationGuid,
        items: [{ accessScopeGuid: scope.access_scope_guid }],
      },
    );
  const [one, other, both] = [await newUser(context), await newUser(context), await newUser(context)];
  await linkProfile(context, one.user_id, left, 'member');
  await linkProfile(context, other.user_id, right, 'member');
  for (const profileId of [left, right]) await linkProfile(context, both.user_id, profileId, 'member');
  const { compareProfiles } = await graph.data(
    `query ($left: ID!, $right: ID!) { compareProfiles(left: $left, right: $right) {
      scopes { ${parts('accessScopeGuid')} } applications { ${parts('applicationGuid')} } people { ${parts('userGuid')} }
      redundant { totalCount nodes { userGuid } } } }`,
    { left, right },
    graph.token(['admin:read']),
  );
  const nodes = (field: string, ...guids: string[]) => ({ nodes: guids.map((guid) => ({ [field]: guid })) });
  const sides = (field: string, ...[l, r, b]: [string[], string[], string[]]) => ({
    onlyLeft: { totalCount: l.length, ...nodes(field, ...l) },
    onlyRight: nodes(field, ...r),
    both: nodes(field, ...b),
  });
  expect(compareProfiles).toEqual({
    scopes: sides('accessScopeGuid', [own.access_scope_guid], [], [shared.access_scope_guid]),
    applications: sides('applicationGuid', [ofLeft], [], [ofBoth]),
    people: sides('userGuid', [one.user_guid], [other.user_guid], [both.user_guid]),
    // without the right one nothing is lost
    redundant: { totalCount: 1, nodes: [{ userGuid: both.user_guid }] },
  });
  const { compareUsers } = await graph.data(
    `query ($left: UUID!, $right: UUID!) { compareUsers(left: $left, right: $right) {
      profiles { ${parts('profileId')} } scopes { ${parts('accessScopeGuid')} } applications { ${parts('applicationGuid')} } } }`,
    { left: both.user_guid, right: other.user_guid },
  );
  expect(compareUsers).toEqual({
    profiles: sides('profileId', [left], [], [right]),
    scopes: sides('accessScopeGuid', [own.access_scope_guid], [], [shared.access_scope_guid]),
    applications: sides('applicationGuid', [ofLeft], [], [ofBoth]),
  });
});

it('a profile that is not there is NOT_FOUND', async () => {
  const { json } = await graph.ask('{ compareProfiles(left: "none", right: "nothing") { redundant { totalCount } } }');
  expect(json.errors[0].extensions.code).toBe('NOT_FOUND');
});
