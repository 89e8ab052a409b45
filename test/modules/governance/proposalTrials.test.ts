/** Trials of proposals make nobody else wait for long: one of a caller at a time, for a limited time, and refused ones count. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Context } from '../../../src/context.js';
import { planFile } from '../../../src/modules/catalogueFile/applyFile.js';
import { applyChanges } from '../../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../../src/modules/changes/planChanges.js';
import type { PlannedChange } from '../../../src/modules/changes/plannedChange.js';
import { applyDueProposals } from '../../../src/modules/governance/proposals/dueProposals.js';
import { judgeProposal } from '../../../src/modules/governance/proposals/judge.js';
import { getProposal } from '../../../src/modules/governance/proposals/storedProposals.js';
import { lockChangeSets } from '../../../src/services/records/change.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { linkProfile, newProfile, newRole, newUser } from '../../support/records.js';
import { until } from '../../support/until.js';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = graph.app.context;
});
afterAll(() => graph?.close());

const propose =
  'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid revision } }';
const createRole = (roleId: string = randomUUID()) => ({ createRole: { input: { roleId, name: 'R' } } });
const readerOf = (sub: string) => graph.token(['admin:read'], { sub });

/** How many wait for the lock of changes, and for the turn of their caller. */
async function waiting(): Promise<{ changes: number; turns: number }> {
  const [row] = await context.sql.rows<{ changes: number; turns: number }>(
    `select count(*) filter (where objsubid = 1)::int as changes, count(*) filter (where objsubid = 2)::int as turns
     from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return row!;
}

it.each([
  ['proposals', (sub: string) => graph.ask(propose, { changes: [createRole()] }, readerOf(sub))],
  [
    'plans of catalogue files',
    (sub: string) =>
      planFile(
        { ...context, caller: { kind: 'system', sub, permissions: new Set(['admin:read']) }, face: 'graphql' },
        { roles: [{ roleId: randomUUID(), name: 'R' }] },
      ),
  ],
])('of the %s that one caller tries, one waits for the lock of changes', async (_what, attempt) => {
  const sub = randomUUID();
  let tried: Promise<unknown>[] = [];
  let direct: Promise<unknown> = Promise.resolve();
  await context.sql.transaction(async ({ rows }) => {
    await rows(lockChangeSets);
    tried = [attempt(sub), attempt(sub), attempt(sub)];
    await until(async () => Object.values(await waiting()).join() === '1,2');
    // a change of somebody else is the next one
    direct = applyChanges(context, planChanges([createRole()]), {});
    await until(async () => Object.values(await waiting()).join() === '2,2');
  });
  await Promise.all([direct, ...tried]);
});

const counted = 'effect { loses { users } }';
const effectOfProposal = `query ($guid: UUID!) { proposal(proposalGuid: $guid) { ${counted} } }`;
const effectOfReview = `query ($guid: UUID!) { review(reviewGuid: $guid) { ${counted} } }`;
const startReview = `mutation ($filter: ReviewFilter!, $dueAt: DateTime!) {
  startReview(name: "Spring", filter: $filter, dueAt: $dueAt, undecided: END) { reviewGuid } }`;

it.each([
  [
    'proposal',
    effectOfProposal,
    async (userGuid: string, profileId: string, roleId: string) => {
      const changes = [{ unassignProfile: { userGuid, profileId, roleId } }];
      return (await graph.data(propose, { changes })).proposeChanges.proposalGuid;
    },
  ],
  [
    'review',
    effectOfReview,
    async (_userGuid: string, profileId: string) => {
      const dueAt = new Date(Date.now() + 86_400_000).toISOString();
      return (await graph.data(startReview, { filter: { profileIds: [profileId] }, dueAt })).startReview.reviewGuid;
    },
  ],
])('who reads a %s while another reader’s trial of it runs gets the same trial', async (_what, effect, make) => {
  const [profileId, roleId, user] = [await newProfile(context), await newRole(context), await newUser(context)];
  await linkProfile(context, user.user_id, profileId, roleId);
  const guid = await make(user.user_guid, profileId, roleId);
  const { proposalGuid: other } = (await graph.data(propose, { changes: [createRole()] })).proposeChanges;
  // a sequence counts what is rolled back, too
  await context.sql.rows('create sequence shared_trials');
  await context.sql.rows(
    `create function count_trial() returns trigger language plpgsql as $$begin perform nextval('shared_trials'); return old; end$$`,
  );
  await context.sql.rows(
    `create trigger count_trial before delete on user_profiles for each row when (old.profile_id = '${profileId}') execute function count_trial()`,
  );
  const read = (question: string, variables: object) => graph.data(question, variables, readerOf(randomUUID()));
  const reads: Promise<unknown>[] = [];
  await context.sql.transaction(async ({ rows }) => {
    await rows(lockChangeSets);
    reads.push(read(effect, { guid }));
    await until(async () => (await waiting()).changes === 1);
    reads.push(read(effect, { guid }), read(effect, { guid }), read(effectOfProposal, { guid: other }));
    await until(async () => (await waiting()).changes > 1);
  });
  await Promise.all(reads);
  expect(await context.sql.rows('select last_value::int as trials from shared_trials')).toEqual([{ trials: 1 }]);
  await context.sql.rows('drop function count_trial cascade');
  await context.sql.rows('drop sequence shared_trials');
});

/** Lets the first statements that give this profile fail as PostgreSQL does; `which` is a condition on `attempt`, counted from 1. */
async function failGiving(profileId: string, sqlState: string, which: string): Promise<void> {
  await context.sql.rows('create sequence attempts');
  await context.sql.rows(
    `create function fail_giving() returns trigger language plpgsql as $$declare attempt int := nextval('attempts'); begin
       if ${which} then raise exception 'a fault' using errcode = '${sqlState}'; end if; return new; end$$`,
  );
  await context.sql.rows(
    `create trigger fail_giving before insert on user_profiles for each row when (new.profile_id = '${profileId}') execute function fail_giving()`,
  );
}

async function endFailures(): Promise<number> {
  const [row] = await context.sql.rows<{ attempts: number }>('select last_value::int as attempts from attempts');
  await context.sql.rows('drop function fail_giving cascade');
  await context.sql.rows('drop sequence attempts');
  return row!.attempts;
}

it('where a shared trial fails, one of those who wait for it makes it for the others', async () => {
  const [profileId, roleId, user] = [await newProfile(context), await newRole(context), await newUser(context)];
  const changes = [{ assignProfile: { userGuid: user.user_guid, profileId, roleId } }];
  const { proposalGuid: guid } = (await graph.data(propose, { changes })).proposeChanges;
  await newRole(context);
  await failGiving(profileId, '57014', 'attempt = 1');
  const read = () => graph.ask(effectOfProposal, { guid }, readerOf(randomUUID()));
  const reads: ReturnType<typeof read>[] = [];
  await context.sql.transaction(async ({ rows }) => {
    await rows(lockChangeSets);
    for (let count = 0; count < 4; count++) reads.push(read());
    await until(async () => (await waiting()).changes > 0);
    // the other three have come as far by then
    await graph.data('{ proposals(first: 1) { totalCount } }');
  });
  const answers = await Promise.all(reads);
  expect(answers.filter(({ json }) => json.errors).length).toBeLessThanOrEqual(1);
  expect(await endFailures()).toBe(2);
});

it('readers at the same moment raise the revision of a proposal whose effect has changed once', async () => {
  const { context: own } = graph.app;
  const [profileId, roleId, user] = [await newProfile(context), await newRole(context), await newUser(context)];
  const changes = [{ assignProfile: { userGuid: user.user_guid, profileId, roleId } }];
  const { proposalGuid: guid, revision } = (await graph.data(propose, { changes })).proposeChanges;
  await context.sql.rows('update profiles set name = $2 where profile_id = $1', [profileId, randomUUID()]);
  await context.sql.rows("update proposals set effect_hash = '' where proposal_guid = $1", [guid]);
  const judged = await Promise.all(
    [1, 2, 3, 4].map(async () =>
      judgeProposal(own, await getProposal(own, guid)).then((judgement) => judgement.revision),
    ),
  );
  expect(judged).toEqual(Array(4).fill(revision + 1));
});

it('changes that another process has replaced are tried, and not those of before', async () => {
  const { proposalGuid: guid } = (await graph.data(propose, { changes: [createRole()] })).proposeChanges;
  const problems = async () =>
    (await graph.data('query ($guid: UUID!) { proposal(proposalGuid: $guid) { problems } }', { guid })).proposal
      .problems;
  expect(await problems()).toBeNull();
  const changes = [{ updateRole: { roleId: 'nobody-has-it', input: { name: 'Other' } } }];
  await context.sql.rows('update proposals set changes = $2::jsonb where proposal_guid = $1', [
    guid,
    JSON.stringify(changes),
  ]);
  expect(await problems()).not.toBeNull();
});

it('a trial ends when it has held the lock of changes for as long as a statement may take', async () => {
  const config = { ...context.config, databaseStatementTimeoutMs: 10 };
  const slow: PlannedChange = {
    changes: 1,
    items: 1,
    place: () => 'changes[0]',
    apply: ({ sql }) => sql.rows('select pg_sleep(0.02)'),
  };
  const made = (dryRun: boolean) => applyChanges({ ...context, config }, [slow, slow], { dryRun });
  await expect(made(true)).rejects.toThrow('make them in parts');
  expect((await made(false)).isDryRun).toBe(true);
});

it('a refused proposal counts for an hour, and beyond the limit nothing is tried', async () => {
  const sub = randomUUID();
  const roleId = await newRole(context);
  const ask = async (change: object) => (await graph.ask(propose, { changes: [change] }, readerOf(sub))).json;
  await context.sql.rows(
    "insert into refused_proposals (proposed_by, ends_at) select $1, now() + interval '1 hour' from generate_series(1, 98)",
    [sub],
  );
  expect((await ask(createRole(roleId))).errors[0].message).not.toContain('refused');
  expect((await ask({ createRole: { input: { roleId: '', name: 'R' } } })).errors[0].extensions.code).toBe(
    'BAD_USER_INPUT',
  );
  const refused = (await ask(createRole())).errors[0];
  expect([refused.extensions.code, refused.message]).toEqual([
    'CONFLICT',
    '100 of your proposals were refused in the last hour: try again later.',
  ]);
  expect((await graph.ask(propose, { changes: [createRole()] }, readerOf(randomUUID()))).json.errors).toBeUndefined();
  await context.sql.rows('update refused_proposals set ends_at = now() where proposed_by = $1', [sub]);
  expect((await ask(createRole())).errors).toBeUndefined();
});

/** A scheduled proposal that gives somebody the profile. */
async function newScheduled(profileId: string, roleId: string): Promise<string> {
  const { user_guid: userGuid } = await newUser(context);
  const changes = [{ assignProfile: { userGuid, profileId, roleId } }];
  const { proposalGuid, revision } = (await graph.data(propose, { changes })).proposeChanges;
  const applyAt = new Date(Date.now() + 3_600_000).toISOString();
  const approve = `mutation { approveProposal(proposalGuid: "${proposalGuid}", ifRevision: ${revision}, applyAt: "${applyAt}") { state } }`;
  await graph.data(approve);
  return proposalGuid;
}

it('all that is due is applied in one turn', async () => {
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  for (let made = 0; made < 25; made++) await newScheduled(profileId, roleId);
  await context.sql.rows("update proposals set apply_at = now() where state = 'SCHEDULED'");
  await applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);
  expect(
    await context.sql.rows("select 1 from proposals where state <> 'APPLIED' and title like $1", [
      `Give ${profileId}%`,
    ]),
  ).toEqual([]);
  expect(await context.sql.rows('select 1 from user_profiles where profile_id = $1', [profileId])).toHaveLength(25);
});

/** The service itself may have a turn at the same moment, so that what this one leaves is done by that one. */
const turnNow = async (guid: string) => {
  await context.sql.rows('update proposals set apply_at = now() where proposal_guid = $1', [guid]);
  await applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);
  return readState(guid);
};

async function readState(guid: string) {
  const [row] = await context.sql.rows<{ state: string; failure: object | null }>(
    'select state, failure from proposals where proposal_guid = $1',
    [guid],
  );
  return row!;
}

it('a scheduled proposal that meets another change of the same records is tried again', async () => {
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  const guid = await newScheduled(profileId, roleId);
  // deadlock_detected
  await failGiving(profileId, '40P01', 'attempt = 1');
  expect((await turnNow(guid)).failure).toBeNull();
  await until(async () => (await turnNow(guid)).state === 'APPLIED');
  expect(await endFailures()).toBe(2);
});

it('a scheduled proposal with another effect has failed, also where its effect can’t be explained in time', async () => {
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  const guid = await newScheduled(profileId, roleId);
  await context.sql.rows("update proposals set effect_hash = '' where proposal_guid = $1", [guid]);
  // the trial succeeds, what is to explain it does not
  await failGiving(profileId, '57014', 'attempt % 2 = 0');
  await turnNow(guid);
  await until(async () => (await readState(guid)).state === 'FAILED');
  expect((await readState(guid)).failure).toEqual({ $: [expect.stringContaining('no longer what was approved')] });
  await endFailures();
});

it('a scheduled proposal that the database cannot carry out holds up none behind it, and is tried again, but not at each turn', async () => {
  const [broken, sound, roleId] = [await newProfile(context), await newProfile(context), await newRole(context)];
  const guids: string[] = [];
  for (const profileId of [broken, sound]) guids.push(await newScheduled(profileId, roleId));
  await context.sql.rows('create sequence trials');
  await context.sql.rows(
    `create function cannot() returns trigger language plpgsql as
       $$begin perform nextval('trials'); raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end$$`,
  );
  await context.sql.rows(
    `create trigger cannot before insert on user_profiles for each row when (new.profile_id = '${broken}') execute function cannot()`,
  );
  await context.sql.rows('update proposals set apply_at = now() where proposal_guid = any($1::uuid[])', [guids]);
  const turn = () => applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);
  const states = async () =>
    (
      await context.sql.rows<{ state: string }>(
        'select state from proposals where proposal_guid = any($1::uuid[]) order by proposal_id',
        [guids],
      )
    ).map(({ state }) => state);
  await turn();
  expect(await states()).toEqual(['SCHEDULED', 'APPLIED']);
  for (let more = 0; more < 4; more++) await turn();
  expect(await context.sql.rows('select last_value::int as trials from trials')).toEqual([{ trials: 2 }]);
  await context.sql.rows('drop trigger cannot on user_profiles');
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
  await turn();
  jest.restoreAllMocks();
  expect(await states()).toEqual(['APPLIED', 'APPLIED']);
});
