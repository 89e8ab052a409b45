/** Audit events and stamps come from triggers: whichever statement changes a record, and beside a service that writes them itself. */
import { randomUUID } from 'node:crypto';
import { describe as describeRecord } from '../../../src/entities/description.js';
import { User } from '../../../src/entities/User.js';
import { recordsWithHistory } from '../../../src/modules/changes/history/state.js';
import { newApplication, newMapping, newScopes, type RestApp, startRestApp } from '../../rest/restApp.js';
import { newHolder, newRole, newUser } from '../../support/records.js';

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
});
afterAll(() => app?.close());

interface Event {
  action: string;
  subject_type: string;
  subject_id: string;
  detail: { fields?: string[] } | null;
}
const events = (since: string) =>
  app.sql.rows<Event>(
    'select action, subject_type, subject_id, detail, actor, trace_id from audit_events where audit_event_id > $1 order by audit_event_id',
    [since],
  );
const lastEvent = async () =>
  (await app.sql.rows<{ id: string }>('select coalesce(max(audit_event_id), 0)::text as id from audit_events'))[0]!.id;
const actor = randomUUID();

/** Statements of a service, in one transaction that announces it. */
const asService = (announced: object, ...statements: [string, unknown[]?][]) =>
  app.sql.transaction(async ({ rows }) => {
    const said = JSON.stringify({ actor, traceId: 'a'.repeat(32), face: 'rest', ...announced });
    await rows("select set_config('gatehouse.change', $1, true)", [said]);
    for (const [text, values] of statements) await rows(text, values);
  });
const role = async (roleId: string) =>
  (await app.sql.rows<Record<string, unknown>>('select * from roles where role_id = $1', [roleId]))[0]!;

it('a bulk says of each mapping exactly what changed in it, and nothing of one that did not change', async () => {
  const { application_id, application_guid } = await newApplication(app.sql);
  const scopes = await newScopes(app.sql, 4);
  for (const guid of scopes) await newMapping(app.sql, application_id, guid);
  const path = `/api/applications/${application_guid}/accessScopes`;
  const ids = await app.sql.rows<{ id: number }>(
    `select access_scope_applications_mapper_id as id from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
     join unnest($2::uuid[]) with ordinality asked(guid, ord) on asked.guid = s.access_scope_guid where application_id = $1 order by ord`,
    [application_id, scopes],
  );
  const since = await lastEvent();
  const link = 'https://one.example';
  const items = [
    { state: 'off' },
    { individualExternalLink: link },
    { state: 'off', individualExternalLink: link },
    {},
  ];
  const body = scopes.map((accessScopeGuid, index) => ({ accessScopeGuid, ...items[index] }));
  expect((await app.call('PATCH', path, { body })).status).toBe(200);
  const said = new Map((await events(since)).map((event) => [event.subject_id, event]));
  expect(ids.map(({ id }) => said.get(String(id))?.detail)).toEqual([
    { fields: ['state'] },
    { fields: ['individualExternalLink'] },
    { fields: ['state', 'individualExternalLink'] },
    undefined,
  ]);
  expect(new Set([...said.values()].map((event) => `${event.action} ${event.subject_type}`))).toEqual(
    new Set(['update AccessScopeApplicationsMapper']),
  );
  const revisions = await app.sql.rows<{ revision: number }>(
    'select revision from access_scope_applications_mappers where application_id = $1 order by 1',
    [application_id],
  );
  expect(revisions.map(({ revision }) => revision)).toEqual([1, 2, 2, 2]);
});

it('3,000 mappings are made, changed and removed by as many statements as 3', async () => {
  const { application_guid } = await newApplication(app.sql);
  const path = `/api/applications/${application_guid}/accessScopes`;
  const scopes = await newScopes(app.sql, 3_000);
  const counts: number[][] = [];
  for (const count of [3, 3_000]) {
    const own = scopes.slice(0, count);
    const statements: number[] = [];
    for (const [method, end, more] of [
      ['POST', '', {}],
      ['PATCH', '', { state: 'off' }],
      ['POST', ':delete', {}],
    ] as const) {
      const body = own.map((accessScopeGuid) => ({ accessScopeGuid, ...more }));
      app.takeStatements();
      expect((await app.call(method, path + end, { body })).status).toBe(200);
      statements.push(app.takeStatements().filter((text) => !/^(begin|commit|fetch|declare|close)/i.test(text)).length);
    }
    counts.push(statements);
  }
  expect(counts[1]).toEqual(counts[0]);
});

it('a statement past the ORM is stamped and audited as a change by the ORM is', async () => {
  const roleId = await newRole(app.context);
  const since = await lastEvent();
  await asService({ stamps: 'now' }, ['update roles set name = $1 where role_id = $2', ['other', roleId]]);
  expect(await events(since)).toEqual([
    {
      action: 'update',
      subject_type: 'Role',
      subject_id: roleId,
      detail: { fields: ['name'] },
      actor,
      trace_id: 'a'.repeat(32),
    },
  ]);
  expect(await role(roleId)).toMatchObject({ revision: 2, modified_by: actor, modified_date: expect.any(String) });
});

it('the version before, on the same database, has its own events and stamps and no others', async () => {
  const roleId = await newRole(app.context);
  const since = await lastEvent();
  const other = randomUUID();
  await asService(
    {},
    [
      "update roles set name = 'other', revision = revision + 1, modified_by = $2, modified_date = '2020-01-01' where role_id = $1",
      [roleId, other],
    ],
    [
      `insert into audit_events (actor, change_set_id, action, subject_type, subject_id, detail)
       select $1, current_change_set(), 'update', 'Role', $2, '{"fields": ["name"]}'`,
      [actor, roleId],
    ],
    ['update catalogue_version set version = version + 1'],
  );
  expect(await events(since)).toHaveLength(1);
  expect(await role(roleId)).toMatchObject({ revision: 2, modified_by: other });
});

