/** What is printed is whole, black on white, in the dark too, and without what is around the page. */
import type { TestApp } from '../support/app.js';
import { arrive, openBrowser, startConsole, type Visit, visit } from './support/browser.js';

const system = '00000000-0000-4000-8000-000000000000';
const people = 1_200;

let app: TestApp;
let at: Visit;
beforeAll(async () => {
  await openBrowser();
  app = await startConsole();
  await app.context.sql.rows(
    `with made as (insert into users (first_name, last_name, email, created_by)
       select 'Printed', 'Person ' || n, 'printed' || n || '@grid.example', $1::uuid from generate_series(1, ${people}) n returning user_id)
     insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, 'reporting', 'analyst', $1::uuid from made`,
    [system],
  );
  at = await visit(app, { theme: 'dark' });
  await arrive(app, at, 'Grace Hall', '/reviews');
  // the dialog of the printer
  await at.context.addInitScript('window.print = () => {}');
});

/** What a printer would get: the texts of the rows, the colours, and what else is shown. */
async function printed() {
  const { page } = at;
  const sheet = page.locator('.print-sheet');
  await sheet.waitFor({ state: 'attached' });
  expect(await sheet.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect([await sheet.isVisible(), await page.locator('#root').isVisible()]).toEqual([true, false]);
  const texts = '[...document.querySelectorAll(".print-sheet :is(h1, p, th, td)")]';
  const colours = await page.evaluate(`[...new Set(${texts}.map((one) => getComputedStyle(one).color))]`);
  expect(colours).toEqual(['rgb(0, 0, 0)']);
  // the colour of the root is that of the paper
  for (const one of ['documentElement', 'body'])
    expect(await page.evaluate(`getComputedStyle(document.${one}).backgroundColor`)).toBe('rgb(255, 255, 255)');
  const heads = await sheet.getByRole('heading').allInnerTexts();
  const rows = await sheet.locator('tbody tr').allInnerTexts();
  const text = await sheet.innerText();
  // when it is printed the sheet goes
  const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g)!.length;
  await sheet.waitFor({ state: 'detached' });
  await page.emulateMedia({ media: 'screen' });
  return { heads, rows, pages, text };
}

it('an access review is printed with every grant, whatever the list shows', async () => {
  const { page, go } = at;
  await go('/reviews');
  await page.getByRole('button', { name: 'Start a review…' }).click();
  await page.getByLabel('Name').fill('Autumn');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const all = page.getByRole('button', { name: /^All [\d,]+$/ });
  await all.waitFor();
  const total = Number((await all.innerText()).replace(/\D/g, ''));
  expect(total).toBeGreaterThan(people);
  await go(`${new URL(page.url()).pathname.replace('/console', '')}?q=bruno`);
  await page.getByRole('button', { name: 'More about this review' }).click();
  await page.getByRole('button', { name: 'Print…' }).click();
  const { heads, rows, pages, text } = await printed();
  expect(heads[0]).toBe('Access review: Autumn');
  expect(rows).toHaveLength(total);
  expect(pages).toBeGreaterThan(10);
  expect(text).toMatch(/Grace Hall/);
  // names, not ids
  expect(rows.join()).toContain('Reporting as Analyst');
});

it('any other page is printed without what is around it, whichever page came before', async () => {
  const { page, go } = at;
  await go('/overview');
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Find or do anything/ }).waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: 'screen' });
});

it('a list of which only the rows in the window are printed says so on the paper', async () => {
  const { page, go } = at;
  const note = () => page.evaluate<string>(`getComputedStyle(document.getElementById('main'), '::after').content`);
  for (const path of ['/users', '/matrix']) {
    await go(path);
    expect(await note()).toBe('none');
    await page.emulateMedia({ media: 'print' });
    expect(await note()).toMatch(/Save as CSV has the whole list/);
    await page.emulateMedia({ media: 'screen' });
  }
  await go('/overview');
  await page.emulateMedia({ media: 'print' });
  expect(await note()).toBe('none');
  await page.emulateMedia({ media: 'screen' });
});

it('what is printed of a review says what was done, and of a cancelled one that nothing was', async () => {
  const { page, go } = at;
  const { sql } = app.context;
  const [guid] = (await sql.rows<{ guid: string }>('select review_guid::text as guid from reviews limit 1')).map(
    (row) => row.guid,
  );
  const print = async () => {
    await go(`/reviews/${guid}`);
    await page.getByRole('button', { name: 'More about this review' }).click();
    await page.getByRole('button', { name: 'Print…' }).click();
    return printed();
  };
  const [{ total }] = (await sql.rows<{ total: number }>('select count(*)::int as total from review_items')) as [
    { total: number },
  ];
  const words = (count: number) => count.toLocaleString('en');
  await sql.rows(
    `update review_items set decision = 'END', decided_by = $1::uuid, decided_at = now()
     where review_item_id in (select review_item_id from review_items order by review_item_id limit 12)`,
    [system],
  );
  expect((await print()).text).toContain(`0 to keep, 12 to end, 0 to end on a day, ${words(total - 12)} undecided.`);
  await sql.rows("update reviews set state = 'CANCELLED', finished_at = now()");
  expect((await print()).text).toContain(`${words(total - 12)} undecided. Nothing was ended.`);
  await sql.rows("update review_items set outcome = case when decision = 'END' then 'CHANGED' else 'ENDED' end");
  await sql.rows("update reviews set state = 'FINISHED'");
  const { text } = await print();
  expect(text).toContain(`0 kept; ${words(total - 12)} ended; 0 end set; 12 changed since, not touched.`);
  expect(text).toContain('nobody decided (ended)');
});

it('a review of changes is printed with its sentences, each change, and everybody who gains and loses', async () => {
  const { page, go } = at;
  await go('/profiles/reporting');
  await page.getByRole('button', { name: 'More about this profile' }).click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page
    .getByText(/people lose access/)
    .first()
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Print…' }).click();
  const { heads, rows, text } = await printed();
  expect(heads).toEqual([
    'Review 1 change',
    'What it does',
    'By profile',
    '1 change',
    expect.stringMatching(/^1,2\d\d people lose access$/),
  ]);
  expect(rows.filter((row) => row.includes('@grid.example'))).toHaveLength(people);
  expect(text).toContain('Delete the profile Reporting');
});

it('of the inbox the proposal that is read is printed, without the list and what decides it', async () => {
  const { page, go } = at;
  await page.getByLabel('Note for the history').fill('nobody needs it');
  await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go('/inbox?view=mine');
  const proposal = page.getByRole('article', { name: /Delete the profile Reporting/ });
  await proposal.waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.locator('.inbox-list').waitFor({ state: 'hidden' });
  expect([await proposal.isVisible(), await proposal.getByRole('button', { name: 'Withdraw' }).isVisible()]).toEqual([
    true,
    false,
  ]);
  await page.emulateMedia({ media: 'screen' });
});
