/** A record's page: the states of its mappings, faults beside its fields, and a history of all that belongs to it. */
import { violationsOf } from './support/axe.js';
import { grace, openBrowser, type Visit } from './support/browser.js';

beforeAll(openBrowser);

const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const harbour = 'de320000-0000-4000-8000-000000000003';

async function apply(page: Visit['page']): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

it('a mapping gets any state: a customary one by the list, another word by typing it, and none', async () => {
  const { app, page, faults } = await grace(`/applications/${gridMonitor}`);
  const state = page.getByLabel('State: Northern station');
  const stored = () =>
    app.context.sql.rows(
      `select state from access_scope_applications_mappers join applications using (application_id)
       join access_scopes s using (access_scope_id) where application_guid = $1 and s.name = 'Northern station'`,
      [gridMonitor],
    );
  await state.selectOption('planned');
  await page.getByText('was active').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await apply(page);
  expect(await stored()).toEqual([{ state: 'planned' }]);

  await state.selectOption('another…');
  await page.keyboard.type('suspended');
  await page.keyboard.press('Enter');
  await page.getByText('was planned').waitFor();
  await apply(page);
  expect(await stored()).toEqual([{ state: 'suspended' }]);

  await state.selectOption('no access');
  await page.getByRole('button', { name: /^Undo: Northern station/ }).click();
  expect(await page.getByText('pending change').count()).toBe(0);
  await state.selectOption('no access');
  await apply(page);
  expect(await stored()).toEqual([]);
  expect(faults).toEqual([]);
});

it('in the matrix a cell gets the state that was chosen there, and the address holds it', async () => {
  const { app, page } = await grace('/matrix?type=site');
  await page.getByLabel('State that a cell gets').selectOption('planned');
  await page.waitForURL(/as=planned/);
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: no access' }).click();
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: will be planned' }).waitFor();
  await apply(page);
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: planned' }).waitFor();

  // who plans for all takes nothing from those that are open
  const open = await app.context.sql.rows(
    "select count(*)::int as open from access_scope_applications_mappers where state = 'active'",
  );
  await page.getByRole('button', { name: 'Northern station' }).click();
  await page.getByText('7 pending changes').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 7 changes' }).click();
  await page.getByText('7 changes applied').waitFor();
  expect(
    await app.context.sql.rows(
      "select count(*)::int as open from access_scope_applications_mappers where state = 'active'",
    ),
  ).toEqual(open);
});

it('a fault that the review finds is shown beside its field too, until the field is changed', async () => {
  const { page } = await grace(`/applications/${gridMonitor}?tab=settings`);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('n'.repeat(300));
  await page.getByLabel('Type', { exact: true }).fill('t'.repeat(60));
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('alert').first().waitFor();
  await page.keyboard.press('Escape');

  await page.getByText('The name field must be at most 255 characters long.').waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.getByText('The name field must be at most 255 characters long.').waitFor();
  await name.fill('Grid watch');
  await page.getByText('at most 255').waitFor({ state: 'detached' });
  expect(await page.getByText('at most 50 characters').count()).toBe(1);
});

