/**
 * `npm run bench -- operations --records 1000000`: what metrics, many token records, an index for the clean-up, and the
 * clean-up itself cost renewals. Renewals are of records anywhere in the table.
 */
import { randomInt } from 'node:crypto';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sweeps } from '../src/modules/cleanUp.js';
import { purgeExpired } from '../src/services/maintenance/purge.js';
import { cpuOf } from './cpu.js';
import { type Measured as Load, median, runLoad } from './load.js';
import { addRecords, clientSecret, fewRecords, prepare, tokensOf } from './manyRecords.js';
import { replaceSection } from './results.js';
import { type Bench, type Cluster, openCluster, type Side, startGatehouse } from './service.js';

export interface Measured extends Load {
  /** Microseconds of the service's process per renewal. */
  cpu: number;
  /** Bytes of PostgreSQL's write-ahead log per renewal. */
  wal: number;
  /** Whole pages in it per renewal: of each page, at its first change after a checkpoint. */
  wholePages: number;
  /** Share of the updates that changed no index, 0 to 1. */
  hot: number;
}

const rounds = 5;
const seconds = 4;
const connections = 16;
const expiredRecords = 1_000_000;
const statisticsMs = 1_100;

/** A database with its service, and tokens of as many of its records as a small installation has. */
export interface Installation {
  bench: Bench;
  service: Side;
  tokens: string[];
}

