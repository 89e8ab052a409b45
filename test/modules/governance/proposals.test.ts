/** Proposals: two persons, an effect that is seen before it is approved, and a time to apply it. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { rejectProposal } from '../../../src/modules/governance/proposals/decisions.js';
import { applyDueProposals } from '../../../src/modules/governance/proposals/dueProposals.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import {
  letAdminister,
  linkProfile,
  newHolder,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
} from '../../support/records.js';
import { until, untilBlockedOrDone } from '../../support/until.js';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = graph.app.context;
});
afterAll(() => graph?.close());

const fields = `proposalGuid revision state title proposedBy note changes problems decidedBy decisionNote applyAt
  effect { gains { users profiles applications people { nodes { userGuid } } } loses { users } }
  proposedEffect { gains { users } loses { users } } since { kind text by count }
  approvers { permission includesViewer owners { profileId } } changeSet { changeSetGuid note actor face }`;
const propose = `mutation ($changes: [ChangeInput!]!, $note: String!, $applyAt: DateTime) {
  proposeChanges(changes: $changes, note: $note, applyAt: $applyAt) { ${fields} } }`;
const repeatable = `mutation ($guid: UUID, $changes: [ChangeInput!]!, $note: String!, $applyAt: DateTime) {
  proposeChanges(proposalGuid: $guid, changes: $changes, note: $note, applyAt: $applyAt) { proposalGuid state } }`;
const approve = `mutation ($guid: UUID!, $revision: Int!, $note: String, $applyAt: DateTime, $dryRun: Boolean! = false) {
  approveProposal(proposalGuid: $guid, ifRevision: $revision, note: $note, applyAt: $applyAt, dryRun: $dryRun) { ${fields} } }`;
const reject = `mutation ($guid: UUID!, $revision: Int!, $note: String!) {
  rejectProposal(proposalGuid: $guid, ifRevision: $revision, note: $note) { state decidedBy decisionNote } }`;
const withdraw = 'mutation ($guid: UUID!) { withdrawProposal(proposalGuid: $guid) { state } }';
const read = `query ($guid: UUID!) { proposal(proposalGuid: $guid) { ${fields} } }`;

const person = (scopes?: string[], sub: string = randomUUID(), profileId?: string) => ({
  sub,
  token: graph.token(scopes, { sub, ...(profileId && { profileId }) }),
});
const codeOf = async (query: string, variables: object, token: string) => {
  const { json } = await graph.ask(query, variables, token);
  return json.errors?.[0]?.extensions?.code ?? json.errors?.[0]?.message;
};

/** A user, and a grant of a profile to propose. */
async function newGrant() {
  const { user_id, user_guid } = await newUser(context, { first_name: 'Ada', last_name: 'Grant' });
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  const changes = [{ assignProfile: { userGuid: user_guid, profileId, roleId } }];
  return { userId: user_id, userGuid: user_guid, profileId, roleId, changes };
}

async function newProposal(more: object = {}) {
  const grant = await newGrant();
  const author = person(['admin:read']);
  const variables = { changes: grant.changes, note: 'New crew', ...more };
  const proposal = (await graph.data(propose, variables, author.token)).proposeChanges;
  return { ...grant, author, proposal, guid: proposal.proposalGuid as string };
}

const holders = async (profileId: string): Promise<number> =>
  (await context.sql.rows('select 1 from user_profiles where profile_id = $1', [profileId])).length;
const stateOf = async (guid: string): Promise<string> =>
  (await context.sql.rows<{ state: string }>('select state from proposals where proposal_guid = $1', [guid]))[0]!.state;
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const makeDue = (guid: string) =>
  context.sql.rows("update proposals set apply_at = now() - interval '1 second' where proposal_guid = $1", [guid]);
const applyDue = () => applyDueProposals({ ...context, face: 'schedule' }, new AbortController().signal);

