/** By keys alone: the focus is never lost, and is always seen. */
import { grace, openBrowser } from './support/browser.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
});

const focused = () => at.page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
const outlineOf = (selector: string) =>
  at.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).outlineStyle`);

async function flipCell(): Promise<void> {
  await at.go('/matrix?type=site');
  await at.page.getByRole('grid').focus();
  await at.page.keyboard.press('Space');
}

it('when what opened a dialog is gone, such as after changes were applied and taken back, the page has the focus', async () => {
  const { page } = at;
  await flipCell();
  await page.getByRole('button', { name: /^Review/ }).press('Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('main');

  await page.getByRole('button', { name: 'Undo…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('main');
});

it('a message with a button stays as long as the focus is on the button', async () => {
  const { page } = at;
  await page.clock.install();
  await flipCell();
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  expect(await focused()).toBe('main');
  const takeBack = page.getByRole('button', { name: 'Undo', exact: true });
  await takeBack.focus();
  await page.clock.fastForward(60_000);
  expect(await takeBack.isVisible()).toBe(true);

  await page.getByRole('grid').focus();
  await page.clock.fastForward(60_000);
  await takeBack.waitFor({ state: 'detached' });
});

it('the menu of who is here closes when the focus goes on, and shows where it is', async () => {
  const { page, go } = at;
  await go('/applications');
  await page.getByRole('button', { name: /Grace Hall/ }).press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await outlineOf('.menu button:focus')).toBe('solid');
  await page.getByRole('button', { name: /^Find/ }).focus();
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' });
});

it('with colours of the system it is seen which filter, row, page and option is the one', async () => {
  const { page, go } = at;
  await page.emulateMedia({ forcedColors: 'active' });
  await go('/applications');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  for (const selector of [
    '.segments [aria-pressed=true]',
    '.nav-group [aria-current=page]',
    '.option[aria-selected=true]',
  ])
    expect(await outlineOf(selector)).toBe('solid');
  await page.keyboard.press('Escape');
  expect(await outlineOf('.row.at')).toBe('solid');
});

it('Enter that ends the writing of a word with an input method chooses nothing', async () => {
  const { page, go } = at;
  await go('/users');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keys');
  await page.getByRole('option', { name: /^Signing keys/ }).waitFor();
  const enter = (isComposing: boolean) =>
    page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: ${isComposing} }))`,
    );
  await enter(true);
  expect(await page.getByRole('dialog').count()).toBe(1);
  await enter(false);
  await page.waitForURL(/keys/);
});

it('texts are written in the direction of their language', async () => {
  const { app, page, go } = at;
  await app.context.sql.rows(
    "update translations set translated_text = 'خريطة' where translated_text = 'Netzmonitor' and language_code = 'de'",
  );
  await go('/translations?q=grid');
  await page.locator('input[lang=de]').waitFor();
  const directionOf = `getComputedStyle(document.querySelector('input[lang=de]')).direction`;
  expect(await page.evaluate(directionOf)).toBe('rtl');
});

it('the keys / and g are switched off in the menu of the name, and on again; Ctrl K stays', async () => {
  const { page, go } = at;
  await go('/users');
  const search = page.locator('[data-search]');
  const isSearching = () => page.evaluate<boolean>("document.activeElement.hasAttribute('data-search')");
  const switchKeys = async (pressed: 'true' | 'false') => {
    await page.getByRole('button', { name: /Grace Hall/ }).click();
    const button = page.getByRole('button', { name: 'Single keys' });
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe(pressed);
    await page.keyboard.press('Escape');
  };
  await search.waitFor();
  await switchKeys('false');
  await page.keyboard.press('/');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  expect([await isSearching(), new URL(page.url()).pathname]).toEqual([false, expect.stringMatching(/users$/)]);
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await switchKeys('true');
  await page.keyboard.press('/');
  expect(await isSearching()).toBe(true);
});

it.each([
  '/applications',
  '/matrix?type=site',
  '/users/de300000-0000-4000-8000-000000000002',
  '/nowhere',
])('%s: the first stop of Tab leads to the content, and the address stays', async (path) => {
  const { page, go } = at;
  await go(path);
  const address = page.url();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('main');
  expect(page.url()).toBe(address);
});

it('in the matrix ← leads to the row’s name, which ↵ and a click open', async () => {
  const { page, go } = at;
  await go('/matrix?type=site');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Asset register/ }).waitFor();
  await go('/matrix?type=site');
  await page.getByRole('link', { name: 'Grid monitor' }).click();
  await page.getByRole('heading', { level: 1, name: /Grid monitor/ }).waitFor();
});
