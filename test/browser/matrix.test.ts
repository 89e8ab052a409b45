/** The matrix: which type of access scopes it begins with, and that what is out of sight is not in the document. */
import { grace, openBrowser } from './support/browser.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/users');
});

const system = '00000000-0000-0000-0000-000000000001';

it('the matrix begins with the type that has the most mappings; each says how many access scopes it has, admin is last; heads leave out what all of them begin with', async () => {
  const { app, page, go } = at;
  const { sql } = app.context;
  await sql.rows(
    `with yard as (insert into access_scope_types (name, created_by) values ('yard', $1::uuid) returning access_scope_type_id)
     insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 'Yard ' || lpad(n::text, 3, '0'), 'yard-' || n, access_scope_type_id, $1::uuid from yard, generate_series(1, 204) n`,
    [system],
  );
  await sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, state, created_by)
     select application_id, access_scope_id, 'active', $1::uuid from applications, access_scopes where access_scopes.name < 'Yard 050' and access_scopes.name like 'Yard%'`,
    [system],
  );
  await go('/matrix');
  const types = page.getByRole('group', { name: 'Access scope type' }).getByRole('button');
  await page.getByRole('button', { name: 'yard 204', pressed: true }).waitFor();
  const names = await types.allInnerTexts();
  expect(names[0]).toBe('yard 204');
  expect(names.at(-1)).toMatch(/^admin \d+$/);
  expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThanOrEqual(1_200);

  await page.getByRole('searchbox', { name: 'Find among 205 columns' }).fill('199');
  const head = page.getByRole('columnheader', { name: 'Yard 199' });
  await head.waitFor();
  // what all heads begin with is left out of sight only
  expect(await head.innerText()).toBe('199');
  expect(await head.getByRole('button').getAttribute('title')).toContain('Yard 199');
  await page.getByText('1 of 1 column', { exact: true }).waitFor();
});
