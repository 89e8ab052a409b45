/** Who still uses what: found before an operation ends, on the page for all and on a client's own. */
import { openUsageRecorder } from '../../src/modules/insight/usage.js';
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';
import { recordUsage } from './support/screens.js';

const grace = 'de300000-0000-4000-8000-000000000006';

beforeAll(openBrowser);

it('what the pages of the console ask is not among the usage, and has a view of its own', async () => {
  const app = await startConsole({ USAGE_RETENTION_DAYS: '9' });
  await recordUsage(app);
  const { sql, log } = app.context;
  const usage = openUsageRecorder({ sql, log, clock: { now: () => new Date() }, retentionDays: 9 });
  const own = { clientId: '', caller: grace, mediaType: 'application/json', product: 'Mozilla/5.0' };
  usage.note({ ...own, operation: 'POST /console/graphql', option: 'UserRows' }, false);
  await usage.close();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/usage');
  const { page } = at;
  await page.getByText('what came beyond 10,000 kinds').waitFor();
  expect(await page.getByText('UserRows').count()).toBe(0);
  await page.getByRole('button', { name: 'Of this console' }).click();
  await page.getByText('UserRows', { exact: true }).waitFor();
  expect(await page.getByText('what came beyond 10,000 kinds').count()).toBe(0);
});

it('a client that was refused in a brown-out is found by keys, and its page shows its other operations', async () => {
  const app = await startConsole({ USAGE_RETENTION_DAYS: '9' });
  await recordUsage(app);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall');
  const { page, faults } = at;
  await page.keyboard.press('Control+k');
  await page.keyboard.type('usage');
  await page.getByRole('option', { name: 'API usage' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('what came beyond 10,000 kinds').waitFor();
  await page.getByRole('button', { name: 'In brown-outs' }).click();
  await page.getByText('1 kind of request matches').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');

  const usage = page.getByRole('region', { name: 'Usage' });
  await usage.getByText('POST /token exchange').waitFor();
  expect(await usage.innerText()).toContain('1 request, first just now, 1 in brown-outs');
  await page.goBack();
  await page.getByText('1 kind of request matches').waitFor();
  expect(page.url()).toContain('view=brownouts');
  expect(faults).toEqual([]);
});