it('shows who gains what, changes nothing, and is applied when another person approves it', async () => {
  const { author, proposal, guid, userGuid, profileId } = await newProposal();
  const [{ assignProfile }] = proposal.changes;
  expect(proposal).toMatchObject({
    state: 'OPEN',
    revision: 1,
    title: `Give ${profileId} to Ada Grant as ${assignProfile.roleId}`,
    proposedBy: author.sub,
    note: 'New crew',
    changes: [{ assignProfile: { userGuid, profileId } }],
    problems: null,
    effect: { gains: { users: 1, profiles: 1, people: { nodes: [{ userGuid }] } }, loses: { users: 0 } },
    proposedEffect: { gains: { users: 1 }, loses: { users: 0 } },
    since: [],
    approvers: { permission: 'admin:write', includesViewer: false, owners: [] },
  });
  expect(await holders(profileId)).toBe(0);
  const approver = person();
  const tried = await graph.data(approve, { guid, revision: 1, dryRun: true }, approver.token);
  expect(tried.approveProposal).toMatchObject({ state: 'OPEN' });
  expect(await holders(profileId)).toBe(0);
  const { approveProposal } = await graph.data(approve, { guid, revision: 1, note: 'Fine' }, approver.token);
  expect(approveProposal).toMatchObject({
    state: 'APPLIED',
    decidedBy: approver.sub,
    decisionNote: 'Fine',
    effect: { gains: { users: 1 } },
    changeSet: { note: 'New crew', actor: approver.sub, face: 'graphql' },
  });
  expect(await holders(profileId)).toBe(1);
  expect(await codeOf(approve, { guid, revision: 1 }, person().token)).toBe('CONFLICT');
});

it('is approved by nobody who made it, through whichever profile, and by nobody without the permission that it needs', async () => {
  const { author, guid, profileId } = await newProposal();
  const other = person(undefined, author.sub, 'another');
  expect(await codeOf(approve, { guid, revision: 1 }, other.token)).toBe('FORBIDDEN');
  expect(await codeOf(reject, { guid, revision: 1, note: 'No' }, other.token)).toBe('FORBIDDEN');
  const reader = person(['admin:read']);
  expect(await codeOf(approve, { guid, revision: 1 }, reader.token)).toBe('FORBIDDEN');
  expect(await codeOf(reject, { guid, revision: 1, note: 'No' }, reader.token)).toBe('FORBIDDEN');
  expect(await codeOf(withdraw, { guid }, person().token)).toBe('FORBIDDEN');
  expect([await stateOf(guid), await holders(profileId)]).toEqual(['OPEN', 0]);
});

it('what concerns administration needs admin:security to be approved, also when it comes to it later', async () => {
  const { guid, profileId } = await newProposal();
  await letAdminister(context.sql, profileId, 'read');
  const writer = person(['admin:read', 'admin:write']);
  expect(await codeOf(approve, { guid, revision: 1 }, writer.token)).toBe('FORBIDDEN');
  const { proposal } = await graph.data(read, { guid }, writer.token);
  expect(proposal.approvers).toEqual({ permission: 'admin:security', includesViewer: false, owners: [] });
  expect(await holders(profileId)).toBe(0);
  await graph.data(approve, { guid, revision: proposal.revision }, person().token);
  expect(await holders(profileId)).toBe(1);
});

it('is refused with the paths of applyChanges, and nothing is kept', async () => {
  const { changes } = await newGrant();
  const { token } = person(['admin:read']);
  const bad = { assignProfile: { ...changes[0]!.assignProfile, profileId: 'none' } };
  const { json } = await graph.ask(propose, { changes: [...changes, bad], note: 'x' }, token);
  expect(json.errors[0].extensions).toMatchObject({
    code: 'NOT_FOUND',
    problems: { 'changes[1].assignProfile.profileId': [expect.any(String)] },
  });
  for (const variables of [
    { changes, note: ' ' },
    { changes: [], note: 'x' },
    { changes, note: 'x', applyAt: '2020-01-01T00:00:00Z' },
    { changes, note: 'x'.repeat(1_001) },
  ])
    expect(await codeOf(propose, variables, token)).toBe('BAD_USER_INPUT');
  expect(await codeOf(propose, { changes, note: 'x' }, graph.token([]))).toBe('FORBIDDEN');
  const mine = await context.sql.rows('select 1 from proposals where title like $1', ['%none%']);
  expect(mine).toEqual([]);
});

