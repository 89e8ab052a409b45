/** What event streams need from time to time beside the delivery: reminders, secrets, what is old. */
import { isSealedWith, sealStreamSecret } from '../../../src/auth/keyRing.js';
import { sweeps } from '../../../src/modules/cleanUp.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import type { TestGraph } from '../../graphql/graph.js';
import { until } from '../../support/until.js';
import { bodiesOf, delivering, newWebhook, readStream, startEventApp } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

const [key, oldKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)] as const;
let graph: TestGraph;
let receiver: Receiver;
beforeEach(async () => {
  const keys = [key, oldKey].map((each) => each.toString('base64')).join(',');
  [graph, receiver] = await Promise.all([startEventApp({ KEY_ENCRYPTION_KEY: keys }), startReceiver()]);
});

const rotate = () => graph.data('mutation { rotateSigningKey { kid } }');
const rows = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  graph.app.context.sql.rows<Row>(text, values);
/** The process loses the lock, and begins anew as one that takes over. */
const beginAnew = () => rows(`select pg_terminate_backend(pid) from (${delivering}) process`);

it('a secret that cannot be read keeps neither the events of other streams nor their secrets from them', async () => {
  const seal = (guid: string, secret: string): Buffer => sealStreamSecret(secret, guid, oldKey);
  const broken = await newWebhook(graph, receiver.url, { events: ['grant.ended'] });
  const whole = await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  const store = (guid: string, sealed: Buffer) =>
    rows('update event_streams set secret_ciphertext = $2 where event_stream_guid = $1', [guid, sealed]);
  const torn = seal(broken.guid, broken.secret);
  torn[torn.length - 1]! ^= 1;
  await store(broken.guid, torn);
  await store(whole.guid, seal(whole.guid, whole.secret));
  await until(async () => (await beginAnew()).length > 0);
  await rotate();
  await until(() => receiver.received.length === 1);
  await until(async () => {
    const [{ sealed }] = (await rows(
      'select secret_ciphertext as sealed from event_streams where event_stream_guid = $1',
      [whole.guid],
    )) as [{ sealed: Buffer }];
    return isSealedWith(sealed, key);
  });
});

it('a reminder that cannot be made keeps no event from its stream', async () => {
  await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  await rows('alter table housekeeping_runs rename to housekeeping_runs_away');
  await until(async () => (await beginAnew()).length > 0);
  await until(() => graph.app.logged().includes('the upkeep of event streams failed'));
  await rotate();
  await until(() => receiver.received.length === 1);
});

it('what waited for days longer than it may, because no process ran, is said to be dropped', async () => {
  receiver.answer = (_request, response, { body }) =>
    response.writeHead(body.includes('"stream.gap"') ? 204 : 500).end();
  const { guid } = await newWebhook(graph, receiver.url, { events: ['key.rotated'] });
  await rotate();
  await until(async () => (await readStream(graph, guid)).failures > 0);
  await rows("update published_events set published_at = now() - interval '30 days'");
  await until(async () => (await beginAnew()).length > 0);
  await until(() => bodiesOf(receiver.received).some(({ type }) => type === 'stream.gap'));
  await until(async () => (await rows('select from published_events')).length === 0);
});

it('the clean-up leaves the last hundred deliveries of each stream, and causes that were not read or that history has', async () => {
  const events = ['key.rotated'];
  const [busy, calm] = [
    await newWebhook(graph, receiver.url, { events }),
    await newWebhook(graph, receiver.url, { events }),
  ];
  for (const [{ guid }, count] of [
    [busy, 250],
    [calm, 20],
  ] as const)
    await rows(
      `insert into event_deliveries (event_stream_guid, event_guid, type, sent_at, milliseconds)
       select $1, gen_random_uuid(), number::text, now(), 1 from generate_series(1, $2::int) number`,
      [guid, count],
    );
  await rows('update event_readings set transaction_id = transaction_id + 1');
  await rows(
    `insert into event_causes (kind, transaction_id, occurred_at)
     select kind, transaction_id + later, now() - days * interval '1 day' from event_readings,
       (values ('old', 0 - 1, 40), ('young', 0 - 1, 20), ('unread', 1000000, 40)) as causes (kind, later, days)`,
  );
  const { config, log } = graph.app.context;
  const sql = graph.app.running.database.background;
  await purgeExpired({ sql, log, sweeps, config: { ...config, auditRetentionDays: 10 } }, new AbortController().signal);
  const kept = await rows(
    'select event_stream_guid::text as guid, count(*)::int, min(type::int) as first from event_deliveries group by 1',
  );
  expect(kept).toEqual(
    expect.arrayContaining([
      { guid: busy.guid, count: 100, first: 151 },
      { guid: calm.guid, count: 20, first: 1 },
    ]),
  );
  const causes = await rows<{ kind: string }>(
    "select kind from event_causes where kind in ('old', 'young', 'unread') order by kind",
  );
  expect(causes.map(({ kind }) => kind)).toEqual(['unread', 'young']);
});
