/** Who still uses what: found before an operation ends, on the page for all and on a client's own. */
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';
import { recordUsage } from './support/screens.js';

beforeAll(openBrowser);

it('what the pages of the console ask is not among the usage, and has a view of its own', async () => {
  const app = await startConsole({ USAGE_RETENTION_DAYS: '9' });
  await recordUsage(app);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/usage?view=console');
  const { page } = at;
  // requests are counted some seconds after their answer
  const ofConsole = page.getByText('POST /console/graphql').first();
  while ((await ofConsole.count()) === 0) await at.go('/usage?view=console');
  await at.go('/usage');
  await page.getByText('what came beyond 10,000 kinds').waitFor();
  expect(await ofConsole.count()).toBe(0);
  await page.getByRole('button', { name: 'Of this console' }).click();
  await ofConsole.waitFor();
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
