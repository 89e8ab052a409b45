/** Changes past the service (`psql`): they raise the catalogue version as those of the service do, once, in the order of their commits. */
import type pg from 'pg';
import { describe as describeRecord } from '../../../src/entities/description.js';
import { User } from '../../../src/entities/User.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newApplication } from '../../rest/restApp.js';
import { openClient } from '../../support/cluster.js';
import { exportedText } from '../../support/exportedText.js';
import { newClient, newHolder, newRole, newUser } from '../../support/records.js';
import { exchangeBody } from '../../support/tokens.js';
import { untilBlocked } from '../../support/until.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
});
afterEach(() => graph?.close());

const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  graph.app.context.sql.rows<Row>(text, values);
const version = async () =>
  (await rows<{ version: string; nonce: string }>('select version, nonce from catalogue_version'))[0]!;
const number = async () => Number((await version()).version);
const connect = () => openClient(graph.app.database.url);
/** In one transaction of psql. */
async function psql(...statements: string[]): Promise<void> {
  const client = await connect();
  for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
  await client.end();
}
const renameRole = (roleId: string) =>
  graph.data('mutation ($roleId: ID!) { updateRole(roleId: $roleId, input: {name: "by the service"}) { name } }', {
    roleId,
  });

it('a transaction raises it once, however many rows and statements it has, and another random value comes with it', async () => {
  for (let index = 0; index < 20; index++) await newRole(graph.app.context, `role-${index}`);
  const before = await version();
  await psql(
    "update roles set name = 'all'",
    'update roles set name = name || role_id',
    "delete from roles where role_id = 'role-0'",
  );
  const after = await version();
  expect(Number(after.version)).toBe(Number(before.version) + 1);
  expect(after.nonce).not.toBe(before.nonce);
  const sets = await rows<{ face: string; catalogue_version: string }>(
    'select face, catalogue_version from change_sets order by change_set_id desc limit 1',
  );
  expect(sets).toEqual([{ face: 'sql', catalogue_version: `${after.version}.${after.nonce}` }]);
  const own = await number();
  await renameRole('role-1');
  expect(await number()).toBe(own + 1);
});

it('a transaction that also raises the catalogue version by hand raises it once', async () => {
  await newRole(graph.app.context, 'by-hand');
  const before = await number();
  await psql("update roles set name = 'x'", 'update catalogue_version set version = version + 1');
  expect(await number()).toBe(before + 1);
});

it('a transaction that changes nothing or is rolled back does not raise the catalogue version', async () => {
  await newRole(graph.app.context, 'stays');
  const before = await version();
  await psql("update roles set name = 'x' where role_id = 'nobody'");
  await psql('update roles set name = name');
  await psql('truncate translations');
  await psql("update roles set name = 'x'", 'rollback');
  expect(await version()).toEqual(before);
});

it('truncating a table is recorded as a change of each of its rows', async () => {
  const holder = await newHolder(graph.app.context);
  const removed = async () =>
    (
      await rows<{ record_table: string; after: unknown }>(
        `select record_table, after from record_versions
         where change_set_id = (select max(change_set_id) from change_sets where face = 'sql') order by 1`,
      )
    ).map((row) => [row.record_table, row.after]);
  const before = await number();
  await psql('truncate user_profiles');
  expect(await number()).toBe(before + 1);
  expect(await removed()).toEqual([['user_profiles', null]]);
  const counts = `select (select count(*) from users) + (select count(*) from profile_access_scopes) as count`;
  const others = Number((await rows<{ count: string }>(counts))[0]!.count);
  await psql('truncate users, profile_access_scopes cascade');
  expect(await number()).toBe(before + 2);
  expect(await removed()).toHaveLength(others);
  const kept = await rows<{ before: object }>(
    'select before from record_versions where record_key = $1 and after is null',
    [holder.userGuid],
  );
  expect(kept.map((row) => Object.keys(row.before).sort())).toEqual([['is_blocked', 'user_guid', 'user_id']]);
});

