/** What administrators do, from sign-in to undo, in a real browser. */

import { arrive, grace, openBrowser, settled, signIn, startConsole, type Visit, visit } from './support/browser.js';
import { flipHarbourOfGridMonitor } from './support/matrix.js';

beforeAll(openBrowser);

const outageMap = 'de330000-0000-4000-8000-000000000003';
const bruno = 'de300000-0000-4000-8000-000000000002';
const mallory = 'de300000-0000-4000-8000-000000000007';
const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const assetRegister = 'de330000-0000-4000-8000-000000000005';

it('an administrator signs in and comes to the address that she asked for', async () => {
  const app = await startConsole();
  const at = await visit(app);
  const { page } = at;
  await signIn(app, at, 'Grace Hall', `/applications/${outageMap}?tab=settings`);
  await settled(page);

  expect(page.url()).toContain(`/console/applications/${outageMap}?tab=settings`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Outage map');
  expect(await page.getByLabel('Name').first().inputValue()).toBe('Outage map');
});

it.each(['Ada Berg', 'Mallory Moss'])('%s, who may not administer, is told so and sees nothing', async (name) => {
  const app = await startConsole();
  const { page } = await visit(app);
  await page.goto(`${app.url}/console/applications`);
  await page.waitForURL(/\/authorize/);
  await page.getByText(name).first().click();
  // the page that the callback answers leads on at once
  await page.waitForURL(/no-access/);

  expect(await page.locator('body').innerText()).not.toContain('Outage map');
  await page.goto(`${app.url}/console/applications`);
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(await page.locator('body').innerText()).not.toContain('Outage map');
});

it.each([
  ['can open', 'de300000-0000-4000-8000-000000000001', gridMonitor, 'Ada Berg can open Grid monitor'],
  ['is blocked', mallory, gridMonitor, 'Mallory Moss is blocked'],
  ['ends at a mapping out of use', bruno, assetRegister, 'The mapping of the type site to Asset register is inactive'],
])('why: a person who %s is told so', async (_what, user, application, words) => {
  const { page } = await grace(`/why?user=${user}&application=${application}`);

  await page.getByText(words).first().waitFor();
});

it('a remedy goes from the answer to the review, and applying it opens the application', async () => {
  const { page } = await grace(`/why?user=${bruno}&application=${assetRegister}`);

  await page.getByRole('button', { name: /Do it: All of site/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Asset register').first().waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();

  await page.getByText('Bruno Costa can open Asset register').waitFor();
});

it('a change by keys in the matrix is pending, outlives a reload, is reviewed, applied and taken back', async () => {
  const { page } = await grace('/matrix?type=site');
  const cell = (words: string) => page.getByRole('gridcell', { name: `Grid monitor, Harbour station: ${words}` });
  await flipHarbourOfGridMonitor({ page });
  await cell('will be given').waitFor();
  await page.keyboard.press('Control+z');
  await cell('no access').waitFor();
  await page.keyboard.press('Space');
  await page.reload();
  await cell('will be given').waitFor();

  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/(person gains|people gain) access/).waitFor();
  // Bruno opens it by another profile
  await sheet.getByText('Diego Esteves, diego@example.com').waitFor();
  await sheet.getByLabel('Note').fill('the harbour team needs it');
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await cell('active').waitFor();

  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await cell('no access').waitFor();
});

it('the second of two administrators who edit a record sees the value of the first, and chooses one', async () => {
  const first = await grace('/matrix?type=site');
  const second = await visit(first.app);
  await arrive(first.app, second, 'Grace Hall', '/matrix?type=site');
  const flip = (page: Visit['page']) =>
    page.getByRole('gridcell', { name: /Asset register, All of site: inactive/ }).click();
  await flip(first.page);
  await second.page.getByLabel('State that a cell gets').selectOption('planned');
  await flip(second.page);
  await first.page.keyboard.press('Control+Enter');
  await first.page.getByRole('button', { name: 'Apply 1 change' }).click();
  await first.page.getByText('1 change applied').waitFor();

  await second.page.keyboard.press('Control+Enter');
  const sheet = second.page.getByRole('dialog');
  await sheet
    .getByText(/^1 change starts from a value that was changed after you read it\. .* Nothing was saved\.$/)
    .waitFor();
  await sheet.getByText('Theirs: active. Yours: planned.').waitFor();
  expect(await sheet.getByRole('button', { name: /^Apply/ }).isEnabled()).toBe(false);
  await sheet.getByRole('button', { name: 'Take theirs' }).click();
  await second.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await second.page.getByText('pending change').count()).toBe(0);
});

it('access is given by keys alone: what is selected, what the dialog asks for, and the review', async () => {
  const { page } = await grace();
  await page.getByRole('checkbox', { name: /Asset register/ }).press('Space');
  await page.getByRole('button', { name: 'Give access…' }).press('Enter');
  const scope = page.getByRole('combobox', { name: 'Access scope' });
  await scope.waitFor();
  expect(await scope.evaluate((field) => field.matches(':focus'))).toBe(true);

  await page.keyboard.type('harbour');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Review', disabled: false }).press('Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
});

it('search and filters are in the address: a link shows them, and back takes them away', async () => {
  const { page, go } = await grace('/applications');
  await page.getByRole('button', { name: 'Planned' }).click();
  await page.waitForURL(/view=planned/);
  await page.getByRole('link', { name: 'Outage map' }).click();
  await page.waitForURL(new RegExp(outageMap));
  await page.goBack();
  await page.waitForURL(/view=planned/);
  await page.goBack();
  await page.waitForURL((url) => url.search === '');

  await go('/applications?q=report');
  expect(await page.getByLabel('Search applications').inputValue()).toBe('report');
  expect(await page.getByText('2 applications match').count()).toBe(1);
});

it('a value typed into a record’s form is pending at once, and its faults are shown at its field', async () => {
  const { page } = await grace(`/applications/${outageMap}?tab=settings`);
  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByText('1 pending change').waitFor();

  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('alert').first().waitFor();
  expect(await sheet.getByRole('button', { name: /^Apply/ }).isEnabled()).toBe(false);
});

it('a blocked user loses what was open, which the review says before', async () => {
  const { page } = await grace(`/users/${bruno}`);
  await page.getByRole('button', { name: 'Block…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('person loses access').waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('button', { name: 'Unblock…' }).waitFor();
});

it('fields that somebody else changed meanwhile are shown beside one’s own, and one’s own can go through', async () => {
  const { app, page } = await grace('/profiles/grid-operator?tab=settings');
  await page.getByLabel('Description').fill('runs the network by day');
  // another change of the same record, which has the same lock
  await page.getByRole('tab', { name: /Access scopes/ }).click();
  await page.getByRole('button', { name: 'Remove: Consumption' }).click();
  await app.context.sql.rows(
    "update profiles set description = 'runs it by night', revision = revision + 1 where profile_id = 'grid-operator'",
  );

  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Theirs: Description: runs it by night').waitFor();
  await sheet.getByRole('button', { name: 'Keep mine' }).click();
  await sheet.getByText(/(person loses|people lose) access/).waitFor();
  await sheet.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('2 changes applied').waitFor();
  const [profile] = await app.context.sql.rows<{ description: string }>(
    "select description from profiles where profile_id = 'grid-operator'",
  );
  expect(profile!.description).toBe('runs the network by day');
});

it('a new record is pending from its first letter, and its page opens when it is made', async () => {
  const { page } = await grace('/scopes/new');
  await page.getByLabel('Name', { exact: true }).fill('Southern station');
  await page.getByLabel('Key').fill('south');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('alert').first().waitFor();
  await page.keyboard.press('Escape');

  await page.getByLabel('Type', { exact: true }).selectOption('site');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('heading', { level: 1, name: /Southern station/ }).waitFor();
});

it('a secret is shown once, and the one before can be ended', async () => {
  const { page } = await grace('/clients/demo-client');
  await page.getByRole('button', { name: 'New secret…' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('The browser does not allow copying. Select the text and copy it.').waitFor();
  const secret = await page.locator('.secret code').innerText();
  expect(secret.length).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('The one before').waitFor();
  expect(await page.locator('body').innerText()).not.toContain(secret);

  await page.getByRole('button', { name: 'End now…' }).click();
  await page.getByRole('button', { name: 'End it now' }).click();
  await page.getByText('The one before').waitFor({ state: 'detached' });
});

it('a client is let ask for decisions by its record', async () => {
  const { app, page } = await grace('/clients/demo-client');
  await page.getByRole('button', { name: 'Change' }).click();
  const sheet = page.getByRole('dialog', { name: 'Change the client' });
  await sheet.getByText('May ask for decisions').waitFor();
  await sheet.getByRole('switch', { name: 'May ask for decisions' }).click();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The client is changed.').waitFor();
  const [client] = await app.context.sql.rows("select name, may_evaluate from clients where client_id = 'demo-client'");
  expect(client).toMatchObject({ name: expect.stringMatching(/./), may_evaluate: true });
});

it('cells of a sheet are pasted right and down into the texts, as one step', async () => {
  const { page, context } = await grace('/translations');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate("navigator.clipboard.writeText('Anlagen\\tAssets\\nVerbrauch\\tUse')");
  await page.getByLabel('Asset register, name in de').focus();
  await page.keyboard.press('Control+v');

  await page.getByText('4 pending changes').waitFor();
  expect(await page.getByLabel(/^Consumption report, name in en/).inputValue()).toBe('Use');
});
