/** Reads on a streaming standby: they are there, they lag behind no change, and nobody notices when it is away. */
import { examine } from '../../src/cli/doctor.js';
import { unversionedTables } from '../../src/database/connections/replicas.js';
import { allRecords, catalogueRecords } from '../../src/entities/all.js';
import { describe as describeRecord } from '../../src/entities/description.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase, openClient } from '../support/cluster.js';
import { newClient, newUser } from '../support/records.js';
import { openStandby, type Standby } from '../support/standby.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';

let standby: Standby;
let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  standby = await openStandby();
  const settings = {
    DATABASE_URL: standby.primaryUrl,
    DATABASE_REPLICA_URLS: standby.url,
    ADMIN_AUTH: 'none',
    METRICS_PORT: '0',
  };
  app = await startTestApp(settings);
  other = await startTestApp(settings);
});
beforeEach(async () => {
  await standby.tell('select pg_wal_replay_resume()');
  await standby.caughtUp();
});

const readyz = async () => {
  const answer = await fetch(`${app.url}/readyz`);
  return [answer.status, await answer.json()] as const;
};
const checks = { database: 'ok', keys: 'ok', migrations: 'ok', clock: 'ok' };

async function counted(result: string, of = app): Promise<number> {
  const text = await (await fetch(`${of.running.metricsUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`gatehouse_replica_reads_total{result="${result}"}`));
  return line ? Number(line.split(' ').at(-1)) : 0;
}
const graph = async (query: string, of = app) => {
  const answer = await of.post('/graphql', { query });
  expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
  return answer.json.data;
};
const roleIds = async (of = app): Promise<string[]> =>
  (await graph('{ roles(first: 1000) { nodes { roleId } } }', of)).roles.nodes.map(
    ({ roleId }: { roleId: string }) => roleId,
  );
const makeRole = (roleId: string, of = app) =>
  graph(`mutation { createRole(input: {roleId: "${roleId}", name: "${roleId}"}) { roleId } }`, of);
const list = async (etag?: string) =>
  fetch(`${app.url}/api/applications`, { headers: { 'api-version': '1.0', ...(etag && { 'if-none-match': etag }) } });

it('queries and lists are answered by the replica; the primary says the version alone', async () => {
  await roleIds();
  const before = await counted('replica');
  app.takeStatements();
  await roleIds();
  expect(app.takeStatements()).toEqual([
    expect.stringContaining('from catalogue_version'),
    expect.stringContaining('from roles'),
  ]);
  expect((await list()).status).toBe(200);
  expect(await counted('replica')).toBe(before + 3);

  // what raises no version is the one thing that tells a replica from the primary: a sign-in, in the same state of the catalogue
  const { user_guid: guid } = await newUser(app.context);
  await standby.caughtUp();
  await standby.tell('select pg_wal_replay_pause()');
  await app.context.sql.rows('update users set last_login_date = now() where user_guid = $1', [guid]);
  expect((await graph(`{ user(userGuid: "${guid}") { lastLoginDate } }`)).user).toEqual({ lastLoginDate: null });
});

/** Runs statements past the service, in one transaction. */
async function psql(...statements: string[]): Promise<void> {
  const client = await openClient(standby.primaryUrl);
  for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
  await client.end();
}

it('no read misses a change past the service, remembered or not, in any process, while the replica lags', async () => {
  const remembering = {
    DATABASE_URL: standby.primaryUrl,
    DATABASE_REPLICA_URLS: standby.url,
    ADMIN_AUTH: 'none',
    ANSWERS_REMEMBERED_MB: '64',
  };
  const services = [app, await startTestApp(remembering), await startTestApp(remembering)];
  const listOf = async ({ url }: TestApp, etag = '') => {
    const answer = await fetch(`${url}/api/applications?$orderby=applicationId`, {
      headers: { 'api-version': '1.0', 'if-none-match': etag },
    });
    return { status: answer.status, etag: answer.headers.get('etag')!, text: await answer.text() };
  };
  await psql(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     values ('past', 'i', 'h', 'web', 'tab', 'global', gen_random_uuid())`,
    `insert into roles (role_id, name, created_by) values ('past', 'past', gen_random_uuid())`,
  );
  await standby.caughtUp();
  for (let round = 0; round < 10; round++) {
    if (round % 3 === 0) await standby.tell('select pg_wal_replay_pause()');
    if (round % 3 === 2) await standby.tell('select pg_wal_replay_resume()');
    // asked for twice, so the state before is remembered
    const before = await Promise.all(services.map((each) => listOf(each)));
    await Promise.all(services.flatMap((each) => [listOf(each), roleIds(each)]));
    const name = `past ${round}`;
    await psql(
      `update applications set name = '${name}' where name like 'past%'`,
      `update roles set role_id = '${name}' where role_id like 'past%'`,
    );
    for (const [index, service] of services.entries()) {
      expect(await listOf(service, before[index]!.etag)).toMatchObject({
        status: 200,
        text: expect.stringContaining(name),
      });
      expect(await listOf(service)).toMatchObject({ status: 200, text: expect.stringContaining(name) });
      expect(await roleIds(service)).toContain(name);
      expect(await roleIds(service)).toContain(name);
    }
  }
});

