/** The review of many changes: who gains by each group, which changes do nothing for anybody, and why. */
import { newUser } from '../support/records.js';
import { violationsOf } from './support/axe.js';
import { grace, openBrowser } from './support/browser.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
});

const system = '00000000-0000-0000-0000-000000000001';

/** 40 applications: one scope of the profile opens the first three already, and the last two are out of use. */
async function makeDocks(): Promise<void> {
  const { context } = at.app;
  const { sql } = context;
  const userIds = await Promise.all(
    ['Ada', 'Ben', 'Cleo'].map(
      async (first_name) => (await newUser(context, { first_name, last_name: 'Dock' })).user_id,
    ),
  );
  await sql.rows(`insert into profiles (profile_id, name, created_by) values ('docker', 'Docker', $1::uuid)`, [system]);
  await sql.rows(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select name, lower(name), (select access_scope_type_id from access_scope_types where name = 'site'), $1::uuid
     from unnest(array['Quay', 'Pier']) name`,
    [system],
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'docker', access_scope_id, $1::uuid from access_scopes where name in ('Quay', 'Pier')`,
    [system],
  );
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select unnest($2::int[]), 'docker', 'operator', $1::uuid`,
    [system, userIds],
  );
  await sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, is_active, created_by)
     select 'Dock ' || lpad(n::text, 2, '0'), 'a', 'b', 'web', 'tab', 'external', n <= 38, $1::uuid from generate_series(1, 40) n`,
    [system],
  );
  await sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, state, created_by)
     select application_id, access_scope_id, 'active', $1::uuid from applications a, access_scopes s
     where a.name in ('Dock 01', 'Dock 02', 'Dock 03') and s.name = 'Pier'`,
    [system],
  );
}

it('a large group says who gains, and how many changes do nothing for anybody with the reason; each is shown, and undone', async () => {
  const { page, go, faults } = at;
  await makeDocks();
  await go('/matrix?type=site&q=dock');
  await page.getByRole('columnheader', { name: /Quay/ }).getByRole('button').click();
  await page.keyboard.press('Control+Enter');

  const sheet = page.getByRole('dialog');
  const group = sheet.getByRole('region', { name: 'Quay opens 40 applications' });
  await group.getByText('+ 3 people gain 35 applications').waitFor();
  const already = 'gain nobody: the same people already have them in another way';
  await group.getByText(already).waitFor();
  await group.getByText('gain nobody: out of use until they are in use again').waitFor();
  expect(await group.locator('.exception b').allInnerTexts()).toEqual(['3', '2']);
  expect(await sheet.getByLabel(/Note/).isVisible()).toBe(true);
  expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThanOrEqual(1_200);
  expect(await violationsOf(page)).toEqual([]);

  at.takeRequests();
  await group.getByRole('button', { name: `Show: 3 ${already}` }).click();
  const shown = group.getByRole('grid', { name: `3 ${already}` });
  expect(await shown.getByRole('row', { name: /^Dock 0[123]/ }).count()).toBe(3);
  expect(at.takeRequests()).toEqual([]);

  await shown.getByRole('button', { name: /Undo: Quay of Dock 01/ }).click();
  const less = sheet.getByRole('region', { name: 'Quay opens 39 applications' });
  await less.getByText('+ 3 people gain 35 applications').waitFor();
  expect(await less.locator('.exception b').allInnerTexts()).toEqual(['2', '2']);
  expect(faults).toEqual([]);
});

it('a single change says that nobody gains only with the reason that the service gives', async () => {
  const { page, go } = at;
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await go('/matrix?type=site&q=dock');
  await page.getByRole('gridcell', { name: /^Dock 01, Quay/ }).click();
  await page.getByRole('gridcell', { name: /^Dock 05, Quay/ }).click();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet
    .getByRole('region', { name: 'Dock 01' })
    .getByText('Nobody gains access: the same people already have it in another way')
    .waitFor();
  await sheet.getByRole('region', { name: 'Dock 05' }).getByText('+ 3 people', { exact: true }).waitFor();
});

it('where the answer to Apply is lost, Try again says what became of the changes, and they can be ended', async () => {
  const { page, go } = at;
  await page.evaluate('sessionStorage.clear()');
  await go('/roles/operator?tab=settings');
  await page.getByLabel('Description', { exact: true }).fill('Runs it all');
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  const apply = sheet.getByRole('button', { name: 'Apply 1 change' });
  await apply.and(page.locator(':enabled')).waitFor();
  await page.route('**/console/graphql', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await apply.click();
  await sheet.getByText('Gatehouse can’t be reached', { exact: true }).waitFor();
  await page.unroute('**/console/graphql');
  await sheet.getByRole('button', { name: 'Try again' }).click();
  await sheet.getByText(/Theirs: .*Runs it all\. Yours: the same/).waitFor();
  await sheet
    .getByRole('button', { name: /^Take theirs/ })
    .first()
    .click();
  await sheet.waitFor({ state: 'detached' });
});

it('where the answer to Propose is lost, and the same is proposed again, there is one proposal', async () => {
  const { page, go, app } = at;
  await page.evaluate('sessionStorage.clear()');
  await go('/roles/operator?tab=settings');
  await page.getByLabel('Description', { exact: true }).fill('Runs nearly all');
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Note').fill('Sent twice');
  const propose = sheet.getByRole('button', { name: 'Propose', exact: true });
  await propose.and(page.locator(':enabled')).waitFor();
  await page.route('**/console/graphql', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await propose.click();
  await sheet.getByText('Gatehouse can’t be reached', { exact: true }).waitFor();
  await page.unroute('**/console/graphql');
  await sheet.getByRole('button', { name: 'Try again' }).click();
  await propose.and(page.locator(':enabled')).click();
  await sheet.waitFor({ state: 'detached' });
  expect(await app.context.sql.rows("select from proposals where note = 'Sent twice'")).toHaveLength(1);
});

it('what only one person loses is said of this person', async () => {
  const { page, go } = at;
  await page.evaluate('sessionStorage.clear()');
  await go('/users/de300000-0000-4000-8000-000000000002');
  await page
    .getByRole('region', { name: 'Field work, north' })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/^person loses access/).waitFor();
  await sheet.getByText(/^applications? that this person loses$/).waitFor();
});
