/** Access reviews: frozen grants, decisions by owners, and an end that is one change set. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { writeEvidence } from '../../../src/modules/governance/reviews/evidence.js';
import { csvLine } from '../../../src/services/csvLine.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import {
  insert,
  letAdminister,
  linkProfile,
  newApplication,
  newProfile,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = graph.app.context;
});
afterAll(() => graph?.close());

const start = `mutation ($filter: ReviewFilter!, $name: String! = "Spring", $dueAt: DateTime!, $undecided: ReviewDefault! = KEEP) {
  startReview(name: $name, filter: $filter, dueAt: $dueAt, undecided: $undecided) { reviewGuid state total counts { total undecided mine { total } } } }`;
const decide = `mutation ($guid: UUID!, $items: [ReviewDecisionInput!]!) {
  decideReviewItems(reviewGuid: $guid, items: $items) { counts { decided keep end endAt } } }`;
const finish = `mutation ($guid: UUID!, $dryRun: Boolean! = false) {
  finishReview(reviewGuid: $guid, dryRun: $dryRun) { state finishedBy effect { gains { users } loses { users profiles } } changeSet { note actor } } }`;
const finishRead = `mutation ($guid: UUID!, $revision: Int!) { finishReview(reviewGuid: $guid, ifRevision: $revision) { state } }`;
const read = `query ($guid: UUID!, $filter: ReviewItemFilter) { review(reviewGuid: $guid) {
  state counts { total decided changed revision mine { total decided undecided neverUsed unused unusual } }
  owners { nodes { owner { profileId } decided total } }
  items(filter: $filter, first: 1000) { totalCount nodes {
    itemGuid kind userGuid userName profileId profileName roleId accessScopeName grantedBy grantedAt lastUsedAt opens isUnusual
    decision until decisionNote decidedBy outcome user { email } } } } }`;

const soon = (days = 30) => new Date(Date.now() + days * 86_400_000).toISOString();
const codeOf = async (query: string, variables: object, token?: string) =>
  (await graph.ask(query, variables, token)).json.errors?.[0]?.extensions?.code;

/** A profile with holders, which the holders of another profile own. */
async function newGrants(people = 3) {
  const owner = await newUser(context, { first_name: 'Olga', last_name: 'Owner' });
  const ownerProfileId = await newProfile(context);
  await linkProfile(context, owner.user_id, ownerProfileId, 'owner');
  const profileId = await newProfile(context);
  await context.sql.rows('update profiles set owner_profile_id = $2 where profile_id = $1', [
    profileId,
    ownerProfileId,
  ]);
  const holders: Awaited<ReturnType<typeof newUser>>[] = [];
  for (let index = 0; index < people; index++) {
    const user = await newUser(context, {
      first_name: 'Ada',
      last_name: `No${index}`,
      email: `ada${index}@example.org`,
    });
    await linkProfile(context, user.user_id, profileId, 'member');
    holders.push(user);
  }
  const token = graph.token(['admin:read'], { sub: owner.user_guid, profileId: ownerProfileId });
  return { profileId, ownerProfileId, holders, owner, token };
}

async function newReview(grants: { profileId: string }, more: object = {}) {
  const filter = { profileIds: [grants.profileId] };
  const { startReview } = await graph.data(start, { filter, dueAt: soon(), ...more });
  const { review } = await graph.data(read, { guid: startReview.reviewGuid });
  return { guid: startReview.reviewGuid as string, items: review.items.nodes, started: startReview };
}

const heldBy = async (profileId: string): Promise<(string | null)[][]> =>
  (
    await context.sql.rows<{ guid: string; until: string | null }>(
      'select user_guid::text as guid, valid_until as until from user_profiles join users using (user_id) where profile_id = $1 order by user_id',
      [profileId],
    )
  ).map(({ guid, until }) => [guid, until]);

