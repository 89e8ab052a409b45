/** By touch: what is done to several at once on a large screen is done on a phone too, with targets of 44 px. */
import type { Locator, Page } from 'playwright-core';
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const targetPx = 44;

async function phone(path: string, width = 360) {
  const app = await startConsole();
  const at = await visit(app, { width, isTouched: true });
  await arrive(app, at, 'Grace Hall', path);
  return { app, ...at };
}

/** Saving as CSV is hidden on a phone: what is not seen is no target. */
async function expectTargets(locator: Locator): Promise<void> {
  const targets = locator.filter({ visible: true });
  await targets.first().waitFor();
  const boxes = await Promise.all((await targets.all()).map((target) => target.boundingBox()));
  for (const box of boxes) expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(targetPx);
}

/** Beyond the edge there is nothing to scroll to, and no row lies under what waits. */
async function expectInSight(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const bottom = `getBoundingClientRect().bottom`;
  expect(
    await page.evaluate(
      `document.querySelector('[role=grid]').${bottom} <= document.querySelector('.dock').getBoundingClientRect().top`,
    ),
  ).toBe(true);
}

it.each([360, 390])('at %i px rows are selected by touch and given access together', async (width) => {
  const { app, page } = await phone('/applications', width);
  const boxOf = (name: string) => page.locator('label').filter({ has: page.getByLabel(`Select ${name}`) });
  // at its very corner, where it must not open the application
  await boxOf('Finance report').tap({ position: { x: 2, y: 2 } });
  await boxOf('Meter reading').tap();
  await page.getByLabel('Selection').getByText('2 applications').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/applications');
  await expectTargets(page.locator('.cell-check label'));
  await expectTargets(page.getByLabel('Selection').getByRole('button'));
  await expectInSight(page);

  await page.getByRole('button', { name: 'Give access…' }).tap();
  await page.getByRole('combobox', { name: 'Access scope' }).fill('Harbour');
  await page.getByRole('option', { name: /Harbour station/ }).tap();
  await expectTargets(page.locator('.sheet-foot').getByRole('button'));
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).tap();
  await expectTargets(page.getByRole('dialog').getByRole('button', { name: /^Undo/ }));
  await page.getByRole('button', { name: 'Apply 2 changes' }).tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const opened = await app.context.sql.rows<{ name: string }>(
    `select a.name from access_scope_applications_mappers join applications a using (application_id)
     join access_scopes s using (access_scope_id)
     where s.name = 'Harbour station' and a.name in ('Finance report', 'Meter reading') order by 1`,
  );
  expect(opened.map(({ name }) => name)).toEqual(['Finance report', 'Meter reading']);
});

it('all that match are selected by touch, and none again; beside the boxes a touch opens', async () => {
  const { page } = await phone('/applications?q=report');
  await page.getByLabel('Select Finance report').tap();
  await page.getByRole('button', { name: 'Select all 2' }).tap();
  await page.getByLabel('Selection').getByText('All 2 are selected').waitFor();
  expect(await page.getByRole('row', { selected: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Clear' }).tap();
  expect(await page.getByRole('row', { selected: true }).count()).toBe(0);

  await page.getByRole('link', { name: 'Finance report' }).tap();
  await page.getByRole('heading', { level: 1, name: /Finance report/ }).waitFor();
});

it('in the matrix cells and whole columns are given by touch, and the last step is taken back', async () => {
  const { page } = await phone('/matrix?type=site');
  const cell = (words: string) => page.getByRole('gridcell', { name: `Finance report, Harbour station: ${words}` });
  await cell('no access').tap();
  await cell('will be given').waitFor();
  await expectTargets(page.getByRole('gridcell'));
  await page.getByRole('columnheader', { name: 'Northern station' }).getByRole('button').tap();
  await page.getByLabel('Pending changes').getByText('8 pending changes').waitFor();
  await expectTargets(page.getByLabel('Pending changes').getByRole('button'));
  await expectInSight(page);

  await page.getByRole('button', { name: 'Undo the last step' }).tap();
  await page.getByLabel('Pending changes').getByText('1 pending change').waitFor();
  await cell('will be given').waitFor();
});

it('changes that were discarded by mistake come back by another touch', async () => {
  const { page } = await phone('/matrix?type=site');
  await page.getByRole('gridcell', { name: 'Finance report, Harbour station: no access' }).tap();
  await page.getByRole('button', { name: 'Discard' }).tap();
  await page.getByText('1 change discarded').waitFor();
  await expectTargets(page.locator('.toast').getByRole('button'));
  await page.getByRole('button', { name: 'Undo', exact: true }).tap();
  await page.getByRole('gridcell', { name: 'Finance report, Harbour station: will be given' }).waitFor();
});

it('menu, top bar, filters, tabs and the acts of a record are targets of a finger', async () => {
  const { page } = await phone('/applications');
  await expectTargets(page.locator('.top').getByRole('button'));
  await expectTargets(page.locator('.bar').locator('button, select, input'));
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await expectTargets(page.getByRole('navigation', { name: 'Main' }).getByRole('link'));
  await page.getByRole('button', { name: /Grace Hall/ }).tap();
  await expectTargets(page.locator('.menu').getByRole('button'));

  await page.getByRole('link', { name: 'Users', exact: true }).tap();
  await page.getByRole('link', { name: 'Bruno Costa' }).tap();
  await expectTargets(page.locator('#main').getByRole('tab'));
  await expectTargets(page.locator('#main').getByRole('button'));
});
