/** The size that a review of a part would have is that of the review which starts; a large one costs no more than it has items. */

import { demonstrationFile } from '../../../dev/demoData.js';
import { countItems } from '../../../src/modules/governance/reviews/listItems.js';
import { countItemsWaiting } from '../../../src/modules/governance/reviews/reviewers.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { planWork } from '../../support/planWork.js';
import {
  linkProfile,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  const { sql } = graph.app.context;
  await importFile(graph.app.context, demonstrationFile);
  await sql.rows(
    `update profiles set owner_profile_id = 'administration' where profile_id in ('reporting', 'grid-operator')`,
  );
  await sql.rows(
    `update users set department = case first_name when 'Clara' then 'Finance' when 'Emma' then 'Finance' else 'Operations' end`,
  );
  await sql.rows(`update user_profiles set created_date = now() - interval '100 days' where user_profile_id % 2 = 0`);
  await sql.rows(`update user_profiles set valid_until = now() - interval '1 day' where user_profile_id = 3`);
});
afterAll(() => graph?.close());

const size = 'query ($filter: ReviewFilter!) { reviewSize(filter: $filter) { grants people profiles isTooLarge } }';
const start = `mutation ($filter: ReviewFilter!, $dueAt: DateTime!) {
  startReview(name: "Part", filter: $filter, dueAt: $dueAt, undecided: KEEP) {
    reviewGuid total items(first: 1000) { nodes { userGuid profileId } } } }`;
const dueAt = new Date(Date.now() + 86_400_000).toISOString();

it.each([
  {},
  { kinds: ['USER_PROFILE'] },
  { kinds: ['PROFILE_ACCESS_SCOPE'] },
  { departments: ['Operations'] },
  { departments: ['Operations', 'Finance'], kinds: ['USER_PROFILE'] },
  { profileIds: ['grid-operator', 'reporting'] },
  { ownerProfileIds: ['administration'] },
  { ownerProfileIds: ['administration'], departments: ['Finance'] },
  { administration: true },
  { administration: false, unusedDays: 90 },
  { unusedDays: 90 },
  { departments: ['No such department'] },
])('a review with the filter %j has the size that was said before', async (filter) => {
  const said = (await graph.data(size, { filter })).reviewSize;
  const { json } = await graph.ask(start, { filter, dueAt });
  if (said.grants === 0) {
    expect(said).toEqual({ grants: 0, people: 0, profiles: 0, isTooLarge: false });
    expect(json.errors[0].extensions.problems).toEqual({ filter: ['No grant matches the filter.'] });
    return;
  }
  const { total, items } = json.data.startReview as {
    total: number;
    items: { nodes: { userGuid: string | null; profileId: string }[] };
  };
  expect(said).toEqual({
    grants: total,
    people: new Set(items.nodes.flatMap(({ userGuid }) => userGuid ?? [])).size,
    profiles: new Set(items.nodes.map(({ profileId }) => profileId)).size,
    isTooLarge: false,
  });
});

it('unknown profiles are refused with their places, as startReview refuses them', async () => {
  const filter = { profileIds: ['reporting', 'nowhere'], unusedDays: 0 };
  const [said, started] = [await graph.ask(size, { filter }), await graph.ask(start, { filter, dueAt })];
  expect(said.json.errors[0].extensions.problems).toEqual({
    'filter.profileIds[1]': ['There is no such profile.'],
    'filter.unusedDays': ['Must be from 1 to 3650 days.'],
  });
  expect(started.json.errors[0].extensions.problems).toEqual(said.json.errors[0].extensions.problems);
});

it('a number of days that no calendar has is refused, for the size, the start and the items of a review', async () => {
  const filter = { unusedDays: 3_000_000 };
  const items = `query ($filter: ReviewItemFilter) { reviews(first: 1) { nodes { items(first: 1, filter: $filter) { totalCount } } } }`;
  for (const [document, variables] of [
    [size, { filter }],
    [start, { filter, dueAt }],
    [items, { filter }],
  ] as const) {
    const { json } = await graph.ask(document, variables);
    expect(json.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: { 'filter.unusedDays': ['Must be from 1 to 3650 days.'] },
    });
  }
});

it.each([
  [['admin:read']],
  [['admin:security']],
  [['admin:read', 'admin:write']],
])('the size needs the permissions of a start: %j is refused', async (permissions) => {
  const { json } = await graph.ask(size, { filter: {} }, graph.token(permissions));
  expect(json.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('who holds the profile that owns the items of a review is read once, and not for each item', async () => {
  const { context } = graph.app;
  const { sql } = context;
  const [owners, profileId, others, roleId] = [
    await newProfile(context),
    await newProfile(context),
    await newProfile(context),
    await newRole(context),
  ];
  await sql.rows('update profiles set owner_profile_id = $2 where profile_id = $1', [profileId, owners]);
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  for (const [held, count] of [
    [others, 20_000],
    [profileId, 500],
  ] as const)
    await sql.rows(
      `with people as (insert into users (first_name, idpname, created_by) select 'P', 'guids', $3 from generate_series(1, $4::int)
         returning user_id)
       insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, $1, $2, $3 from people`,
      [held, roleId, systemUser, count],
    );
  // after all others, so that a reading from the begin finds it last
  await linkProfile(context, (await newUser(context)).user_id, owners, 'owner');
  await sql.rows('vacuum analyze');
  const filter = { profileIds: [profileId] };
  const { total, reviewGuid } = (await graph.data(start, { filter, dueAt })).startReview;
  expect(total).toBe(501);
  const [review] = await sql.rows<{ id: string }>('select review_id::text as id from reviews where review_guid = $1', [
    reviewGuid,
  ]);
  const works: number[] = [];
  const measured: typeof context.sql.rows = async (text, values) => {
    works.push(await planWork(sql, text, values));
    return sql.rows(text, values);
  };
  const caller = { kind: 'user', sub: systemUser, permissions: new Set(['admin:read', 'admin:security']) } as never;
  const asKeeper = { ...context, caller, sql: { ...sql, rows: measured } };
  await countItemsWaiting(asKeeper);
  await countItems(asKeeper, review!.id);
  expect(works.filter((work) => work > 500_000)).toEqual([]);
});
