/** Grants that end: set where the grant is given, shown with the days left, and extended many at once. */
import { startReview } from '../../src/modules/governance/reviews/startReview.js';
import { cutTexts } from './support/axe.js';
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it('ends are given with a profile, listed when they are near, and extended many at once', async () => {
  const app = await startConsole();
  const endsOf = (profileId: string) =>
    app.context.sql.rows<{ day: string | null }>(
      `select to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD') as day from user_profiles where profile_id = $1 order by 1`,
      [profileId],
    );
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall');
  const { page, go, faults } = at;

  // given with an end
  await go('/users/de300000-0000-4000-8000-000000000002');
  await page
    .getByRole('button', { name: /Give a profile/ })
    .first()
    .click();
  await page.getByRole('combobox', { name: 'Profile' }).fill('Reporting');
  await page.getByRole('option', { name: /Reporting/ }).click();
  await page.getByRole('combobox', { name: 'Role' }).fill('m');
  await page.getByRole('option').first().click();
  await page.getByLabel('Last day').fill(day(10));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByText('in 9 days').or(page.getByText('in 10 days')).first().waitFor();
  // the page behind the review is read before it closes; a page that is loaded before that opens the review again
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await endsOf('reporting')).toContainEqual({ day: day(10) });

  // near ends of all profiles, extended at once
  await app.context.sql.rows(
    "update user_profiles set valid_until = now() + interval '3 days 1 hour' where profile_id = 'field-north'",
  );
  await go('/ending');
  await page.getByText('in 3 days').first().waitFor();
  const before = (await endsOf('field-north')).length;
  expect(before).toBeGreaterThan(0);
  await page.getByRole('grid').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Extend…' }).click();
  await page.getByLabel('Last day').fill(day(90));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByText('Nothing ends in the next 30 days.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await endsOf('field-north')).toEqual(Array(before).fill({ day: day(90) }));

  // of an access scope
  await go('/profiles/reporting?tab=scopes');
  await page
    .getByRole('button', { name: /^End of/ })
    .first()
    .click();
  await page.getByLabel('Last day').fill(day(-2));
  await page.getByText('The day has passed').waitFor();
  expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true);
  await page.getByLabel('Last day').fill(day(20));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page
    .getByText(/in (19|20) days/)
    .first()
    .waitFor();
  expect(faults).toEqual([]);
});

const bruno = 'de300000-0000-4000-8000-000000000002';

it('an end stays to the second until it is edited, and another day keeps its time', async () => {
  const app = await startConsole();
  const { sql } = app.context;
  const stored = async () => {
    const rows = await sql.rows<{ end: string }>(
      `select distinct to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as end from user_profiles
       where user_id = (select user_id from users where user_guid = $1)`,
      [bruno],
    );
    return rows.map(({ end }) => end);
  };
  await sql.rows(
    `update user_profiles set valid_until = '2037-12-01T18:29:59Z' where user_id = (select user_id from users where user_guid = $1)`,
    [bruno],
  );
  const at = await visit(app, { timeZone: 'America/New_York' });
  await arrive(app, at, 'Grace Hall', `/users/${bruno}`);
  const { page, faults } = at;
  // it is no end of a day in New York
  await page.getByText('1 Dec 2037, 13:29 GMT-5').first().waitFor();
  const openEnd = () => page.getByRole('button', { name: /^End/ }).first().click();
  await openEnd();
  expect(await page.getByLabel('Last day', { exact: true }).inputValue()).toBe('2037-12-01');
  expect(await page.getByLabel('Last day: time').inputValue()).toBe('18:29:59');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('Nothing to change').waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);

  await openEnd();
  await page.getByLabel('Last day', { exact: true }).fill('2037-12-05');
  await page.getByText('until this time in UTC. For you that is 5 Dec 2037, 13:29 GMT-5.').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByText('until 5 Dec 2037, 13:29 GMT-5').first().waitFor();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('5 Dec 2037, 13:29 GMT-5').first().waitFor();
  expect(await stored()).toContain('2037-12-05T18:29:59');

  await openEnd();
  await page.getByRole('button', { name: 'end of the day' }).click();
  await page.getByText('until the end of this day in UTC. For you that is 5 Dec 2037, 18:59 GMT-5.').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('5 Dec 2037, 18:59 GMT-5').first().waitFor();
  expect(await stored()).toContain('2037-12-05T23:59:59');
  expect(faults).toEqual([]);
});

it.each([
  'Asia/Kolkata',
  'America/New_York',
])('a day ends at the same moment for each reader, as TIME_ZONE says: %s', async (timeZone) => {
  const app = await startConsole({ TIME_ZONE: 'Asia/Kolkata' });
  const at = await visit(app, { timeZone });
  await arrive(app, at, 'Grace Hall', `/users/${bruno}`);
  const { page } = at;
  await page.getByRole('button', { name: /^End/ }).first().click();
  await page.getByLabel('Last day', { exact: true }).fill('2037-12-01');
  const words = timeZone === 'Asia/Kolkata' ? '1 Dec 2037' : '1 Dec 2037, 13:29 GMT-5';
  await page.getByText(timeZone === 'Asia/Kolkata' ? 'until the end of this day.' : 'day in Asia/Kolkata.').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByText(`until ${words}`).first().waitFor();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(words, { exact: true }).first().waitFor();
  const rows = await app.context.sql.rows<{ end: string }>(
    `select to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as end from user_profiles where valid_until is not null`,
  );
  expect(rows).toContainEqual({ end: '2037-12-01T18:29:59' });
});

it.each([1440, 360])('at %i px the list of ends has the day, the time and the zone of each whole', async (width) => {
  const app = await startConsole();
  await app.context.sql.rows(
    `update user_profiles set valid_until = date_trunc('day', now(), 'UTC') + interval '20 days 23:59:59' where role_id = 'operator'`,
  );
  const at = await visit(app, { width, timeZone: 'Pacific/Chatham' });
  await arrive(app, at, 'Grace Hall', '/ending');
  await at.page
    .getByText(/GMT\+13:45/)
    .first()
    .waitFor();
  expect(await at.page.evaluate<string[]>(cutTexts('time'))).toEqual([]);
});

it.each([
  1440, 360,
])('at %i px a grant that a review ends on a date has both choices, and the date, its time and its zone whole', async (width) => {
  const app = await startConsole();
  const { context } = app;
  const guid = await startReview(context, {
    name: 'Spring',
    filter: { kinds: ['USER_PROFILE'] },
    dueAt: new Date(Date.now() + 86_400_000).toISOString(),
    undecided: 'KEEP',
  });
  await context.sql.rows(
    `update review_items set decision = 'END_AT', decided_at = now(), until = date_trunc('day', now(), 'UTC') + interval '20 days 23:59:59'`,
  );
  const at = await visit(app, { width, timeZone: 'Pacific/Chatham' });
  for (const view of ['decided', 'all']) {
    await arrive(app, at, 'Grace Hall', `/reviews/${guid}?view=${view}`);
    await at.page
      .locator('.row')
      .getByText(/GMT\+13:45/)
      .first()
      .waitFor();
    expect(await at.page.evaluate<string[]>(cutTexts('.decide button, .decide-cell > small, .decided'))).toEqual([]);
  }
});
