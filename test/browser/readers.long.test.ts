/** Who may only read is led nowhere that refuses: each entry of the menu, each tab and each link of a page answers. */
import { grace, openBrowser, settled } from './support/browser.js';

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace('/roles');
  // her sessions ended with the entries: she signs in anew, and may read only
  const { app, page } = at;
  await app.context.sql.rows(
    `delete from profile_access_scopes has using access_scopes s
     where s.access_scope_id = has.access_scope_id and has.profile_id = 'administration' and s.access_scope_key in ('write', 'security')`,
  );
  await page.reload();
  await settled(page);
});

const refusal = /does not allow this/;

it('each entry of the menu answers', async () => {
  const { page } = at;
  const links = await page.getByRole('navigation').first().getByRole('link').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) {
    await page.goto(new URL(path!, page.url()).href);
    await settled(page);
    expect([path, refusal.test(await page.locator('#main').innerText())]).toEqual([path, false]);
  }
});

it.each([
  ['an application', '/applications/de330000-0000-4000-8000-000000000001'],
  ['somebody else', '/users/de300000-0000-4000-8000-000000000002'],
  ['the reader', '/users/de300000-0000-4000-8000-000000000006'],
  ['a profile', '/profiles/grid-operator'],
  ['an access scope', '/scopes/de320000-0000-4000-8000-000000000003'],
  ['a type', '/types/de310000-0000-4000-8000-000000000001'],
  ['a role', '/roles/operator'],
])('each tab of %s answers', async (_name, path) => {
  const { page, go } = at;
  await go(path);
  const tabs = await page.getByRole('tab').all();
  expect(tabs.length).toBeGreaterThan(1);
  for (const tab of tabs) {
    await tab.click();
    await settled(page);
    expect([await tab.innerText(), refusal.test(await page.locator('#main').innerText())]).toEqual([
      await tab.innerText(),
      false,
    ]);
  }
});

it.each([
  ['/keys', 'Rotate…'],
  ['/clients', 'New client'],
  ['/clients/demo-client', 'Change'],
  ['/clients/demo-client', 'New secret…'],
  ['/clients/demo-client', 'More about this client'],
  ['/clients/demo-client', 'Harden…'],
])('with admin:security, %s offers %s, whether or not the reader may change the catalogue', async (path, name) => {
  const { app, page, go } = at;
  await app.context.sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'administration', access_scope_id, '00000000-0000-0000-0000-000000000001'::uuid from access_scopes
     where access_scope_key = 'security' and access_scope_guid::text like 'ad3%' on conflict do nothing`,
  );
  await go(path);
  await page.getByRole('button', { name, exact: true }).waitFor();
  await go('/roles');
  expect(await page.getByRole('link', { name: 'New role' }).count()).toBe(0);
});
