/** The console with 5,208 applications and 50,007 people: complete, and true. */
import { readFileSync } from 'node:fs';
import { largeRecords, largeSize } from '../../dev/largeData.js';
import { builtFolder } from '../../src/modules/console/routes/builtFiles.js';
import { startLargeApp } from '../support/largeCatalogue.js';
import { arrive, dataFolder, openBrowser, settled, type Visit, visit } from './support/browser.js';

let at: Visit;
beforeAll(async () => {
  await openBrowser();
  const app = await startLargeApp({ ID_TOKEN_ISSUERS: '', DATA_DIR: dataFolder() }, { consoleFolder: builtFolder });
  at = await visit(app);
  await arrive(app, at, 'Grace Hall');
});
afterEach(async () => {
  expect(at.faults.splice(0)).toEqual([]);
  await at.page.evaluate('sessionStorage.clear()');
});

const number = (count: number) => count.toLocaleString('en');
const accessibleNames = async (role: 'row' | 'option', name: RegExp) =>
  at.page
    .getByRole(role, { name })
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));

it('a review of 992 mappings says who gains, and nobody only with the reason; its note is in sight', async () => {
  const { page, go } = at;
  await go('/matrix?type=project&q=planner');
  await page.getByRole('columnheader', { name: /020/ }).getByRole('button').click();
  await page.getByText('992 pending changes').waitFor();
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  const group = sheet.getByRole('region', { name: 'Project 020 opens 992 applications' });
  await group.getByText(/^\+ 2,241 people gain [\d,]+ to [\d,]+ applications each$/).waitFor();
  await group.getByText('gain nobody: the same people already have them in another way').waitFor();
  await group.getByText('gain nobody: out of use until they are in use again').waitFor();
  expect(await group.locator('.exception b').allInnerTexts()).toEqual(['17', '9']);
  expect(await sheet.innerText()).not.toContain('Nobody');
  // each number leads to its list
  await sheet.getByTitle('Show the applications').click();
  await sheet.getByText('Shown: 12 of 966').waitFor();
  const note = await page.getByLabel('Note for the history').boundingBox();
  expect(note!.y + note!.height).toBeLessThanOrEqual(900);

  await group.getByRole('button', { name: 'Show all 992' }).click();
  await sheet
    .getByRole('button', { name: /^Undo: .* of / })
    .first()
    .click();
  await sheet.getByRole('button', { name: 'Apply 991 changes' }).waitFor();
  expect(
    await page.evaluate(`document.querySelector('dialog[open]').querySelectorAll('*').length`),
  ).toBeLessThanOrEqual(800);
});

it('what is unusual of the people in sight is one question, however often the list is measured', async () => {
  const { page, go } = at;
  at.takeRequests();
  await go('/users');
  await page.waitForLoadState('networkidle');
  expect(at.takeRequests().filter((body) => body.includes('"UnusualProfiles"'))).toHaveLength(1);
});

it('the person with 41 profiles is blocked, and loses one; a card that fails leaves the others', async () => {
  const { page, go, faults } = at;
  await page.route('**/console/graphql', (route) =>
    /customer-service-auditor-20/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
  );
  await page.goto(`${new URL(page.url()).origin}/console/users/${largeRecords.holderOfMany}`);
  await page.getByRole('heading', { level: 1, name: 'Nadia Horváth' }).waitFor();
  const cards = page.getByRole('tabpanel').getByRole('region');
  await cards.nth(1).getByText('Shown: 24 of').waitFor();
  await cards.first().getByRole('alert').waitFor();
  await page.unroute('**/console/graphql');
  faults.splice(0);
  await cards.first().getByRole('button', { name: 'Try again' }).click();
  await cards
    .first()
    .getByRole('link', { name: /^Shown: 24 of [\d,]+$/ })
    .waitFor();
  await page.getByRole('button', { name: /^Remove: Customer service auditor 20/ }).click();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor();
  await go('/overview');
});

it('all 902 holders of a profile and 24,411 of a role are reached, searched and saved', async () => {
  const { page, go } = at;
  await go(`/profiles/${largeRecords.lead}?tab=holders`);
  await page.getByText('902 grants').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  // what the list is, and the headings
  expect(lines).toHaveLength(2 + 902);
  expect(new Set(lines).size).toBe(2 + 902);
  await page.getByRole('checkbox', { name: 'Select all 902' }).click();
  await page.getByText('All 902 are selected').waitFor();

  await go(`/roles/${largeRecords.role}`);
  await page.getByText('24,411 grants').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.locator('[role=row][aria-rowindex="24412"]').waitFor();
  await settled(page);
  await page.keyboard.press('/');
  await page.keyboard.type('anna.abebe');
  await page.getByText('11 grants match').waitFor();
});