it('a record’s history tells of its mappings, removed ones too, and its texts, with names; older ones follow', async () => {
  const { app, page } = await grace(`/applications/${gridMonitor}?tab=history`);
  await page.getByText('Northern station opens Grid monitor').first().waitFor();
  await page.getByText('Name, de').first().waitFor();
  await app.context.sql.rows(
    `delete from access_scope_applications_mappers using access_scopes s
     where s.access_scope_id = access_scope_applications_mappers.access_scope_id and s.name = 'Northern station'`,
  );
  for (let round = 0; round < 30; round++)
    await app.context.sql.rows('update applications set description = $1 where application_guid = $2', [
      `round ${round}`,
      gridMonitor,
    ]);
  await page.reload();
  await page.getByText('round 29').first().waitFor();
  const removed = page.getByText('Northern station no longer opens Grid monitor');
  expect(await removed.count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await removed.waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

it('an access scope’s history tells of the profiles that it came to and left', async () => {
  const { page } = await grace(`/scopes/${harbour}?tab=history`);
  await page
    .getByText(/^Harbour station given to /)
    .first()
    .waitFor();
});

it('texts of access scopes and types are translated as those of applications, and stand on their pages', async () => {
  const { app, page, go } = await grace('/translations?of=scopes');
  await page.getByText('No access scope has a group of translations').waitFor();
  await app.context.sql.rows("update access_scopes set translation_group = 'harbour' where access_scope_guid = $1", [
    harbour,
  ]);
  await app.context.sql.rows("update access_scope_types set translation_group = 'site' where name = 'site'");
  await go('/translations?of=scopes&language=de');
  await page.getByLabel('Harbour station, name in de').fill('Hafenwerk');
  await page.getByRole('button', { name: 'Types' }).click();
  await page.getByLabel('site, name in de').fill('Werk');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await go(`/scopes/${harbour}?tab=texts`);
  const text = page.getByLabel('Name in de');
  expect(await text.inputValue()).toBe('Hafenwerk');
  await text.fill('Hafen');
  await apply(page);
  expect(
    await app.context.sql.rows('select translated_text from translations where translation_group = $1', ['harbour']),
  ).toEqual([{ translated_text: 'Hafen' }]);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Name, de').first().waitFor();
});

it('every view is a link: what an application’s scopes were searched for, and the type that a matrix shows', async () => {
  const { page, go } = await grace(`/applications/${gridMonitor}`);
  await page.getByLabel('Search access scopes').fill('north');
  await page.waitForURL(/q=north/);
  await page.reload();
  expect(await page.getByLabel('Search access scopes').inputValue()).toBe('north');
  await page.getByLabel(/^State: /).waitFor();
  expect(await page.getByLabel(/^State: /).count()).toBe(1);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.waitForURL(/\?tab=settings$/);

  await go('/matrix?type=site');
  await page.getByRole('button', { name: 'report' }).click();
  await page.waitForURL(/type=report/);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Matrix' }).click();
  await page.waitForURL(/matrix\?type=report/);
  await page.goBack();
  await page.waitForURL(/users/);
});

it('languages stand over their texts, however many there are', async () => {
  const { page, go } = await grace('/translations?language=fr');
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await go('/translations?language=fr');
    const places = (role: string) =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('.texts [role=row]:has([role=${role}])')[0].querySelectorAll('[role=${role}]')].slice(-4).map((cell) => Math.round(cell.getBoundingClientRect().left))`,
      );
    expect(await places('cell')).toEqual(await places('columnheader'));
  }
});

it('changes are found by what was done to which kind of record, and taking one back names what is gone', async () => {
  const { page, go } = await grace(`/applications/${gridMonitor}`);
  await page.getByLabel('State: Northern station').selectOption('no access');
  await apply(page);
  await go('/history');
  await page.getByLabel('Kind of record').selectOption('Mapping');
  await page.getByLabel('What was done').selectOption('Removed');
  await page.waitForURL(/action=delete/);

  await page.getByText('1 change matches').waitFor();
  await page.getByRole('button', { name: 'Undo: Northern station removed from Grid monitor' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Northern station → Grid monitor').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { expanded: false })
    .filter({ hasText: 'Northern station removed from Grid monitor' })
    .click();
  await page.getByText('Northern station no longer opens Grid monitor').waitFor();
});

it('a new application is made on one page: values of others are suggested, and its access is that of another application', async () => {
  const { app, page, go } = await grace('/applications/new');
  await page.getByRole('button', { name: 'Review (name is missing)' }).waitFor();
  await page.getByRole('button', { name: 'Same as another application…' }).click();
  await page.getByRole('combobox', { name: 'Same as' }).fill('monitor');
  await page.getByRole('option', { name: /Grid monitor/ }).click();
  const card = page.getByRole('region', { name: 'Who gets it' });
  await card.getByRole('button', { name: 'Remove Northern station' }).waitFor();
  const { rows } = {
    rows: await app.context.sql.rows<{ count: number }>(
      `select count(*)::int as count from access_scope_applications_mappers join applications using (application_id) where name = 'Grid monitor'`,
    ),
  };
  expect(await card.getByRole('listitem').count()).toBe(rows[0]!.count);
  await card.getByRole('combobox', { name: 'Add an access scope' }).fill('harbour');
  await page.getByRole('option', { name: /Harbour station/ }).click();

  await page.getByLabel('Type', { exact: true }).fill('mob');
  await page.getByRole('option', { name: /^mobile/ }).click();
  expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('mobile');
  await page.getByLabel('Name', { exact: true }).fill('Crew planner');
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Crew planner').first().waitFor();
  await sheet.getByRole('button', { name: /^Apply \d changes$/ }).click();
  await page.getByRole('heading', { level: 1, name: /Crew planner/ }).waitFor();
  expect(
    await app.context.sql.rows(
      `select s.name from access_scope_applications_mappers m join applications a using (application_id) join access_scopes s using (access_scope_id)
       where a.name = 'Crew planner' and a.app_type = 'mobile' order by 1`,
    ),
  ).toEqual(expect.arrayContaining([{ name: 'Harbour station' }, { name: 'Northern station' }]));
  await go('/applications');
});

it('a form is complete only with ids that name a record, or that are new, as the service knows them', async () => {
  const { page, go } = await grace('/applications/new');
  const details = page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: /^Details/ });
  await page.getByLabel('Name', { exact: true }).fill('Crew planner');
  await details.getByText('complete').waitFor();
  await page.getByLabel('Owner').fill('grid-operato');
  await page.getByText('No profile has this id.').waitFor();
  await details.getByText('owner is not valid').waitFor();
  expect(await page.getByRole('button', { name: 'Review (owner is not valid)' }).isDisabled()).toBe(true);
  await page.getByLabel('Owner').fill('grid-operator');
  await details.getByText('complete').waitFor();
  await page.getByRole('button', { name: 'Review', exact: true }).last().click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('heading', { level: 1, name: /Crew planner/ }).waitFor();

  // of a profile that the same review makes, too
  await go('/profiles/new');
  await page.getByLabel('Name', { exact: true }).fill('Crews');
  await page.getByLabel('Id', { exact: true }).fill('crews');
  await page.getByRole('button', { name: 'Review', exact: true }).last().waitFor();
  await go('/applications/new');
  await page.getByLabel('Name', { exact: true }).fill('Crew rota');
  await page.getByLabel('Owner').fill('crews');
  await details.getByText('complete').waitFor();
  await page.evaluate('sessionStorage.clear()');

  for (const [kind, taken] of [
    ['profile', 'grid-operator'],
    ['role', 'analyst'],
  ]) {
    await go(`/${kind}s/new`);
    await page.getByLabel('Name', { exact: true }).fill('Crew');
    await page.getByLabel('Id', { exact: true }).fill(taken!);
    await page.getByText(`A ${kind} has this id already.`).waitFor();
    await page.getByRole('button', { name: 'Review (id is not valid)' }).waitFor();
    await page.getByLabel('Id', { exact: true }).fill(`${taken}-of-crews`);
    await page.getByRole('button', { name: 'Review', exact: true }).last().waitFor();
    await page.evaluate('sessionStorage.clear()');
  }
});

it('texts of a new application are written on its page and made with it, in a group of its own', async () => {
  const { app, page } = await grace('/applications/new');
  await page.getByLabel('Name', { exact: true }).fill('Crew planner');
  await page.getByLabel('Name in de').fill('Einsatzplan');
  await page.getByLabel('Description in de').fill('Plant Schichten');
  await page.getByRole('region', { name: 'As people see it' }).getByText('Einsatzplan').waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByText('2 texts').waitFor();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Apply 3 changes' }).click();
  await page.getByRole('heading', { level: 1, name: /Crew planner/ }).waitFor();
  expect(
    await app.context.sql.rows(
      `select field_name, translated_text from translations
       join translation_groups using (translation_group) join applications using (translation_group)
       where name = 'Crew planner' and language_code = 'de' order by 1`,
    ),
  ).toEqual([
    { field_name: 'description', translated_text: 'Plant Schichten' },
    { field_name: 'name', translated_text: 'Einsatzplan' },
  ]);
});

it('lists of access scopes and of types say how many applications are open by them, by their types too, and not of other states', async () => {
  const { app, page, go } = await grace('/types');
  await app.context.sql.rows(
    "update access_scope_type_applications_mappers set state = 'inactive' where state <> 'active'",
  );
  const [site] = await app.context.sql.rows<{ open: number }>(
    `select count(*) filter (where m.state = 'active')::int as open
     from access_scope_type_applications_mappers m join access_scope_types t using (access_scope_type_id) where t.name = 'site'`,
  );
  await go('/types');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  await row('site').getByText(`${site!.open} applications`, { exact: true }).waitFor();
  await go('/scopes');
  await row('Harbour station').getByText('0 applications').waitFor();
  await row('Harbour station').getByText(`${site!.open} by its type`).waitFor();
  await page.getByRole('button', { name: 'Opening nothing' }).click();
  await row('Harbour station').waitFor({ state: 'detached' });
});
