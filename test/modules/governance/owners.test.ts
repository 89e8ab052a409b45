/** Owners: who holds the profile that owns what a proposal touches may decide about it, and about nothing else. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../src/context.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import {
  letAdminister,
  linkProfile,
  newApplication,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
} from '../../support/records.js';

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  graph = await startTestGraph();
  context = graph.app.context;
});
afterAll(() => graph?.close());

const propose = `mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid revision } }`;
const decide = (kind: 'approve' | 'reject', { proposalGuid, revision }: { proposalGuid: string; revision: number }) =>
  `mutation { ${kind}Proposal(proposalGuid: "${proposalGuid}", ifRevision: ${revision}, note: "as owner") { state } }`;
const codeOf = async (query: string, token: string) => {
  const { json } = await graph.ask(query, {}, token);
  return json.errors?.[0]?.extensions?.code;
};

async function newOwner() {
  const { user_id: userId, user_guid: userGuid } = await newUser(context);
  const profileId = await newProfile(context);
  await linkProfile(context, userId, profileId, 'owner');
  return { userId, userGuid, profileId, token: graph.token(['admin:read'], { sub: userGuid, profileId }) };
}

async function newSubject(ownerProfileId: string | null) {
  const [applicationGuid, profileId, roleId] = [randomUUID(), `p-${randomUUID().slice(0, 8)}`, await newRole(context)];
  await graph.data(
    `mutation ($application: CreateApplicationInput!, $profile: CreateProfileInput!) {
      createApplication(input: $application) { ownerProfileId } createProfile(input: $profile) { ownerProfileId } }`,
    {
      application: { applicationGuid, name: 'Owned', ...icons, ownerProfileId },
      profile: { profileId, name: 'Owned', ownerProfileId },
    },
  );
  const { access_scope_guid: accessScopeGuid } = await newScope(context, await newScopeType(context), profileId, {
    access_scope_key: 'k',
  });
  const { user_guid: userGuid } = await newUser(context);
  const mapping = { mapping: { applicationGuid, accessScopeGuid, from: null, to: 'active' } };
  const grant = { assignProfile: { userGuid, profileId, roleId } };
  return { mapping, grant, profileId, applicationGuid, accessScopeGuid };
}

const proposed = async (changes: object[], token = graph.token(['admin:read'])) =>
  (await graph.data(propose, { changes }, token)).proposeChanges;

it('an owner with admin:read approves mappings and grants of what the owner owns', async () => {
  const owner = await newOwner();
  const { mapping, grant, profileId } = await newSubject(owner.profileId);
  const proposal = await proposed([mapping, grant]);
  const asked = `{ proposal(proposalGuid: "${proposal.proposalGuid}") { approvers { includesViewer owners { profileId } } }
    proposals(filter: { forMe: true }, first: 5) { nodes { proposalGuid } } viewer { waiting { proposals } } }`;
  const seen = await graph.data(asked, {}, owner.token);
  expect(seen).toEqual({
    proposal: { approvers: { includesViewer: true, owners: [{ profileId: owner.profileId }] } },
    proposals: { nodes: [{ proposalGuid: proposal.proposalGuid }] },
    viewer: { waiting: { proposals: 1 } },
  });
  const other = await newOwner();
  expect((await graph.data(asked, {}, other.token)).viewer.waiting.proposals).toBe(0);
  expect(await codeOf(decide('approve', proposal), other.token)).toBe('FORBIDDEN');
  expect(await codeOf(decide('approve', proposal), owner.token)).toBeUndefined();
  const holders = await context.sql.rows('select 1 from user_profiles where profile_id = $1', [profileId]);
  expect(holders).toHaveLength(1);
});

it('an owner decides about nothing that touches more, or is not owned by then', async () => {
  const owner = await newOwner();
  const own = await newSubject(owner.profileId);
  const foreign = await newSubject(null);
  const more = { updateProfile: { profileId: own.profileId, input: { name: 'More' } } };
  for (const changes of [
    [own.grant, foreign.grant],
    [own.mapping, foreign.mapping],
    [own.grant, more],
  ]) {
    const proposal = await proposed(changes);
    const hint = `{ proposal(proposalGuid: "${proposal.proposalGuid}") { approvers { owners { profileId } } } }`;
    expect((await graph.data(hint)).proposal.approvers.owners).toEqual([]);
    for (const kind of ['approve', 'reject'] as const)
      expect(await codeOf(decide(kind, proposal), owner.token)).toBe('FORBIDDEN');
  }
  const proposal = await proposed([own.grant]);
  await context.sql.rows('delete from user_profiles where user_id = $1', [owner.userId]);
  expect(await codeOf(decide('approve', proposal), owner.token)).not.toBeUndefined();
  expect(await context.sql.rows('select 1 from user_profiles where profile_id = $1', [own.profileId])).toEqual([]);
});

it('an owner approves neither an own proposal nor what concerns administration', async () => {
  const owner = await newOwner();
  const { grant, profileId } = await newSubject(owner.profileId);
  const own = await proposed([grant], owner.token);
  expect(await codeOf(decide('approve', own), owner.token)).toBe('FORBIDDEN');
  await letAdminister(context.sql, profileId, 'read');
  const proposal = await proposed([grant]);
  expect(await codeOf(decide('approve', proposal), owner.token)).toBe('FORBIDDEN');
});

it('a catalogue file with an owner that is no profile is refused, and one in the file or unchanged is accepted', async () => {
  const [profileId, ownerId] = [await newProfile(context), `owner-${randomUUID().slice(0, 8)}`];
  const { application_guid: applicationGuid } = await newApplication(context);
  const plan = 'mutation ($file: JSON!) { planCatalogue(file: $file) { summary { created updated } } }';
  const faults = async (file: object) => (await graph.ask(plan, { file })).json.errors?.[0]?.extensions.problems ?? {};
  const owned = {
    profiles: [{ profileId, ownerProfileId: ownerId }],
    applications: [{ applicationGuid, ownerProfileId: ownerId }],
  };
  expect(Object.keys(await faults(owned))).toEqual([
    'file.profiles[0].ownerProfileId',
    'file.applications[0].ownerProfileId',
  ]);
  const owner = { profileId: ownerId, name: 'Owners' };
  expect(await faults({ ...owned, profiles: [...owned.profiles, owner] })).toEqual({});
  // the owner was removed later
  await context.sql.rows('update applications set owner_profile_id = $1 where application_guid = $2', [
    ownerId,
    applicationGuid,
  ]);
  expect(await faults({ applications: owned.applications })).toEqual({});
});

it('an owner that is no profile is refused', async () => {
  const query = `mutation { createProfile(input: { profileId: "x", name: "X", ownerProfileId: "nobody" }) { name } }`;
  const { json } = await graph.ask(query);
  expect(json.errors[0].extensions).toMatchObject({
    code: 'NOT_FOUND',
    problems: { 'input.ownerProfileId': ['There is no such profile.'] },
  });
});

it('an owner whose own grant ends later approves and rejects until then, and is no owner from that end on', async () => {
  const owner = await newOwner();
  const { grant, profileId } = await newSubject(owner.profileId);
  const validUntil = new Date(Date.now() + 3_600_000).toISOString();
  const proposal = await proposed([{ assignProfile: { ...grant.assignProfile, validUntil } }]);
  const endOwner = (end: string) =>
    context.sql.rows(`update user_profiles set valid_until = ${end} where user_id = $1`, [owner.userId]);
  await endOwner("now() - interval '1 second'");
  expect(await codeOf(decide('approve', proposal), owner.token)).toBe('FORBIDDEN');
  await endOwner("now() + interval '1 hour'");
  expect(await codeOf(decide('approve', proposal), owner.token)).toBeUndefined();
  const another = await proposed([{ assignProfile: { ...grant.assignProfile, roleId: await newRole(context) } }]);
  expect(await codeOf(decide('reject', another), owner.token)).toBeUndefined();
  const [made] = await context.sql.rows<{ end: Date }>(
    'select valid_until as end from user_profiles where profile_id = $1',
    [profileId],
  );
  expect(new Date(made!.end).toISOString()).toBe(validUntil);
});
