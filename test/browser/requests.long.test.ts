/** A list costs one request beside those of the shell, matrix and inbox two, overview and a record three, however many rows there are; and the keyboard goes everywhere. */
import type { TestApp } from '../support/app.js';
import { arrive, openBrowser, startConsole, type Visit, visit } from './support/browser.js';
import { recordUsage, screens } from './support/screens.js';

let app: TestApp;
let at: Visit;
beforeAll(async () => {
  await openBrowser();
  app = await startConsole({ USAGE_RETENTION_DAYS: '9' });
  await recordUsage(app);
  at = await visit(app);
  await arrive(app, at, 'Grace Hall');
});

const named = (body: string): string => (JSON.parse(body) as { operationName?: string }).operationName ?? body;
/** What every page needs to know, and is asked once. */
const shared = new Set(['Me', 'Waiting', 'ScopeTypes']);
const plain = screens.filter(({ act }) => !act);

it.each(
  plain,
)('$name: one request for a list, two for matrix and inbox, three for overview and a record, never one for a row', async ({
  path,
}) => {
  at.takeRequests();
  await at.go(path);
  // what would come later would come now
  await at.page.waitForLoadState('networkidle');

  const asked = at.takeRequests().map(named);
  // cards ask by themselves, so that one that fails leaves the others; what is unusual is asked of the rows
  // in sight, after them, the names of filters that a link has by their ids beside them, and what would open
  // an application, which is tried, after why it is not open
  const later = new Set(['ProfileOpens', 'UnusualProfiles', 'FilterNames', 'WhyRemedies']);
  const own = asked.filter((name) => !shared.has(name) && !later.has(name));
  expect(new Set(own).size).toBe(own.length);
  // the record, and the lists of the tab that is shown
  const isOfRecord = /^\/[a-z]+\/./.test(path);
  // the matrix asks for its columns and for its rows, the inbox for its list and the first proposal,
  // the overview for what waits, for the latest changes and for what needs attention
  const most = isOfRecord || path === '/overview' ? 3 : /^\/(matrix|inbox)/.test(path) ? 2 : 1;
  expect(own.length).toBeLessThanOrEqual(most);
});

it('letters lead to the pages, / to the search, Ctrl K finds and Esc comes back', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL(/matrix/);
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  // the address is there before the page: until then / is of the page before
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('bruno');
  await page.waitForURL(/q=bruno/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('work ord');
  await page.getByRole('option', { name: /Work orders/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/applications\//);
  await page.getByRole('heading', { level: 1, name: /Work orders/ }).waitFor();

  const button = page.getByRole('button', { name: 'Give access' });
  await button.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Give access');
});

it('a list is one stop of the keyboard: j and k go, x selects, Enter opens, End is the last row', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.getByRole('grid').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 application').first().waitFor();
  expect(await page.getByRole('row', { selected: true }).innerText()).toContain('Consumption report');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('row', { selected: true }).count()).toBe(0);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Work orders/ }).waitFor();
});