it('a review that is started again with its guid, because the answer was lost, stays one, also at the same moment and later', async () => {
  const { profileId } = await newGrants();
  const again = `mutation ($guid: UUID, $filter: ReviewFilter!, $name: String! = "Autumn", $dueAt: DateTime!) {
    startReview(reviewGuid: $guid, name: $name, filter: $filter, dueAt: $dueAt, undecided: KEEP) { reviewGuid state total } }`;
  const variables = { guid: randomUUID(), filter: { profileIds: [profileId] }, dueAt: soon() };
  const token = graph.token(undefined, { sub: randomUUID() });
  const send = async () => (await graph.data(again, variables, token)).startReview;
  const sent = await Promise.all(Array.from({ length: 4 }, send));
  const started = { reviewGuid: variables.guid, state: 'OPEN', total: 3 };
  expect(sent).toEqual(sent.map(() => started));
  for (const more of [{ name: 'Winter' }, { filter: {} }, { dueAt: soon(31) }])
    expect(await codeOf(again, { ...variables, ...more }, token)).toBe('CONFLICT');
  expect(await codeOf(again, variables)).toBe('CONFLICT');
  await graph.data(finish, { guid: variables.guid });
  expect(await send()).toEqual({ ...started, state: 'FINISHED' });
  expect(await context.sql.rows("select from reviews where name = 'Autumn'")).toHaveLength(1);
});

it('reviews are found by words of their names, without accents', async () => {
  await newReview(await newGrants(), { name: 'Prüfung Nord' });
  const { guid } = await newReview(await newGrants(), { name: 'Prüfung Süd' });
  const found = (text: string) =>
    graph.data('query ($text: String) { reviews(filter: { state: [OPEN], text: $text }) { nodes { reviewGuid } } }', {
      text,
    });
  expect((await found('sud pruf')).reviews.nodes).toEqual([{ reviewGuid: guid }]);
  expect((await found('sud nord')).reviews.nodes).toEqual([]);
});

it('counts and finds as not used what the overview does: old enough, not used since, and of people who are not blocked', async () => {
  const grants = await newGrants(5);
  const { profileId, holders } = grants;
  const set = (index: number, given: string, used: string | null) =>
    context.sql.rows(
      'update user_profiles set created_date = now() - $3::interval, last_used_at = now() - $4::interval where user_id = $1 and profile_id = $2',
      [holders[index]!.user_id, profileId, given, used],
    );
  await set(0, '89 days', null);
  await set(1, '91 days', null);
  await set(2, '1 year', '91 days');
  await set(3, '1 year', '89 days');
  await set(4, '1 year', null);
  const before = (await graph.data('{ overview { unusedGrants { total } } }')).overview.unusedGrants.total;
  await context.sql.rows('update users set is_blocked = true where user_id = $1', [holders[4]!.user_id]);
  const { overview } = await graph.data('{ overview { unusedGrants { total usesCountedSince } } }');
  expect(overview.unusedGrants.total).toBe(before - 1);
  const { startReview } = await graph.data(start, { filter: { kinds: ['USER_PROFILE'] }, dueAt: soon() });
  const counted = `query ($guid: UUID!) { review(reviewGuid: $guid) { items(first: 100, filter: { unusedDays: 90 }) { totalCount nodes { userGuid } }
    counts { usesCountedSince } } }`;
  const { review } = await graph.data(counted, { guid: startReview.reviewGuid });
  expect(review.items.totalCount).toBe(overview.unusedGrants.total);
  const found = review.items.nodes.map(({ userGuid }: { userGuid: string }) => userGuid);
  expect(holders.map(({ user_guid }) => found.includes(user_guid))).toEqual([false, true, true, false, false]);
  expect(review.counts.usesCountedSince).toBe(overview.unusedGrants.usesCountedSince);

  const filter = { kinds: ['USER_PROFILE'], profileIds: [profileId], unusedDays: 90 };
  const { startReview: narrow } = await graph.data(start, { filter, dueAt: soon() });
  expect(narrow.total).toBe(2);
});

