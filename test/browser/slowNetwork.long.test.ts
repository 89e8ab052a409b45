/** On a slow network an act ends when the page shows what came of it: whatever is done next starts from there. */
import { grace, openBrowser } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';
import { operationOf, slowDown } from './support/slow.js';

beforeAll(openBrowser);

it('a review ends when the page shows what was applied: a change after it starts from there', async () => {
  const { page } = await grace('/applications/de330000-0000-4000-8000-000000000001');
  const state = page.getByLabel('State: Northern station');
  await state.selectOption('planned');
  await page.keyboard.press('Control+Enter');
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  await apply.waitFor();
  const { waits, goOn } = await slowDown(page);
  await apply.click();
  await waits;
  expect(await page.getByRole('button', { name: 'Applying…' }).isDisabled()).toBe(true);
  goOn();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await state.selectOption('active');
  await page.getByText('was planned').waitFor();
});

it('a new secret is shown at once, and the next one can be made as soon as it is put away', async () => {
  const { page } = await grace('/clients/demo-client');
  const sheet = page.getByRole('dialog', { name: 'New secret' });
  await page.getByRole('button', { name: 'New secret…' }).click();
  const { waits, goOn } = await slowDown(page);
  await sheet.getByRole('button', { name: 'Make a new secret' }).click();
  await sheet.locator('.secret code').waitFor();
  await waits;
  expect(await sheet.getByRole('button', { name: 'I have it' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await sheet.getByRole('button', { name: 'Copy' }).isEnabled()).toBe(true);

  goOn();
  await sheet.getByRole('button', { name: 'I have it' }).click();
  await page.getByRole('button', { name: 'New secret…' }).click();
  await sheet.getByRole('button', { name: 'Make a new secret' }).click();
  await sheet.locator('.secret code').waitFor();
});

it('a new client is in the list when its secret is put away', async () => {
  const { page } = await grace('/clients');
  const sheet = page.getByRole('dialog', { name: 'New client' });
  await page.getByRole('button', { name: 'New client' }).click();
  await sheet.getByLabel('Id').fill('portal');
  await sheet.getByLabel('Name').fill('Portal of the harbour');
  const { waits, goOn } = await slowDown(page);
  await sheet.getByRole('button', { name: 'Make it' }).click();
  await sheet.locator('.secret code').waitFor();
  await waits;
  expect(await sheet.getByRole('button', { name: 'I have it' }).isDisabled()).toBe(true);
  goOn();
  await sheet.getByRole('button', { name: 'I have it' }).click();
  expect(await page.getByText('Portal of the harbour').count()).toBe(1);
});

it('a review that is being applied cannot be closed or changed by any key', async () => {
  const { page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  const { waits, goOn } = await slowDown(page, () => true);
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await waits;
  await sheet.getByRole('button', { name: 'Applying…' }).waitFor();
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await page.mouse.click(10, 10);
  for (const name of ['Back', 'Close', 'Applying…'])
    expect(await sheet.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
  const inert = sheet.locator('[inert]');
  expect(await inert.getByRole('button', { name: /^Undo/, includeHidden: true }).count()).toBe(1);
  expect(await sheet.getByLabel('Note').isEditable()).toBe(false);

  goOn();
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: active' }).waitFor();
});

it.each([
  ['Apply 1 change', 'mutation ApplyChanges', '1 change applied.'],
  ['Propose', 'mutation ProposeChanges', '1 change proposed: another person decides.'],
])('%s: changes that become pending meanwhile stay pending, and are not counted', async (act, operation, said) => {
  const { page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  for (const name of [/^Select Ada Berg/, /^Select Bruno Costa/]) await page.getByRole('checkbox', { name }).check();
  const people = await slowDown(page, (body) => operationOf(body) === 'query PeopleToChange');
  const sent = await slowDown(page, (body) => operationOf(body) === operation);
  await page.getByRole('button', { name: 'Block…' }).click();
  await people.waits;
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog', { name: 'Review 1 change' });
  await sheet.getByLabel('Note').fill('The harbour is open again');
  await sheet.getByRole('button', { name: act }).click();
  await sent.waits;
  people.goOn();
  await page.getByText('3 pending changes').waitFor();
  expect(await sheet.count()).toBe(1);

  sent.goOn();
  await page.getByText(said).waitFor();
  await page.getByText('2 pending changes').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('2 changes applied.').waitFor();
});

it('who leaves while a change is being applied is asked first, and reads afterwards that nothing is left to do', async () => {
  const { page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  const isApplied = Promise.withResolvers<void>();
  await page.route('**/console/graphql', async (route) => {
    await route.fetch();
    isApplied.resolve();
  });
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await isApplied.promise;
  await page.unroute('**/console/graphql');
  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();

  await sheet.getByText('Theirs: active. Yours: the same, so nothing is left to do.').waitFor();
  await sheet.getByText('1 change was made already.').waitFor();
  expect(await sheet.getByText('Nothing was saved').count()).toBe(0);
  expect(await sheet.getByRole('button', { name: 'Keep mine' }).count()).toBe(0);
  await sheet.getByRole('button', { name: 'Take theirs' }).click();
  await sheet.waitFor({ state: 'detached' });
});

it('applied changes are taken back only by an undo: Ctrl Z takes back the steps after them', async () => {
  const { page } = await grace('/matrix?type=site');
  await flipHarbourOfGridMonitor({ page });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('gridcell', { name: 'Grid monitor, Harbour station: active' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+z');
  expect(await page.getByText('pending change').count()).toBe(0);
});

it('a page that was seen before a change shows nothing of before it, and is changed from what is so now', async () => {
  const { page } = await grace('/matrix?type=site');
  const cell = page.getByRole('gridcell', { name: /^Grid monitor, Northern station/ });
  await cell.waitFor();
  await page.getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'Grid monitor' }).click();
  await page.getByLabel('State: Northern station').selectOption('planned');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const { waits, goOn } = await slowDown(page);
  await page.evaluate('history.go(-2)');
  await waits;
  await page.getByRole('heading', { level: 1, name: 'Matrix' }).waitFor();
  expect(await cell.count()).toBe(0);
  goOn();
  await page.getByRole('gridcell', { name: 'Grid monitor, Northern station: planned' }).waitFor();
});

it('a page that could not be read after a change does not show the old state, and can be tried again', async () => {
  const { page } = await grace('/profiles/grid-operator?tab=settings');
  await page.getByLabel('Description').fill('runs the network by day');
  await page.keyboard.press('Control+Enter');
  const apply = page.getByRole('button', { name: 'Apply 1 change' });
  await apply.waitFor();
  await page.route('**/console/graphql', async (route) => {
    if (route.request().postData()?.includes('"ApplyChanges"')) return route.continue();
    return route.fulfill({ status: 500, json: { errors: [{ message: 'Internal server error' }] } });
  });
  await apply.click();
  await page.getByText('1 change applied').waitFor();
  await page.getByRole('heading', { name: 'That did not work' }).waitFor();
  expect(await page.getByLabel('Description').count()).toBe(0);

  await page.unroute('**/console/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Description').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('runs the network by day');
});

describe('Enter chooses from what is found by all that is typed, however late that comes', () => {
  it('in the palette, unless something else is typed meanwhile', async () => {
    const { page } = await grace('/roles');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.fill('grid monitor');
    await page.getByRole('option', { name: 'Grid monitor' }).waitFor();
    const { waits, goOn } = await slowDown(page, () => true);
    await field.fill('asset register');
    await page.keyboard.press('Enter');
    await waits;
    await field.fill('finance report');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(1);
    goOn();
    await page.getByRole('heading', { level: 1, name: 'Finance report' }).waitFor();
  });

  it('in a picker, also one that is left meanwhile, unless Escape takes it back', async () => {
    const { page } = await grace('/why');
    const field = page.getByRole('combobox', { name: 'Person' });
    await field.fill('grace');
    await page.getByRole('option', { name: /grace@example/ }).waitFor();
    const { waits, goOn } = await slowDown(page, () => true);
    await field.fill('bruno');
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Searching…']);
    await page.keyboard.press('Enter');
    await waits;
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('Escape');
    goOn();
    await page.locator('[role=option]', { hasText: 'bruno@example.com' }).waitFor({ state: 'attached' });
    expect(new URL(page.url()).search).toBe('');
    await field.fill('diego');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.waitForURL(/user=de300000-0000-4000-8000-000000000004/);
  });

  it('in a picker at once, where what an earlier part found has all that is typed', async () => {
    const { page } = await grace('/why');
    const field = page.getByRole('combobox', { name: 'Person' });
    await field.fill('example');
    await page.getByRole('option', { name: /diego@example/ }).waitFor();
    await slowDown(page, () => true);
    await field.fill('example esteves');
    expect(await page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('diego@example.com')]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/user=de300000-0000-4000-8000-000000000004/);
  });
});

it('until all that were found are selected, nothing is done with a part of them', async () => {
  const { page } = await grace('/applications?q=report');
  await page.getByLabel('Select Finance report').check();
  const { waits, goOn } = await slowDown(page);
  await page.getByRole('button', { name: 'Select all 2' }).click();
  await waits;
  // the page may show what is asked for a moment after it was sent
  await page.getByRole('button', { name: 'Give access…', disabled: true }).waitFor();
  goOn();
  await page.getByLabel('Selection').getByText('All 2 are selected').waitFor();
  await page.getByRole('button', { name: 'Give access…', disabled: false }).waitFor();
});

describe('an access review is started', () => {
  it('only when its size is known', async () => {
    const { page } = await grace('/reviews');
    await page.getByRole('button', { name: 'Start a review…' }).click();
    await page.getByLabel('Name').fill('Spring');
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await page.getByText(/will be reviewed\.$/).waitFor();
    const { waits, goOn } = await slowDown(page, (body) => body.includes('"ReviewSize"'));
    await page.getByRole('combobox', { name: 'Grants', exact: true }).selectOption('all');
    await waits;
    await page.getByText('Counting…').waitFor();
    expect(await start.isDisabled()).toBe(true);
    goOn();
    await page.getByText(/will be reviewed\.$/).waitFor();
    expect(await start.isEnabled()).toBe(true);
  });

  it('once, however long its page takes to come', async () => {
    const { page } = await grace('/reviews');
    await page.getByRole('button', { name: 'Start a review…' }).click();
    await page.getByLabel('Name').fill('Spring');
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await page.getByText(/will be reviewed\.$/).waitFor();
    const [waits, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/*.js', async (route) => {
      waits.resolve();
      await end.promise;
      await route.continue();
    });
    await start.click();
    await waits.promise;
    expect(await start.isDisabled()).toBe(true);
    end.resolve();
    await page.getByRole('grid', { name: 'Spring' }).waitFor();
  });
});
