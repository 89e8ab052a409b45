/** What is open, chosen or under way belongs to the place where it was begun: what is answered late does nothing to another one. */
import type { Locator, Page } from 'playwright-core';
import { newClient, systemUser } from '../support/records.js';
import { grace, openBrowser, settled } from './support/browser.js';
import { slowDown } from './support/slow.js';

beforeAll(openBrowser);

/** From one record to another without a page between them. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(name);
  await page.getByRole('option', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await settled(page);
}

/** Back to the record before. */
async function goBack(page: Page, name: string, steps = 1): Promise<void> {
  await page.evaluate(`history.go(-${steps})`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await settled(page);
}

describe('what is open on one record is not open on another', () => {
  async function twoClients() {
    const at = await grace();
    await newClient(at.app.context, undefined, { client_id: 'portal-b', name: 'Portal B' });
    await at.go('/clients/portal-b');
    await goTo(at.page, 'Demonstration client');
    return at;
  }

  it('the secret of a client is shown on no other', async () => {
    const { page } = await twoClients();
    await page.getByRole('button', { name: 'New secret…' }).click();
    const { waits, goOn } = await slowDown(page, (body) => body.includes('keepPreviousHours'));
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await waits;
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('keepPreviousHours') ?? false,
    );
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Portal B' }).waitFor();
    goOn();
    await answered;
    await settled(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the question for a new secret, which names its client, and that of taking it out of use', async () => {
    const { page } = await twoClients();
    await page.getByRole('button', { name: 'New secret…' }).click();
    await page.getByRole('dialog', { name: 'New secret of demo-client', exact: true }).waitFor();
    await goBack(page, 'Portal B');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await goTo(page, 'Demonstration client');
    await page.getByRole('button', { name: 'More about this client' }).click();
    await page.getByRole('button', { name: 'Take out of use…' }).click();
    await page.getByRole('dialog', { name: 'Take Demonstration client out of use?' }).waitFor();
    await goBack(page, 'Portal B');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('a profile to give, and people to add', async () => {
    const { page, go } = await grace('/users/de300000-0000-4000-8000-000000000002');
    await goTo(page, 'Ada Berg');
    await page.getByRole('button', { name: 'Give a profile' }).click();
    await page.getByRole('dialog', { name: 'Give a profile' }).waitFor();
    await goBack(page, 'Bruno Costa');
    expect(await page.getByRole('dialog').count()).toBe(0);

    await go('/profiles/grid-operator');
    await goTo(page, 'Field work, north');
    await page.getByRole('button', { name: 'Add people…' }).click();
    await page.getByRole('dialog', { name: 'Add people to Field work, north' }).waitFor();
    await goBack(page, 'Grid operator');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('those who are selected', async () => {
    const { page } = await grace('/profiles/grid-operator?tab=holders');
    await goTo(page, 'Field work, north');
    await page.getByRole('tab', { name: /People/ }).click();
    await page
      .getByRole('grid')
      .getByRole('checkbox', { name: /^Select Bruno/ })
      .check();
    await page.getByLabel('Selection').waitFor();
    await goBack(page, 'Grid operator', 2);
    expect(await page.getByLabel('Selection').count()).toBe(0);
  });
});

/** What is typed into or chosen from is inert. */
const inertField = (page: Page, name: string) =>
  page.locator('[inert]').getByRole('combobox', { name, includeHidden: true });

describe('what was chosen cannot be changed while it is read what follows from it', () => {
  it('access that is given to applications is of the one choice that was reviewed', async () => {
    const { page } = await grace('/applications');
    await page.getByLabel('Select Grid monitor').check();
    await page.getByRole('button', { name: 'Give access…' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('combobox', { name: 'Access scope' }).fill('finance');
    await sheet.getByRole('option', { name: /Finance/ }).click();
    const { waits, goOn } = await slowDown(page);
    await sheet.getByRole('button', { name: 'Review' }).click();
    await waits;
    await sheet.getByRole('button', { name: 'Review', disabled: true }).waitFor();
    expect(await inertField(page, 'Access scope').count()).toBe(1);
    expect(await inertField(page, 'State').count()).toBe(1);
    goOn();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  });

  it('a profile that people lose', async () => {
    const { page } = await grace('/users');
    await page.getByLabel('Select Ada Berg').check();
    await page.getByRole('button', { name: 'Remove a profile…' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('option', { name: /Grid operator/ }).click();
    const { waits, goOn } = await slowDown(page);
    await sheet.getByRole('button', { name: 'Review' }).click();
    await waits;
    await sheet.getByRole('button', { name: 'Review', disabled: true }).waitFor();
    expect(await inertField(page, 'Profile').count()).toBe(1);
    goOn();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  });

  it('the application that another one is made like', async () => {
    const { page } = await grace('/applications/new');
    await page.getByRole('button', { name: 'Same as another application…' }).click();
    const field = page.getByRole('combobox', { name: 'Same as' });
    await field.fill('finance report');
    await page.getByRole('option', { name: /Finance report/ }).waitFor();
    const { waits, goOn } = await slowDown(page);
    await page.keyboard.press('Enter');
    await waits;
    await inertField(page, 'Same as').waitFor({ state: 'attached' });
    goOn();
    await page.getByText(/mappings? copied/).waitFor();
  });
});

describe('a dialog does nothing with the choice before, while Enter in a field waits for another', () => {
  /** First one that is there, then one that is looked for, which Enter chooses when it is found. */
  async function chooseTwice(page: Page, name: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: 'Profile' });
    const act = dialog.getByRole('button', { name: 'Review' });
    await dialog.getByRole('option', { name: /Grid operator/ }).click();
    await dialog.getByRole('button', { name: 'Review', disabled: false }).waitFor();
    await field.fill('neither');
    await dialog.getByRole('option', { name: 'Nothing found' }).waitFor();
    const { waits, goOn } = await slowDown(page, (body) => body.includes('work'));
    await field.fill(name);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await waits;
    expect(await act.isDisabled()).toBe(true);
    goOn();
    await act.click();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    expect(await page.getByRole('dialog').innerText()).toContain(name);
  }

  it('for a profile that is removed', async () => {
    const { page } = await grace('/users');
    await page.getByLabel('Select Bruno Costa').check();
    await page.getByRole('button', { name: 'Remove a profile…' }).click();
    await chooseTwice(page, 'Field work, north');
  });

  it('for a profile that many people get', async () => {
    const { page } = await grace('/users');
    await page.getByLabel('Select Clara').check();
    await page.getByRole('button', { name: 'Give a profile…' }).click();
    await chooseTwice(page, 'Field work, harbour');
  });

  it('for the part that a review begins with, unless Escape takes it back', async () => {
    const { page } = await grace('/reviews');
    await page.getByRole('button', { name: 'Start a review…' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Name', { exact: true }).fill('Reporting only');
    const start = sheet.getByRole('button', { name: 'Start' });
    const field = sheet.getByRole('combobox', { name: 'Only profiles', exact: true });
    const { waits, goOn } = await slowDown(page, (body) => body.includes('reporting'));
    await field.fill('reporting');
    await page.keyboard.press('Enter');
    await waits;
    expect(await start.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await start.isEnabled()).toBe(true);
    goOn();
  });
});

it('all can be selected as soon as it is known how many they are', async () => {
  const { page } = await grace('/users?q=costa');
  await page.getByRole('checkbox', { name: 'Select all 1', exact: true, disabled: false }).waitFor();
  const { waits, goOn } = await slowDown(page);
  await page.getByRole('searchbox', { name: 'Search users' }).fill('');
  await waits;
  await page.locator('.rows.stale').waitFor();
  expect(await page.getByRole('checkbox', { name: /^Select all/ }).isDisabled()).toBe(true);
  goOn();
  await page.getByRole('checkbox', { name: /^Select all/, disabled: false }).click();
  await page
    .getByLabel('Selection')
    .getByText(/^All \d+ are selected/)
    .waitFor();
});

it('a text of another field is neither missing nor changed before it is read', async () => {
  const { page } = await grace('/translations');
  const { waits, goOn } = await slowDown(page);
  await page.getByRole('button', { name: 'Description', exact: true }).click();
  await waits;
  const table = page.getByRole('table', { name: 'Texts' });
  await page.locator('.rows.stale').waitFor();
  const cells = table.getByRole('textbox', { name: /, description in / });
  expect(await cells.count()).toBeGreaterThan(0);
  expect(await cells.first().isEditable()).toBe(false);
  expect(await table.getByPlaceholder('missing').count()).toBe(0);
  expect(await table.locator('.missing').count()).toBe(0);
  goOn();
  await page.locator('.rows.stale').waitFor({ state: 'detached' });
});

describe('what was asked for does nothing when it is meant no more', () => {
  const drafted = (page: Page) =>
    page.evaluate<string[]>(
      `JSON.parse(sessionStorage.getItem('gatehouse.drafts') ?? '[]').map(({ subject, to }) => subject.name + ': ' + to)`,
    );

  it('people who were selected before are not blocked, nor after the page is left', async () => {
    const { page } = await grace('/users');
    await page.getByLabel('Select Ada Berg').check();
    const { waits, goOn } = await slowDown(page);
    const block = page.getByRole('button', { name: 'Block…' });
    await block.click();
    await waits;
    await page.getByLabel('Select Ada Berg').uncheck();
    await page.getByLabel('Select Bruno Costa').check();
    await block.click();
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
    goOn();
    await settled(page);
    expect(await drafted(page)).toEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.goBack();
    await page.getByLabel('Selection').waitFor();
    await block.click();
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
    expect(await drafted(page)).toEqual(['Bruno Costa: blocked']);
  });

  it('nor is a profile removed, or an application made like another, once the page is left', async () => {
    const { page } = await grace('/roles');
    const leave = async (act: Locator, before: string) => {
      const { waits, goOn } = await slowDown(page);
      await act.click();
      await waits;
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: before }).waitFor();
      goOn();
      await settled(page);
      expect(await drafted(page)).toEqual([]);
      expect(await page.getByRole('dialog').count()).toBe(0);
    };
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel('Select Ada Berg').check();
    await page.getByRole('button', { name: 'Remove a profile…' }).click();
    await page.getByRole('option', { name: /Grid operator/ }).click();
    await leave(page.getByRole('button', { name: 'Review' }), 'Roles');

    await page.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByRole('button', { name: 'Same as another application…' }).click();
    await leave(page.getByRole('option', { name: /Finance report/ }), 'Applications');
  });

  it('a column that is filled leaves the cells that are set meanwhile', async () => {
    const { app, page, go } = await grace();
    await app.context.sql.rows(
      `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
       select 'Panel ' || n, 'i', 'i', 'a', 'r', 'l', $1::uuid from generate_series(1, 300) n`,
      [systemUser],
    );
    await go('/matrix?type=site&q=panel');
    const head = page.locator('.matrix-head').getByRole('button', { name: /Harbour/ });
    const slow = await slowDown(page);
    await head.click();
    await slow.waits;
    await page.getByLabel('State that a cell gets').selectOption('planned');
    await page.getByRole('gridcell', { name: /^Panel 1, Harbour/ }).click();
    slow.goOn();
    await page.getByText('300 pending changes').waitFor();
    expect((await drafted(page)).filter((words) => words.endsWith('planned'))).toEqual(['Panel 1: planned']);
  });
});