it('an approver who has read another effect gets CONFLICT, and nothing is applied', async () => {
  const { guid, profileId, userId, userGuid } = await newProposal();
  const type = await newScopeType(context);
  await newScope(context, type, profileId, { access_scope_key: 'later' });
  const approver = person();
  expect(await codeOf(approve, { guid, revision: 1 }, approver.token)).toBe('CONFLICT');
  expect(await holders(profileId)).toBe(0);
  await context.sql.rows('update users set is_blocked = true where user_id = $1', [userId]);
  const { proposal } = await graph.data(read, { guid }, approver.token);
  expect(proposal.revision).toBeGreaterThan(1);
  expect(proposal).toMatchObject({ effect: { gains: { users: 0 } }, proposedEffect: { gains: { users: 1 } } });
  expect(proposal.since).toContainEqual(
    expect.objectContaining({ kind: 'USERS_BLOCKED', text: '1 person was blocked since.', count: 1 }),
  );
  const { approveProposal } = await graph.data(approve, { guid, revision: proposal.revision }, approver.token);
  expect([approveProposal.state, userGuid]).toEqual(['APPLIED', userGuid]);
});

it('names what others changed since, and who: people who hold what it takes are concerned, too', async () => {
  const { userId, userGuid, profileId } = await newGrant();
  await linkProfile(context, userId, profileId, await newRole(context));
  const scope = await newScope(context, await newScopeType(context), profileId, {
    access_scope_key: 'k',
    name: 'Quay',
  });
  const author = person(['admin:read']);
  const changes = [{ updateAccessScope: { accessScopeGuid: scope.access_scope_guid, input: { isActive: false } } }];
  const { proposalGuid: guid } = (await graph.data(propose, { changes, note: 'x' }, author.token)).proposeChanges;
  const other = await newUser(context, { first_name: 'Bea', last_name: 'Other' });
  const block = 'mutation ($user: UUID!) { updateUser(userGuid: $user, input: { isBlocked: true }) { userGuid } }';
  const { token } = person(undefined, other.user_guid);
  await graph.data(block, { user: userGuid }, token);
  await graph.data(block, { user: (await newUser(context)).user_guid });
  const rename = `mutation ($name: String!, $scope: UUID!) {
    updateAccessScope(accessScopeGuid: $scope, input: { name: $name }) { name } }`;
  for (const name of ['Pier', 'Mole']) await graph.data(rename, { scope: scope.access_scope_guid, name }, token);
  const since = `query ($guid: UUID!) { proposal(proposalGuid: $guid) { since { kind count names by byNavigation { firstName } } } }`;
  expect((await graph.data(since, { guid })).proposal.since).toEqual([
    expect.objectContaining({ kind: 'ACCESS_SCOPES_UPDATED', count: 1 }),
    {
      kind: 'USERS_BLOCKED',
      count: 1,
      names: ['Ada Grant'],
      by: other.user_guid,
      byNavigation: { firstName: 'Bea' },
    },
  ]);
});

it('shows the problems of records that moved, in the paths of applyChanges', async () => {
  const { guid, profileId } = await newProposal();
  await context.sql.rows('delete from profiles where profile_id = $1', [profileId]);
  const { proposal } = await graph.data(read, { guid });
  expect(proposal).toMatchObject({
    state: 'OPEN',
    effect: null,
    problems: { 'changes[0].assignProfile.profileId': [expect.any(String)] },
  });
  expect(await codeOf(approve, { guid, revision: proposal.revision }, person().token)).toBe('NOT_FOUND');
  expect(await stateOf(guid)).toBe('OPEN');
});

it('names what others changed since where it cannot be applied, also what is gone', async () => {
  const { guid, changes, userId } = await newProposal();
  const other = await newUser(context, { first_name: 'Bea', last_name: 'Other' });
  const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  await graph.data(apply, { changes }, graph.token(undefined, { sub: other.user_guid }));
  const since = `query ($guid: UUID!) { proposal(proposalGuid: $guid) { problems since { kind count by } } }`;
  const afterGrant = (await graph.data(since, { guid })).proposal;
  expect(afterGrant.problems).toEqual({ 'changes[0].assignProfile': ['It exists already.'] });
  // the revision of the profile is no change that anybody asked for
  expect(afterGrant.since).toEqual([{ kind: 'USER_PROFILES_ADDED', count: 1, by: other.user_guid }]);
  await context.sql.rows('delete from user_profiles where user_id = $1', [userId]);
  await context.sql.rows('delete from users where user_id = $1', [userId]);
  const afterRemoval = (await graph.data(since, { guid })).proposal;
  expect(afterRemoval.problems).toEqual({ 'changes[0].assignProfile.userGuid': ['There is no such user.'] });
  expect(afterRemoval.since).toContainEqual(expect.objectContaining({ kind: 'USERS_REMOVED', count: 1 }));
});

