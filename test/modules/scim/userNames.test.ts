/** Names of users are compared in one form of Unicode: those that look and print the same are the same (RFC 7644 §5, RFC 8265 §3.3). */
import { Migration20261127053000 } from '../../../src/database/migrations/Migration20261127053000.js';
import { Migration20261129031500 } from '../../../src/database/migrations/Migration20261129031500.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { createProfile, updateProfile } from '../../../src/services/people/profiles.js';
import { createUser, updateUser } from '../../../src/services/people/users.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { newConnector, newGroup, type Scim } from '../../support/connectors.js';
import { newProfile, newUser, systemUser } from '../../support/records.js';

let app: TestApp;
let scim: Scim;
let count = 0;
beforeAll(async () => {
  app = await startTestApp({ SCIM_RATE_LIMIT: '0' });
  ({ scim } = await newConnector(app.context, app.url, 'names'));
});

const create = (userName: string) => scim('POST', '/Users', { userName, externalId: `id-${++count}` });
const found = async (filter: string) =>
  (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json.Resources.map(
    ({ userName }: { userName: string }) => userName,
  );
const quoted = (text: string) => JSON.stringify(text);

it.each([
  ['composed', 'zo\u00EB@x.test', 'zoe\u0308@x.test'],
  ['in another case', 'STRASSE-ZO\u00CB', 'strasse-zoe\u0308'],
  ['wide', 'user1@x.test', '\uFF55\uFF53\uFF45\uFF521\uFF20x.test'],
  ['narrow', '\u30AC\u30AE@x.test', '\uFF76\uFF9E\uFF77\uFF9E@x.test'],
  ['with two marks in another order', 'a\u0323\u0307@x.test', 'a\u0307\u0323@x.test'],
  ['of Hangul', '\uAC00@x.test', '\u1100\u1161@x.test'],
  ['a ligature', 'fi@ligature', '\uFB01@ligature'],
])('a name in another form is the same name: %s', async (_what, name, other) => {
  for (const [stored, asked] of [
    [name, other],
    [other, name],
  ] as const) {
    const { status, json } = await create(stored);
    expect(status).toBe(201);
    expect(json.userName).toBe(stored);
    expect(await found(`userName eq ${quoted(asked)}`)).toEqual([stored]);
    expect(await found(`userName eq ${quoted(asked.toUpperCase())}`)).toEqual([stored]);
    for (const operator of ['co', 'sw', 'ew'])
      expect(await found(`userName ${operator} ${quoted(asked)}`)).toEqual([stored]);
    expect(await found(`userName ne ${quoted(asked)} and userName eq ${quoted(stored)}`)).toEqual([]);
    expect((await create(asked)).json).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const another = (await create(`another-${count}`)).json.id;
    const patch = { Operations: [{ op: 'replace', path: 'userName', value: asked }] };
    expect((await scim('PATCH', `/Users/${another}`, patch)).json).toMatchObject({ scimType: 'uniqueness' });
    expect((await scim('PUT', `/Users/${another}`, { userName: asked })).json).toMatchObject({
      scimType: 'uniqueness',
    });
    // the user itself may be written in the other form
    expect((await scim('PATCH', `/Users/${json.id}`, patch)).json).toMatchObject({ id: json.id, userName: asked });
    for (const id of [json.id, another]) expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  }
});

it('of several users created at once with the same name in different forms there is one', async () => {
  const answers = await Promise.all(
    ['\u00E9ve', 'e\u0301ve', '\u00C9VE', 'E\u0301VE', '\uFF45\u0301ve'].map((userName) => create(userName)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  for (const { status, json } of answers) if (status === 409) expect(json.scimType).toBe('uniqueness');
});

it('a user without a name is found by the e-mail address in any form', async () => {
  const { user_guid: id } = await newUser(app.context, {
    idpname: 'names',
    idpid: 'imported',
    email: 'Rene\u0301@x.test',
  });
  for (const name of ['ren\u00E9@x.test', 'rene\u0301@X.test'])
    expect(
      (await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq ${quoted(name)}`)}`)).json.Resources,
    ).toMatchObject([{ id }]);
});

it.each([
  ['Zo\u00EB', 'zoe\u0308'],
  ['Zoe\u0308', 'zo\u00EB'],
  ['\uFF3Aoe', '\uFF5Aoe'],
])('an e-mail address is found, changed and removed in either form of Unicode: %j', async (stored, written) => {
  const domain = `d${++count}.test`;
  const { id } = (await create(`mailed-${count}`)).json;
  const { user_guid: unnamed } = await newUser(app.context, { idpname: 'names', email: `${stored}@${domain}` });
  const change = (op: string, path: string, value: unknown) =>
    scim('PATCH', `/Users/${id}`, { Operations: [{ op, path, value }] });
  await change('replace', 'emails', [{ value: `${stored}@${domain}` }]);
  for (const name of [stored, written]) {
    const filter = encodeURIComponent(`emails.value eq ${quoted(`${name}@${domain}`)}`);
    const { Resources } = (await scim('GET', `/Users?filter=${filter}`)).json;
    expect(Resources.map((each: { id: string }) => each.id).sort()).toEqual([id, unnamed].sort());
  }
  const selected = `emails[value eq ${quoted(`${written}@${domain}`)}]`;
  expect((await change('replace', `${selected}.type`, 'home')).json.emails).toMatchObject([{ type: 'home' }]);
  expect((await change('remove', 'emails', [{ value: `${written}@${domain}` }])).json).not.toHaveProperty('emails');
});

it.each([
  ' ',
  '   ',
  '\t',
  'a\tb',
  'a\nb',
  ' ada',
  'ada ',
  'ada  lovelace',
  'ada\u00A0lovelace',
  'ada\u3000lovelace',
  'ada\u2003lovelace',
  'ada\u2028lovelace',
  'ada\u200Blovelace',
  'ada\u00ADlovelace',
  'ada\u202Elovelace',
  '\uFEFFada',
  'ada\u0007',
  'ada\u007F',
  'ada\u0085',
  'ada\uE000',
])('a name with white space or with characters that nobody sees is refused: %j', async (userName) => {
  expect((await create(userName)).json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  const { id } = (await create(`visible-${++count}`)).json;
  const patch = { Operations: [{ op: 'replace', path: 'userName', value: userName }] };
  expect((await scim('PATCH', `/Users/${id}`, patch)).json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  expect((await scim('PUT', `/Users/${id}`, { userName })).json).toMatchObject({
    status: '400',
    scimType: 'invalidValue',
  });
});

it('such a name is refused at every door, and who has one keeps it', async () => {
  const { context } = app;
  const named = (userName: string) => ({ userName });
  const problems = { userName: [expect.stringContaining('without control or invisible characters')] };
  await expect(createUser(context, named('a\u200Bda'))).rejects.toMatchObject({ more: { problems } });
  const { user_guid: userGuid } = await newUser(context, { user_name: ' kept ', first_name: 'Kept' });
  await expect(updateUser(context, userGuid, named('ada '))).rejects.toMatchObject({ more: { problems } });
  const row = (userName: string) => importFile(context, { users: [{ userGuid, userName, firstName: 'New' }] });
  await expect(row('\tada')).rejects.toMatchObject({
    more: { problems: { 'users[0].userName': problems.userName } },
  });
  expect(await row(' kept ')).toMatchObject({ updated: 1 });
});

it.each([
  'Ada Lovelace',
  'a.b+c_d%e@x.test',
  'ACME\\ada',
  'зоя@x.test',
  '张三',
  'नमस्ते',
  "o'brien",
  'ß',
  'İsmail',
])('other names are taken as they are: %s', async (userName) => {
  expect((await create(userName)).json).toMatchObject({ userName });
  expect(await found(`userName eq ${quoted(userName)}`)).toEqual([userName]);
});

it('users who have such names already stay as they are: they are found, changed and deleted', async () => {
  const other = await startTestApp();
  const { scim: connector } = await newConnector(other.context, other.url, 'old');
  const { sql } = other.context;
  const statements = (way: 'up' | 'down') => {
    const migration = new Migration20261127053000(undefined as never, undefined as never);
    migration[way]();
    return migration.getQueries().map(String);
  };
  for (const statement of statements('down')) await sql.rows(statement);
  const names = ['zo\u00EB', 'zoe\u0308', ' spaced '];
  for (const [index, user_name] of names.entries())
    await newUser(other.context, { idpname: 'old', idpid: `old-${index}`, user_name });
  for (const statement of statements('up')) await sql.rows(statement);
  const list = async (name: string) =>
    (await connector('GET', `/Users?filter=${encodeURIComponent(`userName eq ${quoted(name)}`)}`)).json.Resources as {
      id: string;
      userName: string;
    }[];
  expect((await list('ZOE\u0308')).map(({ userName }) => userName)).toEqual(names.slice(0, 2));
  for (const { id, userName } of [...(await list('zo\u00EB')), ...(await list(' spaced '))]) {
    const patch = { Operations: [{ op: 'replace', path: 'title', value: 'x' }] };
    expect((await connector('PATCH', `/Users/${id}`, patch)).json.title).toBe('x');
    expect((await connector('PUT', `/Users/${id}`, { userName, title: 'y' })).json.title).toBe('y');
  }
  expect((await connector('POST', '/Users', { userName: 'zo\u00EB', externalId: 'new' })).json.scimType).toBe(
    'uniqueness',
  );
  const [first] = await list('zo\u00EB');
  expect((await connector('DELETE', `/Users/${first!.id}`)).status).toBe(204);
  expect(await list('zo\u00EB')).toHaveLength(1);
});

it('among many users a look-up by name reads an index, whether they have names or not', async () => {
  const { sql } = app.context;
  await sql.transaction(async ({ rows }) => {
    // without triggers, which take longer than the rest of the test
    await rows('set local session_replication_role = replica');
    await rows(
      `insert into users (user_guid, idpname, idpid, user_name, email, created_by)
       select gen_random_uuid(), 'names', 'many ' || n, case when n % 2 = 0 then 'many ' || n end, n || '@many.test', $1
       from generate_series(1, 6000) n`,
      [systemUser],
    );
    await rows('analyze users');
  });
  for (const name of ['many 4000', '3001@many.test']) {
    app.takeStatements();
    expect(await found(`userName eq "${name}"`)).toEqual([name]);
    const statement = app.takeStatements().find((each) => each.includes('user_name is null'))!;
    const lines = await sql.transaction(async ({ rows }) => {
      await rows('set local plan_cache_mode = force_generic_plan');
      await rows(`prepare asked as ${statement}`);
      const explained = await rows<{ 'QUERY PLAN': string }>(`explain execute asked('names', '${name}', 100, 0)`);
      await rows('deallocate asked');
      return explained.map((line) => line['QUERY PLAN']).join('\n');
    });
    expect(lines).toContain('users_idpname_user_name_key_unique');
    expect(lines).toContain('users_idpname_shown_name_key_index');
  }
});

it('a page of any length that an equality finds is read by an index', async () => {
  const { sql } = app.context;
  for (const [filter, operand] of [
    ['userName eq "many 4000"', 'many 4000'],
    ['externalId eq "many 4000"', 'many 4000'],
    ['emails.value eq "4000@many.test"', '4000@many.test'],
    ['active eq true and userName eq "many 4000"', true],
  ] as const) {
    app.takeStatements();
    expect(await found(filter)).toEqual(['many 4000']);
    const statement = app.takeStatements().find((each) => each.includes('order by u.user_id'))!;
    for (const count of [1, 5, 20]) {
      const values = ["'names'", `'${operand}'`, ...(operand === true ? ["'many 4000'"] : []), count, 0];
      const lines = await sql.transaction(async ({ rows }) => {
        await rows('set local plan_cache_mode = force_custom_plan');
        await rows(`prepare asked as ${statement}`);
        const explained = await rows<{ 'QUERY PLAN': string }>(`explain execute asked(${values.join(', ')})`);
        await rows('deallocate asked');
        return explained.map((line) => line['QUERY PLAN']).join('\n');
      });
      expect(lines).not.toMatch(/users_pkey|Seq Scan/);
    }
  }
});

it('the name of a group is compared in the same way', async () => {
  const profileId = await newGroup(app.context, 'Zo\u00EB', 'zoe');
  const filter = encodeURIComponent(`displayName eq ${quoted('zoe\u0308')}`);
  expect((await scim('GET', `/Groups?filter=${filter}`)).json.Resources).toMatchObject([{ id: profileId }]);
  expect((await scim('POST', '/Groups', { displayName: 'Zoe\u0308' })).json).toMatchObject({ scimType: 'uniqueness' });
  expect((await scim('PUT', `/Groups/${profileId}`, { displayName: 'ZOE\u0308' })).status).toBe(200);
});

describe('two profiles have no group that is the same when it is compared so', () => {
  const taken = { externalGroup: ['Another profile has this externalGroup.'] };

  it('at every door', async () => {
    const { context } = app;
    await newGroup(context, 'Engineering');
    const other = await newProfile(context);
    for (const externalGroup of ['Engineering', 'engineering', '\uFF25ngineering']) {
      const conflict = { code: 'CONFLICT', more: { problems: taken } };
      await expect(updateProfile(context, other, { externalGroup })).rejects.toMatchObject(conflict);
      const input = { profileId: `new-${externalGroup}`, name: 'New', externalGroup };
      await expect(createProfile(context, input)).rejects.toMatchObject(conflict);
      await expect(importFile(context, { profiles: [input] })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('Two records would be the same'),
      });
    }
    // the profile itself may have it in another form
    await updateProfile(context, 'profile-Engineering', { externalGroup: 'ENGINEERING' });
    await expect(
      app.context.sql.rows("update profiles set external_group = 'engineering' where profile_id = $1", [other]),
    ).rejects.toMatchObject({ code: '23505' });
  });

  it('unless they had them before', async () => {
    const other = await startTestApp();
    const { context } = other;
    const statements = (way: 'up' | 'down') => {
      const migration = new Migration20261129031500(undefined as never, undefined as never);
      migration[way]();
      return migration.getQueries().map(String);
    };
    for (const statement of statements('down')) await context.sql.rows(statement);
    const [first, second] = [await newGroup(context, 'Sales'), await newGroup(context, 'SALES')];
    for (const statement of statements('up')) await context.sql.rows(statement);
    for (const profileId of [first, second]) await updateProfile(context, profileId, { name: 'Still' });
    const third = await newProfile(context);
    await expect(updateProfile(context, third, { externalGroup: 'sales' })).rejects.toMatchObject({
      more: { problems: taken },
    });
    const file = [{ profileId: first, name: 'Imported', externalGroup: 'Sales' }];
    expect(await importFile(context, { profiles: file })).toMatchObject({ updated: 1 });
  });
});
