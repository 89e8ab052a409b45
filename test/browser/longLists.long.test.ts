/** Long lists: whoever goes to their end waits for one page, and on the way back no row lacks and none comes twice. */
import type { TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { arrive, openBrowser, settled, startConsole, type Visit, visit } from './support/browser.js';

let app: TestApp;
let at: Visit;
beforeAll(async () => {
  await openBrowser();
  app = await startConsole();
  await fill(app);
  at = await visit(app);
  await arrive(app, at, 'Grace Hall');
});

const count = 1_400;

/** Between the demonstration's applications and after them: names are sorted as the database sorts them. */
async function fill({ context }: TestApp): Promise<void> {
  await context.sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 'Zone ' || lpad(n::text, 4, '0'), 'a', 'b', 'web', 'tab', 'external', '00000000-0000-0000-0000-000000000001'
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** A page of the list, with nothing left of the test before. */
async function filled(path: string) {
  await at.page.evaluate('sessionStorage.clear()');
  await at.go(path);
  return { app, ...at };
}

/** Names of the rows in the document, by their place. */
const shownRows = (page: Visit['page']) =>
  page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('[role=row][aria-rowindex]')].slice(1).map((row) =>
       [row.getAttribute('aria-rowindex'), row.querySelector('b, .matrix-name [title]')?.textContent ?? ''])`,
  );

it.each([
  ['/applications', 'End', 'Home'],
  ['/matrix?type=site', 'Control+End', 'Control+Home'],
])('%s: the end costs one request, and back to the beginning every row is there once', async (path, end, home) => {
  const { page, takeRequests } = await filled(path);
  await page.getByRole('grid').focus();
  takeRequests();
  await page.keyboard.press(end);
  await page.getByText(`Zone ${count}`, { exact: true }).waitFor();
  expect(takeRequests()).toHaveLength(1);

  const seen = new Map<number, string>();
  for (let step = 0; step < 400 && !seen.has(2); step++) {
    await settled(page);
    for (const [row, name] of await shownRows(page)) seen.set(Number(row), name);
    await page.keyboard.press('PageUp');
  }
  const names = [...seen].sort(([one], [other]) => one - other).map(([, name]) => name);
  expect(names).toHaveLength(count + 8);
  expect(new Set(names).size).toBe(count + 8);
  expect(names).not.toContain('');
  expect(names.slice(-3)).toEqual(['Zone 1398', 'Zone 1399', 'Zone 1400']);
  await page.keyboard.press(home);
  await page.getByText('Asset register').first().waitFor();
});

it('the list of a language shows records that lack it first, then the others, each exactly once', async () => {
  const { app, page, go } = await filled('/applications');
  const { sql } = app.context;
  await sql.rows("update applications set translation_group = 'of ' || application_id where name like 'Zone%'");
  await sql.rows(
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select translation_group, 'name', 'de', 'Gebiet' from applications where name like 'Zone%' and application_id % 2 = 0`,
  );
  const expected = await sql.rows<{ name: string }>(
    `select name from applications where translation_group is not null order by exists (
       select from translations text where text.translation_group = applications.translation_group
         and field_name = 'name' and language_code = 'de'), name collate "C"`,
  );
  await go('/translations?language=de');
  await page.getByText('700 without de come first').waitFor();

  const seen = new Map<number, string>();
  for (let step = 0; step < 400 && seen.size < expected.length; step++) {
    await settled(page);
    for (const [row, name] of await shownRows(page)) seen.set(Number(row), name);
    await page.evaluate(`document.querySelector('.texts').scrollBy(0, 500)`);
  }
  const names = [...seen].sort(([one], [other]) => one - other).map(([, name]) => name);
  expect(names).toEqual(expected.map(({ name }) => name));
});

it('a row at the end opens, and can be changed as one at the beginning', async () => {
  const { page } = await filled('/matrix?type=site');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+End');
  const last = page.getByRole('gridcell', { name: /^Zone 1400, Old mill/ });
  await last.waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('gridcell', { name: /^Zone 1400, Old mill.*: will be given/ }).waitFor();
});