it('freezes who holds what, and its owner keeps, ends now, and ends at a date: in one change set', async () => {
  const grants = await newGrants();
  const { profileId, holders, owner, token } = grants;
  const scope = await newScope(context, await newScopeType(context), profileId, {
    access_scope_key: 'k',
    name: 'Harbour',
  });
  const application = await newApplication(context, { name: 'Cranes' });
  await insert(context.sql, 'access_scope_applications_mappers', {
    application_id: application.application_id,
    access_scope_id: scope.access_scope_id,
    created_by: systemUser,
  });
  await context.sql.rows(
    "update user_profiles set last_used_at = now() - interval '100 days', created_date = now() - interval '1 year' where user_id = $1",
    [holders[0]!.user_id],
  );
  const { guid, items, started } = await newReview(grants);
  expect(started).toMatchObject({ state: 'OPEN', total: 4, counts: { total: 4, undecided: 4, mine: { total: 0 } } });
  expect(items.at(-1)).toMatchObject({
    kind: 'PROFILE_ACCESS_SCOPE',
    accessScopeName: 'Harbour',
    userGuid: null,
    opens: 1,
  });
  expect(items[0]).toMatchObject({
    userName: 'Ada No0',
    roleId: 'member',
    grantedBy: systemUser,
    opens: 1,
    decision: null,
    outcome: null,
  });
  const own = await graph.data(read, { guid, filter: { mine: true } }, token);
  expect(own.review.counts.mine).toEqual({ total: 4, decided: 0, undecided: 4, neverUsed: 2, unused: 1, unusual: 0 });
  expect(own.review.items.totalCount).toBe(4);
  const waiting = await graph.data('{ viewer { waiting { reviewItems } } }', {}, token);
  expect(waiting.viewer.waiting.reviewItems).toBe(4);
  const until = soon(5);
  const decided = await graph.data(
    decide,
    {
      guid,
      items: [
        { itemGuid: items[0].itemGuid, decision: 'KEEP', note: 'Needed' },
        { itemGuid: items[1].itemGuid, decision: 'END' },
        { itemGuid: items[2].itemGuid, decision: 'END_AT', until },
      ],
    },
    token,
  );
  expect(decided.decideReviewItems.counts).toEqual({ decided: 3, keep: 1, end: 1, endAt: 1 });
  const tried = await graph.data(finish, { guid, dryRun: true });
  expect(tried.finishReview).toMatchObject({
    state: 'OPEN',
    effect: { gains: { users: 0 }, loses: { users: 1 } },
    changeSet: null,
  });
  expect(await heldBy(profileId)).toHaveLength(3);
  // with the revision of what was read, nothing is done that was not shown
  const { counts } = (await graph.data(read, { guid })).review;
  await graph.data(decide, { guid, items: [{ itemGuid: items[0].itemGuid, decision: 'KEEP' }] }, token);
  expect(await codeOf(finishRead, { guid, revision: counts.revision })).toBe('CONFLICT');
  expect(await heldBy(profileId)).toHaveLength(3);
  const later = (await graph.data(read, { guid })).review;
  expect(later).toMatchObject({ state: 'OPEN', counts: { revision: counts.revision + 1 } });
  const done = await graph.data(finish, { guid });
  expect(done.finishReview).toMatchObject({
    state: 'FINISHED',
    effect: { loses: { users: 1 } },
    changeSet: { note: 'Access review: Spring' },
  });
  expect(await heldBy(profileId)).toEqual([
    [holders[0]!.user_guid, null],
    [holders[2]!.user_guid, until],
  ]);
  const { review } = await graph.data(read, { guid });
  expect(review.items.nodes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'KEPT',
    'ENDED',
    'END_SET',
    'KEPT',
  ]);
  expect(review.owners.nodes).toEqual([{ owner: { profileId: grants.ownerProfileId }, decided: 3, total: 4 }]);
  expect(review.items.nodes[1].decidedBy).toBe(owner.user_guid);
  expect(await codeOf(decide, { guid, items: [{ itemGuid: items[3].itemGuid, decision: 'END' }] }, token)).toBe(
    'CONFLICT',
  );
  expect(await codeOf(finish, { guid })).toBe('CONFLICT');
});

it('undecided grants end where the review says so; grants changed since are listed and not touched', async () => {
  const grants = await newGrants();
  const { guid } = await newReview(grants, { undecided: 'END' });
  const { profileId, holders } = grants;
  await context.sql.rows('update user_profiles set valid_until = $2 where user_id = $1', [
    holders[0]!.user_id,
    soon(90),
  ]);
  await context.sql.rows('delete from user_profiles where user_id = $1', [holders[1]!.user_id]);
  await linkProfile(context, holders[1]!.user_id, profileId, 'member');
  const { review } = await graph.data(read, { guid, filter: { changed: true } });
  expect(review.items.nodes.map(({ userGuid }: { userGuid: string }) => userGuid)).toEqual([
    holders[0]!.user_guid,
    holders[1]!.user_guid,
  ]);
  await graph.data(finish, { guid });
  expect((await heldBy(profileId)).map(([user]) => user)).toEqual([holders[0]!.user_guid, holders[1]!.user_guid]);
  const after = await graph.data(read, { guid });
  expect(after.review.items.nodes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'CHANGED',
    'CHANGED',
    'ENDED',
  ]);
});

