/** A review of 10,000 grants: started, decided in parts of 100, and finished with 1,000 ends; one of 100,000 is made or refused. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newProfile, newRole, newScope, newScopeType, systemUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

async function newHolders(count: number): Promise<string> {
  const { context } = graph.app;
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  await context.sql.rows(
    `with people as (insert into users (user_guid, first_name, idpname, created_by)
       select gen_random_uuid(), 'P' || n, 'guids', $3 from generate_series(1, $4::int) n returning user_id)
     insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, $1, $2, $3 from people`,
    [profileId, roleId, systemUser, count],
  );
  await context.sql.rows('analyze');
  return profileId;
}

const start = (profileId: string) => `mutation { startReview(name: "Large", filter: { profileIds: ["${profileId}"] },
  dueAt: "2099-01-01T00:00:00Z", undecided: KEEP) { reviewGuid total } }`;
it('10,000 grants with 1,000 ends are one change set', async () => {
  const profileId = await newHolders(10_000);
  const { startReview } = await graph.data(start(profileId));
  const guid = startReview.reviewGuid;
  expect(startReview.total).toBe(10_000);
  // who loses the profile loses access; made now, so that it is no grant of the review
  const { context } = graph.app;
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'large' });
  const page = `{ review(reviewGuid: "${guid}") { items(first: 1000) { nodes { itemGuid userName } } } }`;
  const items = (await graph.data(page)).review.items.nodes;
  const decide = `mutation ($items: [ReviewDecisionInput!]!) { decideReviewItems(reviewGuid: "${guid}", items: $items) { state } }`;
  for (let from = 0; from < 1_000; from += 100) {
    const decisions = items
      .slice(from, from + 100)
      .map(({ itemGuid }: { itemGuid: string }) => ({ itemGuid, decision: 'END' }));
    await graph.data(decide, { items: decisions });
  }
  await graph.data(`{ review(reviewGuid: "${guid}") { counts { total changed mine { total } } } }`);
  const finish = (dryRun: boolean) =>
    `mutation { finishReview(reviewGuid: "${guid}", dryRun: ${dryRun}) { state effect { loses { users } } } }`;
  const tried = await graph.data(finish(true));
  expect(tried.finishReview).toEqual({ state: 'OPEN', effect: { loses: { users: 1_000 } } });
  const { finishReview } = await graph.data(finish(false));
  expect(finishReview).toEqual({ state: 'FINISHED', effect: { loses: { users: 1_000 } } });
  const [held] = await graph.app.context.sql.rows<{ count: number }>(
    'select count(*)::int as count from user_profiles where profile_id = $1',
    [profileId],
  );
  expect(held!.count).toBe(9_000);
});

it('100,000 grants are reviewed, 100,001 are refused', async () => {
  const profileId = await newHolders(100_000);
  const { startReview } = await graph.data(start(profileId));
  expect(startReview.total).toBe(100_000);
  const guid = startReview.reviewGuid;
  await graph.data(`{ review(reviewGuid: "${guid}") { counts { total mine { total } } } }`);
  await graph.app.context.sql.rows(
    "update review_items set decision = 'END', decided_at = now() where review_item_id % 5 = 0",
  );
  await graph.data(`mutation { finishReview(reviewGuid: "${guid}") { state } }`);
  const { context } = graph.app;
  await context.sql.rows(
    `with person as (insert into users (user_guid, first_name, idpname, created_by) select gen_random_uuid(), 'Q', 'guids', $2::uuid
       from generate_series(1, 20001) returning user_id)
     insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, $1::text, (select role_id from user_profiles where profile_id = $1::text limit 1), $2::uuid from person`,
    [profileId, systemUser],
  );
  const { json } = await graph.ask(start(profileId));
  expect(json.errors[0].extensions.code).toBe('TOO_LARGE');
});
