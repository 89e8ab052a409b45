/** A fail-over that lost changes, or a restore: two histories that reach the same number of changes are not the same. */
import { startTestApp, type TestApp } from '../support/app.js';

/** Databases made from the same template have the same history so far. */
const start = (settings: Record<string, string> = {}): Promise<TestApp> =>
  startTestApp({ ISSUER_URL: 'http://gatehouse.example', ADMIN_AUTH: 'none', ...settings });

const makeApplication = async (app: TestApp, name: string): Promise<void> => {
  const input = `{name: "${name}", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "tab", linkType: "global"}`;
  const { json } = await app.post('/graphql', {
    query: `mutation { createApplication(input: ${input}) { applicationGuid } }`,
  });
  expect(json.errors).toBeUndefined();
};
const list = (app: TestApp, etag?: string) =>
  fetch(`${app.url}/api/applications`, { headers: { 'api-version': '1.0', ...(etag && { 'if-none-match': etag }) } });

const listed = async (app: TestApp): Promise<string> => (await list(app)).text();
const graphed = async (app: TestApp): Promise<string> =>
  (await app.post('/graphql', { query: '{ applications(first: 1000) { nodes { name } } }' })).text;
async function counted(app: TestApp, result: string): Promise<number> {
  const text = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
  return Number(new RegExp(`replica_reads_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

it('a list of one history is not said to be unchanged in another one that had as many changes', async () => {
  const one = await start();
  const other = await start();
  const common = (await list(one)).headers.get('etag')!;
  expect((await list(other, common)).status).toBe(304);

  await makeApplication(one, 'in one history');
  await makeApplication(other, 'in the other');
  const etag = (await list(one)).headers.get('etag')!;
  expect((await list(one, etag)).status).toBe(304);
  const answer = await list(other, etag);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('in the other');
});

it('a change that the version before makes is told apart as well', async () => {
  const app = await start();
  const etag = (await list(app)).headers.get('etag')!;
  const before = await app.context.sql.rows('select nonce from catalogue_version');
  await app.context.sql.rows('update catalogue_version set version = version + 1');
  expect(await app.context.sql.rows('select nonce from catalogue_version')).not.toEqual(before);
  expect((await list(app, etag)).status).toBe(200);
});

it('a standby whose history a fail-over ended is not believed, whatever it showed before and however many changes it has', async () => {
  const standby = await start();
  const app = await start({ DATABASE_REPLICA_URLS: standby.database.url, METRICS_PORT: '0' });
  const isSeen = async (name: string) => [(await listed(app)).includes(name), (await graphed(app)).includes(name)];
  expect(await isSeen('nothing')).toEqual([false, false]);
  const believed = await counted(app, 'replica');
  expect(believed).toBeGreaterThan(1);

  await makeApplication(standby, 'lost');
  expect(await isSeen('lost')).toEqual([false, false]);
  await makeApplication(app, 'kept');
  expect(await isSeen('lost')).toEqual([false, false]);
  expect(await isSeen('kept')).toEqual([true, true]);
  await makeApplication(app, 'kept as well');
  expect(await isSeen('lost')).toEqual([false, false]);
  expect(await counted(app, 'replica')).toBe(believed);
});

it('all that a request reads of a replica is of one version, while changes come', async () => {
  const standby = await start();
  const app = await start({ DATABASE_REPLICA_URLS: standby.database.url, METRICS_PORT: '0' });
  const reads = app.context.openReads();
  const count = async () =>
    (await reads.rows<{ count: number }>('select count(*)::int as count from applications'))[0]!.count;
  expect(await count()).toBe(0);
  await makeApplication(standby, 'between the two statements');
  expect(await count()).toBe(0);
});