it.each([
  // with eight Johanna Abebe
  ['anna abebe', /Anna Abebe/, 8, 16],
  ['chloe bauer', /Chloë Bauer/, 11, 11],
])('those whom %s finds are told apart in the list and in a picker', async (text, name, namesakes, matches) => {
  const { page, go } = at;
  await go(`/users?q=${encodeURIComponent(text)}`);
  await page.getByText(`${matches} users match`).waitFor();
  await page.getByRole('row', { name }).first().waitFor();
  const rows = await accessibleNames('row', name);
  expect(new Set(rows).size).toBe(namesakes);
  await go('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill(text);
  await page.getByText(`Shown: 8 of ${matches}.`).waitFor();
  await page.getByRole('option', { name }).first().waitFor();
  const options = await accessibleNames('option', name);
  expect(new Set(options).size).toBe(8);
});

it('on every page Skip to content leaves the address, and the focus is in the content', async () => {
  const { page, go } = at;
  for (const path of [
    'overview',
    'inbox',
    'applications',
    'scopes',
    'matrix',
    'why',
    'users',
    'profiles',
    'roles',
    'reviews',
    'history',
    'clients',
    'usage',
    'keys',
    'translations',
  ]) {
    await go(`/${path}`);
    const address = page.url();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect([path, page.url(), await page.evaluate('document.activeElement.id')]).toEqual([path, address, 'main']);
  }
});

it('a large list that is scrolled, searched and cleared twenty times leaves no row grey, and a search begins at its first row', async () => {
  const { page, go } = at;
  await go('/users');
  const search = page.getByRole('searchbox', { name: 'Search users' });
  for (let round = 0; round < 20; round++) {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.locator(`.row.at[aria-rowindex="${largeSize.people + 1}"]`).waitFor();
    await search.fill('muller');
    await page.getByText('2,325 users match').waitFor();
    await page.locator('[role=row][aria-rowindex="2"]').waitFor();
    await search.fill('');
    await page.getByText(`${number(largeSize.people)} users`, { exact: true }).waitFor();
    await settled(page);
  }
});

it('the middle of 50,007 people costs two requests at most', async () => {
  const { page, go, takeRequests } = at;
  await go('/users');
  takeRequests();
  await page.evaluate(`{ const box = document.querySelector('.rows'); box.scrollTo(0, box.scrollHeight / 2) }`);
  await page.locator('[role=row][aria-rowindex="25000"]').waitFor();
  await settled(page);
  expect(takeRequests().filter((body) => /UserRows/.test(body)).length).toBeLessThanOrEqual(2);
});

it('the undoing of 383 mappings shows all 383; an import says why it cannot be undone', async () => {
  const { page, go } = at;
  await go('/history');
  await page.getByText('too large to undo: 10,000 is the most').waitFor();
  await page.getByRole('button', { name: 'Undo: Plant 010 given to 383 applications' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Shown: 50 of 383').waitFor();
  while ((await sheet.getByRole('button', { name: 'Show more' }).count()) > 0) {
    await sheet.getByRole('button', { name: 'Show more' }).click();
    await settled(page);
  }
  expect(await sheet.locator('.reviewed li').filter({ hasText: 'Plant 010' }).count()).toBe(383);
  await page.keyboard.press('Escape');
});

it('muller finds 2,325 Müller in a list, a picker and the palette; unchpad finds Launchpad', async () => {
  const { page, go } = at;
  await go('/users?q=muller');
  await page.getByText('2,325 users match').waitFor();
  await go('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill('muller');
  await page.getByText('Shown: 8 of 2,325.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('muller');
  await page.getByRole('option', { name: 'All 2,325 people with “muller”' }).waitFor();
  await page.getByRole('combobox', { name: 'Find anything' }).fill('unchpad');
  await page
    .getByRole('option', { name: /Launchpad/ })
    .first()
    .waitFor();
});

it('an application out of use says so in the matrix, and its name opens it', async () => {
  const { page, go } = at;
  await go(`/applications/${largeRecords.outOfUse[0]}`);
  const [name] = (await page.getByRole('heading', { level: 1 }).innerText()).split('\n');
  await go(`/matrix?type=project&q=${encodeURIComponent(name!)}`);
  const row = page.getByRole('row').filter({ hasText: 'out of use' });
  await row.getByRole('link', { name: name! }).click();
  await page.waitForURL(/\/applications\//);
});

it('from 4,000 px down a list, with three selected, Back from a person leads to the same place', async () => {
  const { page, go } = at;
  await go('/users');
  const grid = page.getByRole('grid');
  await grid.focus();
  for (const key of ['x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.evaluate("document.querySelector('.rows').scrollTo(0, 4000)");
  await settled(page);
  const row = page.locator('.rows [role=row][aria-rowindex="95"]');
  const name = await row.getByRole('link').first().innerText();
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: name.split('\n')[0]! }).waitFor();
  await page.goBack();
  await row.waitFor();
  await page.getByText('3 people').first().waitFor();
  expect(await page.evaluate("document.querySelector('.rows').scrollTop")).toBe(4000);
  await page.waitForFunction("document.activeElement.getAttribute('role') === 'grid'");
});

it('the palette acts: why anna asset, block anna abebe', async () => {
  const { page, go } = at;
  await go('/overview');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('block anna abebe');
  const hits = page.getByRole('group', { name: 'Block' }).getByRole('option');
  await hits.first().waitFor();
  const names = await hits.allInnerTexts();
  expect(names.length).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(names.length);
  await page.getByRole('combobox', { name: 'Find anything' }).fill('why anna abebe launchpad');
  await page.getByRole('group', { name: 'Why', exact: true }).getByRole('option').first().waitFor();
});
