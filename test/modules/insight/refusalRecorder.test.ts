/** Why a token request was refused, asked by the trace id of its answer. */
import { randomBytes } from 'node:crypto';
import { generateSecret } from '../../../src/auth/clientSecret.js';
import type { NotedRefusal } from '../../../src/context.js';
import { sweeps } from '../../../src/modules/cleanUp.js';
import { openRefusalRecorder, refusalsMax } from '../../../src/modules/insight/refusalRecorder.js';
import type { Log } from '../../../src/observability/log.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import { reportRefusal } from '../../../src/services/tokens/tokenRefusal.js';
import type { Sql } from '../../../src/sql.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import type { Answer, TestApp } from '../../support/app.js';
import { newClient, newHolder, newProfile } from '../../support/records.js';
import { exchangeBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';

let graph: TestGraph;
let app: TestApp;
let client: { client_id: string; client_secret: string };
afterEach(() => graph.close());

async function open(settings: Record<string, string> = {}): Promise<void> {
  graph = await startTestGraph({ REFUSAL_RETENTION_DAYS: '7', ...settings });
  app = graph.app;
  const { clientId, clientSecret } = await newClient(app.context);
  client = { client_id: clientId, client_secret: clientSecret };
}

const refusal = `query Refusal($traceId: String!) { refusal(traceId: $traceId) {
  traceId occurredAt endpoint grant clientId client { name } check text advice detail tokenGuid token { profileId } earlier { detail } } }`;
const kept = async (): Promise<number> =>
  (await app.context.sql.rows<{ count: number }>('select count(*)::int from refused_requests'))[0]!.count;

/** They are written within a second or so. */
async function untilKept(count: number): Promise<void> {
  await until(async () => (await kept()) >= count);
}

/** What is answered of the last refusal of the trace, when it is there. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function explained(traceId: string): Promise<any> {
  return until(async () => (await graph.data(refusal, { traceId })).refusal);
}
const traceOf = ({ headers }: Answer): string => headers.get('trace-id')!;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

it('a refusal is explained by the trace id of its answer: when, which client, which endpoint and check, and what to do', async () => {
  await open();
  const { profileId, userGuid } = await newHolder(app.context);
  const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, ...client };
  const answer = await app.post('/token', { ...body, client_secret: 'wrong' });
  expect([answer.status, answer.text]).toEqual([401, '{"error":"Invalid client credentials"}']);
  const { occurredAt, ...refusal } = await explained(traceOf(answer));
  expect(Math.abs(Date.now() - Date.parse(occurredAt))).toBeLessThan(60_000);
  expect(refusal).toEqual({
    traceId: traceOf(answer),
    endpoint: '/token',
    grant: 'exchange',
    clientId: client.client_id,
    client: { name: 'Client' },
    check: 'CLIENT',
    text: 'The client secret is wrong.',
    advice: expect.stringContaining('bin/gatehouse client rotate-secret'),
    detail: 'wrong secret',
    tokenGuid: null,
    token: null,
    earlier: [],
  });
  const good = await app.post('/token', body);
  expect([good.status, good.headers.has('trace-id')]).toEqual([200, false]);
});

it('each check is told apart, in both dialects and at every endpoint', async () => {
  await open();
  const holder = await newHolder(app.context);
  const [blocked, other] = [await newHolder(app.context), await newProfile(app.context)];
  await app.context.sql.rows('update users set is_blocked = true where user_guid = $1', [blocked.userGuid]);
  const exchange = (more: object = {}) => ({
    ...exchangeBody(app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    ...client,
    ...more,
  });
  const session = (await app.post('/token', exchange())).json;
  const renewal = { grant_type: 'refresh_token', profileId: holder.profileId, ...client };
  await app.post('/token', { ...renewal, refresh_token: session.refresh_token });
  const posted = (path: string, body: object) => app.post(path, body);
  const sent = (path: string, body: object) => app.post(path, new URLSearchParams(body as never).toString(), form);
  const tokenExchange = {
    ...client,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: holder.profileId,
  };
  const cases: [Promise<Answer>, status: number, check: string, detail: string][] = [
    [posted('/token', exchange({ client_id: 'nobody' })), 401, 'CLIENT', 'unknown client'],
    [posted('/token', exchange({ id_token: app.idToken({ aud: 'x' }) })), 401, 'ID_TOKEN', 'aud is another'],
    [posted('/token', exchange({ id_token: app.idToken({}) })), 400, 'PROFILE', 'no such user of that issuer'],
    [posted('/token', exchange({ profileId: 'none' })), 400, 'PROFILE', 'no such profile: "none"'],
    [posted('/token', exchange({ profileId: `aB3${'x'.repeat(40)}` })), 400, 'PROFILE', 'no such profile: "aB3x…"'],
    [posted('/token', exchange({ profileId: `summer-${'x'.repeat(20)}` })), 400, 'PROFILE', 'no such profile: "summ…"'],
    [posted('/token', exchange({ profileId: other })), 400, 'PROFILE', 'profile not held'],
    [
      posted('/token', exchange({ id_token: app.idToken({ sub: blocked.userGuid }), profileId: blocked.profileId })),
      400,
      'PROFILE',
      'user blocked',
    ],
    [
      posted('/token', { ...renewal, refresh_token: session.refresh_token }),
      401,
      'RENEWAL_TOKEN',
      'used: generation 0 of 1',
    ],
    [sent('/token', { ...renewal, refresh_token: 'x' }), 400, 'RENEWAL_TOKEN', 'unknown'],
    [posted('/token', exchange({ grant_type: 'password' })), 400, 'GRANT', 'grant_type is not supported'],
    [posted('/token', { grant_type: 5 }), 400, 'REQUEST', expect.stringContaining('The grant_type field must be')],
    [sent('/token', { ...client }), 400, 'REQUEST', 'grant_type is required'],
    [sent('/token', { ...tokenExchange, subject_token: 'x' }), 400, 'ID_TOKEN', '1 parts instead of three'],
    [
      posted('/validate-token', { token: session.refresh_token }),
      400,
      'ACCESS_TOKEN',
      'typ is not that of an access token',
    ],
    [posted('/validate-token', {}), 400, 'REQUEST', 'The token field is required.'],
    [posted('/revoke', { token: 'x' }), 404, 'RENEWAL_TOKEN', 'no active record has the token'],
    [sent('/introspect', { token: 'x' }), 401, 'CLIENT', 'no credentials'],
  ];
  for (const [request, status, check, detail] of cases) {
    const answer = await request;
    const refusal = await explained(traceOf(answer));
    expect([answer.status, refusal.check, refusal.detail]).toEqual([status, check, detail]);
    expect(refusal.endpoint).toBe(new URL(app.url + refusal.endpoint).pathname);
    if (check === 'RENEWAL_TOKEN' && answer.status === 401)
      expect(refusal.token).toEqual({ profileId: holder.profileId });
  }
});

it('asking needs admin:security, and the trace id, or the whole traceparent that was sent; twenty are told at most', async () => {
  await open();
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  for (const token of ['x', '']) await app.post('/revoke', { token }, { traceparent });
  await untilKept(2);
  const { json } = await graph.ask(refusal, { traceId }, graph.token(['admin:read', 'admin:write']));
  expect([json.data, json.errors[0].extensions.code]).toEqual([undefined, 'FORBIDDEN']);
  const found = await explained(traceparent.toUpperCase());
  expect([found.traceId, found.detail]).toEqual([traceId, 'The token field is required.']);
  expect(found.earlier).toEqual([{ detail: 'no active record has the token' }]);
  await app.context.sql.rows(
    `insert into refused_requests (trace_id, occurred_at, reason, detail)
     select $1, now(), 'invalidClient', 'unknown client' from generate_series(1, 30)`,
    [traceId],
  );
  expect((await explained(traceId)).earlier).toHaveLength(19);
  const bad = await graph.ask(refusal, { traceId: 'x' });
  expect(bad.json.errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { traceId: [expect.any(String)] },
  });
});

it('an attack costs no statement per request, and not all of one address are kept', async () => {
  await open();
  app.takeStatements();
  for (let round = 0; round < 20; round++)
    await Promise.all(Array.from({ length: 50 }, () => app.post('/validate-token', { token: 'x' })));
  await untilKept(300);
  const written = app.takeStatements().filter((text) => text.includes('refused_requests') && text.includes('insert'));
  expect(written.length).toBeLessThan(10);
  expect(await kept()).toBeLessThan(1_000);
});

const noted: NotedRefusal = {
  traceId: '0'.repeat(32),
  address: null,
  endpoint: '/token',
  grant: null,
  clientId: 'c',
  reason: 'invalidClient',
  detail: 'unknown client',
  tokenGuid: null,
};
const clock = { now: () => new Date() };

it('three hundred refusals of one address are stored at once, then one a second, and those of other addresses beside them', async () => {
  await open();
  let now = 1_800_000_000_000;
  const counts = new Map<string, number>();
  const rows = async (_text: string, [traceIds = []]: string[][] = []) => {
    for (const traceId of traceIds) counts.set(traceId, (counts.get(traceId) ?? 0) + 1);
  };
  const refusals = openRefusalRecorder({
    sql: { rows } as unknown as Sql,
    log: app.context.log,
    clock: { now: () => new Date(now) },
    retentionDays: 7,
  });
  const note = (traceId: string, address: string, times: number) => {
    for (let time = 0; time < times; time++) refusals.note({ ...noted, traceId, address });
  };
  note('one', '192.0.2.1', 400);
  note('other', '198.51.100.7', 100);
  await refusals.close();
  expect(Object.fromEntries(counts)).toEqual({ one: 300, other: 100 });
  counts.clear();
  now += 5_000;
  note('one', '192.0.2.1', 10);
  // the addresses of a network of IPv6 are one's
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2::2']) note('network', address, 200);
  await refusals.close();
  expect(Object.fromEntries(counts)).toEqual({ one: 5, network: 300 });
});

it('ten thousand addresses are known at a time; a minute later those that came no more make room', async () => {
  let now = 1_800_000_000_000;
  let written = 0;
  const rows = async (_text: string, [traceIds = []]: string[][] = []) => {
    written += traceIds.length;
  };
  const refusals = openRefusalRecorder({
    sql: { rows } as unknown as Sql,
    log: { warn: () => undefined } as unknown as Log,
    clock: { now: () => new Date(now) },
    retentionDays: 7,
  });
  let addresses = 0;
  const keptOf = async (count: number) => {
    written = 0;
    for (let number = 0; number < count; number++) refusals.note({ ...noted, address: `address ${addresses++}` });
    await refusals.close();
    return written;
  };
  for (let batch = 0; batch < 20; batch++) expect(await keptOf(500)).toBe(500);
  expect(await keptOf(10)).toBe(0);
  now += 60_000;
  expect(await keptOf(10)).toBe(10);
});

it('while the database does not answer, what is refused is not gathered without end, and nothing waits for it', async () => {
  await open();
  const { log } = app.context;
  const written: number[] = [];
  const released = Promise.withResolvers<void>();
  const sql = {
    rows: async (_text: string, values: unknown[] = []) => {
      if (values.length > 0) written.push((values[0] as unknown[]).length);
      await released.promise;
      throw new Error('away');
    },
  } as unknown as Sql;
  const refusals = openRefusalRecorder({ sql, log, clock, retentionDays: 7 });
  for (let number = 0; number < 20_000; number++) refusals.note({ ...noted, address: `address ${number}` });
  released.resolve();
  await refusals.close();
  expect(written).toEqual([500]);
  expect(app.logged().split('refusals could not be stored').length).toBe(2);
});

it('the newest hundred thousand stay, whichever processes write them', async () => {
  await open();
  const { sql, log } = app.context;
  await sql.rows(
    `insert into refused_requests (trace_id, occurred_at, reason, detail)
     select md5(n::text), now(), 'invalidClient', 'unknown client' from generate_series(1, $1) n`,
    [refusalsMax + 700],
  );
  const processes = [1, 2].map(() => openRefusalRecorder({ sql, log, clock, retentionDays: 7 }));
  for (const each of processes) each.note(noted);
  await Promise.all(processes.map((each) => each.close()));
  expect(await kept()).toBe(refusalsMax);
  const [{ oldest } = { oldest: 0 }] = await sql.rows<{ oldest: number }>(
    'select min(refused_request_id)::int as oldest from refused_requests',
  );
  expect(oldest).toBe(703);
});

it('what is older than REFUSAL_RETENTION_DAYS is answered no more, and leaves with the next clean-up; 0 keeps none', async () => {
  await open({ REFUSAL_RETENTION_DAYS: '2' });
  const { sql, log, config } = app.context;
  await sql.rows(
    `insert into refused_requests (trace_id, occurred_at, reason, detail)
     select repeat(n::text, 32), now() - make_interval(days => n), 'invalidClient', 'unknown client' from generate_series(1, 3) n`,
  );
  const isThere = async (digit: string) => (await graph.data(refusal, { traceId: digit.repeat(32) })).refusal !== null;
  expect([await isThere('1'), await isThere('3')]).toEqual([true, false]);
  await purgeExpired({ sql: app.running.database.background, config, log, sweeps }, new AbortController().signal);
  expect(await kept()).toBe(1);
  const none = openRefusalRecorder({ sql, log, clock, retentionDays: 0 });
  none.note(noted);
  await none.close();
  expect(await kept()).toBe(1);
});

it('a secret, a token or a hash in the place of the client id is cut, in the store and in the log', async () => {
  await open();
  const { userGuid } = await newHolder(app.context);
  const misplaced = [generateSecret(), app.idToken({ sub: userGuid }), `$2b$10$${'a'.repeat(53)}`, 'ab'.repeat(32)];
  for (const client_id of misplaced)
    await app.post('/token', { ...client, grant_type: 'refresh_token', profileId: 'p', client_id });
  await untilKept(misplaced.length);
  const ids = await app.context.sql.rows<{ id: string }>('select client_id as id from refused_requests order by 1');
  expect(ids.map(({ id }) => id).sort()).toEqual(misplaced.map((id) => `${id.slice(0, 4)}…`).sort());
  for (const secret of misplaced) expect(app.logged()).not.toContain(secret);
  const odd = `\0${'\ud800'.repeat(200)}`;
  const answer = await app.post('/token', { ...client, grant_type: 'refresh_token', profileId: 'p', client_id: odd });
  expect((await explained(traceOf(answer))).clientId).toBe('\ufffd'.repeat(100));
});

it('a proof without the nonce of the day is no refusal but a step of the protocol', async () => {
  await open();
  reportRefusal(app.context, { reason: 'nonceWanted', detail: 'its nonce is missing or has expired' });
  reportRefusal(app.context, { reason: 'invalidProof', detail: 'it was used before' });
  await untilKept(1);
  const [row] = await app.context.sql.rows<{ reason: string }>('select reason from refused_requests');
  expect(row!.reason).toBe('invalidProof');
});
