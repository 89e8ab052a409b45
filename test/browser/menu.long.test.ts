/** The menu: its order, its keys, how it looks where there is less room, and the list of all keys. */
import { grace, openBrowser } from './support/browser.js';
import { timeOut } from './support/slow.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/users');
});

const menu = () => at.page.getByRole('navigation', { name: 'Main' });

it('the menu has its pages in groups, and the page that is shown is the current one, tabs too', async () => {
  await menu().getByRole('link', { name: 'Signing keys' }).waitFor();
  expect((await menu().innerText()).split('\n').filter((line) => !/^\d+$|waiting/.test(line.trim()))).toEqual([
    ...['Overview', 'Inbox'],
    ...['Access', 'Applications', 'Access scopes', 'Matrix', 'Check access'],
    ...['People', 'Users', 'Profiles', 'Roles'],
    ...['Oversight', 'Access reviews', 'History'],
    ...['Programs', 'Clients', 'Connectors', 'Events', 'API usage', 'Signing keys'],
    ...['Content', 'Translations'],
  ]);
  const current = async () => (await menu().locator('[aria-current=page]').allInnerTexts()).join();
  expect(await current()).toBe('Users');

  await at.go('/scopes');
  await at.page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Types' }).click();
  await at.page.getByRole('heading', { level: 1, name: 'Access scope types' }).waitFor();
  expect(await current()).toBe('Access scopes');
});

it.each(
  Object.entries({
    ...{ o: 'overview', i: 'inbox', a: 'applications', s: 'scopes', m: 'matrix', w: 'why', u: 'users', p: 'profiles' },
    ...{ e: 'ending', r: 'reviews', h: 'history', c: 'clients', k: 'keys', t: 'translations' },
  }),
)('g %s leads to %s', async (letter, path) => {
  await at.page.locator('#main').focus();
  await at.page.keyboard.press('g');
  await at.page.keyboard.press(letter);
  await at.page.waitForURL((url) => url.pathname === `/console/${path}`);
});

it('with 760 to 999 px the menu is a rail, whose names are seen on hover and focus', async () => {
  const { page, go } = at;
  await go('/users');
  const widthOf = () => page.evaluate<number>("document.querySelector('.side').getBoundingClientRect().width");
  for (const [width, ofMenu] of [
    [1000, 232],
    [999, 60],
    [760, 60],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect(await widthOf()).toBe(ofMenu);
  }
  const matrix = menu().getByRole('link', { name: 'Matrix' });
  const opacity = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('a[href$=matrix] .nav-label')).opacity");
  expect(await opacity()).toBe('0');
  await matrix.hover();
  expect(await opacity()).toBe('1');
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('? shows all keys, those of the page first, and Esc returns to where the focus was', async () => {
  const { page, go } = at;
  await go('/matrix?type=site');
  await page.getByRole('grid').focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('region', { name: 'Matrix' }).waitFor();
  await keys.getByText('find or do anything').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  expect(await page.evaluate("document.activeElement.getAttribute('role')")).toBe('grid');
});

it('Shift and ↓ select row after row, and the key . opens the actions for them', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByRole('status').getByText('3 applications').waitFor();
  await page.keyboard.press('.');
  expect(await page.evaluate("document.activeElement.closest('section').getAttribute('aria-label')")).toBe('Selection');
});

it('the menu of the name leads to the own sessions', async () => {
  const { page } = at;
  await page.getByRole('button', { name: /Grace Hall/ }).click();
  await page.getByRole('link', { name: 'My sessions' }).click();
  await page.getByRole('tab', { name: 'Sessions', selected: true }).waitFor();
  await page.getByRole('heading', { level: 1, name: /Grace Hall/ }).waitFor();
});

it('where what waits takes too long to count, the menu is whole, and the page offers what its reader may do', async () => {
  const { page, go } = at;
  await page.setViewportSize({ width: 1440, height: 900 });
  const goOn = await timeOut(page, 'reviewItems');
  await go('/roles');
  await menu().getByRole('link', { name: 'Signing keys' }).waitFor();
  await page.getByRole('link', { name: 'New role' }).waitFor();
  expect(await page.getByText('can’t be reached').count()).toBe(0);
  await goOn();
});
