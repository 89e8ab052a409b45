/**
 * `npm run bench -- import`: what renewals notice of imports beside the running service. Open loop: renewals at fixed
 * times, alone for a while and then for as long as `bin/gatehouse import` runs, in turns. Every one must be answered 200.
 * PostgreSQL reuses the segments of its log, as one that has run for some time does: a renewal that needs a new one waits
 * until its 16 MB are written.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, openLoop, percentile, post } from './load.js';
import { replaceSection } from './results.js';
import { administer, type Cluster, openCluster, type Side, startGatehouse } from './service.js';
import { clientId, clientSecret, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const rounds = 5;
const usersPerImport = 100_000;
const tokensPerImport = 100_000;
const clients = 500;
const good = { perSecond: 100, connections: 8 };
const aloneSeconds = 8;
const barP99 = 3;

interface Stage {
  bench: TokenBench;
  side: Side;
  folder: string;
  /** Tokens of an old system that are there by now and were not renewed yet. */
  live: string[];
  tokens: object[];
}

interface Scene {
  name: string;
  file(stage: Stage, round: number): object;
}

const secretHash = `$2b$10$${'.'.repeat(53)}`;
const scenes: Scene[] = [
  {
    name: `${usersPerImport} new users, and a change of each of ${clients} clients, the renewing one among them`,
    file: (_stage, round) => ({
      users: Array.from({ length: usersPerImport }, (_, index) => ({
        userGuid: randomUUID(),
        firstName: `User ${index}`,
        lastName: 'Of the import',
        email: `user${index}@example.com`,
        isBlocked: false,
      })),
      clients: [
        { clientId, description: `changed by import ${round}` },
        ...Array.from({ length: clients - 1 }, (_, index) => ({
          clientId: `imported-${index}`,
          name: 'Imported',
          description: `changed by import ${round}`,
          clientSecretHash: secretHash,
        })),
      ],
    }),
  },
  {
    name: `${tokensPerImport} live tokens once more, of which the renewals beside it use one after the other`,
    file: ({ tokens }) => ({ tokens }),
  },
];

interface Round {
  alone: number;
  beside: number;
  importSeconds: number;
  renewals: number;
}

export async function run(): Promise<void> {
  const cluster = await openCluster();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
  try {
    await makeLogSegments(cluster);
    const bench = await openTokenBench(cluster, 'import');
    const side = await startGatehouse(bench.environment, 'ignore');
    try {
      const stage: Stage = { bench, side, folder, live: [], tokens: [] };
      await importTokens(stage);
      const measured = scenes.map((): Round[] => []);
      for (let round = 0; round < rounds; round++)
        for (const [index, scene] of scenes.entries()) measured[index]!.push(await play(stage, scene, round));
      const table = tableOf(measured);
      process.stdout.write(`${table}\n`);
      replaceSection('import', `${about}\n\n${table}`);
    } finally {
      await side.stop();
      await bench.close();
    }
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true });
  }
}

/** As much log as the imports write, to be reused. */
const logSegments = 128;

async function makeLogSegments({ url }: Cluster): Promise<void> {
  const segment = ["select pg_logical_emit_message(false, 'bench', 'one segment')", 'select pg_switch_wal()'];
  await administer(
    url,
    `alter system set min_wal_size = '${logSegments * 16}MB'`,
    `alter system set max_wal_size = '${logSegments * 32}MB'`,
    'select pg_reload_conf()',
    ...Array.from({ length: logSegments }, () => segment).flat(),
    'checkpoint',
  );
}

async function importTokens(stage: Stage): Promise<void> {
  const { users } = stage.bench;
  stage.live = Array.from({ length: tokensPerImport }, () => randomBytes(24).toString('base64url'));
  stage.tokens = stage.live.map((token, index) => ({
    userGuid: users[index % users.length],
    profileId,
    token,
    createdAt: '2026-01-01T00:00:00Z',
    expiresAt: '2099-01-01T00:00:00Z',
  }));
  await startImport(stage, { tokens: stage.tokens }).ended;
}

function startImport({ bench, folder }: Stage, file: object): { ended: Promise<void> } {
  const path = join(folder, 'import.json');
  writeFileSync(path, JSON.stringify(file));
  const child = spawn(process.execPath, ['dist/src/cli.js', 'import', path], {
    env: bench.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the import failed: ${output.slice(0, 1_000)}`);
  });
  return { ended };
}

async function play(stage: Stage, scene: Scene, round: number): Promise<Round> {
  const file = scene.file(stage, round);
  await renewFor(stage, 1);
  const alone = await renewFor(stage, aloneSeconds);
  const startedAt = performance.now();
  const { ended } = startImport(stage, file);
  let importSeconds = 0;
  const over = ended.finally(() => {
    importSeconds = (performance.now() - startedAt) / 1_000;
  });
  // reported below
  over.catch(() => undefined);
  const beside: number[] = [];
  while (importSeconds === 0) beside.push(...(await renewFor(stage, 1)));
  await over;
  const sorted = beside.sort((one, other) => one - other);
  return {
    alone: percentile(alone, 0.99)!,
    beside: percentile(sorted, 0.99)!,
    importSeconds,
    renewals: sorted.length,
  };
}

/** Each renewal is that of another imported token. Gives the latencies, ascending. */
async function renewFor({ side, live }: Stage, seconds: number): Promise<number[]> {
  const request = () =>
    post(
      '/token',
      `{"grant_type":"refresh_token","refresh_token":"${live.pop()}","profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"}`,
    );
  const answered = (_connection: number, { status, body }: { status: number; body?: Buffer }) => {
    if (status !== 200) throw new Error(`a renewal was answered ${status} ${body}`);
  };
  const target = { port: side.port, connections: good.connections, request, answered };
  return (await openLoop(target, seconds, good.perSecond)).values;
}

function tableOf(measured: readonly Round[][]): string {
  const lines = scenes.map(({ name }, index) => {
    const all = measured[index]!;
    const ratios = all.map(({ alone, beside }) => beside / alone).sort((one, other) => one - other);
    const of = (value: (round: Round) => number) => median(all.map(value)).toFixed(1);
    const ratio = `**${median(ratios).toFixed(2)}** (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`;
    const cells = [
      of(({ alone }) => alone),
      of(({ beside }) => beside),
      ratio,
      of(({ importSeconds }) => importSeconds),
    ];
    return `| ${name} | ${cells.join(' | ')} | ${all.reduce((sum, { renewals }) => sum + renewals, 0)} |`;
  });
  return [
    '| import | p99 alone, ms | p99 beside it, ms | ratio | import, s | renewals beside it, all 200 |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const about = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}. A client renews ${good.perSecond} times a second on ${good.connections} connections, open loop; ${rounds} rounds of each in turns; the ratio is the median of the rounds' (least to most). Bar: at most ${barP99}, and no answer but 200.`;
