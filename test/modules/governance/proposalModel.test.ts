/**
 * Two people and a clock, with random proposals, approvals, withdrawals, direct changes and deadlines: a model says what each
 * may answer. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED the same again.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { applyDueProposals } from '../../../src/modules/governance/proposals/dueProposals.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newProfile, newRole, newUser } from '../../support/records.js';
import { factor, seed } from '../../support/schedules.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const persons = ['one', 'two'] as const;
type Step =
  | { do: 'propose'; by: number; scheduled: boolean }
  | { do: 'approve' | 'withdraw' | 'read'; by: number; which: number }
  | { do: 'approve both'; which: number }
  | { do: 'approve and withdraw'; by: number; which: number }
  | { do: 'change' }
  | { do: 'due' | 'expire'; which: number };

const by = fc.nat(1);
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('propose' as const), by, scheduled: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('approve', 'withdraw', 'read'), by, which }) },
  fc.record({ do: fc.constant('approve both' as const), which }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve and withdraw' as const), by, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('due', 'expire'), which }) },
);

interface Modelled {
  guid: string;
  author: number;
  userGuid: string;
  /** What each person has read last. */
  seen: { revision: number; opens: number }[];
  approvals: { by: number; opens: number }[];
  /** What the profile opened when it was applied. */
  applied?: number;
}

const read = 'proposalGuid revision state effect { gains { users } }';

it(`nothing is applied twice, by its author, or with another effect than was approved, seed ${seed}`, async () => {
  const { context } = graph.app;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const subs = persons.map(() => randomUUID());
      const tokens = subs.map((sub) => graph.token(undefined, { sub }));
      const [profileId, roleId] = [await newProfile(context), await newRole(context)];
      const proposals: Modelled[] = [];
      // counts the changes of what the profile opens
      let opens = 0;
      const ask = (query: string, person: number) => graph.ask(`mutation { ${query} }`, {}, tokens[person]!);
      const see = async (proposal: Modelled, person: number) => {
        const { json } = await graph.ask(
          `{ proposal(proposalGuid: "${proposal.guid}") { ${read} } }`,
          {},
          tokens[person]!,
        );
        const found = json.data.proposal;
        proposal.seen[person] = { revision: found.revision, opens };
        return found;
      };
      const approve = async (proposal: Modelled, person: number) => {
        const seen = proposal.seen[person]!;
        const { json } = await ask(
          `approveProposal(proposalGuid: "${proposal.guid}", ifRevision: ${seen.revision}) { state }`,
          person,
        );
        const code = json.errors?.[0].extensions.code;
        if (person === proposal.author) expect(code).toBe('FORBIDDEN');
        else expect([undefined, 'CONFLICT']).toContain(code);
        if (code === undefined) proposal.approvals.push({ by: person, opens: seen.opens });
      };
      const withdraw = (proposal: Modelled, person: number) =>
        ask(`withdrawProposal(proposalGuid: "${proposal.guid}") { state }`, person);
      for (const each of steps) {
        if (each.do === 'propose') {
          const { user_guid: userGuid } = await newUser(context);
          const applyAt = each.scheduled ? `, applyAt: "${new Date(Date.now() + 3_600_000).toISOString()}"` : '';
          const change = `{ assignProfile: { userGuid: "${userGuid}", profileId: "${profileId}", roleId: "${roleId}" } }`;
          const { json } = await ask(`proposeChanges(changes: [${change}], note: "x"${applyAt}) { ${read} }`, each.by);
          const made = json.data.proposeChanges;
          const seen = { revision: made.revision, opens };
          proposals.push({ guid: made.proposalGuid, author: each.by, userGuid, seen: [seen, seen], approvals: [] });
          continue;
        }
        if (each.do === 'change') {
          // what the profile opens is another: whatever was read before does not count
          const type = randomUUID();
          const scope = randomUUID();
          await graph.data(
            `mutation { createAccessScopeType(input: { accessScopeTypeGuid: "${type}", name: "t-${type}" }) { name }
              createAccessScope(input: { accessScopeGuid: "${scope}", accessScopeTypeGuid: "${type}", name: "S", accessScopeKey: "k" }) { name }
              setProfileAccessScopes(profileId: "${profileId}", accessScopeGuids: ["${scope}"]) { name } }`,
          );
          opens += 1;
          continue;
        }
        const proposal = proposals[each.which % Math.max(1, proposals.length)];
        if (!proposal) continue;
        if (each.do === 'read') await see(proposal, each.by);
        else if (each.do === 'approve') await approve(proposal, each.by);
        else if (each.do === 'withdraw') await withdraw(proposal, each.by);
        else if (each.do === 'approve both') await Promise.all([approve(proposal, 0), approve(proposal, 1)]);
        else if (each.do === 'approve and withdraw')
          await Promise.all([approve(proposal, 1 - proposal.author), withdraw(proposal, proposal.author)]);
        else {
          const column = each.do === 'due' ? 'apply_at' : 'expires_at';
          await context.sql.rows(
            `update proposals set ${column} = now() - interval '1 second' where proposal_guid = $1 and ${column} is not null`,
            [proposal.guid],
          );
          const turn = () => applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);
          await Promise.all([turn(), turn()]);
        }
        const done = await context.sql.rows<{ guid: string }>(
          "select proposal_guid::text as guid from proposals where state = 'APPLIED'",
        );
        for (const { guid } of done) {
          const applied = proposals.find((other) => other.guid === guid);
          if (applied) applied.applied ??= opens;
        }
      }
      for (const proposal of proposals) {
        const { state } = await see(proposal, 0);
        const grants = await context.sql.rows(
          'select 1 from user_profiles join users using (user_id) where user_guid = $1 and profile_id = $2',
          [proposal.userGuid, profileId],
        );
        const events = await context.sql.rows<{ actor: string }>(
          `select set.actor::text from proposals join change_sets set using (change_set_guid) where proposal_guid = $1`,
          [proposal.guid],
        );
        expect([proposal.guid, grants.length, events.length]).toEqual([
          proposal.guid,
          state === 'APPLIED' ? 1 : 0,
          state === 'APPLIED' ? 1 : 0,
        ]);
        expect(proposal.approvals.length).toBeLessThanOrEqual(1);
        if (state !== 'APPLIED') continue;
        const [approval] = proposal.approvals;
        expect([approval!.by, events[0]!.actor]).toEqual([1 - proposal.author, subs[approval!.by]]);
        expect(proposal.applied).toBe(approval!.opens);
      }
    }),
    { numRuns: 6 * factor, seed },
  );
});