it('a list that was left is found again by Back: its place, its selection, and the focus on the row', async () => {
  const { page } = await filled('/applications');
  const grid = page.getByRole('grid');
  await grid.focus();
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.evaluate("document.querySelector('.rows').scrollTo(0, 4000)");
  const row = page.getByRole('row', { name: 'Zone 0080' });
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Zone 0080' }).waitFor();
  await page.goBack();

  await row.waitFor();
  await page.getByText('3 applications selected').waitFor();
  expect(await page.evaluate("document.querySelector('.rows').scrollTop")).toBe(4000);
  await page.waitForFunction("document.activeElement.getAttribute('role') === 'grid'");
  expect(await page.locator('.row.at').innerText()).toContain('Zone 0080');
});

it('a search begins at its first row, in lists and in the matrix', async () => {
  for (const path of ['/applications', '/matrix?type=site']) {
    const { page } = await filled(path);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('End');
    await page.getByText(`Zone ${count}`, { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zone');
    await page.getByText('Zone 0001', { exact: true }).waitFor();
  }
});

it('a jump to the middle of a long list costs two requests at most, and no row stays grey wherever one goes', async () => {
  const { page, takeRequests } = await filled('/applications');
  const box = "document.querySelector('.rows')";
  takeRequests();
  await page.evaluate(`${box}.scrollTo(0, ${box}.scrollHeight / 2)`);
  await page
    .getByText(/^Zone 070\d$/)
    .first()
    .waitFor();
  await settled(page);
  expect(takeRequests().length).toBeLessThanOrEqual(2);
  // dragged through everything: two requests at most are under way at once
  const open = new Set<unknown>();
  let most = 0;
  page.on('request', (request) => {
    open.add(request);
    most = Math.max(most, open.size);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  await page.evaluate(
    `(async () => { for (let step = 0; step < 40; step++) {
       ${box}.scrollTo(0, (step % 2 ? 0.05 : 0.9) * ${box}.scrollHeight + step * 100);
       await new Promise((resolve) => requestAnimationFrame(resolve));
     } })()`,
  );
  await settled(page);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
  const search = page.getByRole('searchbox', { name: 'Search applications' });
  for (let round = 0; round < 5; round++) {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page.getByText(`Zone ${count}`, { exact: true }).waitFor();
    await search.fill('zone 0');
    await page.getByText(/^[\d,]+ applications match$/).waitFor();
    await page.getByText('Zone 0001', { exact: true }).waitFor();
    await search.fill('');
    await page.getByText('Asset register').first().waitFor();
    await settled(page);
  }
});

it('a scroll bar that is dragged to the middle asks for no place on its way', async () => {
  const { page, go, takeRequests } = await filled('/overview');
  await page.clock.install();
  await go('/applications');
  const box = "document.querySelector('.rows')";
  await page.clock.pauseAt(Date.now() + 60_000);
  takeRequests();
  // until the page has seen where it is
  const drag = (to: number) =>
    page.evaluate(
      `new Promise((resolve) => {
         const box = ${box};
         const seen = new MessageChannel();
         seen.port1.onmessage = () => resolve();
         box.addEventListener('scroll', () => seen.port2.postMessage(0), { once: true });
         box.scrollTo(0, ${to} * box.scrollHeight);
       })`,
    );
  const open = new Set<unknown>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  for (const step of [8, 1, 7, 2, 6, 3, 5]) {
    await drag(step / 9);
    await page.clock.runFor(100);
    await until(() => open.size === 0);
  }
  await drag(0.49);
  await page.clock.resume();
  await page
    .getByText(/^Zone 070\d$/)
    .first()
    .waitFor();
  expect(takeRequests().filter((body) => /ApplicationRows/.test(body)).length).toBeLessThanOrEqual(3);
});
