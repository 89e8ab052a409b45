/** A change set says in one line what it did, by the kinds of its records and what they have in common. */
import { randomUUID } from 'node:crypto';
import { applied, graph, icons, startChangeSets } from '../../support/changeSets.js';
import { newProfile, newRole, newUser } from '../../support/records.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

const summaryOf = async ({ changeSetGuid }: { changeSetGuid: string }): Promise<string> => {
  const query = 'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { summary } }';
  return (await graph.data(query, { guid: changeSetGuid })).changeSet.summary;
};
const named = (name: string, accessScopeTypeGuid: string) => ({
  createAccessScope: { input: { accessScopeGuid: randomUUID(), accessScopeTypeGuid, name, accessScopeKey: name } },
});

it('says what all of its records have in common, such as one access scope or one profile, and counts the rest', async () => {
  const { context } = graph.app;
  const [type, scope] = [randomUUID(), randomUUID()];
  const applications = [randomUUID(), randomUUID(), randomUUID()];
  const plant = { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'Plant 010', accessScopeKey: scope };
  await applied([
    { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `t-${type}` } } },
    { createAccessScope: { input: plant } },
  ]);
  const made = await applied(
    applications.map((applicationGuid) => ({
      createApplication: { input: { applicationGuid, name: 'Map', ...icons } },
    })),
  );
  expect(await summaryOf(made)).toBe('3 applications created');
  const mapped = await applied(
    applications.map((applicationGuid) => ({ mapping: { applicationGuid, accessScopeGuid: scope, to: 'active' } })),
  );
  expect(await summaryOf(mapped)).toBe('Plant 010 given to 3 applications');
  const removed = await applied([
    { mapping: { applicationGuid: applications[0], accessScopeGuid: scope, from: 'active', to: null } },
  ]);
  expect(await summaryOf(removed)).toBe('Plant 010 removed from Map');

  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  const people = [await newUser(context), await newUser(context)].map(({ user_guid }) => user_guid);
  const given = await applied([{ assignProfiles: { profileId, roleId, userGuids: people } }]);
  expect(await summaryOf(given)).toBe(`${profileId} given to 2 people as ${roleId}`);
  const blocked = await applied([{ updateUser: { userGuid: people[0], input: { isBlocked: true } } }]);
  expect(await summaryOf(blocked)).toBe('Ada blocked');

  const mixed = await applied([
    named('North', type),
    named('South', type),
    { createRole: { input: { roleId: randomUUID(), name: 'R' } } },
  ]);
  expect(await summaryOf(mixed)).toBe('2 access scopes and 1 role created');
});

it('a change past the service is said as one of the service is, by the versions of its records', async () => {
  const { context } = graph.app;
  const { rows } = context.sql;
  const bySql = async (statement: string, values: unknown[]) => {
    await rows(statement, values);
    const [made] = await rows<{ changeSetGuid: string }>(
      `select change_set_guid::text as "changeSetGuid" from change_sets where face = 'sql' order by change_set_id desc limit 1`,
    );
    return summaryOf(made!);
  };
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  const { user_guid: person } = await newUser(context);
  expect(await bySql("update roles set name = 'Night watch' where role_id = $1", [roleId])).toBe(
    'Role Night watch changed',
  );
  const give = `insert into user_profiles (user_id, profile_id, role_id, created_by)
    select user_id, $1, $2, user_guid from users where user_guid = $3::uuid`;
  expect(await bySql(give, [profileId, roleId, person])).toBe(`${profileId} given to Ada as Night watch`);
  expect(await bySql('update users set is_blocked = true where user_guid = $1::uuid', [person])).toBe('Ada blocked');
});
