/** Every list is reached to its last item, however many there are; a part of one says so with the number, and leads to the rest. */
import { readFileSync } from 'node:fs';
import { startReview } from '../../src/modules/governance/reviews/startReview.js';
import { until } from '../support/until.js';
import { grace, openBrowser, settled } from './support/browser.js';
import { bruno, gridMonitor, grids, harbour, site, system, zoneReview } from './support/lists.js';

const many = 160;

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  const { sql } = at.app.context;
  const n = 'generate_series(1, $1::int) n';
  const numbered = (name: string) => `'${name} ' || lpad(n::text, 4, '0')`;
  await sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select ${numbered('Zone')}, 'a', 'b', 'web', 'tab', 'external', $2::uuid from ${n}`,
    [many, system],
  );
  await sql.rows(
    `insert into access_scopes (access_scope_type_id, name, access_scope_key, created_by)
     select (select access_scope_type_id from access_scope_types where access_scope_type_guid = $3),
       ${numbered('Zone')}, 'zone-' || n, $2::uuid from ${n}`,
    [many, system, site],
  );
  await sql.rows(
    `insert into users (first_name, last_name, email, created_by)
     select 'Zora', ${numbered('Zone')}, 'zora' || n || '@grid.example', $2::uuid from ${n}`,
    [many, system],
  );
  await sql.rows(
    `insert into profiles (profile_id, name, created_by) select 'zone-' || n, ${numbered('Zone')}, $2::uuid from ${n}`,
    [many, system],
  );
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'grid-operator', 'operator', $1::uuid from users where first_name = 'Zora'
     union all select (select user_id from users where user_guid = $2), profile_id, 'analyst', $1::uuid
       from profiles where profile_id like 'zone-%'`,
    [system, bruno],
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select profile_id, (select access_scope_id from access_scopes where access_scope_guid = $2), $1::uuid
       from profiles where profile_id like 'zone-%'
     union all select 'grid-operator', access_scope_id, $1::uuid from access_scopes where access_scope_key like 'zone-%'`,
    [system, harbour],
  );
  await sql.rows(
    `insert into access_scope_applications_mappers (access_scope_id, application_id, state, created_by)
     select (select access_scope_id from access_scopes where access_scope_guid = $2), application_id, 'active', $1::uuid
       from applications where name like 'Zone%'
     union all select access_scope_id, (select application_id from applications where application_guid = $3), 'active', $1::uuid
       from access_scopes where access_scope_key like 'zone-%'`,
    [system, harbour, gridMonitor],
  );
  await sql.rows(
    `insert into access_scope_type_applications_mappers (access_scope_type_id, application_id, state, created_by)
     select (select access_scope_type_id from access_scope_types where access_scope_type_guid = $2), application_id, 'active', $1::uuid
       from applications where name like 'Zone%'`,
    [system, site],
  );
  await sql.rows(
    `insert into clients (client_id, client_secret, name) select 'zone-' || n, '', ${numbered('Zone')} from ${n}`,
    [many],
  );
  await sql.rows(
    `insert into roles (role_id, name, created_by) select 'zone-' || n, ${numbered('Zone')}, $2::uuid from ${n}`,
    [many, system],
  );
  await sql.rows(
    `insert into connectors (connector_id, idpname, role_id, token_hash)
     select 'zone-' || lpad(n::text, 4, '0'), 'zone', 'operator', sha256(n::text::bytea) from ${n}`,
    [many],
  );
  await sql.rows(
    `insert into access_scope_types (name, created_by) select 'zone' || lpad(n::text, 4, '0'), $2::uuid from ${n}`,
    [many, system],
  );
  await sql.rows(
    `insert into usages (client_id, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
     select 'demo-client', '', 'GET /zone-' || lpad(n::text, 4, '0'), 'x', '', '', seen, seen, 1, 0
     from ${n}, lateral (select now() - interval '1 day' - n * interval '1 second' as seen) at`,
    [many],
  );
  // ends soon, and was never used
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, valid_until, created_by, created_date)
     select user_id, 'field-north', 'zone-1', now() + interval '9 days' + (user_id || ' seconds')::interval, $1::uuid, now() - interval '99 days'
     from users where first_name = 'Zora'`,
    [system],
  );
  await sql.rows(`update applications set translation_group = 'many' where application_guid = $1`, [gridMonitor]);
  await sql.rows(
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select 'many', field, 'x' || lpad(n::text, 3, '0'), field || ' ' || n
       from generate_series(1, 130) n, unnest(array['description', 'name']) field`,
  );
  await startReview(
    {
      ...at.app.context,
      face: 'graphql',
      caller: { kind: 'system', sub: system, permissions: new Set(['admin:read', 'admin:security']) },
    },
    {
      name: 'All of them',
      filter: { profileIds: ['field-north', ...Array.from({ length: many }, (_, n) => `zone-${n + 1}`)] },
      dueAt: new Date(Date.now() + 86_400_000).toISOString(),
      undecided: 'KEEP',
    },
  );
  await sql.rows('update reviews set review_guid = $1', [zoneReview]);
});

it.each(grids)('$name: the keyboard reaches the last one, and the search finds it', async ({
  path,
  last,
  words = '0160',
}) => {
  const { page, go } = at;
  await go(path);
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('End');
  await grid.getByText(last, { exact: true }).waitFor();
  await page.keyboard.press('Home');
  await grid.getByText(last, { exact: true }).waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type(words);
  await page.getByText(/^1 [a-z ]+ match(es)?$/).waitFor();
  await grid.getByText(last, { exact: true }).waitFor();
});

it.each(grids)('$name: its file is made by the service, with every row', async ({ path, name }) => {
  const { page, go } = at;
  await go(path);
  const rows = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  const [request, download] = await Promise.all([
    page.waitForRequest((asked) => asked.url().includes('/console/export/')),
    page.waitForEvent('download'),
    page.locator('[data-export]').first().click(),
  ]);
  expect(request.method()).toBe('POST');
  const [first, , ...lines] = readFileSync(await download.path(), 'utf8')
    .split('\r\n')
    .slice(0, -1);
  expect([name, lines.length, /,rows,(\d+),/.exec(first!)?.[1]]).toEqual([name, rows, String(rows)]);
});

it.each([
  ['profiles of a person', `/users/${bruno}`, 'Zone 0160'],
  ['profiles that reach an application', `/applications/${gridMonitor}`, 'Field work, north'],
])('%s: a part says how many there are, and the last one is reached', async (_name, path, last) => {
  const { page, go } = at;
  await go(path);
  const more = page.getByRole('button', { name: /^Show (more|all)$/ });
  for (let part = 0; part < 20 && (await more.count()) > 0; part++) {
    expect(await page.locator('.rest').first().innerText()).toMatch(/^Shown: [\d,]+ of [\d,]+/);
    await more.first().click();
    await settled(page);
  }
  await page.getByText(last, { exact: true }).last().waitFor();
});

it('a list that shows a part of a person, a profile or an application leads to all of it', async () => {
  const { page, go } = at;
  await go(`/applications/${gridMonitor}`);
  await page.getByRole('link', { name: /^All 163 grants of Grid operator/ }).click();
  await page.getByText('164 grants').waitFor();
  await go(`/users/de300000-0000-4000-8000-000000000001`);
  await page.getByRole('link', { name: /^All 162 access scopes of Grid operator/ }).click();
  await page.getByRole('tab', { name: /Access scopes 162/, selected: true }).waitFor();
});

it('a picker says how many there are beside those that it offers', async () => {
  const { page, go } = at;
  await go('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill('zora');
  await page.getByText('Shown: 8 of 160. Type more of the name.').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zora');
  await page.getByRole('option', { name: 'All 160 people with “zora”' }).click();
  await page.getByText('160 users match').waitFor();
});

it('everybody who holds a profile is selected at once, and the undoing of their removal tells of each', async () => {
  const { page, go } = at;
  await go('/profiles/grid-operator?tab=holders&q=zora');
  await page.getByRole('grid').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Select all 160' }).click();
  await page.getByText('All 160 are selected').waitFor();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Show all 160' }).click();
  await page.getByRole('dialog').getByText('Zora Zone 0001').waitFor();
  // the note is in sight, and the document is small, however many changes there are
  const note = await page.getByLabel('Note for the history').boundingBox();
  expect(note!.y + note!.height).toBeLessThanOrEqual(900);
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1_200);
  await page.getByRole('button', { name: 'Apply 160 changes' }).click();
  await page.getByText('160 changes applied').waitFor();
  await page.getByRole('button', { name: 'Undo…' }).click();

  const sheet = page.getByRole('dialog');
  await sheet.getByText(/Shown: 50 of 1\d\d/).waitFor();
  for (let part = 0; part < 20 && (await sheet.getByRole('button', { name: 'Show more' }).count()) > 0; part++) {
    await sheet.getByRole('button', { name: 'Show more' }).click();
    await settled(page);
  }
  const rows = await sheet.locator('.reviewed li').allInnerTexts();
  expect(rows.filter((row) => row.includes('Zora Zone')).length).toBe(many);
  await sheet.getByRole('button', { name: 'Undo', exact: true }).click();
  await sheet.waitFor({ state: 'detached' });
});

it('a change of more records than can be undone says so in place of Undo', async () => {
  const { page, go, app } = at;
  const { sql } = app.context;
  await sql.rows(
    `insert into audit_events (change_set_id, actor, action, subject_type, subject_id)
     select change_set_id, actor, action, 'Application', 'x' || n from
       (select * from audit_events order by audit_event_id desc limit 1) last, generate_series(1, 10001) n`,
  );
  await go('/history');
  await page.getByText('too large to undo: 10,000 is the most').waitFor();
});

it('the matrix of a type with more than 1,000 access scopes reaches the last column', async () => {
  const { page, go, app } = at;
  const { sql } = app.context;
  await sql.rows(`insert into access_scope_types (name, created_by) values ('Wide', $1::uuid)`, [system]);
  await sql.rows(
    `insert into access_scopes (access_scope_type_id, name, access_scope_key, created_by)
     select access_scope_type_id, 'Wide ' || lpad(n::text, 4, '0'), 'wide-' || n, $1::uuid
       from access_scope_types, generate_series(1, 1002) n where name = 'Wide'`,
    [system],
  );
  await sql.rows(
    `insert into access_scope_applications_mappers (access_scope_id, application_id, state, created_by)
     select access_scope_id, application_id, 'active', $1::uuid from access_scopes, applications
       where access_scope_key = 'wide-1002' and application_guid = $2`,
    [system, gridMonitor],
  );
  await go('/matrix?type=Wide&q=grid+monitor');
  await page.getByRole('button', { name: '1,001 to 1,002' }).click();
  const grid = page.getByRole('grid');
  await page.locator('[role=grid][aria-colcount="4"]').waitFor();
  await grid
    .getByRole('gridcell', { name: /Wide 1002.*active|Wide 1002/ })
    .first()
    .waitFor();
  await grid.locator('.mark.active').first().waitFor({ timeout: 20000 });
});

it('a text in the last of 130 languages is shown, and is not taken for a missing one', async () => {
  const { page, go } = at;
  await go('/translations?q=grid+monitor&language=x130');
  const cell = page.getByRole('textbox', { name: /, name in x130$/ });
  await cell.waitFor();
  expect(await cell.inputValue()).toBe('name 130');
});

it('a large review lists who gains by profile, and finds and pages each of them', async () => {
  const { page, go, app } = at;
  const { sql } = app.context;
  await sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 'Yard ' || n, 'a', 'b', 'web', 'tab', 'external', $1::uuid from generate_series(1, 2) n`,
    [system],
  );
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'zone-7', 'operator', $1::uuid from users where first_name = 'Zora'`,
    [system],
  );
  await go('/matrix?type=site&q=yard');
  for (const name of ['Yard 1', 'Yard 2'])
    await page
      .getByRole('gridcell', { name: new RegExp(`^${name}, `) })
      .first()
      .click();
  await page.keyboard.press('Control+Enter');
  const affected = page.getByRole('dialog').getByRole('region', { name: 'Who is affected' });
  await affected.getByText('Zone 0007', { exact: true }).waitFor();
  await affected.getByText(/^Shown: 6 of 1[67]\d$/).waitFor();
  expect(await page.getByRole('dialog').innerText()).not.toContain('Nobody gains');
  await affected.getByRole('button', { name: /^Show the 16\d people who gain$/ }).click();
  await affected.getByText(/^Shown: 12 of 16\d$/).waitFor();
  await affected.getByRole('searchbox').fill('zora151@');
  await affected.getByText(/zora151@grid\.example/).waitFor();
  await until(async () => (await affected.locator('.affected-list li').count()) === 1);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
});

it('the best of many ways to an application is shown with the number of the others; without an open way there is one sentence with groups', async () => {
  const { page, go, app } = at;
  const ada = 'de300000-0000-4000-8000-000000000001';
  await go(`/why?user=${ada}&application=${gridMonitor}`);
  await page.getByText(/^16\d ways open\.$/).waitFor();
  await page.getByText(/^16\d more open it\.$/).waitFor();
  expect(await page.locator('.picture .node').count()).toBe(4);
  await page.getByRole('button', { name: 'Show 20' }).click();
  await page.getByText(/^Shown: 20 of 16\d open ways\.$/).waitFor();
  await page.locator('.picture .node').nth(20).waitFor();

  const [nowhere] = await app.context.sql.rows<{ guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     values ('Nowhere', 'a', 'b', 'web', 'tab', 'external', $1::uuid) returning application_guid as guid`,
    [system],
  );
  await go(`/why?user=${ada}&application=${nowhere!.guid}`);
  await page.getByText(/^None of the 16\d ways by own profiles and their access scopes leads to it\.$/).waitFor();
  expect(await page.locator('.verdict li').count()).toBe(0);
  await page.getByText('No mapping leads on').waitFor();
  await page.getByText(/^Shown: 20 of 16\d ways$/).waitFor();
});

