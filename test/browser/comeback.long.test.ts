/** A service that comes back is noticed by every page by itself: nobody presses anything. */

import { until } from '../support/until.js';
import { grace, openBrowser, settled, type Visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/overview');
});
afterEach(async () => {
  await at.page.unroute('**/console/graphql');
  await at.page.evaluate('sessionStorage.clear()');
});

const away = 'Gatehouse can’t be reached';
const stop = ({ page }: Visit) => page.route('**/console/graphql', (route) => route.abort());
const startAgain = ({ page }: Visit) => page.unroute('**/console/graphql');

const bruno = 'de300000-0000-4000-8000-000000000002';
const gridMonitor = 'de330000-0000-4000-8000-000000000001';

it.each([
  '/overview',
  '/inbox',
  '/applications',
  `/applications/${gridMonitor}`,
  '/scopes',
  '/matrix?type=site',
  `/why?user=${bruno}&application=${gridMonitor}`,
  '/users',
  `/users/${bruno}`,
  '/profiles/grid-operator',
  '/reviews',
  '/history',
  '/clients',
  '/connectors',
  '/usage',
  '/keys',
  '/translations',
])('%s is read as soon as the service can be reached again', async (path) => {
  const { page, app } = at;
  await stop(at);
  // the pauses between its questions pass at once
  await page.clock.install();
  await page.goto(`${app.url}/console${path}`);
  const passUntil = (isAway: boolean) =>
    until(async () => {
      await page.clock.runFor(1_000);
      return (await page.getByText(away).count()) > 0 === isAway;
    });
  await passUntil(true);
  await startAgain(at);
  await passUntil(false);
  await settled(page);
  expect(await page.getByText(away).count()).toBe(0);
  await page.getByRole('heading', { level: 1 }).waitFor();
});

it('a review that was open is counted again, and what was not applied can be applied', async () => {
  const { page, go } = at;
  await go('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  await stop(at);
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await sheet.getByText(away).waitFor();
  await startAgain(at);
  await sheet.getByText(away).waitFor({ state: 'detached' });
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
});

it('what only a person does again is left to that person, and the page says that the service is back', async () => {
  const { page, go } = at;
  await go('/keys');
  await page.getByRole('button', { name: 'Rotate…' }).click();
  const question = page.getByRole('dialog');
  await stop(at);
  await question.getByRole('button', { name: 'Rotate' }).click();
  await question.getByText(away).waitFor();
  await startAgain(at);
  await question.getByText('Gatehouse can be reached again.').waitFor();
  await question.getByRole('button', { name: 'Rotate' }).click();
  await page.getByText('signs now').waitFor();
});

it('values of before are read again, though nothing on the page failed visibly', async () => {
  const { page, go, app } = at;
  await page.clock.install();
  await go('/roles/operator?tab=settings');
  await page.getByRole('textbox', { name: 'Description' }).waitFor();
  await stop(at);
  await app.context.sql.rows("update roles set description = 'Watches the grid' where role_id = 'operator'");
  // the window is looked at again, and what is old is asked for
  await page.clock.fastForward(60_000);
  const failed = page.waitForEvent('requestfailed');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await failed;
  await page.clock.fastForward(10_000);
  await startAgain(at);
  await page.getByRole('paragraph').filter({ hasText: 'Watches the grid' }).waitFor();
});
