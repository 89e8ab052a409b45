/** The demonstration at real size holds what the console's acceptance asks for. */
import { randomUUID } from 'node:crypto';
import { largeRecords, largeSize } from '../../dev/largeData.js';
import type { TestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';
import { startLargeApp } from '../support/largeCatalogue.js';

let app: TestApp;
beforeAll(async () => {
  app = await startLargeApp();
});

/** The number that a statement gives. */
async function count(text: string, values: unknown[] = []): Promise<number> {
  const [row] = await app.context.sql.rows<{ n: number }>(`select (${text})::int as n`, values);
  return row!.n;
}

it('the large demonstration has the size that it says', async () => {
  expect({
    applications: await count('select count(*) from applications'),
    accessScopes: await count('select count(*) from access_scopes'),
    profiles: await count('select count(*) from profiles'),
    people: await count('select count(*) from users'),
  }).toEqual(largeSize);
});

it.each([
  ['2,325 people are called Müller', "select count(*) from users where last_name = 'Müller'", [], 2_325],
  ['there are eight Anna Abebe', "select count(*) from users where (first_name, last_name) = ('Anna', 'Abebe')", [], 8],
  ['eleven Chloë Bauer', "select count(*) from users where (first_name, last_name) = ('Chloë', 'Bauer')", [], 11],
  ['no two people share an e-mail address', 'select count(*) - count(distinct email) from users', [], 0],
  [
    'somebody holds 41 profiles',
    'select count(*) from user_profiles join users using (user_id) where user_guid = $1',
    [largeRecords.holderOfMany],
    41,
  ],
  ['902 people hold the lead', 'select count(*) from user_profiles where profile_id = $1', [largeRecords.lead], 902],
  ['1,377 the clerk', 'select count(*) from user_profiles where profile_id = $1', [largeRecords.clerk], 1_377],
  [
    '211 hold both',
    'select count(*) from user_profiles a join user_profiles b using (user_id) where a.profile_id = $1 and b.profile_id = $2',
    [largeRecords.lead, largeRecords.clerk],
    211,
  ],
  ['a role has 24,411 holders', 'select count(*) from user_profiles where role_id = $1', [largeRecords.role], 24_411],
  [
    'a profile has 57 access scopes',
    'select count(*) from profile_access_scopes where profile_id = $1',
    [largeRecords.auditor],
    57,
  ],
  ['992 applications are planners', "select count(*) from applications where name like '%Planner%'", [], 992],
  [
    'a change set has 383 mappings',
    `select max(n) from (select count(*) n from record_versions join change_sets using (change_set_id)
       where note = 'Move to the new plant' group by change_set_id) sizes`,
    [],
    383,
  ],
])('%s', async (_what, text, values, expected) => {
  expect(await count(text, values)).toBe(expected);
});

it('a review of 992 mappings says nobody only where nobody gains, and its sums agree with a brute-force count', async () => {
  const tokenOf = await openCallers(app.context);
  const authorization = `Bearer ${tokenOf({ userGuid: randomUUID(), profileId: 'administration', roleId: 'administrator', scopes: ['admin:read', 'admin:write'] })}`;
  const changes = largeRecords.planners.map((applicationGuid) => ({
    mapping: { applicationGuid, accessScopeGuid: largeRecords.project020, to: 'active' },
  }));
  const query = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { effect {
    gains { users applications }
    groups(by: CHANGE, first: 5) { nodes { label gains { users applications } } }
    outcomes(first: 1000) { totalCount counts { outcome reason count } nodes { path outcome users } } } } }`;
  const { json } = await app.post('/graphql', { query, variables: { changes } }, { authorization });
  const { effect } = json.data.applyChanges;
  const gained = await app.context.sql.rows<{ guid: string; users: number }>(
    `with planners as materialized (
       select application_id, application_guid from applications where application_guid = any($2::uuid[]) and is_active),
     opened as materialized (
       select own.profile_id, m.application_id from profile_access_scopes own join access_scopes scope using (access_scope_id)
       join access_scope_types type using (access_scope_type_id) join access_scope_applications_mappers m using (access_scope_id)
       join planners using (application_id) where m.state = 'active' and scope.is_active and type.is_active
       union select own.profile_id, m.application_id from profile_access_scopes own join access_scopes scope using (access_scope_id)
       join access_scope_types type using (access_scope_type_id) join access_scope_type_applications_mappers m using (access_scope_type_id)
       join planners using (application_id) where m.state = 'active' and scope.is_active and type.is_active),
     holders as materialized (
       select distinct user_id from access_scopes s join profile_access_scopes has using (access_scope_id)
       join user_profiles link using (profile_id) join users u using (user_id) where s.access_scope_guid = $1 and not u.is_blocked),
     reached as materialized (
       select distinct user_id, application_id from holders join user_profiles using (user_id) join opened using (profile_id))
     select application_guid::text as guid, count(*)::int as users from planners cross join holders
     where not exists (select from reached
       where reached.user_id = holders.user_id and reached.application_id = planners.application_id)
     group by application_guid`,
    [largeRecords.project020, largeRecords.planners],
  );
  const users = new Map(gained.map((row) => [row.guid, row.users]));
  expect(effect.outcomes.nodes).toEqual(
    largeRecords.planners.map((guid, index) => ({
      path: `changes[${index}].mapping`,
      outcome: users.has(guid) ? 'GAINS' : 'NOBODY',
      users: users.get(guid) ?? 0,
    })),
  );
  expect(effect.outcomes.counts).toEqual([
    { outcome: 'GAINS', reason: null, count: 966 },
    { outcome: 'NOBODY', reason: 'ALREADY_OPEN', count: 17 },
    { outcome: 'NOBODY', reason: 'OUT_OF_USE', count: 9 },
  ]);
  expect(effect.gains).toEqual({ users: 2_241, applications: 966 });
  expect(effect.groups.nodes).toEqual([
    { label: expect.stringContaining('opens 992 applications'), gains: { users: 2_241, applications: 966 } },
  ]);
});