it('a caller reads its own change in every process while the replica lags', async () => {
  await standby.tell('select pg_wal_replay_pause()');
  await roleIds();
  const behind = await counted('behind', other);
  await makeRole('changed-here');
  expect(await roleIds()).toContain('changed-here');
  expect(await roleIds(other)).toContain('changed-here');
  expect(await counted('behind', other)).toBeGreaterThan(behind);

  const first = await list();
  const { applicationGuid } = (await graph(
    'mutation { createApplication(input: {name: "New", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "tab", linkType: "global"}) { applicationGuid } }',
  ).then((data) => data.createApplication)) as { applicationGuid: string };
  const second = await list(first.headers.get('etag')!);
  expect(second.status).toBe(200);
  expect(JSON.stringify(await second.json())).toContain(applicationGuid);

  await standby.tell('select pg_wal_replay_resume()');
  await standby.caughtUp();
  const replica = await counted('replica');
  expect(await roleIds()).toContain('changed-here');
  expect(await counted('replica')).toBe(replica + 1);
  const third = await list(second.headers.get('etag')!);
  expect(third.status).toBe(304);
});

it('no read misses a change that was answered before it, whatever the replay does meanwhile', async () => {
  for (let round = 0; round < 40; round++) {
    if (round % 5 === 0) await standby.tell('select pg_wal_replay_pause()');
    if (round % 5 === 3) await standby.tell('select pg_wal_replay_resume()');
    const [writer, reader] = round % 2 === 0 ? [app, other] : [other, app];
    await makeRole(`round-${round}`, writer);
    const seen = await Promise.all([roleIds(reader), roleIds(writer), roleIds(reader)]);
    for (const ids of seen) expect(ids).toContain(`round-${round}`);
  }
});

it('a remembered answer misses no change in any process while the replica lags', async () => {
  const remembering = { DATABASE_URL: standby.primaryUrl, DATABASE_REPLICA_URLS: standby.url, ADMIN_AUTH: 'none' };
  const one = await startTestApp({ ...remembering, ANSWERS_REMEMBERED_MB: '64' });
  const two = await startTestApp({ ...remembering, ANSWERS_REMEMBERED_MB: '64' });
  for (let round = 0; round < 40; round++) {
    if (round % 5 === 0) await standby.tell('select pg_wal_replay_pause()');
    if (round % 5 === 3) await standby.tell('select pg_wal_replay_resume()');
    const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
    await Promise.all([roleIds(one), roleIds(two), makeRole(`remembered-${round}`, writer), roleIds(one)]);
    const seen = await Promise.all([roleIds(reader), roleIds(writer), roleIds(reader)]);
    for (const ids of seen) expect(ids).toContain(`remembered-${round}`);
  }
});

