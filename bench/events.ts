/**
 * `npm run bench -- events`: how soon events arrive, how fast many do, and a renewal with ten
 * streams beside one without any. Prints a table; bench/notes/events.md has the last one.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../src/context.js';
import { createEventStream } from '../src/modules/events/streams.js';
import { compare, cpuRatio, speedRatio } from './compare.js';
import { percentile } from './load.js';
import { renewalTarget } from './renewal.js';
import type { Stage } from './row.js';
import { type Bench, type Side, type Start, startGatehouse, withSides } from './service.js';
import { openTokenBench, type TokenBench } from './tokenData.js';

interface Receiver {
  url: string;
  /** Arrivals by the `jti` or the id of a session or user, in milliseconds of performance.now(). */
  arrivals: Map<string, number>;
  isAway: boolean;
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (receiver.isAway) return void response.writeHead(503).end();
      const claims = JSON.parse(
        Buffer.from(Buffer.concat(chunks).toString('latin1').split('.')[1]!, 'base64url').toString(),
      );
      arrivals.set(claims.sub_id.session?.id ?? claims.sub_id.user?.sub ?? claims.jti, performance.now());
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    isAway: false,
    close: () => server.close().closeAllConnections(),
  };
  return receiver;
}

const startOn = ({ environment }: Bench): Promise<Side> =>
  startGatehouse({ ...environment, PRIVATE_PROVIDER_HOSTS: '127.0.0.1', LOG_LEVEL: 'warn' });

const addStream = (context: Context, address: string, name: string) =>
  createEventStream(
    { ...context, config: { ...context.config, privateProviderHosts: ['127.0.0.1'] } },
    { name, kind: 'push', address, audience: 'bench', events: ['session-revoked'] },
  );

async function untilCount(receiver: Receiver, count: number): Promise<void> {
  while (receiver.arrivals.size < count) await pause(5);
}

/** Sessions of the users of the bench, by their guids. */
async function makeSessions({ context, users }: TokenBench, count: number): Promise<string[]> {
  const rows = await context.sql.rows<{ guid: string }>(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at)
     select ($1::uuid[])[1 + number % cardinality($1::uuid[])], 'bench', sha256(number::text::bytea), now(), now() + interval '1 day' from generate_series(1, $2::int) number
     returning token_guid::text as guid`,
    [users, count],
  );
  return rows.map(({ guid }) => guid);
}

type Show = (what: string, value: string, bar: string) => void;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

export async function run({ cluster, ...length }: Stage): Promise<void> {
  const show: Show = (what, value, bar) => void process.stdout.write(`| ${what} | ${value} | ${bar} |\n`);
  show('measure', 'value', 'at most / at least');
  show('---', '---', '---');
  await withSides(openTokenBench(cluster, 'events'), (bench, start) => measureEvents(bench, start, show));
  const receiver = await startReceiver();
  await withSides(openTokenBench(cluster, 'without'), (without, startWithout) =>
    withSides(openTokenBench(cluster, 'with-streams'), async (bench, start) => {
      for (let count = 0; count < 10; count++) await addStream(bench.context, receiver.url, `s${count}`);
      const sides = [await startWithout(startOn(without)), await start(startOn(bench))];
      const contenders = sides.map((side, index) => {
        return { side, target: () => renewalTarget([without, bench][index]!, side, 32) };
      });
      const [plain, streaming] = await compare(contenders, { cluster, ...length });
      show('renewals with ten streams by those without', speedRatio(streaming!, plain!).toFixed(3), '0.97');
      show('CPU of a renewal with ten streams by that without', cpuRatio(streaming!, plain!).toFixed(3), '1.03');
    }),
  );
  receiver.close();
}

async function measureEvents(bench: TokenBench, start: Start, show: Show): Promise<void> {
  const { context } = bench;
  const receivers = await Promise.all(Array.from({ length: 10 }, startReceiver));
  for (const [number, { url }] of receivers.entries()) await addStream(context, url, `s${number}`);
  await start(startOn(bench));
  try {
    await pause(2_000);
    const guids = await makeSessions(bench, 100);
    const late: number[] = [];
    for (const guid of guids) {
      await context.sql.rows('update tokens set is_revoked = true, revoked_at = now() where token_guid = $1', [guid]);
      const committedAt = performance.now();
      while (!receivers.every(({ arrivals }) => arrivals.has(guid))) await pause(2);
      for (const { arrivals } of receivers) late.push(arrivals.get(guid)! - committedAt);
      await pause(20);
    }
    late.sort((one, other) => one - other);
    show('commit to receipt, ten streams, p50', seconds(percentile(late, 0.5)), '');
    show('commit to receipt, ten streams, p99', seconds(percentile(late, 0.99)), '1 s');

    // one receiver from now on
    await context.sql.rows("update event_streams set status = 'disabled' where name <> 's0'");
    const [receiver] = receivers as [Receiver];
    await context.sql.rows(
      `insert into users (user_guid, first_name, created_by) select gen_random_uuid(), 'x', $1 from generate_series(1, 10000)`,
      [context.config.systemUserGuid],
    );
    await context.sql.rows(
      `insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, 'bench', 'role', $1 from users where first_name = 'x'`,
      [context.config.systemUserGuid],
    );
    await pause(1_000);
    receiver.arrivals.clear();
    await context.sql.rows(
      "delete from user_profiles using users where user_profiles.user_id = users.user_id and users.first_name = 'x'",
    );
    const lostAt = performance.now();
    await untilCount(receiver, 10_000);
    show('10,000 people lose a profile: the push receiver has all after', seconds(performance.now() - lostAt), '30 s');

    receiver.isAway = true;
    receiver.arrivals.clear();
    await makeSessions(bench, 100_000);
    await context.sql.rows(
      "update tokens set is_revoked = true, revoked_at = now() where not is_revoked and created_at > now() - interval '1 minute'",
    );
    const total = await untilPublished(context);
    receiver.isAway = false;
    await context.sql.rows("update event_streams set next_attempt_at = null where name = 's0'");
    await untilCount(receiver, 1);
    const startedAt = performance.now();
    await untilCount(receiver, Math.min(total, 30_000));
    const rate = (Math.min(total, 30_000) / (performance.now() - startedAt)) * 1_000;
    show(
      `a stopped receiver catches up, of ${total.toLocaleString('en')} events`,
      `${Math.round(rate)} a second`,
      '1,000',
    );
  } finally {
    for (const each of receivers) each.close();
  }
}

async function untilPublished({ sql }: Context): Promise<number> {
  for (;;) {
    const [row] = await sql.rows<{ count: number; open: boolean }>(
      `select (select count(*)::int from published_events event, event_streams stream where stream.name = 's0' and event.published_event_id > stream.delivered_event_id) as count,
         exists (select from event_causes cause, event_readings reading
           where (cause.transaction_id, cause.event_cause_id) > (reading.transaction_id, reading.event_cause_id)) as open`,
    );
    if (!row!.open && row!.count > 0) return row!.count;
    await pause(50);
  }
}
