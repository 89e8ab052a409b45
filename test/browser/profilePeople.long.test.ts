/** People get a profile from its page, and lose it, get another end or another role together; two profiles are compared, and one is copied. */
import { insert } from '../support/records.js';
import { grace, openBrowser, settled } from './support/browser.js';
import { countClicks } from './support/clicks.js';

const system = '00000000-0000-0000-0000-000000000001';
const people = 36;

let at: Awaited<ReturnType<typeof grace>>;
beforeAll(async () => {
  await openBrowser();
  at = await grace();
  const { sql } = at.app.context;
  await sql.rows(
    `insert into users (first_name, last_name, email, department, is_blocked, created_by)
     select 'Lea', 'Legal ' || lpad(n::text, 3, '0'), 'lea' || n || '.legal@grid.example', 'Legal', n > 40, $1::uuid
       from generate_series(1, 41) n`,
    [system],
  );
  await insert(sql, 'profiles', { profile_id: 'crew', name: 'Crew of a site', created_by: system });
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, valid_until, created_by)
     select user_id, 'crew', 'operator', case when email like 'lea40%' then now() + interval '5 days' end, $1::uuid
       from users where email in ('lea39.legal@grid.example', 'lea40.legal@grid.example')`,
    [system],
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, valid_until, created_by)
     select 'crew', access_scope_id, case when access_scope_key = 'harbour' then '2099-01-01T00:00:00Z'::timestamptz end, $1::uuid
       from profile_access_scopes join access_scopes using (access_scope_id) where profile_id = 'reporting'
     union all select 'crew', access_scope_id, '2099-01-01T00:00:00Z', $1::uuid from access_scopes where access_scope_key = 'harbour'
     on conflict do nothing`,
    [system],
  );
});

const held = () =>
  at.app.context.sql.rows<{ email: string; role: string; end: string | null }>(
    `select email, role_id as role, to_char(valid_until, 'YYYY') as end from user_profiles join users using (user_id)
     where profile_id = 'crew' order by email`,
  );
const mail = (number: number) => `lea${number}.legal@grid.example`;

