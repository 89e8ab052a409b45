/** Who signs in without administration permissions: told in the frame of the console, at an address that a reload keeps. */
import { violationsOf } from './support/axe.js';
import { openBrowser, signIn, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

it('No access is said in the frame of the console, the same after a reload, and another user can sign in', async () => {
  const app = await startConsole();
  const at = await visit(app);
  const { page, faults } = at;
  await page.goto(`${app.url}/console/users`);
  await page.waitForURL(/\/authorize/);
  await page.getByText('Bruno Costa').first().click();
  const heading = page.getByRole('heading', { name: 'No access', level: 1 });
  await page.waitForURL(/\/console\/no-access\?trace=[0-9a-f]{32}$/);
  await heading.waitFor();
  const said = async () => {
    await page.getByRole('complementary', { name: 'Menu' }).waitFor({ state: 'attached' });
    return [await page.getByRole('main').innerText(), page.url()];
  };
  const before = await said();
  expect(before[0]).toContain('none of your profiles has administration permissions');
  expect(before[0]).toContain(new URL(page.url()).searchParams.get('trace'));
  await page.reload();
  await heading.waitFor();
  expect(await said()).toEqual(before);
  // nothing is offered that nobody may use
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Find or do/ }).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  // the browser reports the page that the callback answers
  expect(faults.filter((fault) => !/\b40[13]\b/.test(fault))).toEqual([]);

  await page.getByRole('link', { name: 'Sign in as another user' }).click();
  await page.waitForURL(/\/authorize/);
  await page.getByText('Grace Hall').first().click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

it('an administrator who opens that address is not sent away from the console', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await signIn(app, at, 'Grace Hall');
  await at.go('/no-access');
  await at.page.getByText('Grace Hall is still signed in').waitFor();
  await at.page.getByRole('link', { name: 'Users', exact: true }).click();
  await at.page.getByText('Bruno Costa').waitFor();
});