it('records that change without a new catalogue version are read from the primary', async () => {
  await standby.tell('select pg_wal_replay_pause()');
  const { clientId } = await newClient(app.context);
  const { clients } = await graph('{ clients(first: 1000) { nodes { clientId } } }');
  expect(clients.nodes).toContainEqual({ clientId });
});

it('every table is either outside the catalogue version, or one that only administration changes', () => {
  const tables = allRecords.map((record) => describeRecord(record).table);
  expect(tables.filter((table) => !(unversionedTables as readonly string[]).includes(table)).sort()).toEqual([
    'access_scope_applications_mappers',
    'access_scope_type_applications_mappers',
    'access_scope_types',
    'access_scopes',
    'applications',
    'catalogue_version',
    'profile_access_scopes',
    'profiles',
    'roles',
    'translations',
    'user_profiles',
    'users',
  ]);
});

it('answers may be remembered if they read only the tables that replicas answer for', () => {
  const ofCatalogue = catalogueRecords.map((record) => describeRecord(record).table);
  const tables = allRecords.map((record) => describeRecord(record).table);
  const versioned = tables.filter((table) => !(unversionedTables as readonly string[]).includes(table));
  // a row that says the version, and a view of translations
  expect(ofCatalogue.toSorted()).toEqual(
    [...versioned.filter((table) => table !== 'catalogue_version'), 'translation_groups'].sort(),
  );
});

it('doctor says of a standby in DATABASE_URL that it must be the primary', async () => {
  const [database] = (await examine({ DATABASE_URL: standby.url, PORT: '0' }, async () => undefined)).filter(
    ({ what }) => what === 'database',
  );
  const text = /; it takes no writes: it is a standby, and DATABASE_URL must lead to the primary$/;
  expect(database).toMatchObject({ ok: false, text: expect.stringMatching(text) });
});

it('a replica that is away is left alone, and used again when it is back', async () => {
  await roleIds();
  await standby.stop();
  await makeRole('while-away');
  for (let read = 0; read < 5; read++) expect(await roleIds()).toContain('while-away');
  expect((await list()).status).toBe(200);
  expect(await counted('failed')).toBeGreaterThan(0);
  expect(await counted('away')).toBeGreaterThan(0);
  expect(app.logged().match(/a database replica does not answer/g)).toHaveLength(1);
  expect(await readyz()).toEqual([200, { status: 'ok', checks, replicas: '1 of 1 away' }]);

  await standby.start();
  await standby.caughtUp();
  const before = await counted('replica');
  await until(async () => {
    expect(await roleIds()).toContain('while-away');
    return (await counted('replica')) > before;
  });
  expect(app.logged()).toContain('a database replica answers again');
  expect(await readyz()).toEqual([200, { status: 'ok', checks, replicas: 'ok' }]);
});

it('readiness says which replicas are away, asked by nobody else, and is ready all the same', async () => {
  const proxy = await startProxy(standby.url);
  const own = await startTestApp({
    DATABASE_URL: standby.primaryUrl,
    DATABASE_REPLICA_URLS: `${standby.url} ${proxy.url}`,
  });
  const look = async () => {
    const answer = await fetch(`${own.url}/readyz`);
    return [answer.status, ((await answer.json()) as { replicas: string }).replicas];
  };
  expect(await look()).toEqual([200, 'ok']);
  proxy.freeze();
  expect(await look()).toEqual([200, '1 of 2 away']);
  proxy.thaw();
  await proxy.cut();
  expect(await look()).toEqual([200, '1 of 2 away']);
  await proxy.restore();
  await until(async () => (await look())[1] === 'ok');
});

it('a standby of another history is not believed', async () => {
  const stranger = await createMigratedDatabase();
  const own = await startTestApp({ DATABASE_REPLICA_URLS: stranger.url, ADMIN_AUTH: 'none', METRICS_PORT: '0' });
  const later = await startTestApp({ DATABASE_URL: stranger.url, ADMIN_AUTH: 'none' });
  for (const role of ['one', 'two', 'three']) await makeRole(role, later);
  expect(await roleIds(own)).not.toContain('one');
  expect(await counted('replica', own)).toBe(0);
});
