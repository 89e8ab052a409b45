/** What Prometheus reads, and what the log says of slow statements. */
import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/app.js';
import { newConsumer } from './consumer.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ METRICS_PORT: '0', ADMIN_AUTH: 'none' }, { limits: { slowStatementMs: 100 } });
});
afterAll(() => app.close());

const metrics = async (path = '/metrics') => (await fetch(`${app.running.metricsUrl}${path}`)).text();
/** The value of the first sample whose line begins so. */
const sample = (text: string, start: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
};

it('requests are counted by endpoint, grant and status, with their time and statements', async () => {
  const consumer = await newConsumer(app);
  const { json } = await consumer.exchange();
  await consumer.renew(json.refresh_token);
  await consumer.renew(json.refresh_token);
  await app.post('/token', 'grant_type=refresh_token&refresh_token=x', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const text = await metrics('/metrics?scrape=1');
  const of = (grant: string) => `method="POST",endpoint="/token",grant="${grant}"`;
  expect(sample(text, `gatehouse_requests_total{${of('exchange')},status="200"}`)).toBe(1);
  expect(sample(text, `gatehouse_requests_total{${of('refresh_token')},status="200"}`)).toBe(1);
  expect(sample(text, `gatehouse_requests_total{${of('refresh_token')},status="401"}`)).toBe(2);
  expect(sample(text, `gatehouse_request_duration_seconds_count{${of('refresh_token')}}`)).toBe(3);
  const durations = text.match(/^gatehouse_request_duration_seconds_bucket\{.*grant="refresh_token".*$/gm)!;
  const counts = durations.map((line) => Number(line.slice(line.lastIndexOf(' '))));
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect([durations.length, counts.at(-1)]).toEqual([14, 3]);
  expect(sample(text, `gatehouse_request_duration_seconds_sum{${of('refresh_token')}}`)).toBeGreaterThan(0);
  // and why the used token was refused
  expect(sample(text, `gatehouse_request_statements_total{${of('refresh_token')}}`)).toBe(3);
  expect(sample(text, 'gatehouse_secret_lookups_total{result="hit"}')).toBeGreaterThan(0);
});

it('what callers choose never becomes a label', async () => {
  const guid = randomUUID();
  const options = { headers: { 'api-version': '1.0' } };
  await fetch(`${app.url}/api/applications/${guid}`, options);
  await fetch(`${app.url}/${guid}`);
  await app.post('/token', { grant_type: guid, profileId: guid, client_id: guid, client_secret: guid });
  const text = await metrics();
  expect(text).not.toContain(guid);
  expect(
    sample(text, 'gatehouse_requests_total{method="GET",endpoint="/api/applications/:guid",grant="",status="404"}'),
  ).toBe(1);
  expect(sample(text, 'gatehouse_requests_total{method="GET",endpoint="other",grant="",status="404"}')).toBe(1);
});

it('pool, keys and token records are shown, and the health beside them', async () => {
  // the scrape before, whose checks used connections themselves
  await metrics();
  const text = await metrics();
  expect(sample(text, 'gatehouse_database_connections ')).toBeGreaterThan(0);
  expect(sample(text, 'gatehouse_database_waiting ')).toBe(0);
  expect(sample(text, 'gatehouse_signing_key_age_seconds ')).toBeGreaterThan(0);
  expect(sample(text, 'gatehouse_token_rows ')).toBeGreaterThanOrEqual(0);
  expect(sample(text, 'gatehouse_clean_up_waiting_records ')).toBe(0);
  // an alert on it sees that none ever was
  expect(sample(text, 'gatehouse_clean_up_age_seconds ')).toBeGreaterThan(0);
  expect(sample(text, 'process_resident_memory_bytes ')).toBeGreaterThan(0);
  expect(JSON.parse(await metrics('/readyz')).status).toBe('ok');
});

it('a slow statement is logged with the request and the name of its GraphQL operation, without values', async () => {
  const { sql } = app.context;
  await sql.rows(
    `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end'`,
  );
  await sql.rows('create trigger slow before insert on roles for each row execute function slow()');
  const traceId = randomUUID().replaceAll('-', '');
  const mutation = 'mutation MakeRole($input: CreateRoleInput!) { createRole(input: $input) { roleId } }';
  const { json } = await app.post(
    '/graphql',
    { query: mutation, variables: { input: { roleId: 'secret-role', name: 'x' } } },
    { traceparent: `00-${traceId}-0000000000000001-01` },
  );
  expect(json.errors).toBeUndefined();
  const lines = app
    .logged()
    .split('\n')
    .filter((line) => line.includes('"slow statement"'));
  const slow = lines.map((line) => JSON.parse(line)).find((line) => line.statement.includes('insert into "roles"'));
  expect(slow).toMatchObject({ level: 40, traceId, operation: 'MakeRole', endpoint: '/graphql' });
  expect(slow.milliseconds).toBeGreaterThanOrEqual(200);
  expect(lines.join('\n')).not.toContain('secret-role');
});
