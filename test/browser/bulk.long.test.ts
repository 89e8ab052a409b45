/** People found by filters get a profile together: in few clicks, as one change, and the selection outlives a look at one of them. */
import { insert } from '../support/records.js';
import { until } from '../support/until.js';
import { grace, openBrowser, settled } from './support/browser.js';
import { countClicks } from './support/clicks.js';

const system = '00000000-0000-0000-0000-000000000001';
const people = 90;

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  const { sql } = at.app.context;
  await sql.rows(
    `insert into users (first_name, last_name, email, department, is_blocked, created_by)
     select 'Lea', 'Legal ' || lpad(n::text, 3, '0'), 'lea' || n || '@grid.example', 'Legal', n = 7, $2::uuid
       from generate_series(1, $1::int) n`,
    [people, system],
  );
  await insert(sql, 'profiles', { profile_id: 'legal-archive', name: 'Legal archive reader', created_by: system });
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'legal-archive', access_scope_id, $1::uuid from access_scopes where name = 'Harbour station'`,
    [system],
  );
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'reporting', 'analyst', $1::uuid from users where department = 'Legal'
     union all select user_id, 'legal-archive', 'operator', $1::uuid from users where email in ('lea1@grid.example', 'lea2@grid.example')
     union all select user_id, 'field-north', 'operator', $1::uuid from users where email = 'lea3@grid.example'`,
    [system],
  );
});

const holders = () =>
  at.app.context.sql.rows<{ email: string; day: string | null }>(
    `select email, to_char(valid_until, 'YYYY-MM-DD') as day from user_profiles join users using (user_id)
     where profile_id = 'legal-archive' order by user_profile_id`,
  );

it('all whom two filters match get a profile until a date in at most 11 clicks; who holds it and who is blocked is left out', async () => {
  const { page, go } = at;
  await go('/overview');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('combobox', { name: 'Profile' }).click();
  await page.getByRole('option', { name: /Reporting/ }).click();
  await page.getByRole('combobox', { name: 'Department' }).click();
  await page.getByRole('option', { name: /Legal/ }).click();
  await page.getByText(`${people} users match`).waitFor();
  expect(new URL(page.url()).search).toBe('?profile=reporting&department=Legal');
  await page.getByRole('checkbox', { name: `Select all ${people}` }).click();
  await page.getByText(`All ${people} are selected`).waitFor();
  await page.getByRole('button', { name: /^Give a profile/ }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('option', { name: /Legal archive reader/ }).click();
  await panel.getByText('2 hold it already, 1 is blocked').waitFor();
  await panel.getByText(`+ ${people - 3} people`).waitFor();
  expect(await panel.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('Operator');
  await panel.getByRole('button', { name: '30 days' }).click();
  await panel.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(11);

  const now = await holders();
  expect(now).toHaveLength(people - 1);
  expect(now.filter(({ day }) => day === null).map(({ email }) => email)).toEqual([
    'lea1@grid.example',
    'lea2@grid.example',
  ]);
  expect(now.map(({ email }) => email)).not.toContain('lea7@grid.example');
});

it('a profile that few colleagues hold is marked, with how many they are', async () => {
  const { page, go } = at;
  await go('/users?view=unusual&department=Legal');
  const chip = page.getByTitle(/^1 of 90 people in Legal hold /);
  await chip.waitFor();
  expect(await page.getByRole('row').filter({ has: chip }).innerText()).toContain('lea3@grid.example');
});

it('a selection of records stays through filters, the page of one of them, and Back', async () => {
  const { page, go } = at;
  await go('/users');
  await page.getByRole('combobox', { name: 'Department' }).click();
  await page.getByRole('option', { name: /Legal/ }).click();
  await settled(page);
  for (const number of ['001', '003', '004'])
    await page.getByRole('checkbox', { name: `Select Lea Legal ${number}` }).click();
  await page.getByRole('link', { name: /Lea Legal 003/ }).click();
  await page.getByRole('heading', { level: 1, name: /Lea Legal 003/ }).waitFor();
  await page.goBack();
  await page.getByText('3 people').first().waitFor();
  // how many are selected is kept; the rows are read again
  await until(async () => (await page.getByRole('row', { selected: true }).count()) === 3);
  await page.getByRole('button', { name: 'Remove the filter Department: Legal' }).click();
  await until(async () => new URL(page.url()).search === '');
  await page.getByText('3 people').first().waitFor();
});

it('many are blocked, and lose a profile, together', async () => {
  const { page, go } = at;
  await go('/users?q=legal%2000');
  await page.getByRole('checkbox', { name: 'Select all 9' }).click();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('button', { name: 'Apply 8 changes' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('checkbox', { name: 'Select all 9' }).click();
  await page.getByRole('button', { name: 'Remove a profile…' }).click();
  await page.getByRole('option', { name: /Reporting/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 9 changes' }).waitFor();
  await page.getByText('removed from 9 people').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
});
