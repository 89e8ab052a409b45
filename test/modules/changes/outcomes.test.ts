/** What each change of a review does, and why nobody gains or loses by it. */
import { randomUUID } from 'node:crypto';
import { applied, apply, graph, icons, startChangeSets } from '../../support/changeSets.js';
import { linkProfile, newHolder, newProfile, newRole, newScope, newScopeType, newUser } from '../../support/records.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

const asked = `outcomes(filter: $filter) { totalCount nodes { path outcome reason managedBy users } counts { outcome reason managedBy count } }
  groups(by: CHANGE) { totalCount nodes { key label gains { users sessions applications } loses { users } } }`;
const review = async (changes: object[], filter: object | null = null) => {
  const mutation = `mutation ($changes: [ChangeInput!]!, $filter: EffectOutcomeFilter) {
    applyChanges(changes: $changes, dryRun: true) { effect { ${asked} } } }`;
  return (await graph.data(mutation, { changes, filter })).applyChanges.effect;
};

const newApplication = async (isActive = true): Promise<string> => {
  const applicationGuid = randomUUID();
  await applied([{ createApplication: { input: { applicationGuid, name: 'Atlas', ...icons } } }]);
  if (!isActive) await applied([{ updateApplication: { applicationGuid, input: { isActive: false } } }]);
  return applicationGuid;
};

async function newWay(more: object = {}) {
  const { context } = graph.app;
  const holder = await newHolder(context, more);
  const scope = await newScope(context, await newScopeType(context), holder.profileId, { access_scope_key: 'k' });
  return { ...holder, accessScopeGuid: scope.access_scope_guid };
}

it('each change has its outcome, and where nobody gains the reason', async () => {
  const { context } = graph.app;
  const [held, blocked] = [await newWay(), await newWay({ is_blocked: true })];
  const { access_scope_guid: unheld } = await newScope(
    context,
    await newScopeType(context),
    await newProfile(context),
    {
      access_scope_key: 'k',
    },
  );
  const [open, outOfUse, fresh] = [await newApplication(), await newApplication(false), await newApplication()];
  const other = await newScope(context, await newScopeType(context), held.profileId, { access_scope_key: 'k2' });
  const opened = { mapping: { applicationGuid: open, accessScopeGuid: held.accessScopeGuid, to: 'active' } };
  await applied([opened]);
  const map = (applicationGuid: string, accessScopeGuid: string, to = 'active') => ({
    mapping: { applicationGuid, accessScopeGuid, to },
  });
  const roleId = await newRole(context);
  const changes = [
    map(fresh, held.accessScopeGuid),
    map(open, other.access_scope_guid),
    map(outOfUse, held.accessScopeGuid),
    map(fresh, unheld),
    map(fresh, blocked.accessScopeGuid),
    map(fresh, other.access_scope_guid, 'planned'),
    { updateApplication: { applicationGuid: open, input: { description: 'x' } } },
    { assignProfile: { userGuid: held.userGuid, profileId: held.profileId, roleId } },
    { assignProfile: { userGuid: blocked.userGuid, profileId: held.profileId, roleId } },
    {
      assignProfiles: {
        userGuids: [(await newUser(context)).user_guid, held.userGuid],
        profileId: blocked.profileId,
        roleId,
      },
    },
    { unassignProfile: { userGuid: held.userGuid, profileId: held.profileId, roleId } },
    { mapping: { applicationGuid: open, accessScopeGuid: held.accessScopeGuid, from: 'active', to: null } },
  ];
  const { outcomes } = await review(changes.slice(0, 10));
  const rows = outcomes.nodes.map(({ path, outcome, reason, users }: Record<string, unknown>) => [
    path,
    outcome,
    reason,
    users,
  ]);
  expect(rows).toEqual([
    ['changes[0].mapping', 'GAINS', null, 1],
    // opened by another access scope already
    ['changes[1].mapping', 'NOBODY', 'ALREADY_OPEN', 0],
    ['changes[2].mapping', 'NOBODY', 'OUT_OF_USE', 0],
    ['changes[3].mapping', 'NOBODY', 'NOT_HELD', 0],
    // two people get the profile by the same changes
    ['changes[4].mapping', 'GAINS', null, 2],
    ['changes[5].mapping', 'NOBODY', 'STATE_DOES_NOT_OPEN', 0],
    ['changes[6].updateApplication', 'UNCHANGED', null, 0],
    ['changes[7].assignProfile', 'NOBODY', 'ALREADY_OPEN', 0],
    ['changes[8].assignProfile', 'NOBODY', 'BLOCKED', 0],
    ['changes[9].assignProfiles', 'GAINS', null, 2],
  ]);
  const { outcomes: alone } = await review([changes[4]!]);
  expect(alone.nodes[0]).toMatchObject({ outcome: 'NOBODY', reason: 'BLOCKED' });
  const { outcomes: closing } = await review([changes[11]!]);
  expect(closing.nodes[0]).toMatchObject({ outcome: 'LOSES', reason: null, users: 1 });
  const filtered = await review(changes.slice(0, 10), { outcome: 'NOBODY', reason: 'BLOCKED' });
  expect(filtered.outcomes.nodes.map(({ path }: { path: string }) => path)).toEqual(['changes[8].assignProfile']);
  expect(filtered.outcomes.totalCount).toBe(1);
  expect(filtered.outcomes.counts).toContainEqual({ outcome: 'GAINS', reason: null, managedBy: null, count: 3 });
});

it('groups of changes say what is done to what, with the people of each once', async () => {
  const { context } = graph.app;
  const way = await newWay();
  await linkProfile(context, (await newUser(context)).user_id, way.profileId, 'member');
  const applications = [await newApplication(), await newApplication()];
  const changes = [
    ...applications.map((applicationGuid) => ({
      mapping: { applicationGuid, accessScopeGuid: way.accessScopeGuid, to: 'active' },
    })),
    { updateApplication: { applicationGuid: applications[0], input: { name: 'Renamed' } } },
  ];
  const { groups } = await review(changes);
  expect(groups).toEqual({
    totalCount: 2,
    nodes: [
      {
        key: `mapping ${way.accessScopeGuid} active`,
        label: 'Scope opens 2 applications',
        gains: { users: 2, sessions: 0, applications: 2 },
        loses: { users: 0 },
      },
      {
        key: 'updateApplication',
        label: expect.stringContaining('Update the application'),
        gains: { users: 0, sessions: 0, applications: 0 },
        loses: { users: 0 },
      },
    ],
  });
});

it('the outcomes of a change name the file that manages a record, and a change set that is read has none', async () => {
  const { userGuid, profileId } = await newWay();
  await graph.app.context.sql.rows(`update user_profiles set managed_by = 'hr.json' where profile_id = $1`, [
    profileId,
  ]);
  const changes = [{ unassignProfile: { userGuid, profileId, roleId: 'member' } }];
  const { outcomes } = await review(changes, { managedBy: 'hr.json' });
  expect(outcomes.nodes).toEqual([
    { path: 'changes[0].unassignProfile', outcome: 'LOSES', reason: null, managedBy: 'hr.json', users: 1 },
  ]);
  const { json } = await graph.ask(apply, { changes });
  const read = await graph.data(
    'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { effect { outcomes { totalCount } groups(by: CHANGE) { totalCount } } } }',
    { guid: json.data.applyChanges.changeSetGuid },
  );
  expect(read.changeSet.effect).toEqual({ outcomes: null, groups: { totalCount: 0 } });
});
