/** Traces as a collector receives them: what belongs to what, and what never leaves. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTestApp, type TestApp } from '../support/app.js';
import { type Collector, type Span, startCollector } from '../support/collector.js';
import { renewalBody } from '../support/tokens.js';
import { elapse, until } from '../support/until.js';
import { newConsumer } from './consumer.js';

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const newTraceId = () => randomBytes(16).toString('hex');
const parentSpanId = 'b7ad6b7169203331';
const traceparent = (traceId: string, flags = '01') => ({ traceparent: `00-${traceId}-${parentSpanId}-${flags}` });

/** Runs the service with traces on; all spans are there when it has ended. */
async function traced(work: (app: TestApp) => Promise<void>, settings: Record<string, string> = {}): Promise<Span[]> {
  const app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ADMIN_AUTH: 'none', ...settings });
  await work(app).finally(() => app.close());
  return collector.spans();
}
const of = (spans: Span[], traceId: string) => {
  const own = spans.filter((span) => span.traceId === traceId);
  const root = own.find(({ kind }) => kind === 2)!;
  return { root, children: own.filter((span) => span !== root) };
};

it('a request continues its caller’s trace; statements and provider fetches are below it', async () => {
  const traceId = newTraceId();
  let status = 0;
  const spans = await traced(async (app) => {
    const consumer = await newConsumer(app);
    ({ status } = await consumer.exchange(traceparent(traceId)));
    expect(app.provider.asked).toContain('/jwks');
  });
  expect(status).toBe(200);
  const { root, children } = of(spans, traceId);
  expect(root).toMatchObject({ name: 'POST /token', parentSpanId, status: 0 });
  expect(root.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/token',
    'http.response.status_code': 200,
    'gatehouse.grant': 'exchange',
  });
  expect(new Set(children.map((child) => child.parentSpanId))).toEqual(new Set([root.spanId]));
  expect(children.every(({ kind }) => kind === 3)).toBe(true);
  const fetches = children.filter(({ name }) => name === 'GET').map(({ attributes }) => attributes['url.full']);
  expect(fetches).toEqual([expect.stringMatching(/openid-configuration$/), expect.stringMatching(/jwks$/)]);
  const statements = children.filter(({ attributes }) => attributes['db.query.text']);
  expect(statements.length).toBe(Number(root.attributes['gatehouse.statements']));
  expect(statements.map(({ attributes }) => attributes['db.query.text']).join()).toMatch(/insert into tokens/i);
  expect(collector.resources()[0]).toMatchObject({ 'service.name': 'gatehouse' });
});

it('requests sent one behind the other, their bodies in pieces, have each its own statements', async () => {
  const traceIds = Array.from({ length: 12 }, newTraceId);
  const spans = await traced(async (app) => {
    const { port, hostname } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const answered = text(socket);
    const body = (client_id: string) =>
      JSON.stringify({
        ...renewalBody('r'),
        profileId: 'p',
        client_id,
        client_secret: 's',
      });
    for (const traceId of traceIds) {
      const sent = `POST /token HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n${
        traceId === traceIds.at(-1) ? 'connection: close\r\n' : ''
      }traceparent: ${traceparent(traceId).traceparent}\r\ncontent-length: ${body(traceId).length}\r\n\r\n${body(traceId)}`;
      // each piece ends within a body, and begins the next request
      socket.write(sent.slice(0, -20));
      await elapse(5);
      socket.write(sent.slice(-20));
    }
    expect((await answered).match(/HTTP\/1.1 401/g)).toHaveLength(traceIds.length);
  });
  for (const traceId of traceIds) {
    const { root, children } = of(spans, traceId);
    expect(children.map((child) => [child.parentSpanId, child.attributes['db.operation.name']])).toEqual([
      [root.spanId, 'SELECT'],
    ]);
  }
});

it('the trace id is the one that answers and the log have', async () => {
  let traceId = '';
  const spans = await traced(
    async (app) => {
      const answer = await app.post('/token', '{');
      traceId = answer.json.traceId;
      expect(app.logged()).toContain(`"traceId":"${traceId}","method":"POST","route":"/token","status":400`);
    },
    { ACCESS_LOG: 'all' },
  );
  expect(of(spans, traceId).root.attributes).toMatchObject({ 'http.response.status_code': 400 });
});

