/**
 * `npm run bench -- attack`: what a good client, whose secret is remembered, notices of attacks on others and on itself,
 * and of clients that come for the first time. Open loop: it renews at fixed times, and waiting counts.
 */
import { randomBytes } from 'node:crypto';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Attack } from './attackers.js';
import { median, openLoop, percentile, post } from './load.js';
import { renewing } from './renewal.js';
import { replaceSection } from './results.js';
import type { Stage } from './row.js';
import { type Side, startGatehouse, withSides } from './service.js';
import { makeRenewalTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const rounds = 5;
/** Of a round: an attack's first comparisons come at once, until the limit of failures a minute. */
const attackSeconds = 12;
const secondsMost = attackSeconds + 1;
const good = { perSecond: 100, connections: 8 };
const wrongPerSecond = 500;
const coldPerSecond = 4;
const secret = randomBytes(16).toString('hex');

interface Attacked {
  bench: TokenBench;
  side: Side;
}

/** Who comes beside the good client; gives the requests of one round. */
interface Scene {
  name: string;
  /** 0: nobody. */
  perSecond: number;
  requests(attacked: Attacked, goodClient: string): Promise<string[]>;
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
    requests: async ({ bench }) => wrongSecrets(await newClient(bench)),
  },
  {
    name: `${wrongPerSecond} wrong secrets a second for the same client`,
    perSecond: wrongPerSecond,
    requests: async (_attacked, goodClient) => wrongSecrets(goodClient),
  },
  {
    name: `${wrongPerSecond} wrong secrets a second, each for a client id of its own`,
    perSecond: wrongPerSecond,
    requests: async () => wrongSecrets(),
  },
  { name: `${coldPerSecond} new clients a second`, perSecond: coldPerSecond, requests: newcomers },
];

interface Round {
  p50: number;
  p99: number;
  statuses: Statuses;
}
type Statuses = Record<string, number>;

export const run = ({ cluster }: Stage): Promise<void> =>
  withSides(openTokenBench(cluster, 'attack'), async (bench, start) => {
    // each attacker has an address of its own, or the limit per address would end it before the one per client
    const side = await start(startGatehouse({ ...bench.environment, TRUST_PROXY: 'loopback' }, 'ignore'));
    const measured = scenes.map((): Round[] => []);
    await play({ bench, side }, scenes[0]!);
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 ? scenes.toReversed() : scenes;
      for (const scene of order) measured[scenes.indexOf(scene)]!.push(await play({ bench, side }, scene));
    }
    const table = tableOf(measured);
    process.stdout.write(`${table}\n`);
    replaceSection('attack', `${about}\n\n${table}`);
  });

/** A good client of its own each time, so that nobody's failures of the round before count. */
async function play(attacked: Attacked, scene: Scene): Promise<Round> {
  const { bench, side } = attacked;
  const goodClient = await newClient(bench);
  const tokens = await makeRenewalTokens(bench, good.connections);
  const target = renewing(side, tokens, (token) => renewal(goodClient, secret, token, '192.0.2.1'));
  // its secret is remembered, and the connections of the service are open
  await openLoop(target, 1, good.perSecond);
  const attack = await startAttack(attacked, scene, goodClient);
  const { values } = await openLoop(target, attackSeconds, good.perSecond);
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), statuses: await attack.ended };
}

/** Goes on for a little longer than the good client is measured. */
async function startAttack(
  attacked: Attacked,
  { perSecond, requests }: Scene,
  goodClient: string,
): Promise<{ ended: Promise<Statuses> }> {
  if (perSecond === 0) return { ended: Promise.resolve({}) };
  const { port } = attacked.side;
  const workerData: Attack = { port, seconds: secondsMost, perSecond, requests: await requests(attacked, goodClient) };
  const worker = new Worker(new URL('./attackers.js', import.meta.url), { workerData });
  const begun = Promise.withResolvers<void>();
  const ended = new Promise<Statuses>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (counts: 'begun' | Statuses) => (counts === 'begun' ? begun.resolve() : resolve(counts)));
  });
  await Promise.race([begun.promise, ended]);
  return { ended };
}

const renewal = (clientId: string, clientSecret: string, token: string, address: string): string =>
  post(
    '/token',
    `{"grant_type":"refresh_token","refresh_token":"${token}","profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"}`,
    `x-forwarded-for: ${address}\r\n`,
  );

const malformed = post('/token', '{"grant_type":"refresh_token"}', 'x-forwarded-for: 198.51.100.250\r\n');

/** From 250 addresses. @param clientId absent: each is for an id of its own */
function wrongSecrets(clientId?: string): string[] {
  return Array.from({ length: wrongPerSecond * secondsMost }, (_, index) => {
    const wrong = randomBytes(8).toString('hex');
    return renewal(clientId ?? `nobody-${wrong}`, wrong, 'x', `198.51.100.${index % 250}`);
  });
}

/** Clients with their right secrets, which the service has not seen yet. */
async function newcomers({ bench }: Attacked): Promise<string[]> {
  const tokens = await makeRenewalTokens(bench, coldPerSecond * secondsMost);
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

/** @param measured of each scene; the first is the good client alone */
function tableOf(measured: readonly Round[][]): string {
  const lines = scenes.map(({ name, perSecond }, index) => {
    const all = measured[index]!;
    const ratios = all.map(({ p99 }, round) => p99 / measured[0]![round]!.p99);
    const statuses = new Map<string, number>();
    for (const { statuses: counts } of all)
      for (const [status, count] of Object.entries(counts)) statuses.set(status, (statuses.get(status) ?? 0) + count);
    const answered = [...statuses].map(([status, count]) => `${status}: ${Math.round(count / all.length)}`).join(', ');
    const cells = (['p50', 'p99'] as const).map((share) => median(all.map((round) => round[share])).toFixed(1));
    const ratio =
      index === 0
        ? ''
        : `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    return `| ${name} | ${cells.join(' | ')} | ${ratio} | ${perSecond === 0 ? '' : answered} |`;
  });
  return [
    '| beside it | p50, ms | p99, ms | p99 by p99 alone | answers to the others, a round |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const about = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; bcrypt's cost 10, default limits. A client whose secret is remembered renews ${good.perSecond} times a second on ${good.connections} connections, open loop, ${attackSeconds} s; ${rounds} interleaved rounds; the ratio is the median of the rounds' (least to most). Bar: at most 2; aim for new clients 1.3.`;
