/** Which clients are ready for the hardened policy: for administrators by the graph, for operators by the doctor. */
import { examine } from '../../../src/cli/doctor.js';
import { sweeps } from '../../../src/modules/cleanUp.js';
import { findClientReadiness, findPolicyReadiness } from '../../../src/modules/insight/findPolicyReadiness.js';
import { openVerdictRecorder } from '../../../src/modules/insight/rehearsalRecorder.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import type { TestApp } from '../../support/app.js';
import { insert, newClient } from '../../support/records.js';

let graph: TestGraph;
let app: TestApp;
const start = async (settings: Record<string, string> = {}) => {
  graph = await startTestGraph({ TOKEN_POLICY: 'rehearsal', REHEARSAL_DAYS: '7', ...settings });
  app = graph.app;
  await app.context.sql.rows('update clients set is_active = false');
};
afterEach(() => graph?.close());

const at = (days: number) => new Date(Date.now() - days * 86_400_000);
const found = (clientId: string, verdict: string, more: object = {}) =>
  insert(app.context.sql, 'policy_verdicts', {
    client_id: clientId,
    operation: '/revoke',
    verdict,
    first_seen_at: at(3),
    last_seen_at: at(1),
    count: 5,
    ...more,
  });

/** One client in each state, and one that is switched off. */
async function clientsOfEachState() {
  const { context } = app;
  const [good, bad, unseen, strict, off] = [
    (await newClient(context)).clientId,
    (await newClient(context)).clientId,
    (await newClient(context)).clientId,
    (await newClient(context, 'secret', { policy: 'hardened' })).clientId,
    (await newClient(context, 'secret', { is_active: false })).clientId,
  ];
  await found(good, 'passed');
  // what was seen for the last time before REHEARSAL_DAYS counts no more
  await found(good, 'reuse', { last_seen_at: at(8) });
  await found(bad, 'passed', { count: 90 });
  await found(bad, 'noCredentials');
  await found(bad, 'anotherProfile', { operation: '/token', last_seen_at: at(0), count: 2 });
  await found(unseen, 'notJudged', { count: 1 });
  await found(strict, 'reuse');
  await found(off, 'reuse');
  await found('', 'noCredentials', { operation: '/validate-token', count: 4_000_000_000 });
  return { good, bad, unseen, strict, off };
}

it('the graph says how many clients are ready, and of the others why not, since when and what to do', async () => {
  await start();
  const { good, bad, unseen, strict } = await clientsOfEachState();
  const { policyReadiness } = await graph.data(`{ policyReadiness { tokenPolicy days clients ready notReady notSeen
    unready { client { clientId } judged findings { operation reason text advice count firstSeenAt lastSeenAt } }
    ofNobody { operation reason count } } }`);
  expect(policyReadiness).toEqual({
    tokenPolicy: 'rehearsal',
    days: 7,
    clients: 4,
    ready: 2,
    notReady: 1,
    notSeen: 1,
    unready: [
      {
        client: { clientId: bad },
        judged: 97,
        findings: [
          expect.objectContaining({ operation: '/token', reason: 'ANOTHER_PROFILE', count: 2 }),
          expect.objectContaining({
            operation: '/revoke',
            reason: 'NO_CREDENTIALS',
            text: 'sends no client credentials',
            advice: expect.stringContaining('client_secret'),
            count: 5,
            firstSeenAt: expect.stringMatching(/Z$/),
          }),
        ],
      },
    ],
    ofNobody: [{ operation: '/validate-token', reason: 'NO_CREDENTIALS', count: 4_000_000_000 }],
  });
  app.takeStatements();
  const { clients } = await graph.data(
    '{ clients(first: 100) { nodes { clientId policyReadiness { state isReady judged notJudged findings { reason } } } } }',
  );
  expect(app.takeStatements().filter((text) => text.includes('policy_verdicts'))).toHaveLength(1);
  const states = Object.fromEntries(
    clients.nodes.map((node: { clientId: string; policyReadiness: object }) => [node.clientId, node.policyReadiness]),
  );
  expect(states).toMatchObject({
    [good]: { state: 'READY', isReady: true, judged: 5, findings: [] },
    [bad]: {
      state: 'NOT_READY',
      isReady: false,
      findings: [{ reason: 'ANOTHER_PROFILE' }, { reason: 'NO_CREDENTIALS' }],
    },
    [unseen]: { state: 'NOT_SEEN', isReady: false, judged: 0, notJudged: 1 },
    [strict]: { state: 'HARDENED', isReady: true, findings: [] },
  });
});

