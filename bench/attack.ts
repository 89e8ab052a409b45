/**
 * `npm run bench -- attack`: what a good client, whose secret is remembered, notices of attacks on others and on itself,
 * and of clients that come for the first time. Open loop: it renews at fixed times, and waiting counts.
 */
import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Attack } from './attackers.js';
import { median, openLoop, percentile, post } from './load.js';
import { replaceSection } from './results.js';
import { type Cluster, openCluster, type Side, startGatehouse } from './service.js';
import { makeRenewalTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const rounds = 5;
/** Of a round: an attack's first comparisons come at once, until the limit of failures a minute. */
const attackSeconds = 12;
const good = { perSecond: 100, connections: 8 };
const wrongPerSecond = 500;
const coldPerSecond = 4;
const bars = { bar: 2, aim: 1.3 };
const secret = randomBytes(16).toString('hex');

interface Stage {
  bench: TokenBench;
  side: Side;
  /** Of a round. */
  seconds: number;
}

interface Length {
  rounds: number;
  /** Of a round. */
  seconds: number;
}

/** Who comes beside the good client; gives the requests of one round. */
interface Scene {
  name: string;
  /** 0: nobody. */
  perSecond: number;
  requests(stage: Stage, goodClient: string): Promise<string[]>;
}

const scenes: Scene[] = [
  { name: 'alone', perSecond: 0, requests: async () => [] },
  {
    name: `${wrongPerSecond} malformed requests a second, for what requests alone cost`,
    perSecond: wrongPerSecond,
    requests: async () => [malformed],
  },
  {
    name: `${wrongPerSecond} wrong secrets a second for another client`,
    perSecond: wrongPerSecond,
    requests: async ({ bench, seconds }) => wrongSecrets(seconds, await newClient(bench)),
  },
  {
    name: `${wrongPerSecond} wrong secrets a second for the same client`,
    perSecond: wrongPerSecond,
    requests: async ({ seconds }, goodClient) => wrongSecrets(seconds, goodClient),
  },
  {
    name: `${wrongPerSecond} wrong secrets a second, each for a client id of its own`,
    perSecond: wrongPerSecond,
    requests: async ({ seconds }) => wrongSecrets(seconds),
  },
  { name: `${coldPerSecond} new clients a second`, perSecond: coldPerSecond, requests: newcomers },
];

interface Round {
  p50: number;
  p99: number;
  statuses: Statuses;
}
type Statuses = Record<string, number>;

export async function run(): Promise<void> {
  const cluster = await openCluster();
  try {
    const table = tableOf(scenes, await measure(cluster, scenes, { rounds, seconds: attackSeconds }));
    process.stdout.write(`${table}\n`);
    replaceSection('attack', `${about({ rounds, seconds: attackSeconds })}\n\n${table}`);
  } finally {
    await cluster.close();
  }
}

/** The rounds of each scene, interleaved. */
async function measure(cluster: Cluster, scenes: readonly Scene[], { rounds, seconds }: Length): Promise<Round[][]> {
  const bench = await openTokenBench(cluster, 'attack');
  let side: Side | undefined;
  try {
    // each attacker has an address of its own, or the limit per address would end it before the one per client
    side = await startGatehouse({ ...bench.environment, TRUST_PROXY: 'loopback' }, 'ignore');
    const stage = { bench, side, seconds };
    const measured = scenes.map((): Round[] => []);
    await play(stage, scenes[0]!);
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 ? scenes.toReversed() : scenes;
      for (const scene of order) measured[scenes.indexOf(scene)]!.push(await play(stage, scene));
    }
    return measured;
  } finally {
    await side?.stop();
    await bench.close();
  }
}

/** A good client of its own each time, so that nobody's failures of the round before count. */
async function play(stage: Stage, scene: Scene): Promise<Round> {
  const { bench, side, seconds } = stage;
  const goodClient = await newClient(bench);
  const tokens = await makeRenewalTokens(bench, good.connections);
  const target = {
    port: side.port,
    connections: good.connections,
    request: (connection: number) => renewal(goodClient, secret, tokens[connection]!, '192.0.2.1'),
    answered: (connection: number, { status, body }: { status: number; body?: Buffer }) => {
      const renewed = /"refresh_token":"([\w.-]+)"/.exec(body!.toString('latin1'))?.[1];
      if (status !== 200 || !renewed) throw new Error(`the good client was answered ${status} ${body}`);
      tokens[connection] = renewed;
    },
  };
  // its secret is remembered, and the connections of the service are open
  await openLoop(target, 1, good.perSecond);
  const attack = await startAttack(stage, scene, goodClient);
  const { values } = await openLoop(target, seconds, good.perSecond);
  const at = (share: number) => percentile(values, share)!;
  return { p50: at(0.5), p99: at(0.99), statuses: await attack.ended };
}

