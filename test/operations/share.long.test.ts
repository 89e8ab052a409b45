/** Reads that take long cost the one who asks for them, and nobody else. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { openClient } from '../support/cluster.js';
import { newRole } from '../support/records.js';

let graph: TestGraph;
const reader = randomUUID();
const other = randomUUID();
const shareIsUsed =
  'This caller uses its whole share of the database; nothing was changed. Ask for less at once, or try again when its other requests are answered.';
beforeAll(async () => {
  // four connections beside those of the token endpoints; a read has a second and a half
  graph = await startTestGraph({ DATABASE_POOL_MAX: '8', DATABASE_STATEMENT_TIMEOUT_MS: '1500' });
  await newRole(graph.app.context);
});
afterAll(() => graph.close());

const rolesOf = (sub: string, { ask, token } = graph) =>
  ask('{ roles { nodes { name } } }', undefined, token(['admin:read'], { sub }));
async function withRolesHeld<T>(work: () => Promise<T>, { app } = graph): Promise<T> {
  const lock = await openClient(app.database.url);
  await lock.query('begin; lock table roles in access exclusive mode');
  try {
    return await work();
  } finally {
    await lock.end();
  }
}

it('while twelve long reads of one administrator are under way, another reads and changes', async () => {
  const beside = await startTestGraph({ DATABASE_POOL_MAX: '8', DATABASE_STATEMENT_TIMEOUT_MS: '3000' });
  const change = 'mutation ($name: String!) { createAccessScopeType(input: { name: $name }) { name } }';
  const statuses = new Set<number>();
  const work = async () => {
    const long = Array.from({ length: 12 }, () => rolesOf(reader, beside));
    const token = beside.token(undefined, { sub: other });
    const ended: number[] = [];
    for (const read of long) void read.then(({ status }) => ended.push(status));
    // until other long reads have taken the places of the first ones
    while (ended.length < 3) {
      const read = await beside.ask('{ profiles { nodes { name } } }', undefined, token);
      const changed = await beside.ask(change, { name: randomUUID() }, token);
      for (const { status, json } of [read, changed]) statuses.add(json.errors ? 0 : status);
    }
    expect(new Set(ended)).toEqual(new Set([503]));
    return long;
  };
  const long = await withRolesHeld(work, beside);
  await Promise.all(long);
  await beside.close();
  expect([...statuses]).toEqual([200]);
});

it('a read that takes too long is 503, says what to narrow, and that is known to change nothing', async () => {
  await withRolesHeld(async () => {
    for (let use = 0; use < 3; use++) {
      const { status, json } = await rolesOf(reader);
      expect([status, json.data]).toEqual([503, undefined]);
      expect(json.errors).toEqual([
        {
          message:
            'Reading `roles` took more than 1.5 s of database time. Narrow its filter, ask for fewer levels or a smaller page.',
          path: ['roles'],
          extensions: { code: 'UNAVAILABLE', limit: 'database seconds', max: 1.5, traceId: expect.any(String) },
        },
      ]);
    }
  });
  expect((await rolesOf(reader)).json.data.roles.nodes).toHaveLength(1);
});

it('a list that takes too long says the same, and a read that the database fails never says that anything may be changed', async () => {
  const authorization = `Bearer ${graph.token(['admin:read'], { sub: reader })}`;
  const get = (path: string) => fetch(`${graph.app.url}${path}`, { headers: { authorization, 'api-version': '1.0' } });
  const lock = await openClient(graph.app.database.url);
  await lock.query('begin; lock table applications in access exclusive mode');
  const [list, count, one] = [
    await get('/api/applications'),
    await get('/api/applications?$count=true'),
    await get(`/api/applications/${randomUUID()}`),
  ];
  await lock.end();
  for (const answer of [list, count, one]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const { detail, limit, max } = (await answer.json()) as Record<string, unknown>;
    expect([limit, max]).toEqual(['database seconds', 1.5]);
    expect(detail).toMatch(/^This read took more than 1\.5 s of database time\. Narrow its filter/);
  }
});

it('lists past the share of a caller are refused as what changes nothing, and are no errors in the log', async () => {
  const beside = await startTestGraph({ DATABASE_POOL_MAX: '8', DATABASE_TIMEOUT_MS: '2000' });
  const headers = { authorization: `Bearer ${beside.token(['admin:read'], { sub: reader })}`, 'api-version': '1.0' };
  const lock = await openClient(beside.app.database.url);
  await lock.query('begin; lock table applications in access exclusive mode');
  const lists = Array.from({ length: 12 }, () => fetch(`${beside.app.url}/api/applications`, { headers }));
  const isRefusal = ({ detail }: { detail?: string }) => detail?.startsWith('This caller uses its whole share');
  const answered = lists.map(async (list) => {
    const answer = (await (await list).json()) as { detail?: string };
    if (isRefusal(answer)) await lock.end();
    return answer;
  });
  const refusals = (await Promise.all(answered)).filter(isRefusal);
  await beside.close();
  expect(refusals.length).toBeGreaterThan(0);
  const lines = beside.app
    .logged()
    .split('\n')
    .filter((line) => line.includes('whole share of the database'));
  expect([lines.length, lines.filter((line) => !line.includes('"level":30'))]).toEqual([refusals.length, []]);
  for (const { detail } of refusals) expect(detail).toBe(shareIsUsed);
});

it('a change past the share of its caller is refused before it begins, and says that nothing was changed', async () => {
  const beside = await startTestGraph({ DATABASE_POOL_MAX: '8', DATABASE_TIMEOUT_MS: '1000' });
  const long = await withRolesHeld(async () => {
    const reads = Array.from({ length: 12 }, () => rolesOf(reader, beside));
    const change = 'mutation { createAccessScopeType(input: { name: "Late" }) { name } }';
    const { json } = await beside.ask(change, undefined, beside.token(undefined, { sub: reader }));
    expect(json.errors[0].message).toBe(shareIsUsed);
    return reads;
  }, beside);
  await Promise.all(long);
  await beside.close();
});

it('the trial of a change that takes too long is known to have changed nothing; of a change it is not known', async () => {
  await withRolesHeld(async () => {
    const apply = `mutation ($dryRun: Boolean!) { applyChanges(dryRun: $dryRun, changes: [
      { createRole: { input: { roleId: "later", name: "Later" } } }]) { isDryRun } }`;
    for (const [dryRun, consequence] of [
      [true, 'nothing was changed'],
      [false, 'whether anything was changed is not known'],
    ] as const) {
      const { json } = await graph.ask(apply, { dryRun });
      expect(json.errors[0].message).toBe(`The database is not available at the moment; ${consequence}.`);
    }
  });
});

it('where the lists of one request wait for each other, the 503 says to ask for less at once', async () => {
  const beside = await startTestGraph({ DATABASE_POOL_MAX: '8', DATABASE_TIMEOUT_MS: '1000' });
  const token = beside.token(['admin:read'], { sub: reader });
  const lists = Array.from({ length: 7 }, (_, index) => `list${index}: roles(first: ${index + 1}) { nodes { name } }`);
  const { json } = await withRolesHeld(() => beside.ask(`{ ${lists.join(' ')} }`, undefined, token), beside);
  expect(json.errors[0].message).toBe(shareIsUsed);
  await beside.close();
});