it('nobody decides about items of other reviewers or about the own grant; what has no owner is for admin:security', async () => {
  const [grants, others] = [await newGrants(1), await newGrants(1)];
  const { guid, items } = await newReview(grants);
  const itemGuid = items[0].itemGuid;
  const keep = { guid, items: [{ itemGuid, decision: 'KEEP' }] };
  expect(await codeOf(decide, keep, others.token)).toBe('FORBIDDEN');
  expect(await codeOf(decide, keep, graph.token())).toBe('FORBIDDEN');
  expect(await codeOf(decide, keep, graph.token([]))).toBe('FORBIDDEN');
  await linkProfile(context, grants.holders[0]!.user_id, grants.ownerProfileId, 'owner');
  const own = graph.token(['admin:read'], { sub: grants.holders[0]!.user_guid });
  expect(await codeOf(decide, keep, own)).toBe('FORBIDDEN');
  await context.sql.rows('delete from user_profiles where user_id = $1', [grants.owner.user_id]);
  expect(await codeOf(decide, keep, graph.token(['admin:read', 'admin:write']))).toBe('FORBIDDEN');
  expect(await codeOf(decide, keep, graph.token())).toBeUndefined();
  for (const mutation of [start, finish])
    expect(
      await codeOf(mutation, { guid, filter: {}, dueAt: soon() }, graph.token(['admin:read', 'admin:write'])),
    ).toBe('FORBIDDEN');
});

it('nobody decides about access scopes of a profile that they hold; another owner does, and admin:security where there is none', async () => {
  const grants = await newGrants(1);
  await newScope(context, await newScopeType(context), grants.profileId, { access_scope_key: 'k' });
  const { guid, items } = await newReview(grants);
  const { itemGuid } = items.find(({ kind }: { kind: string }) => kind === 'PROFILE_ACCESS_SCOPE');
  const wish = (decision: string | null) => ({ guid, items: [{ itemGuid, decision }] });
  const isMine = async (token: string) =>
    (await graph.data(read, { guid, filter: { mine: true } }, token)).review.items.nodes.some(
      (item: { itemGuid: string }) => item.itemGuid === itemGuid,
    );
  expect(await codeOf(decide, wish('KEEP'), grants.token)).toBeUndefined();
  await graph.data(decide, wish(null), grants.token);

  await linkProfile(context, grants.owner.user_id, grants.profileId, 'member');
  for (const decision of ['KEEP', 'END'])
    expect([decision, await codeOf(decide, wish(decision), grants.token)]).toEqual([decision, 'FORBIDDEN']);
  expect(await isMine(grants.token)).toBe(false);
  // nobody else holds the owning profile
  expect(await isMine(graph.token())).toBe(true);
  const other = await newUser(context);
  await linkProfile(context, other.user_id, grants.ownerProfileId, 'owner');
  const otherToken = graph.token(['admin:read'], { sub: other.user_guid });
  expect(await isMine(graph.token())).toBe(false);
  expect(await codeOf(decide, wish('KEEP'), otherToken)).toBeUndefined();
  const revision = { guid, items: [{ itemGuid, decision: 'END', ifRevision: 4 }] };
  expect(await codeOf(decide, revision, grants.token)).toBe('FORBIDDEN');
  await context.sql.rows('update user_profiles set valid_until = now() where user_id = $1 and profile_id = $2', [
    grants.owner.user_id,
    grants.profileId,
  ]);
  expect(await isMine(grants.token)).toBe(true);
});

it('access scopes of a profile that all with admin:security hold are for them; else for those who do not hold it', async () => {
  const keep = async (profileId: string) => {
    const { guid, items } = await newReview({ profileId });
    const { itemGuid } = items.find(({ kind }: { kind: string }) => kind === 'PROFILE_ACCESS_SCOPE');
    return (token: string) => codeOf(decide, { guid, items: [{ itemGuid, decision: 'KEEP' }] }, token);
  };
  const [profileId, second] = [await newProfile(context), await newProfile(context)];
  for (const each of [profileId, second]) await letAdminister(context.sql, each, 'security');
  const [keeper, other] = [await newUser(context), await newUser(context)];
  await linkProfile(context, keeper.user_id, profileId, 'member');
  const [ofKeeper, ofOther] = [keeper, other].map(({ user_guid: sub }) =>
    graph.token(['admin:read', 'admin:security'], { sub }),
  );
  const others = await context.sql.rows<{ id: string }>(
    `select link.user_profile_id::text as id from user_profiles link join users using (user_id) join profile_access_scopes has using (profile_id)
     join access_scopes s using (access_scope_id) where s.access_scope_guid = 'ad300000-0000-4000-8000-000000000003' and user_id <> $1
       and not is_blocked`,
    [keeper.user_id],
  );
  expect(others).toEqual([]);
  expect(await (await keep(profileId))(ofKeeper!)).toBeUndefined();
  await linkProfile(context, other.user_id, second, 'member');
  expect(await (await keep(profileId))(ofKeeper!)).toBe('FORBIDDEN');
  expect(await (await keep(profileId))(ofOther!)).toBeUndefined();
});

