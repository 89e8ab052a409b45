/** What is pending goes on from what others have made of the same record meanwhile: nothing of theirs is lost without a question. */
import { applyChanges } from '../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../src/modules/changes/planChanges.js';
import { until } from '../support/until.js';
import { grace, openBrowser, settled, type Visit } from './support/browser.js';

const bruno = 'de300000-0000-4000-8000-000000000002';
const clara = 'de300000-0000-4000-8000-000000000003';
const mallory = 'de300000-0000-4000-8000-000000000007';
const gridMonitor = 'de330000-0000-4000-8000-000000000001';
const everySite = 'de320000-0000-4000-8000-000000000001';
const consumption = 'de320000-0000-4000-8000-000000000006';
const finance = 'de320000-0000-4000-8000-000000000007';
const meter = 'de320000-0000-4000-8000-000000000005';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
});
afterEach(() => at.page.evaluate('sessionStorage.clear()'));

/** Somebody else changes something. */
const change = (changes: readonly object[]) =>
  applyChanges({ ...at.app.context, face: 'graphql' }, planChanges(changes), { dryRun: false });

const give = (profileId: string, accessScopeGuid: string) =>
  change([{ assignAccessScope: { profileId, accessScopeGuid } }]);

const set = (profileId: string, accessScopeGuids: string[]) =>
  change([{ setProfileAccessScopes: { profileId, accessScopeGuids } }]);

async function scopesOf(profileId: string): Promise<string[]> {
  const rows = await at.app.context.sql.rows<{ name: string }>(
    `select name from profile_access_scopes join access_scopes using (access_scope_id) where profile_id = $1 order by name`,
    [profileId],
  );
  return rows.map(({ name }) => name);
}

async function addScope(page: Visit['page'], text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add an access scope' }).fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

/** What the page shows is read again, as when somebody comes back to its window. */
async function readAgain(page: Visit['page']): Promise<void> {
  await page.clock.fastForward('01:00');
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await settled(page);
}

it('an access scope that somebody else gave stays in the profile when one’s own change goes on', async () => {
  const { page, go } = at;
  await go('/profiles/field-harbour?tab=scopes');
  await addScope(page, 'Finance');
  await give('field-harbour', meter);
  await page.keyboard.press('Control+Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByText('Theirs: + Meter of the town hall. Yours: + Finance.').waitFor();
  await sheet.getByRole('button', { name: 'Keep mine' }).click();
  await sheet.getByText('2becomes3').waitFor();
  await sheet.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied.').waitFor();
  expect(await scopesOf('field-harbour')).toEqual(['Finance', 'Harbour station', 'Meter of the town hall']);
});

it('access scopes are chosen from what the profile has now: what somebody else gave is not removed by the next choice', async () => {
  const { page, go } = at;
  await set('reporting', [consumption, finance]);
  await page.clock.install();
  await go('/profiles/reporting?tab=scopes');
  await addScope(page, 'Harbour station');
  await give('reporting', everySite);
  await readAgain(page);
  await page.getByRole('link', { name: 'Every site' }).waitFor();
  await addScope(page, 'Meter of the town hall');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByText('+ Harbour station, + Meter of the town hall', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied.').waitFor();
  expect(await scopesOf('reporting')).toEqual([
    'Consumption',
    'Every site',
    'Finance',
    'Harbour station',
    'Meter of the town hall',
  ]);
});

it('a field that somebody else changed is a conflict, also after the page was read again and another field was edited', async () => {
  const { page, go } = at;
  await page.clock.install();
  await go(`/users/${bruno}?tab=facts`);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field('Department').fill('East depot');
  await change([{ updateUser: { userGuid: bruno, input: { department: 'Harbour depot', telephone: '4711' } } }]);
  await readAgain(page);
  await until(async () => (await field('Telephone').inputValue()) === '4711');
  await field('Job').fill('Technician');
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('dialog')
    .getByText(/Theirs: .*Department: Harbour depot/)
    .waitFor();
});

it('who is blocked from a list keeps what is pending of the person, and what somebody else has changed of it is a conflict', async () => {
  const { page, go } = at;
  await go(`/users/${clara}?tab=facts`);
  await page.getByLabel('Department', { exact: true }).fill('East depot');
  await change([{ updateUser: { userGuid: clara, input: { department: 'Harbour depot' } } }]);
  await go('/users');
  await page.getByRole('checkbox', { name: /^Select Clara/ }).check();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page
    .getByRole('dialog')
    .getByText(/Theirs: .*Department: Harbour depot/)
    .waitFor();
});

it('what would open an application gives the one access scope that it names, and leaves what the profile got since', async () => {
  const { page, go } = at;
  await set('reporting', [consumption, finance]);
  await go('/profiles/reporting?tab=scopes');
  await addScope(page, 'Harbour station');
  await go(`/why?user=${clara}&application=${gridMonitor}`);
  const remedy = page.getByRole('button', { name: 'Do it: Every site: in it' });
  await remedy.waitFor();
  await give('reporting', meter);
  await remedy.click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Keep mine' }).click();
  await sheet.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('2 changes applied.').waitFor();
  expect(await scopesOf('reporting')).toEqual([
    'Consumption',
    'Every site',
    'Finance',
    'Harbour station',
    'Meter of the town hall',
  ]);
});

it('what would open an application keeps what is pending of the same record, for a person and for an application', async () => {
  const { page, go } = at;
  await go(`/users/${mallory}?tab=facts`);
  await page.getByLabel('E-mail').fill('mallory.new@example.com');
  await change([{ updateApplication: { applicationGuid: gridMonitor, input: { isActive: false } } }]);
  await go(`/applications/${gridMonitor}?tab=settings`);
  await page.getByLabel('Description', { exact: true }).fill('Seen by night');
  await go(`/why?user=${mallory}&application=${gridMonitor}`);
  await page
    .getByRole('button', { name: /^Do it: .*nblock/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Review 2 changes' }).waitFor();
  const pending = await page.evaluate<{ change: object }[]>(`JSON.parse(sessionStorage.getItem('gatehouse.drafts'))`);
  expect(pending.map(({ change }) => change)).toMatchObject([
    { updateUser: { input: { email: 'mallory.new@example.com', isBlocked: false } } },
    { updateApplication: { input: { description: 'Seen by night', isActive: true } } },
  ]);
});

it('a note is of the changes that it was written for: it comes back with them, and is not of others', async () => {
  const { page, go } = at;
  const note = page.getByRole('dialog').getByLabel('Note');
  await go('/roles/operator?tab=settings');
  await page.getByLabel('Description', { exact: true }).fill('Runs it all');
  await page.keyboard.press('Control+Enter');
  await note.fill('Ticket 4711');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.keyboard.press('Control+Enter');
  expect(await note.inputValue()).toBe('Ticket 4711');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await go('/roles/analyst?tab=settings');
  await page.getByLabel('Description', { exact: true }).fill('Reads it all');
  await page.keyboard.press('Control+Enter');
  expect(await note.inputValue()).toBe('');
});
