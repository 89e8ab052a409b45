/** The demonstration at real size holds what the console's acceptance asks for. */
import { largeRecords, largeSize } from '../../src/dev/largeData.js';
import type { TestApp } from '../support/app.js';
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
