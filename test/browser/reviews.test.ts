/** Access reviews in the console: started, decided by keys, kept through a reload, finished; and lists saved as CSV. */
import { readFileSync } from 'node:fs';
import { arrive, openBrowser, startConsole, visit } from './support/browser.js';

beforeAll(openBrowser);

it('a review is started, decided by keys, survives a reload, and is finished', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await arrive(app, at, 'Grace Hall', '/reviews');
  const { page } = at;
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Spring');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const grid = page.getByRole('grid', { name: 'Spring' });
  await grid.waitFor();
  await page.getByText('K keep').waitFor();
  await grid.focus();
  let answer = () => {};
  const answering = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/graphql', async (route) => {
    await answering;
    await route.continue();
  });
  await page.keyboard.press('k');
  await page.keyboard.press('e');
  await page.getByText('2 not saved yet').waitFor();
  answer();
  await page.getByText(/^2 of \d+ grants decided/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Decided 2' }).click();
  await page.getByRole('grid').getByText('Keep', { exact: true }).waitFor();
  const [before] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from user_profiles');
  await page.getByRole('button', { name: 'Finish…' }).click();
  await page.getByRole('button', { name: 'Finish and end what was decided' }).click();
  await page
    .getByText(/finished/)
    .first()
    .waitFor();
  const [after] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from user_profiles');
  expect(after!.count).toBe(before!.count - 1);
});

it('a list is saved as CSV as it is filtered, and no text of it is a formula', async () => {
  const app = await startConsole();
  const at = await visit(app);
  await app.context.sql.rows(`update roles set description = '=1+1' where role_id = (select min(role_id) from roles)`);
  await arrive(app, at, 'Grace Hall', '/roles');
  const { page } = at;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^gatehouse-roles-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...lines] = readFileSync(await download.path(), 'utf8')

    .replace(/\r\n$/, '')
    .split('\r\n');
  expect(head).toMatch(/^\uFEFFroleId,name,description,/);
  const [roles] = await app.context.sql.rows<{ count: number }>('select count(*)::int as count from roles');
  expect(lines).toHaveLength(roles!.count);
  expect(lines.join('\n')).toContain(`"'=1+1"`);
});