it('only admin:security decides about grants of a profile with administration scopes, whoever owns it', async () => {
  const administer = (profileId: string) => letAdminister(context.sql, profileId, 'write');
  const [before, during] = [await newGrants(1), await newGrants(1)];
  await administer(before.profileId);
  for (const grants of [before, during]) {
    const { guid, items } = await newReview(grants);
    // a profile may get such a scope while its review is open
    if (grants === during) await administer(grants.profileId);
    const { itemGuid } = items.find(({ kind }: { kind: string }) => kind === 'USER_PROFILE');
    const keep = { guid, items: [{ itemGuid, decision: 'KEEP' }] };
    expect(await codeOf(decide, keep, grants.token)).toBe('FORBIDDEN');
    const mine = { guid, filter: { mine: true } };
    expect((await graph.data(read, mine, grants.token)).review.items.totalCount).toBe(0);
    const { waiting } = (await graph.data('{ viewer { waiting { reviewItems } } }', {}, grants.token)).viewer;
    expect(waiting.reviewItems).toBe(0);
    expect((await graph.data(read, mine)).review.items.totalCount).toBeGreaterThan(0);
    expect(await codeOf(decide, keep, graph.token())).toBeUndefined();
  }
});

it('bad input is a clear error, and no decision of the request is saved', async () => {
  const grants = await newGrants(2);
  const { guid, items } = await newReview(grants);
  const [first, second] = items.map(({ itemGuid }: { itemGuid: string }) => ({ itemGuid, decision: 'END' }));
  const faults: [object[], string][] = [
    [[], 'BAD_USER_INPUT'],
    [[first, first], 'BAD_USER_INPUT'],
    [[first, { ...second, decision: 'END_AT' }], 'BAD_USER_INPUT'],
    [[first, { ...second, decision: 'END_AT', until: '2020-01-01T00:00:00Z' }], 'BAD_USER_INPUT'],
    [[first, { ...second, until: soon() }], 'BAD_USER_INPUT'],
    [[first, { ...second, note: 'x'.repeat(1_001) }], 'BAD_USER_INPUT'],
    [[first, { ...second, itemGuid: randomUUID() }], 'NOT_FOUND'],
  ];
  for (const [wrong, code] of faults)
    expect([wrong, await codeOf(decide, { guid, items: wrong }, grants.token)]).toEqual([wrong, code]);
  expect(await codeOf(decide, { guid: randomUUID(), items: [first] }, grants.token)).toBe('NOT_FOUND');
  const { review } = await graph.data(read, { guid });
  expect(review.counts.decided).toBe(0);
  const dueAt = soon();
  for (const wrong of [
    { filter: { profileIds: [grants.profileId] }, dueAt: '2020-01-01T00:00:00Z' },
    { filter: { profileIds: ['nobody'] }, dueAt },
    { filter: { departments: [randomUUID()] }, dueAt },
    { filter: {}, dueAt, name: ' ' },
  ])
    expect(await codeOf(start, wrong)).toBe('BAD_USER_INPUT');
});

it('a decision beside the end is either part of it or refused', async () => {
  const grants = await newGrants(1);
  const { guid, items } = await newReview(grants);
  const wish = { guid, items: [{ itemGuid: items[0].itemGuid, decision: 'END' }] };
  const [code] = await Promise.all([codeOf(decide, wish, grants.token), graph.data(finish, { guid })]);
  expect([undefined, 'CONFLICT']).toContain(code);
  expect(await heldBy(grants.profileId)).toHaveLength(code === 'CONFLICT' ? 1 : 0);
});

