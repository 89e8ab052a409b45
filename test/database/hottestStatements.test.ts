/**
 * The statements that the service runs most, as a reviewed file: what each says and the shape of its plan on 5,000 applications and
 * 50,000 people. A changed query is read in the diff of the snapshots; `npm test -- hottestStatements -u` writes them.
 */

import pg from 'pg';
import { inserts, lookUps } from '../../src/services/tokens/exchange.js';
import { renewalFor } from '../../src/services/tokens/renew.js';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let graph: TestGraph;
let connection: pg.Client;
let profileId: string;
let client: { client_id: string; client_secret: string };
const userGuid = '00000000-0000-4000-8000-000000000007';
const applicationGuid = '10000000-0000-4000-8000-000000000007';
const by = `'${userGuid}'::uuid`;
const guid = (first: number, text: string) =>
  `('${first}0000000-0000-4000-8000-' || lpad((${text})::text, 12, '0'))::uuid`;

/** As large as an organisation of 50,000 people; no triggers, for nobody asks for the history of these records. */
const rows = [
  // autovacuum would change plans at any moment
  `do $$ declare name regclass; begin
     for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
       execute format('alter table %s set (autovacuum_enabled = false)', name);
     end loop;
   end $$`,
  "set local session_replication_role = 'replica'",
  `insert into users (user_guid, first_name, last_name, idpname, created_by)
     select ${guid(0, 'n')}, 'Given', 'Family ' || n, 'guids', ${by} from generate_series(1, 50000) n`,
  `insert into roles (role_id, name, created_by) values ('member', 'Member', ${by})`,
  `insert into profiles (profile_id, name, created_by) select 'profile-' || n, 'Profile ' || n, ${by} from generate_series(1, 77) n`,
  `insert into access_scope_types (access_scope_type_id, name, created_by)
     select 100 + n, 'type-' || n, ${by} from generate_series(1, 4) n`,
  `insert into access_scopes (access_scope_id, access_scope_guid, name, access_scope_key, access_scope_type_id, created_by)
     select 100 + n, ${guid(2, 'n')}, 'Scope ' || n, 'key-' || n, 101 + n % 4, ${by} from generate_series(1, 204) n`,
  `insert into applications (application_id, application_guid, name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 100 + n, ${guid(1, 'n')}, 'Application ' || n, 'i', 'h', 'web', 'tab', 'external', ${by} from generate_series(1, 5000) n`,
  `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
     select 100 + n, 101 + n % 204, ${by} from generate_series(1, 5000) n`,
  `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'profile-' || n, 101 + (n * 13 + m) % 204, ${by} from generate_series(1, 77) n, generate_series(0, 9) m`,
  `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'profile-' || 1 + user_id % 77, 'member', ${by} from users`,
  `insert into tokens (token_guid, generation, token_type, started_at, user_id, profile_id, token, created_at, expires_at)
     select md5(user_id::text)::uuid, 0, 'refresh', now(), user_guid, 'profile-1', sha256(user_guid::text::bytea), now(), now() + interval '30 days' from users`,
];

beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  await context.sql.transaction(async (sql) => {
    for (const text of rows) await sql.rows(text);
  });
  const { clientId, clientSecret } = await newClient(context);
  client = { client_id: clientId, client_secret: clientSecret };
  const [held] = await context.sql.rows<{ profile_id: string }>(
    'select profile_id from user_profiles join users using (user_id) where user_guid = $1',
    [userGuid],
  );
  profileId = held!.profile_id;
  connection = new pg.Client(graph.app.database.url);
  await connection.connect();
  closeAtEnd(() => connection.end());
  // afterwards the client's secret is known, as it mostly is
  expect((await exchanged()).access_token).toBeDefined();
  // as a service that has run for a while, and with a sample of every row: plans that depend on chance would differ from run to run
  await connection.query('set default_statistics_target = 10000');
  // with synchronous_commit=off, vacuum marks pages as visible to all only after the log of commits near theirs was flushed
  for (let hidden = 1; hidden > 0; ) {
    await connection.query('vacuum analyze');
    const { rows } = await connection.query(
      "select from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages / 2",
    );
    hidden = rows.length;
  }
});
afterAll(() => graph.close());

const exchanged = async () =>
  (
    await graph.app.post('/token', {
      ...exchangeBody(graph.app.idToken({ sub: userGuid })),
      profileId,
      ...client,
    })
  ).json;
