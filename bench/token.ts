/** `npm run bench -- token`: renewal and validation beside the floor, interleaved in one run, medians of the rounds. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Context } from '../src/context.js';
import { issueAccessToken } from '../src/services/accessToken.js';
import { type Measured, median, runLoad } from './load.js';
import { writeResults } from './results.js';
import { openBench } from './service.js';

const rounds = 5;
const seconds = 4;
const connections = 32;
const profileId = 'bench';
const clientSecret = randomBytes(16).toString('hex');

interface Side {
  name: 'floor' | 'gatehouse';
  port: number;
  process: ChildProcess;
}

export async function run(): Promise<void> {
  const { app, environment, databaseUrl, close } = await openBench();
  const sides: Side[] = [];
  try {
    await prepare(app.commandContext());
    sides.push(await start('floor', ['dist/bench/tokenFloor.js'], environment));
    sides.push(await start('gatehouse', ['dist/src/main.js'], environment));
    const rows = [
      await compare('renewal, 32 connections', sides, (side) => renewals(side, app.commandContext(), databaseUrl)),
      await compare('renewal, 1 connection', sides, (side) => renewals(side, app.commandContext(), databaseUrl, 1)),
      await compare('validation, every token new', sides, (side) => validations(side, app.commandContext(), 40_000)),
      await compare('validation, tokens seen before', sides, (side) => validations(side, app.commandContext(), 64)),
    ];
    writeResults('token', rows);
  } finally {
    for (const side of sides) side.process.kill('SIGTERM');
    await close();
  }
}

/** One client, 1,000 users of one profile with five scopes, 10,000 token records. */
async function prepare({ sql, secrets, config }: Context): Promise<void> {
  const by = config.systemUserGuid;
  await sql.rows('insert into clients (client_id, client_secret, name) values ($1, $2, $1)', [
    'bench',
    await secrets.hash(clientSecret),
  ]);
  await sql.rows('insert into roles (role_id, name, created_by) values ($1, $1, $2)', ['role', by]);
  await sql.rows('insert into profiles (profile_id, name, created_by) values ($1, $1, $2)', [profileId, by]);
  await sql.rows(`insert into access_scope_types (name, created_by) values ('bench', $1)`, [by]);
  await sql.rows(
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 's' || n, 's' || n, (select access_scope_type_id from access_scope_types where name = 'bench'), $1 from generate_series(1, 5) n`,
    [by],
  );
  await sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, $2 from access_scopes join access_scope_types using (access_scope_type_id) where access_scope_types.name = 'bench'`,
    [profileId, by],
  );
  await sql.rows('insert into users (first_name, created_by) select $2 || n, $1 from generate_series(1, 1000) n', [
    by,
    'user',
  ]);
  await sql.rows(
    `insert into user_profiles (user_id, profile_id, role_id, created_by) select user_id, $1, 'role', $2 from users`,
    [profileId, by],
  );
  // as many records as a small installation has: of an empty table PostgreSQL would rather read every row
  await sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at)
     select user_guid, $1, sha256((user_guid::text || n)::bytea), now(), now() + interval '30 days' from users, generate_series(1, 10) n`,
    [profileId],
  );
  await sql.rows('analyze');
}

function start(name: Side['name'], command: string[], environment: NodeJS.ProcessEnv): Promise<Side> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    child.once('exit', () => reject(new Error(`${name} ended`)));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const port = /listens on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(printed)?.[1];
      if (port) resolve({ name, port: Number(port), process: child });
    });
  });
}

interface Round extends Measured {
  statementsPerRequest?: number;
}

export interface Compared {
  work: string;
  floor: Round;
  gatehouse: Round;
  /** Gatehouse's requests per second by the floor's, round by round; the median. */
  ratio: number;
  p50Ratio: number;
}

async function compare(work: string, sides: Side[], measure: (side: Side) => Promise<Round>): Promise<Compared> {
  const measured: Record<Side['name'], Round[]> = { floor: [], gatehouse: [] };
  for (const side of sides) await measure(side);
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? sides.toReversed() : sides) measured[side.name].push(await measure(side));
  const pairs = measured.gatehouse.map((round, index) => [round, measured.floor[index]!] as const);
  const middle = (name: Side['name']): Round => ({
    requestsPerSecond: median(measured[name].map((round) => round.requestsPerSecond)),
    p50: median(measured[name].map((round) => round.p50)),
    p99: median(measured[name].map((round) => round.p99)),
    statementsPerRequest: median(measured[name].map((round) => round.statementsPerRequest ?? 0)),
  });
  return {
    work,
    floor: middle('floor'),
    gatehouse: middle('gatehouse'),
    ratio: median(pairs.map(([own, floor]) => own.requestsPerSecond / floor.requestsPerSecond)),
    p50Ratio: median(pairs.map(([own, floor]) => own.p50 / floor.p50)),
  };
}

async function renewals(side: Side, { sql }: Context, url: string, atOnce = connections): Promise<Round> {
  const tokens = Array.from({ length: atOnce }, () => randomUUID() + randomUUID());
  for (const token of tokens)
    await sql.rows(
      `insert into tokens (user_id, profile_id, token, created_at, expires_at)
       select user_guid, $1, $2, now(), now() + interval '1 day' from users order by random() limit 1`,
      [profileId, createHash('sha256').update(token).digest()],
    );
  const before = await statements(url);
  const measured = await runLoad({
    port: side.port,
    path: '/token',
    connections: atOnce,
    seconds,
    body: (index) =>
      `{"grant_type":"refresh_token","refresh_token":"${tokens[index]}","profileId":"${profileId}","client_id":"bench","client_secret":"${clientSecret}"}`,
    answered: (index, status, body) => {
      if (status !== 200) throw new Error(`${side.name} answered ${status} ${body}`);
      tokens[index] = JSON.parse(body).refresh_token;
    },
  });
  return {
    ...measured,
    statementsPerRequest: ((await statements(url)) - before) / (measured.requestsPerSecond * seconds),
  };
}

/** Transactions so far: each statement of the token endpoints is one. */
async function statements(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // the counters of other backends arrive after a second of idleness
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const { rows } = await client.query('select xact_commit from pg_stat_database where datname = current_database()');
  await client.end();
  return Number(rows[0].xact_commit);
}

async function validations(side: Side, context: Context, distinct: number): Promise<Round> {
  const holding = {
    userGuid: randomUUID(),
    profileId,
    roleId: 'role',
    scopes: ['bench:s1', 'bench:s2', 'bench:s3', 'bench:s4', 'bench:s5'],
  };
  const makeToken = (): string =>
    issueAccessToken(context, context.keys.ring(), { ...holding, userGuid: randomUUID() }, new Date());
  // the floor verifies tokens of its own key
  const made =
    side.name === 'floor'
      ? await floorTokens(side, Math.min(distinct, 2_000))
      : Array.from({ length: distinct }, makeToken);
  let next = 0;
  return runLoad({
    port: side.port,
    path: '/validate-token',
    connections,
    seconds,
    body: () => `{"token":"${made[next++ % made.length]}"}`,
    answered: (_index, status, body) => {
      if (status !== 200 || !body.startsWith('{"is_valid":true'))
        throw new Error(`${side.name} answered ${status} ${body}`);
    },
  });
}

async function floorTokens(side: Side, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const response = await fetch(`http://127.0.0.1:${side.port}/sign`, { method: 'POST', body: '{}' });
    tokens.push(((await response.json()) as { token: string }).token);
  }
  return tokens;
}
