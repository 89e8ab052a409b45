/** Grants that end: set where the grant is given, shown with the days left, and extended many at once. */
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
