/** Small screens: what can be done on a large one can be done at 360 px too. */
import { startReview } from '../../src/modules/governance/reviews/startReview.js';
import type { TestApp } from '../support/app.js';
import { arrive, openBrowser, startConsole, type Visit, visit } from './support/browser.js';

let app: TestApp;
let at: Visit;
beforeAll(async () => {
  await openBrowser();
  app = await startConsole();
  at = await visit(app, { width: 360 });
  await arrive(app, at, 'Grace Hall');
});

it('the menu takes the focus as it opens; Esc closes it, and the focus is where it was', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.getByRole('button', { name: 'Menu', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Applications' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Overview');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Matrix' }).waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Menu');

  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.waitForURL(/users/);
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});

it.each([
  ['/applications', 'combobox', 'Type'],
  ['/scopes', 'combobox', 'Type'],
  ['/history', 'combobox', 'Kind of record'],
  ['/history', 'combobox', 'What was done'],
  ['/translations', 'combobox', 'Language'],
  ['/translations', 'textbox', 'Another language'],
] as const)('%s is narrowed by its %s %s as on a large screen', async (path, role, name) => {
  const { page, go } = at;
  await go(path);
  expect(await page.getByRole(role, { name, exact: true }).isVisible()).toBe(true);
});

it('all that match can be selected, and types of access scopes be gone to', async () => {
  const { page, go } = at;
  await go('/applications?q=report');
  await page.getByRole('grid').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 2' }).click();
  await page.getByText('2 applications').first().waitFor();
  await page.getByRole('button', { name: 'Remove access…' }).waitFor();
  await go('/scopes');
  await page.getByRole('link', { name: 'Types' }).click();
  await page.waitForURL(/types/);
});

it('a list is sorted by columns that have no room, and the address says so', async () => {
  const { page, go } = at;
  await go('/users');
  await page.getByRole('combobox', { name: 'Sorted by' }).selectOption({ label: 'Last seen, descending' });
  await page.waitForURL(/sort=-lastLoginDate/);
  await go('/applications');
  expect(await page.getByRole('combobox', { name: 'Sorted by' }).inputValue()).toBe('name');
});

it('an open menu keeps the focus from the page behind it, and choosing a page closes it', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: /Grace Hall/ }).focus();
  for (let tab = 0; tab < 3; tab++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest(".body") === null')).toBe(true);
  }
  // the page that is there, too, closes it
  await page.getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'Matrix' }).waitFor({ state: 'hidden' });
});

it('the day on which a grant ends is chosen in an access review', async () => {
  const { page, go } = at;
  const { context } = app;
  const guid = await startReview(
    {
      ...context,
      caller: {
        kind: 'system',
        sub: 'de300000-0000-4000-8000-000000000005',
        permissions: new Set(['admin:read', 'admin:security']),
      },
    },
    {
      name: 'Spring',
      filter: { kinds: ['USER_PROFILE'] },
      dueAt: new Date(Date.now() + 86_400_000).toISOString(),
      undecided: 'KEEP',
    },
  );
  await go(`/reviews/${guid}`);
  await page.getByLabel(/End on, until the end of the day/i).fill('2031-12-01');
  await page.getByRole('grid').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'End on 1 Dec 2031' }).click();
  await page.getByText('on 1 Dec 2031').first().waitFor();
});