it('a change of a user’s field that answers show raises the catalogue version, and a sign-in does not', async () => {
  const { user_guid: guid } = await newUser(graph.app.context);
  const holder = await newHolder(graph.app.context);
  const before = await number();
  const { clientId: client_id, clientSecret: client_secret } = await newClient(graph.app.context);
  const { status } = await graph.app.post('/token', {
    ...exchangeBody(graph.app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    client_id,
    client_secret,
  });
  expect(status).toBe(200);
  await psql(`update users set last_login_date = now() where user_guid = '${guid}'`);
  expect(await number()).toBe(before);
  const values: Record<string, string> = {
    string: "'x'",
    integer: '7',
    dateTime: "'2020-01-01'",
    uuid: 'gen_random_uuid()',
    boolean: 'true',
  };
  const shown = describeRecord(User).fields.filter(
    ({ name }) => !['lastLoginDate', 'importedIsBlocked', 'provisionedActive'].includes(name),
  );
  expect(shown.length).toBeGreaterThan(25);
  for (const { column, type, primary } of shown) {
    const last = await number();
    const value = primary ? 'user_id + 1000' : column === 'user_guid' ? `'${guid}'` : values[type];
    const isRaised = column === 'user_guid' ? 0 : 1;
    await psql(`update users set ${column} = ${value} where user_guid = '${guid}'`);
    expect([column, await number()]).toEqual([column, last + isRaised]);
  }
  const last = await number();
  await psql(`update users set user_guid = gen_random_uuid() where user_guid = '${guid}'`);
  expect(await number()).toBe(last + 1);
});

it('changes of tokens, clients and keys do not raise the catalogue version', async () => {
  const before = await version();
  const { clientId } = await newClient(graph.app.context);
  await psql(`update clients set name = 'x' where client_id = '${clientId}'`);
  await graph.data('mutation { rotateSigningKey { kid } }');
  expect(await version()).toEqual(before);
});

it('an open transaction of psql holds up no change of the service, and neither waits for the other for ever', async () => {
  for (const roleId of ['one', 'two']) await newRole(graph.app.context, roleId);
  const client = await connect();
  await client.query('begin');
  await client.query("update roles set name = 'by hand' where role_id = 'one'");
  const before = await number();
  await renameRole('two');
  expect(await number()).toBe(before + 1);
  // the service waits for the record, and psql at its commit for nobody
  const waiting = renameRole('one');
  await untilBlocked({ rows });
  await client.query('commit');
  await waiting;
  expect(await number()).toBe(before + 3);

  // the commit of psql waits for the change that raised the version
  const other = await connect();
  await other.query('begin; update catalogue_version set version = version + 1');
  await client.query("begin; update roles set name = 'again' where role_id = 'two'");
  const committing = client.query('commit');
  await untilBlocked({ rows });
  await other.query('commit');
  await committing;
  expect(await number()).toBe(before + 5);
});

it('changes of both have times in the order of their versions, and what is asked of the past is a state that was', async () => {
  const { context } = graph.app;
  const [left, right] = [
    await newApplication(context.sql, { name: '0' }),
    await newApplication(context.sql, { name: '0' }),
  ];
  const since = await number();
  const guids = [left, right].map(({ application_guid }) => application_guid as string);
  const hand = async (client: pg.Client, guid: string) => {
    for (let count = 1; count <= 25; count++)
      await client.query(
        `begin; update applications set name = 'hand ${count}' where application_guid = '${guid}'; commit`,
      );
    await client.end();
  };
  const service = async () => {
    for (let count = 1; count <= 15; count++)
      await graph.data(
        'mutation ($guid: UUID!, $name: String!) { updateApplication(applicationGuid: $guid, input: {name: $name}) { name } }',
        { guid: guids[count % 2], name: `service ${count}` },
      );
  };
  await Promise.all([hand(await connect(), guids[0]!), hand(await connect(), guids[1]!), service()]);
  const sets = await rows<{ id: string; version: number; at: string; names: Record<string, string> }>(
    `select change_set_id as id, split_part(catalogue_version, '.', 1)::int as version, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
       (select jsonb_object_agg(record_key, after->>'name') from record_versions v where v.change_set_id = s.change_set_id) as names
     from change_sets s where split_part(catalogue_version, '.', 1)::int > $1 order by 2`,
    [since],
  );
  expect(sets.map((set) => set.version)).toEqual(Array.from({ length: 65 }, (_, index) => since + 1 + index));
  const times = sets.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  let state = Object.fromEntries(guids.map((guid) => [guid, '0']));
  const states = [state, ...sets.map(({ names }) => (state = { ...state, ...names }))].map((each) =>
    JSON.stringify(guids.map((guid) => each[guid])),
  );
  let last = 0;
  for (const asOf of times) {
    const { applications } = JSON.parse(await exportedText(context, { asOf })) as {
      applications: { applicationGuid: string; name: string }[];
    };
    const named = new Map(applications.map(({ applicationGuid, name }) => [applicationGuid, name]));
    const found = states.indexOf(JSON.stringify(guids.map((guid) => named.get(guid))), last);
    expect([asOf, found >= last]).toEqual([asOf, true]);
    last = found;
  }
  expect(last).toBe(sets.length);
});