it('all clients are ready with TOKEN_POLICY=hardened, and reading it needs admin:security', async () => {
  await start({ TOKEN_POLICY: 'hardened' });
  const { bad } = await clientsOfEachState();
  expect(await findPolicyReadiness(app.context)).toMatchObject({ clients: 4, ready: 4, unready: [], ofNobody: [] });
  expect(await findClientReadiness(app.context, [bad])).toMatchObject([{ state: 'HARDENED', isReady: true }]);
  const weak = { ...app.context, caller: { ...app.context.caller, permissions: new Set(['admin:read']) } as never };
  await expect(findPolicyReadiness(weak)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(findClientReadiness(weak, [bad])).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('the doctor says it in a sentence, with why for each client; in another policy it says nothing', async () => {
  await start();
  const { bad } = await clientsOfEachState();
  const examined = async (policy: string) => {
    const findings = await examine(
      { DATABASE_URL: app.database.url, PORT: '0', TOKEN_POLICY: policy, REHEARSAL_DAYS: '7' },
      async () => undefined,
    );
    return findings.find(({ what }) => what === 'rehearsal');
  };
  const { ok, text } = (await examined('rehearsal'))!;
  expect(ok).toBe(true);
  expect(text.split('\n')).toEqual([
    '2 of 4 clients are ready for TOKEN_POLICY=hardened; no request of 1 of them was observed in 7 days',
    expect.stringMatching(`^"${bad}" renews with a profileId that is not the token’s at /token: 2 times, last \\d{4}-`),
    expect.stringMatching(`^"${bad}" sends no client credentials at /revoke: 5 times, last \\d{4}-`),
    expect.stringMatching(
      '^a caller without a client sends no client credentials at /validate-token: 4000000000 times',
    ),
  ]);
  expect(await examined('documented')).toBeUndefined();
});

it('findings that were not seen for REHEARSAL_DAYS are removed', async () => {
  await start();
  const { good } = await clientsOfEachState();
  const { sql, config, log } = app.context;
  await purgeExpired({ sql, config, log, sweeps }, new AbortController().signal);
  const rows = await sql.rows('select verdict from policy_verdicts where client_id = $1', [good]);
  expect(rows).toEqual([{ verdict: 'passed' }]);
});

it('a flood of names costs bounded memory and rows, a database that is away loses nothing, and none of it waits', async () => {
  await start();
  const { sql, log, clock } = app.context;
  const { clientId } = await newClient(app.context);
  let isAway = true;
  const rows = ((text, values) =>
    isAway ? Promise.reject(new Error('away')) : sql.rows(text, values)) as typeof sql.rows;
  const verdicts = openVerdictRecorder({ sql: { ...sql, rows }, log, clock });
  for (let n = 0; n < 20_000; n++) verdicts.note(`\0stranger ${n}`, '/revoke', 'noCredentials');
  for (let n = 0; n < 3; n++) verdicts.note(clientId, '/revoke', 'reuse');
  await verdicts.close();
  isAway = false;
  // what could not be written is written by the next
  await verdicts.close();
  const kept = await sql.rows<{ client_id: string; count: string }>(
    'select client_id, count from policy_verdicts order by 1, verdict',
  );
  expect(kept.reduce((sum, { count }) => sum + Number(count), 0)).toBe(20_003);
  expect(kept.length).toBeLessThanOrEqual(3);
});
