/** Who gets a profile: what each person gains by it is named before anything is saved, and nothing is named where nothing is gained. */
import { insert } from '../support/records.js';
import { grace, openBrowser } from './support/browser.js';

const system = '00000000-0000-0000-0000-000000000001';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  await insert(at.app.context.sql, 'profiles', { profile_id: 'empty', name: 'Empty cabinet', created_by: system });
  await insert(at.app.context.sql, 'profiles', { profile_id: 'twin', name: 'Twin of the harbour', created_by: system });
  await at.app.context.sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'twin', access_scope_id, $1::uuid from access_scopes where name = 'Harbour station'`,
    [system],
  );
});

/** The dialog in which a person gets a profile. */
async function giving(person: string, profile: RegExp) {
  const { page, go } = at;
  await go(`/users?q=${person.toLowerCase()}`);
  await page.getByRole('checkbox', { name: new RegExp(`Select ${person}`) }).click();
  await page.getByRole('button', { name: /^Give a profile/ }).click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('option', { name: profile }).click();
  return panel;
}

it('giving Clara the profile Grid operator names her three applications and the entry site:*', async () => {
  const panel = await giving('Clara', /Grid operator/);
  await panel
    .getByText('+ 1 person gains 3 applications and 1 scope: Grid monitor, Outage map and Work orders; site:*')
    .waitFor();
  await panel.getByRole('button', { name: 'Review' }).click();
  const sheet = at.page.getByRole('dialog', { name: 'Review 1 change' });
  await sheet.getByText(/applications that this person gains/).waitFor();
  await sheet.getByText(/Grid monitor, Outage map and Work orders; site:\*: Clara Dietrich/).waitFor();
  await at.page.keyboard.press('Escape');
});

it('a profile that opens nothing today, or nothing that the person cannot open already, gives nobody access', async () => {
  const nothing = await giving('Diego', /Empty cabinet/);
  await nothing.getByText('opens nothing today', { exact: true }).waitFor();
  const role = nothing.getByRole('combobox', { name: 'Role' });
  await role.click();
  await nothing.getByRole('option', { name: /Operator/ }).click();
  await nothing.getByText('Nobody gains access: the profile opens nothing today').waitFor();
  await at.page.keyboard.press('Escape');
  const twin = await giving('Diego', /Twin of the harbour/);
  await twin.getByRole('combobox', { name: 'Role' }).click();
  await twin.getByRole('option', { name: /Operator/ }).click();
  await twin.getByText('Nobody gains access: what it opens is open to them already').waitFor();
});
