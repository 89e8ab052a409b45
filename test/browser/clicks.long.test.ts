/** Each task of an administrator takes at most so many clicks, from anywhere; those of Users and of a profile are in their own files. */
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { grace, openBrowser } from './support/browser.js';
import { countClicks } from './support/clicks.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/roles');
});

const bruno = 'de300000-0000-4000-8000-000000000002';
const harbour = 'de320000-0000-4000-8000-000000000003';

/** A proposal of another person. */
const propose = (note: string) =>
  proposeChanges(
    {
      ...at.app.context,
      face: 'graphql',
      caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) },
    },
    [{ updateAccessScope: { accessScopeGuid: harbour, input: { name: note } } }],
    { note },
  );

it('the console opens with the overview, and a line of it is one click', async () => {
  const { page, go } = at;
  await propose('Overview leads here');
  await go('/');
  const clicks = await countClicks(page);
  const waiting = page.getByRole('region', { name: 'Waiting for your approval' });
  await waiting.getByRole('link', { name: /Overview leads here/ }).click();
  await page.getByRole('button', { name: 'Approve and apply' }).waitFor();
  expect(await clicks()).toBeLessThanOrEqual(1);
});

it('the first proposal is approved in 2 clicks from the overview, and in 3 from another page', async () => {
  const { page, go } = at;
  await go('/');
  const fromOverview = await countClicks(page);
  const waiting = page.getByRole('region', { name: 'Waiting for your approval' });
  await waiting.getByRole('link', { name: /Overview leads here/ }).click();
  await page.getByRole('button', { name: 'Approve and apply' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  expect(await fromOverview()).toBeLessThanOrEqual(2);

  await propose('From another page');
  await go('/roles');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('button', { name: 'Approve and apply' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(3);
});

it('three cells of the matrix are set, reviewed and applied in 6 clicks', async () => {
  const { page, go } = at;
  await go('/roles');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Matrix' }).click();
  for (const name of [/Grid monitor, Old mill/, /Asset register, Old mill/, /Work orders, Old mill/])
    await page.getByRole('gridcell', { name }).click();
  await page.getByRole('button', { name: /^Review/ }).click();
  await page.getByRole('button', { name: 'Apply 3 changes' }).click();
  await page.getByText('3 changes applied').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(3 + 3);
});

it('pending changes are reviewed and applied in 2 clicks', async () => {
  const { page, go } = at;
  await go('/matrix?type=site');
  await page.getByRole('gridcell', { name: /Meter reading, Old mill/ }).click();
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: /^Review/ }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(2);
});

it('a new application takes 4 clicks and typing, and its review lists every field that is saved', async () => {
  const { page, go } = at;
  await go('/roles');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByRole('button', { name: 'Review (name is missing)' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Crew planner');
  await page.getByLabel('Name', { exact: true }).press('Control+Enter');
  const sheet = page.getByRole('dialog');
  const row = sheet.getByRole('listitem').filter({ hasText: 'Will be created' });
  await row.waitFor();
  expect(await row.innerText()).not.toContain('changed');
  const fields = await row.locator('dt').allInnerTexts();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('heading', { level: 1, name: /Crew planner/ }).waitFor();
  expect(await clicks()).toBeLessThanOrEqual(4);

  const [made] = await at.app.context.sql.rows<Record<string, unknown>>(
    `select name, app_type, rendering_mode, link_type, icon_default, icon_hover, is_active from applications where name = 'Crew planner'`,
  );
  expect(fields.length).toBeGreaterThanOrEqual(Object.values(made!).filter((value) => value !== null).length);
});

it('an access review opens in 2 clicks; grants that are selected are decided in one more', async () => {
  const { page, go } = at;
  await go('/reviews');
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Spring');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('grid', { name: 'Spring' }).waitFor();
  await go('/roles');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: /^Access reviews/ }).click();
  await page.getByRole('link', { name: /Spring/ }).click();
  await page.getByRole('grid', { name: 'Spring' }).waitFor();
  expect(await clicks()).toBeLessThanOrEqual(2);
  for (const row of [0, 1])
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(row)
      .click();
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByText(/^2 of \d+ grants decided/).waitFor();
  expect(await clicks()).toBeLessThanOrEqual(2 + 2 + 1);
});