it('names are found by any part and without their accents, in a list, a picker, the palette and the history', async () => {
  const { page, go, app } = at;
  await app.context.sql.rows(
    `insert into users (first_name, last_name, email, created_by) values ('Zoë', 'Müller', 'zm@grid.example', $1::uuid)`,
    [system],
  );
  await app.context.sql.rows(
    `insert into change_sets (actor, face, note)
     select user_guid, 'console', 'Für die Überwachung' from users where last_name = 'Müller'`,
  );
  for (const text of ['muller', 'uberwach']) {
    await go(`/history?q=${text}`);
    await page.getByText('1 change matches').waitFor();
  }
  await go('/users?q=uller');
  await page.getByText('1 user matches').waitFor();
  await page.getByRole('row', { name: /Zoë Müller/ }).waitFor();
  await go('/why');
  await page.getByRole('combobox', { name: 'Person' }).fill('zoe muller');
  await page.getByRole('option', { name: /zm@grid\.example/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('uller');
  await page.getByRole('option', { name: /Zoë Müller/ }).waitFor();
});

it('the palette does what is typed: asks why, blocks a person, and leads to a new record', async () => {
  const { page, go } = at;
  await go('/users');
  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
  };
  await type('why zora zone 0007 zone 00');
  await page.keyboard.press('Enter');
  await page
    .getByRole('group', { name: /^Why Zora Zone 0007/ })
    .getByRole('option', { name: /Zone 0001/ })
    .click();
  await page.waitForURL(/why\?user=.*&application=/);
  await type('block zora7@');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await type('new application');
  await page.keyboard.press('Enter');
  await page.waitForURL(/applications\/new/);
});

it('the matrix and a comparison are saved as CSV to their last row; each row of a comparison says who has it', async () => {
  const { page, go, app } = at;
  const { sql } = app.context;
  await sql.rows(
    `with made as (insert into access_scope_types (name, created_by) values ('Long', $1::uuid) returning access_scope_type_id),
       whole as (insert into access_scope_type_applications_mappers (access_scope_type_id, application_id, state, created_by)
         select access_scope_type_id, application_id, 'active', $1::uuid from made, applications where name like 'Zone%'),
       scopes as (insert into access_scopes (access_scope_type_id, name, access_scope_key, created_by)
         select access_scope_type_id, 'Long ' || n, 'long-' || n, $1::uuid from made, generate_series(1, 7) n returning access_scope_id)
     insert into access_scope_applications_mappers (access_scope_id, application_id, state, created_by)
     select access_scope_id, application_id, 'planned', $1::uuid from scopes, applications where name like 'Zone%'`,
    [system],
  );
  await sql.rows(`insert into profiles (profile_id, name, created_by) values ('long', 'Long', $1::uuid)`, [system]);
  await sql.rows(
    `with people as (insert into users (first_name, last_name, created_by)
       select 'Lona', 'Long ' || n, $1::uuid from generate_series(1, 1100) n returning user_id)
     insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, profile_id, 'operator', $1::uuid from people, unnest(array['long', 'zone-9']) profile_id
     union all select user_id, 'long', 'operator', $1::uuid from users where first_name = 'Zora'`,
    [system],
  );
  const saved = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const [first, head, ...lines] = readFileSync(await download.path(), 'utf8')
      .split('\r\n')
      .slice(0, -1);
    expect(first).toMatch(/^\uFEFFGatehouse export,/);
    expect(new Set(lines).size).toBe(lines.length);
    return { name: download.suggestedFilename(), head, lines };
  };
  await go('/matrix?type=Long');
  const all = await saved();
  expect(all.name).toMatch(/^gatehouse-matrix-of-long-/);
  expect(all.head).toMatch(/^application,applicationGuid,isActive,accessScopeType,accessScope,accessScopeGuid,state,/);
  expect(all.lines.filter((line) => line.includes(',planned,'))).toHaveLength(7 * many);
  expect(all.lines.filter((line) => line.includes(',active,'))).toHaveLength(many);
  await go('/matrix?type=Long&q=zone+0160');
  expect((await saved()).lines).toHaveLength(8);

  await go('/compare/profiles?left=long&right=zone-9&view=people');
  const people = await saved();
  expect(people.name).toMatch(/^gatehouse-people-of-long-and-zone-0009-/);
  const having = Object.groupBy(people.lines, (line) => line.split(',')[0]!);
  const counts = Object.entries(having).map(([has, lines]) => [has, lines!.length] as const);
  expect(Object.fromEntries(counts)).toEqual({ 'only Long': many, both: 1_100, 'only Zone 0009': 1 });
});
