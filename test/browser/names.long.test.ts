/** What administrators call things, and what they type into the address: long names, equal names, addresses of nothing. */
import { insert } from '../support/records.js';
import { until } from '../support/until.js';
import { beyondTheEdge } from './support/axe.js';
import { grace, openBrowser, settled, type Visit } from './support/browser.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
});

const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const assetRegister = 'de330000-0000-4000-8000-000000000005';
const bruno = 'de300000-0000-4000-8000-000000000002';
const longWord = `Regionalversorgungsleitstellen${'überwachungsprotokoll'.repeat(3)}`;
const system = '00000000-0000-0000-0000-000000000001';

const resize = async ({ page }: Visit, width: number) => {
  await page.setViewportSize({ width, height: 900 });
  await settled(page);
};

it.each([
  '/applications/nonsense',
  '/users/1',
  '/clients/%00',
  '/why?user=nobody&application=nothing',
])('%s is said to be no page, and trying again is not offered', async (path) => {
  await at.go(path);
  await at.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  expect(await at.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

it.each([
  '/applications',
  '/users',
  '/profiles',
  '/scopes',
  '/types',
  '/roles',
  '/clients',
])('%s is as usual when the address names a column and a view that are none', async (path) => {
  await at.go(`${path}?sort=-nonsense&view=constructor`);
  expect(await at.page.locator('[aria-sort]').getAttribute('aria-sort')).toBe('ascending');
  expect(await at.page.getByRole('row').count()).toBeGreaterThan(1);
});

it('a name longer than a line pushes nothing over the edge, and lies over no other cell', async () => {
  const { app, page, go } = at;
  await app.context.sql.rows(
    'update applications set name = $1, description = $1, app_type = $2 where application_guid = $3',
    [longWord, longWord.slice(0, 50), gridMonitor],
  );
  for (const tab of ['access', 'history']) {
    await go(`/applications/${gridMonitor}?tab=${tab}`);
    for (const width of [1440, 820, 360]) {
      await resize(at, width);
      expect(await page.evaluate<string[]>(beyondTheEdge)).toEqual([]);
    }
  }
  await resize(at, 1440);
  await go('/applications?q=Regionalversorgung');
  const spilling = `[...document.querySelectorAll('[role=gridcell]')].filter((cell) =>
    cell.scrollWidth > cell.clientWidth && getComputedStyle(cell).overflowX === 'visible').length`;
  expect(await page.evaluate(spilling)).toBe(0);
});

it('all columns of a table are reached by scrolling where there is no room for them', async () => {
  const { page, go } = at;
  await resize(at, 820);
  await go('/applications');
  await page.getByRole('columnheader', { name: 'Changed' }).scrollIntoViewIfNeeded();
  const isSeen = `(() => {
    const cell = [...document.querySelectorAll('[role=row]')][1].lastElementChild;
    const { left, top, width, height } = cell.getBoundingClientRect();
    return cell.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })()`;
  expect(await page.evaluate(isSeen)).toBe(true);
  await resize(at, 1440);
});

it('a tile shows whole characters, an emoji too', async () => {
  const { app, page, go } = at;
  await app.context.sql.rows("update applications set name = '🗺️ 👩🏽‍🔧 desk' where name = 'Device desk'");
  await go('/applications?q=desk');
  expect(await page.locator('[role=gridcell] .tile').getAttribute('data-initials')).toBe('🗺👩');
});

it('access scopes of one name are told apart in what would open an application', async () => {
  const { app, page, go } = at;
  const { sql } = app.context;
  const [type] = await sql.rows<{ id: number }>(
    "select access_scope_type_id as id from access_scope_types where name = 'report'",
  );
  await insert(sql, 'access_scopes', {
    access_scope_type_id: type!.id,
    name: 'Northern station',
    access_scope_key: 'north',
    created_by: system,
  });
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'field-north', access_scope_id, $1 from access_scopes where name = 'Northern station' on conflict do nothing`,
    [system],
  );
  await sql.rows("delete from access_scope_type_applications_mappers where state <> 'active'");
  await go(`/why?user=${bruno}&application=${assetRegister}`);
  const remedies = await page.getByRole('button', { name: /^Do it: Northern station/ }).all();
  const names = await Promise.all(remedies.map((remedy) => remedy.getAttribute('aria-label')));

  expect(names.sort()).toEqual([
    'Do it: Northern station (report:north): active',
    expect.stringMatching(/\(site:\w+\): active$/),
  ]);
});

it('access scopes to add to a profile are offered before anything is typed', async () => {
  const { page, go } = at;
  await go('/profiles/field-north?tab=scopes');
  await page.getByRole('combobox', { name: 'Add an access scope' }).click();
  await page.getByRole('option', { name: /Harbour station/ }).waitFor();
});

it('people of one name are told apart by their e-mail: in lists, in pickers and in the review', async () => {
  const { app, page, go } = at;
  const mails = ['anna.abebe@grid.example', 'anna.abebe4@grid.example'];
  for (const email of mails)
    await insert(app.context.sql, 'users', { first_name: 'Anna', last_name: 'Abebe', email, created_by: system });
  await go('/users?q=abebe');
  for (const mail of mails) await page.getByRole('row', { name: mail }).waitFor();
  await go('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill('abebe');
  await page.getByRole('option', { name: mails[1]! }).click();
  await until(async () => (await page.getByRole('combobox', { name: 'Person' }).inputValue()).includes(mails[1]!));

  for (const mail of mails) {
    await go('/users?q=abebe');
    await page.getByRole('row', { name: mail }).getByRole('link').click();
    await page.getByRole('button', { name: 'Block…' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Control+Enter');
  const undo = page.getByRole('dialog').getByRole('button', { name: /^Undo: Block of Anna Abebe/ });
  await undo.nth(1).waitFor();
  const names = await undo.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  expect(new Set(names).size).toBe(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
});

it('a name that is cut keeps its beginning, in whichever direction it is written', async () => {
  const { app, page, go } = at;
  await app.context.sql.rows('update applications set name = $1 where application_guid = $2', [
    'سجل الأصول والمعدات والكابلات في جميع محطات الشبكة الإقليمية للمدينة',
    assetRegister,
  ]);
  for (const [path, name] of [
    ['/applications', '.row b'],
    ['/matrix', '[role=rowheader] a'],
    [`/applications/${assetRegister}`, '[aria-current=page]'],
  ] as const) {
    await go(path);
    await resize(at, 360);
    const cut = page.locator(name).filter({ hasText: 'سجل' }).first();
    const isBegun = await cut.evaluate((own) => {
      const range = own.ownerDocument.createRange();
      range.setStart(own.firstChild!, 0);
      range.setEnd(own.firstChild!, 1);
      const [first, whole] = [range.getBoundingClientRect(), own.getBoundingClientRect()];
      const isCut = own.scrollWidth > own.clientWidth;
      return isCut && first.width > 0 && first.left >= whole.left && first.right <= whole.right + 0.5;
    });
    expect([path, isBegun]).toEqual([path, true]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});
