/** The overview’s further cards: what ends in two weeks, what waits for others, and the sign-ins of two days. */
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { openSignInHours } from '../../src/modules/insight/signInHours.js';
import { grace, openBrowser } from './support/browser.js';

beforeAll(openBrowser);

const graceGuid = 'de300000-0000-4000-8000-000000000006';
const harbour = 'de320000-0000-4000-8000-000000000003';

it('what ends in 14 days is listed soonest first, and later ends are not', async () => {
  const { app, page } = await grace('/roles');
  await app.context.sql.rows('update user_profiles set valid_until = null');
  await app.context.sql.rows(
    `update user_profiles set valid_until = now() + make_interval(days => case user_profile_id when 1 then 13 when 2 then 2 else 15 end)
     where user_profile_id <= 3`,
  );
  await page.goto(`${app.url}/console/overview`);
  const ending = page.getByRole('region', { name: 'Ends in 14 days' });
  await ending.getByRole('link').first().waitFor();
  const names = await app.context.sql.rows<{ name: string }>(
    `select concat_ws(' ', first_name, last_name) as name from user_profiles join users using (user_id)
     where user_profile_id in (1, 2) order by valid_until`,
  );
  expect(await ending.locator('li b').allInnerTexts()).toEqual(names.map(({ name }) => name));
  await ending.getByRole('link', { name: 'All that end soon' }).click();
  await page.getByRole('heading', { name: 'Ending', level: 1 }).waitFor();
});

it('a proposal of one’s own waits for others, and leads to it', async () => {
  const { app, page } = await grace('/roles');
  await proposeChanges(
    {
      ...app.context,
      face: 'graphql',
      caller: { kind: 'system', sub: graceGuid, permissions: new Set(['admin:read']) },
    },
    [{ updateAccessScope: { accessScopeGuid: harbour, input: { isActive: false } } }],
    { note: 'The harbour is closed' },
  );
  await page.goto(`${app.url}/console/overview`);
  const others = page.getByRole('region', { name: 'Waiting for others' });
  await others.getByText(/admin:write.* decides/).waitFor();
  expect(await page.getByRole('region', { name: 'Waiting for your approval' }).count()).toBe(0);
  await others.getByRole('listitem').getByRole('link').first().click();
  await page.getByText('The harbour is closed').first().waitFor();
});

it('the chart says how many signed in and were refused, and has the table behind it', async () => {
  const { app, page } = await grace('/roles', { USAGE_RETENTION_DAYS: '9' });
  const { sql, log } = app.context;
  const recorder = openSignInHours({ sql, log, clock: { now: () => new Date(Date.now() - 3 * 3_600_000) } });
  for (let n = 0; n < 7; n++) recorder.note('signIns');
  for (let n = 0; n < 2; n++) recorder.note('refusals');
  await recorder.close();
  await page.goto(`${app.url}/console/overview`);
  const card = page.getByRole('region', { name: 'Sign-ins of two days' });
  // the sign-in of this session may be among them
  await card.getByRole('img', { name: /^[78] sign-ins, 2 refusals in 4 hours$/ }).waitFor();
  await card.getByText('As a table').click();
  await card.getByRole('row', { name: /7 2$/ }).waitFor();
  expect(await card.getByRole('row').count()).toBe(1 + 4);
});

it('where usage is not counted, and for those who may not read it, there is no chart', async () => {
  const { page } = await grace('/overview');
  await page.getByRole('region', { name: 'Latest changes' }).waitFor();
  await page.getByRole('region', { name: 'Sign-ins of two days' }).waitFor({ state: 'detached' });
});

it('the quickest way is named, and opens', async () => {
  const { page } = await grace('/overview');
  await page.getByRole('button', { name: /finds and does anything/ }).click();
  await page.keyboard.type('why diego asset register');
  await page.getByRole('option', { name: /Diego/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /can’t open Asset register/ }).waitFor();
  const remedies = page.getByRole('region', { name: 'What would open it' }).getByRole('listitem');
  // the cheapest one first: his own access scope, mapped, opens it for one other
  expect(await remedies.first().innerText()).toContain('Harbour station');
  await remedies
    .first()
    .getByRole('button', { name: /^Do it/ })
    .click();
  await page
    .getByRole('dialog')
    .getByText(/(person gains|people gain) access/)
    .waitFor();
});

it('after the person of a check is picked, the application’s name is typed without another key', async () => {
  const { page } = await grace('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill('diego');
  await page.getByRole('option', { name: /Diego/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('asset');
  await page.getByRole('option', { name: /Asset register/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /can’t open Asset register/ }).waitFor();
});