it('a decision whose proposal changes while it is made says what has changed', async () => {
  const racing = (race: string): Context => ({
    ...context,
    sql: {
      ...context.sql,
      rows: async (text, values) => {
        if (text.startsWith('update proposals')) await context.sql.rows(race, [values?.[0]]);
        return context.sql.rows(text, values);
      },
    },
  });
  const [moving, leaving] = [await newProposal(), await newProposal()];
  const move = racing('update proposals set revision = revision + 1 where proposal_guid = $1');
  await expect(rejectProposal(move, moving.guid, 1, 'no')).rejects.toThrow(/effect of the proposal has changed/);
  const leave = racing("update proposals set state = 'WITHDRAWN' where proposal_guid = $1");
  await expect(rejectProposal(leave, leaving.guid, 1, 'no')).rejects.toThrow('The proposal is withdrawn already.');
  expect([await stateOf(moving.guid), await stateOf(leaving.guid)]).toEqual(['OPEN', 'WITHDRAWN']);
});

it('is applied once by two approvers at once', async () => {
  const { guid, profileId } = await newProposal();
  const codes = await Promise.all(
    Array.from({ length: 4 }, () => codeOf(approve, { guid, revision: 1 }, person().token)),
  );
  expect(codes.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', undefined]);
  expect(await holders(profileId)).toBe(1);
});

it('a proposal that is sent again with its guid, because the answer was lost, stays one, also at the same moment and later', async () => {
  const { changes, profileId } = await newGrant();
  const [author, other] = [person(['admin:read']), person()];
  const variables = { changes, note: 'New crew', guid: randomUUID() };
  const send = async () => (await graph.data(repeatable, variables, author.token)).proposeChanges;
  const sent = await Promise.all(Array.from({ length: 4 }, send));
  const made = { proposalGuid: variables.guid, state: 'OPEN' };
  expect(sent).toEqual(sent.map(() => made));
  const byAuthor = 'select from proposals where proposed_by = $1';
  expect(await context.sql.rows(byAuthor, [author.sub])).toHaveLength(1);
  for (const [more, token] of [
    [{ note: 'Another reason' }, author.token],
    [{ changes: (await newGrant()).changes }, author.token],
    [{ applyAt: soon() }, author.token],
    [{}, other.token],
  ] as const)
    expect(await codeOf(repeatable, { ...variables, ...more }, token)).toBe('CONFLICT');
  await graph.data(approve, { guid: variables.guid, revision: 1 }, other.token);
  expect(await send()).toEqual({ ...made, state: 'APPLIED' });
  expect(await holders(profileId)).toBe(1);
  expect(await context.sql.rows(byAuthor, [author.sub])).toHaveLength(1);
});

it('an approval beside a withdrawal: one of them, and never half of it', async () => {
  for (let round = 0; round < 5; round++) {
    const { guid, profileId, author } = await newProposal();
    const [approved, withdrawn] = await Promise.all([
      codeOf(approve, { guid, revision: 1 }, person().token),
      codeOf(withdraw, { guid }, author.token),
    ]);
    expect([approved, withdrawn].filter((code) => code === undefined)).toHaveLength(1);
    expect(await holders(profileId)).toBe(approved === undefined ? 1 : 0);
  }
});

it('waits for its time, is applied by one of two processes, and can be withdrawn until then', async () => {
  const first = await newProposal({ applyAt: soon() });
  const { approveProposal } = await graph.data(approve, { guid: first.guid, revision: 1 }, person().token);
  expect([approveProposal.state, await holders(first.profileId)]).toEqual(['SCHEDULED', 0]);
  await applyDue();
  expect(await stateOf(first.guid)).toBe('SCHEDULED');
  await makeDue(first.guid);
  await Promise.all([applyDue(), applyDue()]);
  expect([await stateOf(first.guid), await holders(first.profileId)]).toEqual(['APPLIED', 1]);
  const { proposal } = await graph.data(read, { guid: first.guid });
  expect(proposal.changeSet).toMatchObject({ face: 'schedule', actor: approveProposal.decidedBy });

  const second = await newProposal();
  await graph.data(approve, { guid: second.guid, revision: 1, applyAt: soon() }, person().token);
  await graph.data(withdraw, { guid: second.guid }, second.author.token);
  await makeDue(second.guid);
  await applyDue();
  expect([await stateOf(second.guid), await holders(second.profileId)]).toEqual(['WITHDRAWN', 0]);
});

it('fails at its time where it no longer fits, or would have another effect than was approved', async () => {
  const moved = await newProposal({ applyAt: soon() });
  await graph.data(approve, { guid: moved.guid, revision: 1 }, person().token);
  await context.sql.rows('delete from profiles where profile_id = $1', [moved.profileId]);
  await makeDue(moved.guid);
  const other = await newProposal({ applyAt: soon() });
  await graph.data(approve, { guid: other.guid, revision: 1 }, person().token);
  await newScope(context, await newScopeType(context), other.profileId, { access_scope_key: 'k' });
  await makeDue(other.guid);
  await applyDue();
  const { proposal } = await graph.data(read, { guid: moved.guid });
  expect(proposal).toMatchObject({
    state: 'FAILED',
    problems: { 'changes[0].assignProfile.profileId': [expect.any(String)] },
  });
  expect([await stateOf(other.guid), await holders(other.profileId)]).toEqual(['FAILED', 0]);
});

it('fails at its time if its approver was blocked since', async () => {
  const { guid, profileId } = await newProposal({ applyAt: soon() });
  const { user_guid } = await newUser(context);
  await graph.data(approve, { guid, revision: 1 }, person(undefined, user_guid).token);
  await context.sql.rows('update users set is_blocked = true where user_guid = $1', [user_guid]);
  await makeDue(guid);
  await applyDue();
  expect([await stateOf(guid), await holders(profileId)]).toEqual(['FAILED', 0]);
});

it('expires, from the first moment', async () => {
  const { guid } = await newProposal();
  await context.sql.rows("update proposals set expires_at = now() - interval '1 second' where proposal_guid = $1", [
    guid,
  ]);
  expect((await graph.data(read, { guid })).proposal.state).toBe('EXPIRED');
  expect(await codeOf(approve, { guid, revision: 1 }, person().token)).toBe('CONFLICT');
  await applyDue();
  expect(await stateOf(guid)).toBe('EXPIRED');
});

it('lists what waits for the caller, by state, author and words, and counts it', async () => {
  const { author, guid } = await newProposal({ note: 'Zürich harbour' });
  const approver = person();
  const list =
    'query ($filter: ProposalFilter) { proposals(filter: $filter, orderBy: [{ proposedAt: DESC }], first: 10) { totalCount nodes { proposalGuid } } viewer { waiting { proposals reviewItems } } }';
  const listed = async (filter: object, token = approver.token) => {
    const { proposals, viewer } = await graph.data(list, { filter }, token);
    return {
      guids: proposals.nodes.map((each: { proposalGuid: string }) => each.proposalGuid),
      ...proposals,
      ...viewer,
    };
  };
  expect((await listed({ forMe: true })).guids).toContain(guid);
  const all = await graph.data('{ proposals(filter: { forMe: true }, first: 0) { totalCount } }', {}, approver.token);
  expect((await listed({})).waiting).toEqual({ proposals: all.proposals.totalCount, reviewItems: 0 });
  expect((await listed({ forMe: true }, graph.token(['admin:read']))).totalCount).toBe(0);
  expect(
    (await listed({ forMe: true, proposedBy: author.sub }, graph.token(undefined, { sub: author.sub }))).guids,
  ).toEqual([]);
  expect((await listed({ proposedBy: author.sub })).guids).toEqual([guid]);
  expect((await listed({ text: 'zurich HARBOUR' })).guids).toEqual([guid]);
  await graph.data(reject, { guid, revision: 1, note: 'Not now' }, approver.token);
  expect((await listed({ state: 'REJECTED', proposedBy: author.sub })).guids).toEqual([guid]);
  expect((await listed({ forMe: true })).guids).not.toContain(guid);
});

it('tries the changes of ten proposals in a request, and refuses more', async () => {
  for (let made = 0; made < 3; made++) await newProposal();
  const nodes = 'nodes { revision effect { gains { users } } }';
  const { json } = await graph.ask(`{ proposals(first: 50) { ${nodes} } }`);
  expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  const open = `filter: { state: OPEN }, first: 10`;
  const few = await graph.data(`{ proposals(filter: { state: OPEN }, first: 3) { ${nodes} } }`);
  expect(few.proposals.nodes).toHaveLength(3);
  const many = await graph.ask(
    `{ ${Array.from({ length: 6 }, (_, index) => `a${index}: proposals(${open}) { ${nodes} }`).join(' ')} }`,
  );
  expect(many.json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
});

it('keeps at most 100 open proposals of a person, and frees a place with each decision', async () => {
  const { author, guid, changes } = await newProposal();
  await context.sql.rows(
    `insert into proposals (title, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts)
     select title, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts
     from proposals, generate_series(1, 99) where proposal_guid = $1`,
    [guid],
  );
  expect(await codeOf(propose, { changes, note: 'x' }, author.token)).toBe('CONFLICT');
  await graph.data(withdraw, { guid }, author.token);
  expect(await codeOf(propose, { changes, note: 'x' }, author.token)).toBeUndefined();
  await context.sql.rows('delete from proposals where proposed_by = $1', [author.sub]);
});

it('records that the changes make are part of the effect, and make it no other at each trial', async () => {
  const { userId, roleId } = await newGrant();
  const [profileId, userGuid] = [`made-${randomUUID().slice(0, 8)}`, randomUUID()];
  const holder = await newHolder(context);
  await linkProfile(context, userId, holder.profileId, 'x');
  const changes = [
    { createProfile: { input: { profileId, name: 'Made' } } },
    { createUser: { input: { userGuid, firstName: 'New' } } },
    { assignProfile: { userGuid, profileId, roleId } },
  ];
  const author = person(['admin:read']);
  const { proposeChanges } = await graph.data(propose, { changes, note: 'x' }, author.token);
  const guid = proposeChanges.proposalGuid;
  for (let time = 0; time < 2; time++) expect((await graph.data(read, { guid })).proposal.revision).toBe(1);
  await graph.data(approve, { guid, revision: 1 }, person().token);
  expect(await holders(profileId)).toBe(1);
});

it('a direct change that another transaction is about to commit is seen by the approval', async () => {
  const { guid, profileId } = await newProposal();
  let approval: Promise<string | undefined> = Promise.resolve(undefined);
  await context.sql.transaction(async ({ rows }) => {
    await rows('update profiles set revision = revision + 1 where profile_id = $1', [profileId]);
    await letAdminister({ rows }, profileId, 'read');
    approval = codeOf(approve, { guid, revision: 1 }, person(['admin:read', 'admin:write']).token);
    await untilBlockedOrDone(context.sql, approval);
  });
  expect(await approval).toBe('FORBIDDEN');
  expect(await holders(profileId)).toBe(0);
});

it('a running service applies by itself what is due', async () => {
  const served = await startTestGraph({}, { scheduleSeconds: 0.05 });
  const { context } = served.app;
  const [userGuid, profileId] = [(await newUser(context)).user_guid, await newProfile(context)];
  const changes = [{ assignProfile: { userGuid, profileId, roleId: await newRole(context) } }];
  const made = (await served.data(propose, { changes, note: 'x', applyAt: soon() })).proposeChanges;
  const guid = made.proposalGuid;
  await served.data(approve, { guid, revision: 1 });
  await context.sql.rows('update proposals set apply_at = now() where proposal_guid = $1', [guid]);
  await until(async () => (await served.data(read, { guid })).proposal.state === 'APPLIED');
});

it('the changes are tried once for all readers until the catalogue changes', async () => {
  const { guid, profileId, userGuid } = await newProposal();
  const sessions = async () => {
    const query = `{ proposal(proposalGuid: "${guid}") { revision effect { gains { sessions } } } }`;
    const { revision, effect } = (await graph.data(query)).proposal;
    return [revision, effect.gains.sessions];
  };
  expect(await sessions()).toEqual([1, 0]);
  // a session is no change of the catalogue: only a new trial counts it
  await context.sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, started_at, expires_at)
     values ($1, $2, '\\x0a', now(), now(), now() + interval '1 day')`,
    [userGuid, profileId],
  );
  expect(await sessions()).toEqual([1, 0]);
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'more' });
  expect(await sessions()).toEqual([2, 1]);
});