it('a cancelled review ends nothing, keeps its decisions, and takes no more', async () => {
  const grants = await newGrants(2);
  const { guid, items } = await newReview(grants, { undecided: 'END' });
  const ends = { guid, items: [{ itemGuid: items[0].itemGuid, decision: 'END' }] };
  await graph.data(decide, ends, grants.token);
  const waiting = async () =>
    (await graph.data('{ viewer { waiting { reviewItems } } }', {}, grants.token)).viewer.waiting.reviewItems;
  const before = await waiting();
  const cancel =
    'mutation ($guid: UUID!) { cancelReview(reviewGuid: $guid) { state finishedBy finishedAt effect { loses { users } } changeSet { note } } }';
  expect(await codeOf(cancel, { guid }, grants.token)).toBe('FORBIDDEN');
  expect(await codeOf(cancel, { guid }, graph.token(['admin:read', 'admin:write']))).toBe('FORBIDDEN');
  expect(await codeOf(cancel, { guid: randomUUID() })).toBe('NOT_FOUND');
  expect((await graph.data(read, { guid })).review.state).toBe('OPEN');
  const canceller = randomUUID();
  const { cancelReview } = await graph.data(cancel, { guid }, graph.token(undefined, { sub: canceller }));
  expect(cancelReview).toEqual({
    state: 'CANCELLED',
    finishedBy: canceller,
    finishedAt: expect.any(String),
    effect: null,
    changeSet: null,
  });
  expect(await heldBy(grants.profileId)).toHaveLength(2);
  for (const [query, variables, token] of [
    [decide, ends, grants.token],
    [finish, { guid }, undefined],
    [finish, { guid, dryRun: true }, undefined],
    [cancel, { guid }, undefined],
  ] as const)
    expect(await codeOf(query, variables, token)).toBe('CONFLICT');
  const { review } = await graph.data(read, { guid });
  expect(review.counts).toMatchObject({ total: 2, decided: 1 });
  expect(review.items.nodes[0]).toMatchObject({ decision: 'END', decidedBy: grants.owner.user_guid, outcome: null });
  expect(await waiting()).toBe(before - 1);
  let csv = '';
  await writeEvidence(
    { ...context, caller: { kind: 'system', sub: systemUser, permissions: new Set(['admin:read']) } },
    guid,
    'json',
    async (text) => {
      csv += text;
    },
  );
  expect(JSON.parse(csv).review).toMatchObject({ state: 'CANCELLED', finishedBy: canceller });
});

it('a review is finished or cancelled, and never both', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const grants = await newGrants(1);
    const { guid } = await newReview(grants, { undecided: 'END' });
    const cancel = 'mutation ($guid: UUID!) { cancelReview(reviewGuid: $guid) { state } }';
    const codes = await Promise.all([codeOf(finish, { guid }), codeOf(cancel, { guid })]);
    expect(codes.sort()).toEqual(['CONFLICT', undefined]);
    const { state } = (await graph.data(read, { guid })).review;
    expect(await heldBy(grants.profileId)).toHaveLength(state === 'FINISHED' ? 0 : 1);
  }
});

it('the evidence has a line for each grant, and no text that a spreadsheet would run', async () => {
  const grants = await newGrants(2);
  await context.sql.rows("update users set first_name = '=HYPERLINK(1)', last_name = 'a,\"b' where user_id = $1", [
    grants.holders[0]!.user_id,
  ]);
  const { guid, items } = await newReview(grants);
  await graph.data(
    decide,
    { guid, items: [{ itemGuid: items[0].itemGuid, decision: 'END', note: '@SUM(1)' }] },
    grants.token,
  );
  await graph.data(finish, { guid });
  const texts: string[] = [];
  const service: Context = {
    ...context,
    caller: { kind: 'system', sub: systemUser, permissions: new Set(['admin:read']) },
  };
  expect(await writeEvidence(service, guid, 'csv', async (text) => void texts.push(text))).toBe(2);
  const [head, first] = texts.join('').split('\r\n');
  expect(head).toMatch(/^person,email,department,/);
  expect(first).toContain(`"'=HYPERLINK(1) a,""b"`);
  expect(first).toContain(`"'@SUM(1)"`);
  expect(first).toContain(`,ENDED,`);
  texts.length = 0;
  await writeEvidence(service, guid, 'json', async (text) => void texts.push(text));
  expect(JSON.parse(texts.join(''))).toMatchObject({
    review: { reviewGuid: guid, state: 'FINISHED', total: 2 },
    items: [
      { decision: 'END', outcome: 'ENDED', decidedByName: 'Olga Owner' },
      { decision: null, outcome: 'KEPT' },
    ],
  });
});