it('GraphQL operations are told by name and type, their statements without a value', async () => {
  const [read, write] = [newTraceId(), newTraceId()];
  const name = `canary-${randomBytes(6).toString('hex')}`;
  const spans = await traced(async (app) => {
    const query =
      'query Everything($x: Int) { applications(first: $x) { nodes { name accessScopes { totalCount } } } }';
    await app.post('/graphql', { query, variables: { x: 7 } }, traceparent(read));
    const mutation = `mutation Make { createRole(input: {roleId: "${name}", name: "${name}"}) { roleId } }`;
    const made = await app.post('/graphql', { query: mutation }, traceparent(write));
    expect(made.json).toMatchObject({ data: { createRole: { roleId: name } } });
  });
  expect(of(spans, read).root).toMatchObject({ name: 'POST /graphql' });
  expect(of(spans, read).root.attributes).toMatchObject({
    'graphql.operation.name': 'Everything',
    'graphql.operation.type': 'query',
  });
  expect(of(spans, write).root.attributes).toMatchObject({ 'graphql.operation.type': 'mutation' });
  expect(of(spans, write).children.map(({ name: operation }) => operation)).toEqual(
    expect.arrayContaining(['BEGIN', 'INSERT', 'COMMIT']),
  );
  expect(collector.received()).not.toContain(name);
});

it('a streamed list shows its statement, and a refused one its state', async () => {
  const [list, refused] = [newTraceId(), newTraceId()];
  const spans = await traced(async (app) => {
    const headers = { 'api-version': '1.0' };
    const answer = await fetch(`${app.url}/api/applications?$filter=name eq 'x'`, {
      headers: { ...headers, ...traceparent(list) },
    });
    expect(await answer.json()).toEqual([]);
    await app.context.sql.rows('alter table applications rename to gone');
    await fetch(`${app.url}/api/applications`, { headers: { ...headers, ...traceparent(refused) } });
  });
  const streamed = of(spans, list);
  expect(streamed.root).toMatchObject({ name: 'GET /api/applications', status: 0 });
  expect(streamed.root.attributes['gatehouse.statements']).toBe(2);
  expect(streamed.children.map(({ attributes }) => attributes['db.query.text']).join()).toMatch(/from applications /);
  expect(of(spans, refused).root).toMatchObject({ status: 2 });
  const failed = of(spans, refused).children.find(({ status }) => status === 2);
  expect(failed?.attributes).toMatchObject({ 'db.response.status_code': '42P01', 'error.type': '42P01' });
});

it('spans contain nothing that callers write into addresses', async () => {
  const misplaced = `canary-${randomBytes(6).toString('hex')}`;
  const spans = await traced(async (app) => {
    for (const path of [`/${misplaced}`, `/api/applications/${misplaced}?${misplaced}=1`, `/token?x=${misplaced}`])
      await fetch(`${app.url}${path}`, {
        headers: { 'api-version': '1.0', 'user-agent': misplaced, cookie: misplaced },
      });
    await app.post('/graphql', { query: '{ viewer { profileId } }', operationName: `not a name ${misplaced}` });
  });
  expect(spans.filter(({ kind }) => kind === 2).map(({ name }) => name)).toEqual([
    'GET',
    'GET /api/applications/:guid',
    'GET /token',
    'POST /graphql',
  ]);
  expect(collector.received()).not.toContain(misplaced);
});

it.each([
  ['the caller does not keep it', '1', '00', false],
  ['none is to be kept', '0', undefined, false],
  ['the caller keeps it, though none of ours is kept', '0', '01', true],
])('a trace is kept or not: %s', async (_case, share, flags, isKept) => {
  const traceId = newTraceId();
  const spans = await traced(
    async (app) => {
      const { json } = await app.post('/token', '{', flags ? traceparent(traceId, flags) : {});
      if (flags) expect(json.traceId).toBe(traceId);
    },
    { OTEL_TRACES_SAMPLER_ARG: share },
  );
  expect(spans.length > 0).toBe(isKept);
});

it.each([
  `00-${'0'.repeat(32)}-${parentSpanId}-01`,
  `00-${newTraceId()}-${'0'.repeat(16)}-01`,
  `ff-${newTraceId()}-${parentSpanId}-01`,
  `00-${newTraceId().toUpperCase()}x-${parentSpanId}-01`,
])('a traceparent that is none (%s) begins a new trace', async (header) => {
  let traceId = '';
  const spans = await traced(async (app) => {
    traceId = (await app.post('/token', '{', { traceparent: header })).json.traceId;
  });
  expect(header).not.toContain(traceId);
  expect(of(spans, traceId).root.parentSpanId || undefined).toBeUndefined();
});

it('a collector that is away costs no request anything, and is told once', async () => {
  await collector.close();
  const app = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const consumer = await newConsumer(app);
  const answers = await Promise.all(Array.from({ length: 20 }, () => consumer.exchange()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await app.close();
  const countWarnings = () => app.logged().match(/the collector does not accept them/g)?.length ?? 0;
  await until(() => countWarnings() > 0);
  expect(countWarnings()).toBe(1);
});
