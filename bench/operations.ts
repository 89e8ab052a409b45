/** `npm run bench -- operations`: what metrics, many token rows, an index for the clean-up, and the clean-up itself cost renewals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { App } from '../src/app.js';
import { keepHouse } from '../src/services/housekeeping.js';
import { type Measured as Load, median, runLoad } from './load.js';
import { replaceSection } from './results.js';
import { openBench } from './service.js';

interface Measured extends Load {
  /** Microseconds of the service's process per renewal. */
  cpu: number;
  /** Bytes of PostgreSQL's write-ahead log per renewal. */
  wal: number;
}

const rounds = 3;
const seconds = 4;
const connections = 16;
const manyRows = 1_000_000;
const clientSecret = randomBytes(16).toString('hex');

export async function run(): Promise<void> {
  const { app, environment, close } = await openBench();
  const services: Service[] = [];
  try {
    await prepare(app);
    const plain = await start({ ...environment, SLOW_STATEMENT_MS: '0' });
    const watched = await start({ ...environment, METRICS_PORT: '0' });
    services.push(plain, watched);
    const lines = await measureAll(app, plain, watched);
    const about = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${connections} connections, load generator and PostgreSQL on the same machine; medians of ${rounds} interleaved rounds of ${seconds} s.`;
    const table = [
      '| renewals | requests/s | p50, ms | p99, ms | CPU of the service, µs | WAL, bytes |',
      '|---|---|---|---|---|---|',
      ...lines,
    ].join('\n');
    process.stdout.write(`${table}\n`);
    replaceSection('operations', `${about}\n\n${table}`);
  } finally {
    for (const service of services) service.process.kill('SIGTERM');
    await close();
  }
}

async function measureAll(app: App, plain: Service, watched: Service): Promise<string[]> {
  const { sql } = app.dependencies;
  const lines: string[] = [];
  const [bare, observed] = await compare(
    () => renewals(app, plain),
    () => renewals(app, watched),
  );
  lines.push(line('few rows, neither metrics nor slow statements', bare), line('few rows, both on', observed));
  await addRecords(app, manyRows, '20 days');
  const [without, indexed] = await compare(
    () => renewals(app, watched),
    async () => {
      await sql.rows('create index bench_expiry on tokens (expires_at)');
      return renewals(app, watched).finally(() => sql.rows('drop index bench_expiry'));
    },
  );
  lines.push(line('1,000,000 rows', without), line('1,000,000 rows, with an index on the expiry', indexed));
  const [disk] = await sql.rows<{ bytes: string }>(`select pg_total_relation_size('tokens') as bytes`);
  await addRecords(app, manyRows, '-30 days');
  const stopping = new AbortController();
  const began = performance.now();
  const clean = keepHouse(
    { sql: app.database.operations, config: app.dependencies.config, log: app.dependencies.log },
    stopping.signal,
  );
  const during = await renewals(app, watched);
  const swept = await clean;
  lines.push(line('1,000,000 rows, during the clean-up of another 1,000,000', during));
  lines.push(
    `| clean-up of ${swept?.tokens} rows: ${Math.round((performance.now() - began) / 1_000)} s; 1,000,000 rows with their indexes: ${Math.round(Number(disk!.bytes) / 1e6)} MB | | | | | |`,
  );
  return lines;
}

const line = (what: string, { requestsPerSecond, p50, p99, cpu, wal }: Measured): string =>
  `| ${what} | ${requestsPerSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpu.toFixed(0)} | ${wal.toFixed(0)} |`;

interface Service {
  port: number;
  process: ChildProcess;
}

function start(environment: NodeJS.ProcessEnv): Promise<Service> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('exit', () => reject(new Error('the service ended')));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
      if (port) resolve({ port: Number(port), process: child });
    });
  });
}

async function prepare({ dependencies: { sql, secrets, config } }: App): Promise<void> {
  const by = config.systemUserGuid;
  await sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $1)', [
    'bench',
    await secrets.hash(clientSecret),
  ]);
  await sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2)', ['role', by]);
  await sql.rows('insert into profiles (profile_id, name, created_by) values ($1, $1, $2)', ['bench', by]);
  await sql.rows('insert into users (first_name, created_by) select $2 || n, $1 from generate_series(1, 1000) n', [
    by,
    'user',
  ]);
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, 'bench', 'role', $1 from users`,
    [by],
  );
  await sql.rows('analyze');
}

/** Of tokens that nobody presents. */
async function addRecords({ dependencies: { sql } }: App, count: number, expiresIn: string): Promise<void> {
  await sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at)
     select (array(select user_guid from users))[1 + n % 1000], 'bench', sha256(n::text::bytea || $2::text::bytea), now(), now() + $2::interval + n * interval '1 millisecond'
     from generate_series(1, $1) n`,
    [count, expiresIn],
  );
  await sql.rows('vacuum analyze tokens');
}

async function compare(one: () => Promise<Measured>, other: () => Promise<Measured>): Promise<[Measured, Measured]> {
  const measured: [Measured[], Measured[]] = [[], []];
  await one();
  for (let round = 0; round < rounds; round++) {
    measured[0].push(await one());
    measured[1].push(await other());
  }
  const middle = (all: Measured[]): Measured => ({
    requestsPerSecond: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
    cpu: median(all.map(({ cpu }) => cpu)),
    wal: median(all.map(({ wal }) => wal)),
  });
  return [middle(measured[0]), middle(measured[1])];
}

async function renewals({ dependencies: { sql } }: App, { port, process: { pid } }: Service): Promise<Measured> {
  const tokens = Array.from({ length: connections }, () => randomUUID() + randomUUID());
  for (const token of tokens)
    await sql.rows(
      `insert into tokens (user_id, profile_id, token, created_at, expires_at)
       select user_guid, 'bench', $1, now(), now() + interval '1 day' from users order by random() limit 1`,
      [createHash('sha256').update(token).digest()],
    );
  const walBytes = async () =>
    Number((await sql.rows<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`))[0]!.bytes);
  const before = { wal: await walBytes(), cpu: cpuMicroseconds(pid!) };
  const load = await runLoad({
    port,
    path: '/token',
    connections,
    seconds,
    body: (index) =>
      `{"grant_type":"refresh_token","refresh_token":"${tokens[index]}","profileId":"bench","client_id":"bench","client_secret":"${clientSecret}"}`,
    answered: (index, status, body) => {
      if (status !== 200) throw new Error(`${status} ${body}`);
      tokens[index] = JSON.parse(body).refresh_token;
    },
  });
  const count = load.requestsPerSecond * seconds;
  return {
    ...load,
    cpu: (cpuMicroseconds(pid!) - before.cpu) / count,
    wal: ((await walBytes()) - before.wal) / count,
  };
}

/** proc(5): utime and stime, in hundredths of a second. */
function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