it('each decision is kept in the evidence and the audit events, and none replaces another one unseen', async () => {
  const grants = await newGrants(1);
  const other = await newUser(context, { first_name: 'Otto', last_name: 'Second' });
  await linkProfile(context, other.user_id, grants.ownerProfileId, 'owner');
  const second = graph.token(['admin:read'], { sub: other.user_guid });
  const { guid, items } = await newReview(grants);
  const { itemGuid } = items[0];
  const wish = (decision: string | null, more: object = {}) => ({ guid, items: [{ itemGuid, decision, ...more }] });
  const revisionQuery =
    'query ($guid: UUID!) { review(reviewGuid: $guid) { items(first: 1) { nodes { revision decision decidedBy } } } }';
  const readItem = async () => (await graph.data(revisionQuery, { guid })).review.items.nodes[0];
  expect(await readItem()).toEqual({ revision: 1, decision: null, decidedBy: null });
  await graph.data(decide, wish('END', { note: 'left us' }), grants.token);
  const { json } = await graph.ask(decide, wish('KEEP'), second);
  expect(json.errors[0].extensions).toMatchObject({
    code: 'CONFLICT',
    problems: { 'items[0].ifRevision': [expect.stringContaining('Somebody else')] },
  });
  expect(await codeOf(decide, wish(null), second)).toBe('CONFLICT');
  expect(await codeOf(decide, wish('KEEP', { ifRevision: 1 }), second)).toBe('CONFLICT');
  // a reviewer may think again
  await graph.data(decide, wish('END_AT', { until: soon() }), grants.token);
  expect(await codeOf(decide, wish('KEEP', { ifRevision: 2 }), second)).toBe('CONFLICT');
  expect(await readItem()).toMatchObject({ revision: 3, decision: 'END_AT', decidedBy: grants.owner.user_guid });
  await graph.data(decide, wish('KEEP', { ifRevision: 3 }), second);
  expect(await codeOf(decide, wish('END', { ifRevision: 3 }), grants.token)).toBe('CONFLICT');
  await graph.data(decide, wish(null), second);
  await graph.data(finish, { guid });
  const texts: string[] = [];
  const write = (format: 'csv' | 'json') => writeEvidence(context, guid, format, async (text) => void texts.push(text));
  await write('json');
  const [first, otto] = [grants.owner.user_guid, other.user_guid];
  expect(JSON.parse(texts.join('')).items[0].decisions).toMatchObject([
    { revision: 2, decision: 'END', decidedBy: first, decidedByName: 'Olga Owner', note: 'left us' },
    { revision: 3, decision: 'END_AT', decidedBy: first, until: expect.any(String) },
    { revision: 4, decision: 'KEEP', decidedBy: otto, decidedByName: 'Otto Second' },
    { revision: 5, decision: null, decidedBy: otto },
  ]);
  texts.length = 0;
  await write('csv');
  expect(texts.join('')).toMatch(/Olga Owner: END \(left us\)\n.*Otto Second: KEEP\n.*Otto Second: UNDONE"/s);
  const events = `{ auditEvents(filter: { subjectId: { eq: "${itemGuid}" } }, orderBy: [{ occurredAt: ASC }], first: 9) {
    nodes { action actor subjectType detail changeSet { note } } } }`;
  const decided = (await graph.data(events)).auditEvents.nodes;
  expect(decided).toEqual(
    [
      ['END', first, 2],
      ['END_AT', first, 3],
      ['KEEP', otto, 4],
      [null, otto, 5],
    ].map(([decision, actor, revision]) => ({
      action: 'decide',
      actor,
      subjectType: 'ReviewItem',
      detail: { reviewGuid: guid, decision, revision },
      changeSet: null,
    })),
  );
});

it('decisions that are sent again after a lost answer are accepted, and kept once', async () => {
  const { token, ...grants } = await newGrants(1);
  const { guid, items } = await newReview(grants);
  const { itemGuid } = items[0];
  const wish = (more: object) => ({ guid, items: [{ itemGuid, ...more }] });
  for (const sent of [
    wish({ decision: 'END', note: 'left us', ifRevision: 1 }),
    wish({ decision: 'END_AT', until: soon(), ifRevision: 2 }),
    wish({ decision: null, ifRevision: 3 }),
  ])
    for (let count = 0; count < 2; count++)
      expect((await graph.data(decide, sent, token)).decideReviewItems.counts).toBeTruthy();
  const texts: string[] = [];
  await writeEvidence(context, guid, 'json', async (text) => void texts.push(text));
  const kept = JSON.parse(texts.join('')).items[0].decisions.map(({ decision }: { decision: string }) => decision);
  expect(kept).toEqual(['END', 'END_AT', null]);
  const events = `{ auditEvents(filter: { subjectId: { eq: "${itemGuid}" } }, first: 9) { totalCount } }`;
  expect((await graph.data(events)).auditEvents.totalCount).toBe(3);
  // what was decided in between is not replaced by it
  await graph.data(decide, wish({ decision: 'KEEP' }), token);
  expect(await codeOf(decide, wish({ decision: 'END', note: 'left us', ifRevision: 1 }), token)).toBe('CONFLICT');
});

it('of two reviewers who decide about an item at the same moment, one is refused, and the decision of the other is kept', async () => {
  for (const ifRevision of [undefined, 1]) {
    const grants = await newGrants(1);
    const other = await newUser(context);
    await linkProfile(context, other.user_id, grants.ownerProfileId, 'owner');
    const { guid, items } = await newReview(grants);
    const { itemGuid } = items[0];
    const tokens = [grants.token, graph.token(['admin:read'], { sub: other.user_guid })];
    const codes = await Promise.all(
      tokens.map((token, index) =>
        codeOf(decide, { guid, items: [{ itemGuid, decision: ['END', 'KEEP'][index], ifRevision }] }, token),
      ),
    );
    expect(codes.toSorted()).toEqual(['CONFLICT', undefined]);
    const texts: string[] = [];
    await writeEvidence(context, guid, 'json', async (text) => void texts.push(text));
    const decision = codes[0] === undefined ? 'END' : 'KEEP';
    expect(JSON.parse(texts.join('')).items[0].decisions).toEqual([expect.objectContaining({ revision: 2, decision })]);
  }
});

it('a decision of the version before is kept, too, when it is replaced', async () => {
  const grants = await newGrants(1);
  const { guid, items } = await newReview(grants);
  const { itemGuid } = items[0];
  // before the trigger was there
  await context.sql.transaction(async ({ rows }) => {
    await rows('alter table review_items disable trigger keep_decision');
    await rows("update review_items set decision = 'END', decided_by = $2, decided_at = now() where item_guid = $1", [
      itemGuid,
      grants.owner.user_guid,
    ]);
    await rows('alter table review_items enable trigger keep_decision');
  });
  const decisionsOf = async () => {
    const texts: string[] = [];
    await writeEvidence(context, guid, 'json', async (text) => void texts.push(text));
    return JSON.parse(texts.join('')).items[0].decisions.map(({ decision }: { decision: string }) => decision);
  };
  expect(await decisionsOf()).toEqual(['END']);
  const userGuid = (await newUser(context)).user_guid;
  const keep = { guid, items: [{ itemGuid, decision: 'KEEP', ifRevision: 1 }] };
  expect(await codeOf(decide, keep, graph.token(['admin:read'], { sub: userGuid }))).toBe('FORBIDDEN');
  await graph.data(decide, keep, grants.token);
  expect(await decisionsOf()).toEqual(['END', 'KEEP']);
});

it.each(['=1', '+1', '-1', '@A1', '\t=1', '\r=1', '＝1'])('the text %j begins with an apostrophe in CSV', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`);
});

it('with APPROVALS another person finishes what one has decided', async () => {
  const grants = await newGrants(1);
  const { guid, items } = await newReview(grants);
  const both = graph.token(undefined, { sub: grants.owner.user_guid });
  await graph.data(decide, { guid, items: [{ itemGuid: items[0].itemGuid, decision: 'END' }] }, both);
  const { config } = graph.app.running.dependencies;
  const before = config.approvals;
  Object.assign(config, { approvals: 'all' });
  try {
    expect(await codeOf(finish, { guid }, both)).toBe('APPROVAL_REQUIRED');
    expect(await heldBy(grants.profileId)).toHaveLength(1);
    expect(await codeOf(finish, { guid }, graph.token())).toBeUndefined();
    expect(await heldBy(grants.profileId)).toHaveLength(0);
  } finally {
    Object.assign(config, { approvals: before });
  }
});
