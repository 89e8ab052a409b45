/** Records that a file in git manages: they say so, and whoever changes one here knows that the next apply takes it back. */
import { applyFile, planFile } from '../../src/modules/catalogueFile/applyFile.js';
import type { TestApp } from '../support/app.js';
import { violationsOf } from './support/axe.js';
import { arrive, openBrowser, settled, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const gridMonitor = 'de330000-0000-4000-8000-000000000001';

/** A profile, and that the northern station opens the grid monitor, are in a file. */
async function manage({ context }: TestApp): Promise<void> {
  const [northern] = await context.sql.rows<{ guid: string }>(
    "select access_scope_guid as guid from access_scopes where name = 'Northern station'",
  );
  const file = {
    managedBy: 'harbour',
    profiles: [{ profileId: 'grid-operator', name: 'Grid operator' }],
    accessScopeApplicationsMappers: [{ applicationGuid: gridMonitor, accessScopeGuid: northern!.guid }],
  };
  await applyFile(context, file, (await planFile(context, file)).hash);
}

it('a managed record says by whom, in its row and on its page; the review warns of each, and of nothing else', async () => {
  const app = await startConsole();
  await manage(app);
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/profiles');
  const { page, go, faults } = at;
  await page.getByRole('row', { name: /Grid operator.*managed by harbour/s }).waitFor();
  expect(await page.getByText('managed by').count()).toBe(1);

  await go('/profiles/grid-operator?tab=settings');
  await page.getByRole('heading', { level: 1, name: 'Grid operator managed by harbour' }).waitFor();
  const warning = '“harbour” manages this in git: its next apply reverts what differs from the file.';
  await page.getByText(warning).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('Name').first().fill('Grid watch');
  await go('/matrix?type=site');
  await page.getByRole('gridcell', { name: /Grid monitor, Northern station/ }).click();
  await page.getByRole('gridcell', { name: /Grid monitor, Harbour station/ }).click();
  await page.keyboard.press('Control+Enter');

  const sheet = page.getByRole('dialog');
  await sheet.getByText(warning).nth(1).waitFor();
  // Bruno opens it by the northern station before and by Harbour station after; Diego by neither before
  const kept = sheet.getByText(
    'Nobody loses access: the same people still have it in another way, by Field work, harbour',
  );
  await kept.waitFor();
  await sheet
    .getByText(/Diego Esteves/)
    .first()
    .waitFor();
  const totals = sheet.locator('.effect');
  expect(await totals.innerText()).toMatch(/\+ 1\s+person gains access\s+0\s+people lose access/);
  expect(await violationsOf(page)).toEqual([]);
  // what is new is in no file
  const undo = sheet.getByRole('button', { name: /^Undo: Northern station/ });
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  await settled(page);
  expect(await kept.count()).toBe(0);
  expect(await totals.innerText()).toMatch(/\+ 1\s+person gains access\s+0\s+people lose access/);
  expect(await sheet.getByText(warning).count()).toBe(1);
  expect(faults).toEqual([]);
});
