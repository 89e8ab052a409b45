/** A process that is killed inside a bulk of 10,000: all of it is there, or nothing, and the same request works after. */
import { randomUUID } from 'node:crypto';
import { connect, type Database } from '../../src/database/connect.js';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { systemUser } from '../support/records.js';
import { elapse, until } from '../support/until.js';
import { type ServiceProcess, startProcess } from './process.js';

const count = 10_000;
const issuers = '[{"issuer":"https://idp.invalid","audience":"x","idpname":"x","subject":"userGuid"}]';
let database: TestDatabase;
let direct: Database;
beforeAll(async () => {
  database = await createMigratedDatabase();
  closeAtEnd(() => database.drop());
  direct = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000 });
  closeAtEnd(() => direct.close());
});

const start = (): Promise<ServiceProcess> =>
  startProcess({ DATABASE_URL: database.url, ADMIN_AUTH: 'none', ID_TOKEN_ISSUERS: issuers, LOG_LEVEL: 'silent' });

async function kill(service: ServiceProcess): Promise<void> {
  service.child.kill('SIGKILL');
  await service.ended;
}

async function makeRecords(): Promise<{ applicationGuid: string; guids: string[] }> {
  const applicationGuid = randomUUID();
  await direct.sql.rows(
    `insert into applications (application_guid, name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     values ($1, 'A', 'i', 'h', 'web', 'page', 'internal', $2)`,
    [applicationGuid, systemUser],
  );
  const scopes = await direct.sql.rows<{ guid: string }>(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 's' || n, 's' || n, access_scope_type_id, $1 from access_scope_types, generate_series(1, ${count}) n
     where access_scope_types.name = 'admin' returning access_scope_guid as guid`,
    [systemUser],
  );
  return { applicationGuid, guids: scopes.map(({ guid }) => guid) };
}

const bulk = (url: string, applicationGuid: string, guids: string[]): Promise<Response> =>
  fetch(`${url}/api/applications/${applicationGuid}/accessScopes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-version': '1.0' },
    body: JSON.stringify(guids.map((accessScopeGuid) => ({ accessScopeGuid }))),
  });

interface State {
  mappings: string;
  events: string;
  versions: string;
  version: string;
}

/** When no statement of the killed process goes on any more. */
async function settledState(): Promise<State> {
  await until(async () => {
    const others = await direct.sql.rows(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name = 'gatehouse' and state <> 'idle'`,
    );
    return others.length === 0;
  });
  const [state] = await direct.sql.rows<State>(
    `select (select count(*) from access_scope_applications_mappers) as mappings,
       (select count(*) from audit_events where subject_type = 'AccessScopeApplicationsMapper') as events,
       (select count(*) from record_versions where record_table = 'access_scope_applications_mappers') as versions,
       (select version from catalogue_version) as version`,
  );
  return state!;
}

it('a bulk whose process is killed is there as a whole with its audit events, or not at all', async () => {
  const { applicationGuid, guids } = await makeRecords();
  const before = await settledState();
  const none = { ...before, mappings: '0', events: '0', versions: '0' };
  const all = {
    mappings: `${count}`,
    events: `${count}`,
    versions: `${count}`,
    version: `${Number(before.version) + 1}`,
  };
  const first = await start();
  const began = performance.now();
  const unknown = '00000000-0000-4000-8000-000000000000';
  // as long as the whole work takes, and refused at its last item
  expect((await bulk(first.url, applicationGuid, [...guids.slice(1), unknown])).status).toBe(404);
  const duration = performance.now() - began;
  await kill(first);
  for (const share of [0.2, 0.5, 0.8, 1.1, 1.5]) {
    const service = await start();
    const answer = bulk(service.url, applicationGuid, guids).then(
      ({ status }) => status,
      () => 'cut',
    );
    await Promise.race([answer, elapse(duration * share)]);
    await kill(service);
    const state = await settledState();
    expect([none, all]).toContainEqual(state);
    if ((await answer) === 200) expect(state).toEqual(all);
    if (state.mappings !== '0') break;
  }
  const last = await start();
  const { status } = await bulk(last.url, applicationGuid, guids);
  expect([200, 409]).toContain(status);
  expect(await settledState()).toEqual(all);
  await kill(last);
});