it('36 pasted people get a profile until a date in at most 7 clicks; who does not get it is listed first, with the reason', async () => {
  const { page, go } = at;
  await go('/overview');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Profiles', exact: true }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Crew of a site' }).click();
  await page.getByRole('button', { name: 'Add people…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: /^E-mail/ }).waitFor();
  const wanted = Array.from({ length: people - 1 }, (_, index) => mail(index + 1));
  const others = [mail(39), mail(40), mail(41), 'nobody@elsewhere.example', 'no address', 'lea36.legla@grid.example'];
  await page.keyboard.insertText([...wanted, ...others].join('\n'));
  await sheet.getByText('41 lines pasted').waitFor();
  await sheet.getByText('35 people get it, 6 do not').waitFor();
  await sheet.getByText('2 addresses are not known').waitFor();
  await sheet.getByText('2 people hold it already').waitFor();
  const rows = await sheet.getByRole('listitem').allInnerTexts();
  expect(rows[0]).toContain(`Did you mean ${mail(36)}?`);
  expect(rows[2]).toContain('Lea Legal 041');
  expect(rows[2]).toContain('blocked');
  await sheet.getByRole('button', { name: `Use ${mail(36)}` }).click();
  await sheet.getByText('36 people get it, 5 do not').waitFor();
  await sheet.getByRole('button', { name: '90 days' }).click();
  await sheet.getByRole('button', { name: 'Add 36 people' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(7);

  const now = await held();
  expect(now).toHaveLength(people + 2);
  expect(now.filter(({ email }) => wanted.includes(email) || email === mail(36)).every(({ end }) => end !== null)).toBe(
    true,
  );
  expect(now.find(({ email }) => email === mail(39))?.end).toBeNull();
});

it('those who hold it already are extended with them, and nobody’s end comes nearer', async () => {
  const { page, go } = at;
  await go('/profiles/crew');
  await page.getByRole('button', { name: 'Add people…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: /^E-mail/ }).waitFor();
  await page.keyboard.insertText(`${mail(37)}, ${mail(39)}; "Lea" <${mail(40)}>`);
  await sheet.getByRole('button', { name: 'Extend' }).click();
  await sheet.getByRole('button', { name: 'Add 1 person, extend 1' }).click();
  await page.getByRole('dialog').getByText('2 changes').first().waitFor();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('2 changes applied').waitFor();
  const ends = new Map((await held()).map(({ email, end }) => [email, end]));
  expect([ends.get(mail(37)), ends.get(mail(39)), ends.get(mail(40))]).toEqual([null, null, null]);
});

it('a department, and people one by one, are added too', async () => {
  const { page, go } = at;
  await go('/profiles/crew');
  await page.getByRole('button', { name: 'Add people…' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'By department' }).click();
  await sheet.getByRole('option', { name: /Legal/ }).click();
  await sheet.getByText('1 person gets it, 40 do not').waitFor();
  await sheet.getByRole('button', { name: 'One by one' }).click();
  await sheet.getByRole('combobox', { name: 'Person' }).fill('legal 038');
  await sheet.getByRole('option', { name: /Lea Legal 038/ }).click();
  await sheet.getByRole('button', { name: 'Add 1 person' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change applied').waitFor();
  expect((await held()).map(({ email }) => email)).toContain(mail(38));
});

it('people of a profile are filtered by a link, and get another role together', async () => {
  const { page, go } = at;
  await go('/profiles/crew?tab=holders&department=Legal&ends=never');
  await page.getByText('4 grants match').waitFor();
  await page.getByRole('checkbox', { name: 'Select all 4' }).click();
  await page.getByRole('button', { name: 'Change role…' }).click();
  await page.getByRole('option', { name: /Analyst/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByText('0people lose access').waitFor();
  await page.getByRole('button', { name: 'Apply 8 changes' }).click();
  await page.getByText('8 changes applied').waitFor();
  expect((await held()).filter(({ role }) => role === 'analyst').map(({ email }) => email)).toEqual([
    mail(37),
    mail(38),
    mail(39),
    mail(40),
  ]);
});

it('two profiles are compared in at most 4 clicks, by an address: what only one has, what both have, and who holds both', async () => {
  const { app, page, go } = at;
  await app.context.sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'reporting', 'analyst', $1 from users where email = $2`,
    [system, mail(37)],
  );
  await go('/overview');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Profiles', exact: true }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Crew of a site' }).click();
  await page.getByRole('link', { name: 'Compare…' }).click();
  await page.getByRole('option', { name: /Reporting/ }).click();
  await page.getByText('1 person holds both').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(4);
  await page.getByRole('region', { name: 'Access scopes: Only Crew of a site' }).getByText('Harbour station').waitFor();
  await page.getByRole('button', { name: 'People' }).click();
  await page.getByRole('region', { name: 'People: Only Crew of a site' }).getByText('Shown: 24 of 39').waitFor();
  expect(await page.getByRole('region', { name: 'People: Both' }).innerText()).toContain(mail(37));
  const link = new URL(page.url());
  await go(`${link.pathname.replace('/console', '')}${link.search}`);
  await page.getByRole('region', { name: 'People: Both' }).getByText(mail(37)).waitFor();
});

it('two users are compared from the page of one of them', async () => {
  const { app, page, go } = at;
  const [user] = await app.context.sql.rows<{ guid: string }>(
    'select user_guid::text as guid from users where email = $1',
    [mail(1)],
  );
  await go(`/users/${user!.guid}`);
  await page.getByRole('link', { name: 'Compare…' }).click();
  // until the page is there, typed letters are keys of the page before
  const other = page.getByRole('combobox', { name: 'Compare with which user' });
  await other.waitFor();
  expect(await other.evaluate((field) => field.matches(':focus'))).toBe(true);
  await page.keyboard.type('legal 037');
  await page.getByRole('option', { name: /Lea Legal 037/ }).click();
  await page
    .getByRole('region', { name: /^Profiles: Only Lea Legal 037/ })
    .getByText('Reporting', { exact: true })
    .waitFor();
  expect(await page.getByRole('region', { name: 'Profiles: Both' }).innerText()).toContain('Crew of a site');
});

it('a copy of a profile has its access scopes with their ends, and nobody holds it', async () => {
  const { app, page, go } = at;
  await go('/profiles/crew');
  await page.getByRole('button', { name: 'Copy…' }).click();
  await page.getByLabel('Id', { exact: true }).fill('crew-two');
  await page.getByLabel('Name', { exact: true }).fill('Second crew');
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Second crew' }).waitFor();
  await settled(page);
  const scopesOf = (profileId: string) =>
    app.context.sql.rows(
      'select access_scope_id, valid_until from profile_access_scopes where profile_id = $1 order by 1',
      [profileId],
    );
  expect(await scopesOf('crew-two')).toEqual(await scopesOf('crew'));
  expect(await app.context.sql.rows("select from user_profiles where profile_id = 'crew-two'", [])).toHaveLength(0);
});
