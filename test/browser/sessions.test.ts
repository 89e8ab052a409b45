/** Sessions that end in the middle of something: nothing typed is lost, and nobody else gets it. */
import { openBrowser, settled, signIn, startConsole, visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';

beforeAll(openBrowser);

const bruno = 'de300000-0000-4000-8000-000000000002';

async function grace(path: string) {
  const app = await startConsole();
  const at = await visit(app);
  await signIn(app, at, 'Grace Hall', path);
  await settled(at.page);
  return { app, ...at };
}

it('a session that ends takes no draft with it: after signing in again the review is open, with its note', async () => {
  const { app, page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('people gain access').waitFor();
  await sheet.getByLabel('Note').fill('the harbour team needs it');
  await app.context.sql.rows('delete from console_sessions');

  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await sheet.getByText('people gain access').waitFor();
  expect(await sheet.getByLabel('Note').inputValue()).toBe('the harbour team needs it');
  expect(page.url()).toContain('/console/matrix?type=site');
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: active' }).waitFor();
});

it('what one person was reviewing is not shown, nor asked about, when another signs in in the same tab', async () => {
  const { app, page, takeRequests } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByText('people gain access').waitFor();
  await app.context.sql.rows(`update console_sessions set user_guid = $1, profile_id = 'administration'`, [bruno]);
  await app.context.sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'administration', 'administrator', user_guid from users where user_guid = $1`,
    [bruno],
  );
  takeRequests();
  await page.reload();
  await settled(page);

  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByText('pending change').count()).toBe(0);
  expect(takeRequests().join()).not.toContain('TryChanges');
});
