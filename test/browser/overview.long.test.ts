/** The overview: what needs the viewer, each line with its way, and nothing where there is nothing. */
import { proposeChanges } from '../../src/modules/governance/proposals/proposals.js';
import { arrive, grace, openBrowser, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const bruno = 'de300000-0000-4000-8000-000000000002';
const harbour = 'de320000-0000-4000-8000-000000000003';

it('the console opens with the overview, whose lines lead to what they count', async () => {
  const app = await startConsole();
  const { context } = app;
  await context.sql.rows("update user_profiles set valid_until = now() + interval '3 days' where user_profile_id = 1");
  await context.sql.rows('update users set is_blocked = true where user_guid = $1', [bruno]);
  await proposeChanges(
    { ...context, face: 'graphql', caller: { kind: 'system', sub: bruno, permissions: new Set(['admin:read']) } },
    [{ updateAccessScope: { accessScopeGuid: harbour, input: { isActive: false } } }],
    { note: 'The harbour is closed' },
  );
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/');
  const { page } = at;
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: /^Grant ends in the next 30 days.* 1$/ }).waitFor();
  await attention.getByText('1 this week').waitFor();
  expect(await page.getByRole('region', { name: 'Planned go-lives' }).count()).toBe(0);
  expect(at.takeRequests().filter((body) => /"Overview/.test(body)).length).toBeLessThanOrEqual(3);
  await page
    .getByRole('region', { name: 'Latest changes' })
    .getByRole('link', { name: /^All \d+ changes$/ })
    .waitFor();
  await attention.getByRole('link', { name: /^Blocked people hold profiles.*2$/ }).click();
  await page.getByRole('row', { name: /Bruno/ }).waitFor();
  await page.goBack();
  await page.getByRole('region', { name: 'Waiting for your approval' }).getByRole('link').first().click();
  await page.getByText('The harbour is closed').first().waitFor();
});

it('numbers of the overview are those of the lists that they lead to, and a key that nothing replaces is said', async () => {
  const { page, app } = await grace('/roles', { KEY_ROTATION_DAYS: '0' });
  const { sql } = app.context;
  await sql.rows(
    `insert into users (first_name, last_name, email, is_blocked, created_by)
     select 'Blocked', 'Without', 'blocked' || n || '@grid.example', true, $1::uuid from generate_series(1, 3) n`,
    [bruno],
  );
  await sql.rows("update user_profiles set created_date = now() - interval '100 days', valid_until = null");
  await sql.rows('update user_profiles set last_used_at = current_date where user_profile_id = 1');
  await sql.rows("update signing_keys set activated_at = now() - interval '100 days' where state = 'active'");
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const follow = async (name: RegExp, counted: RegExp) => {
    await page.goto(`${app.url}/console/overview`);
    const link = attention.getByRole('link', { name });
    const number = await link.locator('.amount').innerText();
    await link.click();
    const [listed] = /\d+/.exec(await page.getByText(counted).first().innerText())!;
    expect(listed).toBe(number);
    return number;
  };
  await follow(/Blocked (people hold|person holds) profiles/, /^\d+ users? match/);
  await follow(/Grants? (were|was) not used for 90 days/, /^\d+ grants? match/);
  await page.goto(`${app.url}/console/overview`);
  await attention
    .getByRole('link', { name: /The signing key signs since .*, and no other takes over by itself/ })
    .click();
  await page.getByRole('heading', { name: 'Signing keys' }).waitFor();
});

it('the overview without findings says that nothing needs the viewer', async () => {
  const app = await startConsole();
  await app.context.sql.rows('update users set is_blocked = false');
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/overview');
  await at.page.getByText('Nothing needs you.').waitFor();
  expect(await at.page.getByRole('region', { name: 'Needs attention' }).count()).toBe(0);
});