it('a raised revision, a sign-in, and what an import or a connector remembers are no changes', async () => {
  const holder = await newHolder(app.context);
  const since = await lastEvent();
  await asService(
    { stamps: 'now' },
    ['update profiles set revision = revision + 1 where profile_id = $1', [holder.profileId]],
    ['update users set last_login_date = now(), imported_is_blocked = true where user_guid = $1', [holder.userGuid]],
    ['update users set provisioned_active = true where user_guid = $1', [holder.userGuid]],
    ['update roles set name = name'],
  );
  expect(await events(since)).toEqual([]);
  const rows = await app.sql.rows(
    `select revision, modified_by from profiles where profile_id = $1 union all select revision, modified_by from users where user_guid = $2`,
    [holder.profileId, holder.userGuid],
  );
  expect(rows).toEqual([
    { revision: 2, modified_by: null },
    { revision: 1, modified_by: null },
  ]);
});

it('a change that brings its own stamps keeps them, and null stands for now and the author', async () => {
  const roleId = await newRole(app.context);
  const brought = { by: randomUUID(), date: '2020-01-01T00:00:00.000Z' };
  const update = 'update roles set name = $1, modified_by = $2, modified_date = $3 where role_id = $4';
  for (const name of ['one', 'two'])
    await asService({ stamps: 'brought' }, [update, [name, brought.by, brought.date, roleId]]);
  const { modified_by, modified_date, revision } = await role(roleId);
  expect([modified_by, Date.parse(String(modified_date)), revision]).toEqual([brought.by, Date.parse(brought.date), 3]);
  await asService({ stamps: 'brought' }, [update, ['three', null, null, roleId]]);
  const after = await role(roleId);
  expect([after.modified_by, Date.parse(String(after.modified_date)) > Date.parse('2026-01-01')]).toEqual([
    actor,
    true,
  ]);
});

it('links that go with their owner have versions and no events; links that are removed themselves have both', async () => {
  const [one, two] = [await newHolder(app.context), await newHolder(app.context)];
  const since = await lastEvent();
  await asService({ stamps: 'now' }, ['delete from profiles where profile_id = $1', [one.profileId]]);
  await asService(
    { stamps: 'now' },
    ['delete from user_profiles where profile_id = $1', [two.profileId]],
    ['delete from profiles where profile_id = $1', [two.profileId]],
  );
  expect((await events(since)).map(({ action, subject_type }) => `${action} ${subject_type}`)).toEqual([
    'delete Profile',
    'delete UserProfile',
    'delete Profile',
  ]);
  const versions = await app.sql.rows(
    `select from record_versions where record_table = 'user_profiles' and after is null and before->>'profile_id' = any($1)`,
    [[one.profileId, two.profileId]],
  );
  expect(versions).toHaveLength(2);
});

it('events name every record and field as the service does, but not the stamps', async () => {
  for (const record of recordsWithHistory) {
    const { table, fields, name } = describeRecord(record);
    const after = JSON.stringify(Object.fromEntries(fields.map(({ column }) => [column, 'other'])));
    const since = await lastEvent();
    await asService({ stamps: 'now' }, [
      `insert into record_versions (change_set_id, record_table, record_key, before, after)
       select current_change_set(), $1::text, 'key', before, $2::jsonb from (values (null), ('{}'::jsonb)) versions(before)`,
      [table, after],
    ]);
    const named = fields.map((field) => field.name).filter((field) => !/^(revision|modified)/.test(field));
    // those of users have a trigger of their own
    const updated = table === 'users' ? [] : [[name, 'update', named.toSorted()]];
    const said = await events(since);
    expect(
      said.map(({ subject_type, action, detail }) => [subject_type, action, detail && detail.fields!.toSorted()]),
    ).toEqual([[name, 'create', null], ...updated]);
  }
});

it('the audit event of a user’s change names every field that may be changed', async () => {
  const values: Record<string, string> = {
    string: "'x'",
    integer: '7',
    dateTime: "'2020-01-01'",
    uuid: 'gen_random_uuid()',
    boolean: 'true',
  };
  const { user_guid } = await newUser(app.context);
  const { fields } = describeRecord(User);
  const changeable = fields.filter(
    ({ name, primary }) =>
      !primary && !/^(userGuid|revision|modified.*|lastLoginDate|importedIsBlocked|provisionedActive)$/.test(name),
  );
  const since = await lastEvent();
  for (const { column, type } of changeable)
    await asService({ stamps: 'now' }, [
      `update users set ${column} = ${values[type]} where user_guid = $1`,
      [user_guid],
    ]);
  expect((await events(since)).map(({ detail }) => detail)).toEqual(changeable.map(({ name }) => ({ fields: [name] })));
  const [user] = await app.sql.rows('select revision, modified_by from users where user_guid = $1', [user_guid]);
  expect(user).toEqual({ revision: changeable.length + 1, modified_by: actor });
});

it('a user’s personal data are named in the event, one event for a statement', async () => {
  const { user_guid } = await newUser(app.context);
  const since = await lastEvent();
  await asService({ stamps: 'now' }, [
    "update users set first_name = 'Bo', is_blocked = true, email = 'bo@example.com', last_login_date = now() where user_guid = $1",
    [user_guid],
  ]);
  expect((await events(since)).map(({ subject_id, detail }) => [subject_id, detail])).toEqual([
    [user_guid, { fields: ['firstName', 'email', 'isBlocked'] }],
  ]);
});