export async function run({ records }: { records: string }): Promise<void> {
  await withInstallations(Number(records), async ({ few, many, closers }) => {
    const { METRICS_PORT: _, ...unwatched } = few.bench.environment;
    const plain = await startGatehouse(unwatched);
    closers.push(() => plain.stop());
    const lines = await measureAll(few, { ...few, service: plain }, many, Number(records));
    const about = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${connections} connections, load generator and PostgreSQL on the same machine; medians of ${rounds} interleaved rounds of ${seconds} s. Each renewal is of one of ${fewRecords} records spread over the table.`;
    const table = [...heading, ...lines].join('\n');
    process.stdout.write(`${table}\n`);
    replaceSection('operations', `${about}\n\n${table}`);
  });
}

interface Places {
  cluster: Cluster;
  few: Installation;
  many: Installation;
  /** Of what is opened further; the last one first. */
  closers: (() => Promise<void>)[];
}

/** An installation of few records and one of many, in one PostgreSQL, for as long as they are measured. */
export async function withInstallations(records: number, measure: (places: Places) => Promise<void>): Promise<void> {
  const cluster = await openCluster();
  const closers: (() => Promise<void>)[] = [() => cluster.close()];
  try {
    const few = await openInstallation(cluster, 'few', fewRecords, closers);
    const many = await openInstallation(cluster, 'many', records, closers);
    await measure({ cluster, few, many, closers });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** @param closers end it, the last one first */
async function openInstallation(
  cluster: Cluster,
  name: string,
  count: number,
  closers: (() => Promise<void>)[],
): Promise<Installation> {
  const bench = await cluster.openDatabase(name);
  closers.push(() => bench.close());
  await prepare(bench);
  await addRecords(bench, count, '20 days');
  const service = await startGatehouse(bench.environment);
  closers.push(() => service.stop());
  return { bench, service, tokens: tokensOf(count) };
}

async function measureAll(
  few: Installation,
  plain: Installation,
  many: Installation,
  records: number,
): Promise<string[]> {
  const { sql } = many.bench.app.dependencies;
  const shown = (count: number) => count.toLocaleString('en');
  const [bare, observed] = await compare(
    () => renewals(plain),
    () => renewals(few),
  );
  const [small, large] = await compare(
    () => renewals(few),
    () => renewals(many),
  );
  const [without, indexed] = await compare(
    () => renewals(many),
    async () => {
      await sql.rows('create index bench_expiry on tokens (expires_at)');
      return renewals(many).finally(() => sql.rows('drop index bench_expiry'));
    },
  );
  const [disk] = await sql.rows<{ bytes: string }>(`select pg_total_relation_size('tokens') as bytes`);
  await addRecords(many.bench, expiredRecords, '-30 days');
  const began = performance.now();
  const clean = purgeExpired(
    {
      sql: many.bench.app.database.background,
      config: many.bench.app.dependencies.config,
      log: many.bench.app.dependencies.log,
      sweeps,
    },
    new AbortController().signal,
  );
  let isSwept = false;
  void clean.finally(() => {
    isSwept = true;
  });
  const meanwhile: Measured[] = [];
  while (!isSwept) meanwhile.push(await renewals(many));
  const during = middle(meanwhile);
  const swept = await clean;
  const cleanSeconds = Math.round((performance.now() - began) / 1_000);
  const after = await renewals(many);
  return [
    line(`${shown(fewRecords)} records, neither metrics nor slow statements`, bare),
    line(`${shown(fewRecords)} records, both on`, observed),
    line(`${shown(fewRecords)} records, beside the next`, small),
    line(`${shown(records)} records`, large),
    line(`${shown(records)} records, beside the next`, without),
    line(`${shown(records)} records, with an index on the expiry`, indexed),
    line(`${shown(records)} records, during the clean-up of another ${shown(expiredRecords)}`, during),
    line(`${shown(records)} records, after it`, after),
    `| clean-up of ${shown(swept?.tokens ?? 0)} records: ${cleanSeconds} s; ${shown(records)} records with their indexes: ${Math.round(Number(disk!.bytes) / 1e6)} MB | | | | | | | |`,
  ];
}

export const heading = [
  '| renewals | requests/s | p50, ms | p99, ms | CPU of the service, µs | WAL, bytes | whole pages in it | no index changed |',
  '|---|---|---|---|---|---|---|---|',
];
export const line = (what: string, { requestsPerSecond, p50, p99, cpu, wal, wholePages, hot }: Measured): string =>
  `| ${what} | ${requestsPerSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpu.toFixed(0)} | ${wal.toFixed(0)} | ${wholePages.toFixed(2)} | ${(100 * hot).toFixed(1)} % |`;

const middle = (all: Measured[]): Measured => ({
  requestsPerSecond: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  cpu: median(all.map(({ cpu }) => cpu)),
  wal: median(all.map(({ wal }) => wal)),
  wholePages: median(all.map(({ wholePages }) => wholePages)),
  hot: median(all.map(({ hot }) => hot)),
});

export async function compare(
  one: () => Promise<Measured>,
  other: () => Promise<Measured>,
): Promise<[Measured, Measured]> {
  const measured: [Measured[], Measured[]] = [[], []];
  await one();
  await other();
  for (let round = 0; round < rounds; round++) {
    const turns = [async () => measured[0].push(await one()), async () => measured[1].push(await other())];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  return [middle(measured[0]), middle(measured[1])];
}

export async function renewals({ bench, service: { port, process: child }, tokens }: Installation): Promise<Measured> {
  const { sql } = bench.app.dependencies;
  // each connection has tokens of its own: none is used twice at once
  const chosen = new Array<number>(connections).fill(0);
  const share = Math.floor(tokens.length / connections);
  const readFigures = async () => {
    // connections tell what they wrote a second later at most
    await pause(statisticsMs);
    const [row] = await sql.rows<{ bytes: string; pages: string; updates: string; hot: string }>(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes, wal_fpi as pages, n_tup_upd as updates, n_tup_hot_upd as hot
       from pg_stat_wal, pg_stat_user_tables where relname = 'tokens'`,
    );
    const { bytes, pages, updates, hot } = row!;
    return { bytes: Number(bytes), pages: Number(pages), updates: Number(updates), hot: Number(hot) };
  };
  const before = { ...(await readFigures()), cpu: cpuOf(child.pid!) };
  const load = await runLoad({
    port,
    path: '/token',
    connections,
    seconds,
    body: (connection) => {
      chosen[connection] = connection * share + randomInt(share);
      return `{"grant_type":"refresh_token","refresh_token":"${tokens[chosen[connection]!]}","profileId":"bench","client_id":"bench","client_secret":"${clientSecret}"}`;
    },
    answered: (connection, status, body) => {
      if (status !== 200) throw new Error(`${status} ${body}`);
      tokens[chosen[connection]!] = JSON.parse(body).refresh_token;
    },
  });
  const count = load.requestsPerSecond * seconds;
  const cpu = (cpuOf(child.pid!) - before.cpu) / count;
  const after = await readFigures();
  return {
    ...load,
    cpu,
    wal: (after.bytes - before.bytes) / count,
    wholePages: (after.pages - before.pages) / count,
    hot: (after.hot - before.hot) / (after.updates - before.updates),
  };
}
