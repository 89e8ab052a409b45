/** An access review of a part: chosen by departments, profiles and owners, with its size before it starts. */
import { grace, openBrowser } from './support/browser.js';

beforeAll(openBrowser);

it('the size is that of the part which was chosen, and the review that starts has it', async () => {
  const { app, page } = await grace('/reviews');
  await app.context.sql.rows("update profiles set owner_profile_id = 'administration' where profile_id = 'reporting'");
  await app.context.sql.rows("update users set department = 'Finance' where first_name in ('Clara', 'Emma')");
  await page.getByRole('button', { name: 'Start a review…' }).click();
  const sheet = page.getByRole('dialog');
  const size = sheet.getByRole('status');
  const read = async () => Number(/\d+/.exec(await size.getByText(/^\d+ grants? /).innerText())![0]);
  const all = await read();
  const choose = async (label: string, text: string, option: RegExp) => {
    await sheet.getByRole('combobox', { name: label }).fill(text);
    await sheet.getByRole('option', { name: option }).first().click();
  };
  await choose('Only people of departments', 'fin', /Finance/);
  await sheet.getByRole('list', { name: 'Only people of departments' }).getByText('Finance').waitFor();
  await sheet.getByText('Counting…').waitFor({ state: 'detached' });
  const some = await read();
  expect(some).toBeLessThan(all);
  await choose('Only profiles owned by', 'admin', /Administration/);
  await sheet.getByText('Counting…').waitFor({ state: 'detached' });
  const [counted] = await app.context.sql.rows<{ count: number }>(
    `select count(*)::int as count from user_profiles join users using (user_id) join profiles using (profile_id)
     where department = 'Finance' and owner_profile_id = 'administration' and (valid_until is null or valid_until > now())`,
  );
  expect(counted!.count).toBeGreaterThan(0);
  expect(await read()).toBe(counted!.count);
  await sheet.getByLabel('Name').fill('Finance only');
  await sheet.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('grid', { name: 'Finance only' }).waitFor();
  await page.getByText(`0 of ${counted!.count} grant`).first().waitFor();
});

it('a part in which there is no grant cannot be started, and a condition is taken back', async () => {
  const { app, page } = await grace('/reviews');
  await app.context.sql.rows(
    "insert into users (first_name, department, created_by) values ('Only', 'Empty room', $1)",
    ['de300000-0000-4000-8000-000000000006'],
  );
  await page.getByRole('button', { name: 'Start a review…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name').fill('Nothing');
  await sheet.getByRole('combobox', { name: 'Only people of departments' }).fill('empty room');
  await sheet.getByRole('option', { name: /Empty room/ }).click();
  await sheet.getByText('No grant matches: there is nothing to review.').waitFor();
  expect(await sheet.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(false);
  await sheet.getByRole('button', { name: 'Leave out Empty room' }).click();
  await sheet.getByText(/^\d+ grants of/).waitFor();
  expect(await sheet.getByRole('button', { name: 'Start', exact: true }).isEnabled()).toBe(true);
});