const rest =
  (path: string, method = 'GET', body?: unknown) =>
  async () => {
    const response = await fetch(graph.app.url + path, {
      method,
      headers: {
        authorization: `Bearer ${graph.token()}`,
        'api-version': '1.0',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.text();
    expect(response.status).toBe(200);
  };
const query = (text: string, variables?: object) => () => graph.data(text, variables);

/** What is asked, by name; what comes before the function that is returned isn't part of it. */
const requests: [name: string, prepare: () => Promise<() => Promise<unknown>>][] = [
  ['exchange', async () => exchanged],
  [
    'renewal',
    async () => {
      const { refresh_token } = await exchanged();
      return () => graph.app.post('/token', { ...renewalBody(refresh_token), profileId: 'any', ...client });
    },
  ],
  [
    'revocation',
    async () => {
      const { refresh_token: token } = await exchanged();
      return () => graph.app.post('/revoke', { token });
    },
  ],
  [
    'introspection',
    async () => {
      const { access_token: token } = await exchanged();
      return () =>
        fetch(`${graph.app.url}/introspect`, { method: 'POST', body: new URLSearchParams({ token, ...client }) });
    },
  ],
  [
    'profiles of a person',
    async () => () => graph.app.post('/profiles', { id_token: graph.app.idToken({ sub: userGuid }), ...client }),
  ],
  ['list of applications', async () => rest('/api/applications')],
  [
    'list of applications, filtered',
    async () => rest("/api/applications?$filter=contains(name,'7') and appType eq 'web'&$orderby=name desc&$top=5"),
  ],
  ['access scopes of an application', async () => rest(`/api/applications/${applicationGuid}/accessScopes`)],
  [
    'page of applications with their access scopes',
    async () =>
      query(
        '{ applications(first: 20) { nodes { name accessScopeApplicationsMappers(first: 5) { nodes { state accessScope { name accessScopeType { name } } } } } } }',
      ),
  ],
  [
    'page of people by name',
    async () =>
      query(
        '{ users(first: 20, filter: { lastName: { contains: "amily 77" } }, orderBy: [{ lastName: ASC }]) { totalCount nodes { userGuid lastName userProfiles(first: 5) { nodes { profile { name } } } } } }',
      ),
  ],
  ['search', async () => query('{ search(text: "family 777", first: 10) { label } }')],
  [
    'who reaches an application',
    async () => query(`{ accessOf(applicationGuid: "${applicationGuid}") { profile { name } } }`),
  ],
  [
    'why somebody reaches an application',
    async () => query(`{ explainAccess(userGuid: "${userGuid}", applicationGuid: "${applicationGuid}") { isOpen } }`),
  ],
  [
    'tiles of a viewer',
    async () => {
      const { access_token } = await exchanged();
      return () => graph.data('{ viewer { applications { name } } }', undefined, access_token);
    },
  ],
];

/** A statement that several requests need is shown with the first of them. */
const shown = new Set<string>();

it.each(requests)('%s', async (_name, prepare) => {
  const ask = await prepare();
  graph.app.takeStatements();
  await ask();
  // sorted: some are sent at the same moment
  const texts = [...new Set(graph.app.takeStatements()).difference(shown)].sort();
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    shown.add(text);
    expect(await reviewed(text)).toMatchSnapshot();
  }
});

describe.each([
  ['exchange, many at once', lookUps.userGuid],
  ['records of exchanges, many at once', inserts.ofRecord],
  [
    'renewals, many at once',
    renewalFor({ isBound: false, isRehearsal: false, profile: 'askedOfHardened', isNarrowed: false }),
  ],
])('%s', (name, { many, types }) => {
  it('as reviewed', async () => {
    expect(await reviewed(many!)).toMatchSnapshot();
  });

  it.each([1, 2, 5, 20])('is not planned anew for each %i requests', async (count) => {
    await connection.query('deallocate all');
    const values = Object.keys(types).map(() => Array(count).fill(null));
    for (let run = 0; run < 12; run++) await connection.query({ name: `${name} ${count}`, text: many!, values });
    const { rows } = await connection.query('select custom_plans from pg_prepared_statements');
    // PostgreSQL always plans the first five
    expect(rows).toEqual([{ custom_plans: '5' }]);
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Subplan Name'?: string;
  'CTE Name'?: string;
  'Join Type'?: string;
  Operation?: string;
  Plans?: PlanNode[];
}

/** The statement and beneath it the shape of its generic plan: what is read by which index, without costs. */
async function reviewed(text: string): Promise<string> {
  const explained = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, costs off, format json) ${text}`,
  );
  return `\n${lines(text)}\n\n${shape(explained.rows[0]!['QUERY PLAN'][0].Plan)}\n`;
}

/** Without the indentation that the source happens to have. */
const lines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
    .replaceAll(/ (?=(?:from|where|left join lateral|union all|order by|group by|limit) )/g, '\n');

function shape(node: PlanNode, depth = 0): string {
  const {
    'Node Type': type,
    'Relation Name': relation,
    'Index Name': index,
    'CTE Name': cte,
    Operation,
    Plans = [],
  } = node;
  const named = [
    node['Subplan Name'] && `(${node['Subplan Name']})`,
    Operation ?? type,
    relation ?? cte,
    index && `by ${index}`,
  ];
  const own = `-- ${'  '.repeat(depth)}${named.filter(Boolean).join(' ')}`;
  return [own, ...Plans.map((plan) => shape(plan, depth + 1))].join('\n');
}
