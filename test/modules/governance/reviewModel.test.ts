/**
 * Two owners and a clock, with random decisions, direct changes and an end: a model says what is left. GATEHOUSE_SCHEDULES plays
 * more, GATEHOUSE_SEED the same again.
 */
import fc from 'fast-check';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { linkProfile, newProfile, newUser } from '../../support/records.js';
import { factor, seed } from '../../support/schedules.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const people = 5;
const which = fc.nat(people - 1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      by: fc.nat(1),
      which,
      decision: fc.constantFrom('KEEP', 'END', 'END_AT', null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('remove', 'extend', 'give again'), which }) },
  fc.record({ do: fc.constant('finish' as const) }),
  fc.record({ do: fc.constant('finish beside' as const), by: fc.nat(1), which }),
);

const decide = `mutation ($guid: UUID!, $items: [ReviewDecisionInput!]!) { decideReviewItems(reviewGuid: $guid, items: $items) { state } }`;
const finish = 'mutation ($guid: UUID!) { finishReview(reviewGuid: $guid) { state } }';
const until = '2099-01-01T00:00:00.000Z';
const extended = '2098-01-01T00:00:00.000Z';

it(`a review ends exactly what was decided and not changed since, once, seed ${seed}`, async () => {
  const { context } = graph.app;
  const { sql } = context;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 15 }),
      fc.constantFrom('KEEP', 'END'),
      async (steps, undecided) => {
        const [owners, profileId] = [await newProfile(context), await newProfile(context)];
        await sql.rows('update profiles set owner_profile_id = $2 where profile_id = $1', [profileId, owners]);
        const tokens: string[] = [];
        for (const _ of [0, 1]) {
          const owner = await newUser(context);
          await linkProfile(context, owner.user_id, owners, 'owner');
          tokens.push(graph.token(['admin:read'], { sub: owner.user_guid }));
        }
        const users: { user_id: number; user_guid: string }[] = [];
        for (let index = 0; index < people; index++) {
          users.push(await newUser(context));
          await linkProfile(context, users[index]!.user_id, profileId, 'member');
        }
        const { startReview } = await graph.data(
          `mutation { startReview(name: "model", filter: { profileIds: ["${profileId}"] }, dueAt: "2099-01-01T00:00:00Z", undecided: ${undecided}) {
            reviewGuid items(first: 10) { nodes { itemGuid userGuid } } } }`,
        );
        const guid = startReview.reviewGuid;
        // items of a review have no order of their own
        const itemOf = new Map<string, string>(
          startReview.items.nodes.map(({ itemGuid, userGuid }: Record<string, string>) => [userGuid, itemGuid]),
        );
        const items = users.map(({ user_guid }) => itemOf.get(user_guid));
        /** What is held until when; undefined: not held. */
        const held: (string | null | undefined)[] = users.map(() => null);
        const decisions: (string | null)[] = users.map(() => null);
        /** Which owner decided; the other one does not replace the decision unseen. */
        const deciders: (number | null)[] = users.map(() => null);
        const isOthers = (index: number, by: number) => deciders[index] !== null && deciders[index] !== by;
        const noteDecision = (index: number, by: number, decision: string | null) => {
          decisions[index] = decision;
          deciders[index] = decision === null ? null : by;
        };
        const changed = users.map(() => false);
        let isFinished = false;
        const end = () => {
          isFinished = true;
          held.forEach((_, index) => {
            const decision = decisions[index] ?? undecided;
            if (changed[index]) return;
            if (decision === 'END') held[index] = undefined;
            if (decision === 'END_AT') held[index] = until;
          });
        };
        const ask = async (query: string, variables: object, token?: string) =>
          (await graph.ask(query, { guid, ...variables }, token)).json.errors?.[0]?.extensions?.code;
        const wish = (index: number, decision: string | null) => ({
          items: [{ itemGuid: items[index], decision, ...(decision === 'END_AT' && { until }) }],
        });
        for (const each of steps) {
          const expected = isFinished ? 'CONFLICT' : undefined;
          if (each.do === 'decide') {
            const code = await ask(decide, wish(each.which, each.decision), tokens[each.by]);
            expect(code).toBe(isOthers(each.which, each.by) ? 'CONFLICT' : expected);
            if (code === undefined) noteDecision(each.which, each.by, each.decision);
          } else if (each.do === 'finish') {
            expect(await ask(finish, {})).toBe(expected);
            if (!isFinished) end();
          } else if (each.do === 'finish beside') {
            const [code] = await Promise.all([
              ask(decide, wish(each.which, 'END'), tokens[each.by]),
              ask(finish, {}).then((finished) => expect(finished).toBe(expected)),
            ]);
            if (isFinished) expect(code).toBe('CONFLICT');
            else {
              if (isOthers(each.which, each.by)) expect(code).toBe('CONFLICT');
              if (code === undefined) noteDecision(each.which, each.by, 'END');
              end();
            }
          } else {
            const { user_id: id } = users[each.which]!;
            if (each.do !== 'extend') await sql.rows('delete from user_profiles where user_id = $1', [id]);
            if (each.do === 'give again') await linkProfile(context, id, profileId, 'member');
            if (each.do === 'extend')
              await sql.rows('update user_profiles set valid_until = $2 where user_id = $1', [id, extended]);
            const isHeld = held[each.which] !== undefined;
            if (each.do === 'extend') held[each.which] = isHeld ? extended : undefined;
            else held[each.which] = each.do === 'remove' ? undefined : null;
            if (!isFinished) changed[each.which] = true;
          }
        }
        const rows = await sql.rows<{ id: number; until: string | null }>(
          'select user_id as id, valid_until as until from user_profiles where profile_id = $1 order by user_id',
          [profileId],
        );
        const expected = users.flatMap(({ user_id: id }, index) =>
          held[index] === undefined ? [] : [{ id, until: held[index] }],
        );
        expect(rows).toEqual(expected);
        const sets = await sql.rows(
          `select from change_sets where note = 'Access review: model' and change_set_guid in
          (select change_set_guid from reviews where review_guid = $1)`,
          [guid],
        );
        expect(sets.length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 8 * factor, seed },
  );
});