/** Goes on for a little longer than the good client is measured. */
async function startAttack(stage: Stage, scene: Scene, goodClient: string): Promise<{ ended: Promise<Statuses> }> {
  if (scene.perSecond === 0) return { ended: Promise.resolve({}) };
  const worker = await startWorker(stage, scene, goodClient);
  const begun = Promise.withResolvers<void>();
  const ended = new Promise<Statuses>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (counts: 'begun' | Statuses) => (counts === 'begun' ? begun.resolve() : resolve(counts)));
  });
  await Promise.race([begun.promise, ended]);
  return { ended };
}

async function startWorker({ side, seconds, bench }: Stage, scene: Scene, goodClient: string): Promise<Worker> {
  const { port } = side;
  const common = { port, seconds: seconds + 1 };
  const requests = await scene.requests({ side, seconds, bench }, goodClient);
  const workerData: Attack = { ...common, perSecond: scene.perSecond, requests };
  return new Worker(new URL('./attackers.js', import.meta.url), { workerData });
}

const renewal = (clientId: string, clientSecret: string, token: string, address: string): string =>
  post(
    '/token',
    `{"grant_type":"refresh_token","refresh_token":"${token}","profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"}`,
    `x-forwarded-for: ${address}\r\n`,
  );

const malformed = post('/token', '{"grant_type":"refresh_token"}', 'x-forwarded-for: 198.51.100.250\r\n');

/** From 250 addresses. @param clientId absent: each is for an id of its own */
function wrongSecrets(seconds: number, clientId?: string): string[] {
  return Array.from({ length: wrongPerSecond * (seconds + 1) }, (_, index) => {
    const wrong = randomBytes(8).toString('hex');
    return renewal(clientId ?? `nobody-${wrong}`, wrong, 'x', `198.51.100.${index % 250}`);
  });
}

/** Clients with their right secrets, which the service has not seen yet. */
async function newcomers({ bench, seconds }: Stage): Promise<string[]> {
  const count = coldPerSecond * (seconds + 1);
  const tokens = await makeRenewalTokens(bench, count);
  const clients = await Promise.all(tokens.map(() => newClient(bench)));
  return clients.map((clientId, index) => renewal(clientId, secret, tokens[index]!, '203.0.113.1'));
}

let hashed: string | undefined;
async function newClient({ context: { sql, secrets } }: TokenBench): Promise<string> {
  hashed ??= await secrets.hash(secret);
  const clientId = `client-${randomBytes(8).toString('hex')}`;
  await sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $1)', [clientId, hashed]);
  return clientId;
}

const ratiosToAlone = (rounds: readonly Round[], alone: readonly Round[]): number[] =>
  rounds.map(({ p99 }, round) => p99 / alone[round]!.p99);

/** @param measured of each scene; the first is the good client alone */
function tableOf(scenes: readonly Scene[], measured: readonly Round[][]): string {
  const lines = scenes.map(({ name, perSecond }, index) => {
    const all = measured[index]!;
    const ratios = ratiosToAlone(all, measured[0]!);
    const spread = ratios.toSorted((one, other) => one - other);
    const statuses = new Map<string, number>();
    for (const { statuses: counts } of all)
      for (const [status, count] of Object.entries(counts)) statuses.set(status, (statuses.get(status) ?? 0) + count);
    const answered = [...statuses].map(([status, count]) => `${status}: ${Math.round(count / all.length)}`).join(', ');
    const cells = [median(all.map(({ p50 }) => p50)), median(all.map(({ p99 }) => p99))].map((value) =>
      value.toFixed(1),
    );
    const ratio =
      index === 0 ? '' : `**${median(ratios).toFixed(2)}** (${spread[0]!.toFixed(2)} to ${spread.at(-1)!.toFixed(2)})`;
    return `| ${name} | ${cells.join(' | ')} | ${ratio} | ${perSecond === 0 ? '' : answered} |`;
  });
  return [
    '| beside it | p50, ms | p99, ms | p99 by p99 alone | answers to the others, a round |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const about = ({ rounds, seconds }: Length): string =>
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; bcrypt's cost 10, default limits. A client whose secret is remembered renews ${good.perSecond} times a second on ${good.connections} connections, open loop, ${seconds} s; ${rounds} interleaved rounds; the ratio is the median of the rounds' (least to most). Bar: at most ${bars.bar}; aim for new clients ${bars.aim}.`;
