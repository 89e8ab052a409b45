/** `npm run bench -- graph`: the deep view beside its floor and PostGraphile, interleaved in one run, medians of the rounds. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Context } from '../src/context.js';
import { issueAccessToken } from '../src/services/accessToken.js';
import { fillGraph, view } from './graphData.js';
import { runGraphLoad } from './graphLoad.js';
import { type Measured, median } from './load.js';
import { replaceSection } from './results.js';
import { openBench } from './service.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const connections = 8;
const applications = 500;
const bytesMin = 400_000;

interface Side {
  name: string;
  port: number;
  process: ChildProcess;
  request: Buffer;
  measured: Measured[];
}

export async function run(): Promise<void> {
  const { app, environment, close } = await openBench();
  const sides: Side[] = [];
  try {
    const context = app.commandContext();
    await fillGraph(context.sql, applications);
    const authorization = `Bearer ${tokenOf(context)}`;
    const own = post('/graphql', { query: view, variables: { first: 50 } }, authorization);
    sides.push(await start('floor', ['dist/bench/graphFloor.js'], environment, post('/', {})));
    sides.push(await start('gatehouse', ['dist/src/main.js'], environment, own));
    await addPostgraphile(sides, environment, context);
    for (const side of sides) await measure(side, 2);
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 ? sides.toReversed() : sides) side.measured.push(await measure(side, seconds));
    write(sides);
  } finally {
    for (const side of sides) side.process.kill('SIGTERM');
    await close();
  }
}

const measure = ({ port, request }: Side, forSeconds: number): Promise<Measured> =>
  runGraphLoad({ port, request, connections, seconds: forSeconds, bytesMin });

function tokenOf(context: Context): string {
  const holding = { userGuid: randomUUID(), profileId: 'bench', roleId: 'bench', scopes: ['admin:read'] };
  return issueAccessToken(context, context.keys.ring(), holding, new Date());
}

function post(path: string, body: object, authorization = ''): Buffer {
  const text = JSON.stringify(body);
  const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json'];
  if (authorization) head.push(`authorization: ${authorization}`);
  return Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

/** The peer has a package of its own, so that nobody else installs it. */
async function addPostgraphile(sides: Side[], environment: NodeJS.ProcessEnv, { sql }: Context): Promise<void> {
  if (!existsSync('bench/node_modules/postgraphile')) {
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: 'bench', stdio: 'inherit' });
    if (status !== 0) throw new Error('npm ci in bench failed');
  }
  // relations that have no constraint are told by comments
  await sql.rows(
    `comment on table applications is '@foreignKey (created_by) references users (user_guid)|@fieldName createdByNavigation'`,
  );
  await sql.rows(
    `comment on table translations is '@foreignKey (translation_group) references applications (translation_group)|@foreignFieldName translations'`,
  );
  const peerView = view
    .replace('applications(first: $first)', 'allApplications(first: $first)')
    .replaceAll(
      /accessScopeApplicationsMappers\(first: 100\)/g,
      'accessScopeApplicationsMappersByApplicationId(first: 100)',
    )
    .replace('accessScope {', 'accessScopeByAccessScopeId {')
    .replace('accessScopeType {', 'accessScopeTypeByAccessScopeTypeId {');
  const request = post('/graphql', { query: peerView, variables: { first: 50 } });
  sides.push(
    await start(
      'PostGraphile 5',
      ['bench/peers/postgraphile.mjs'],
      { ...environment, GRAPHILE_ENV: 'production' },
      request,
    ),
  );
}

function start(name: string, command: string[], environment: NodeJS.ProcessEnv, request: Buffer): Promise<Side> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    child.once('exit', () => reject(new Error(`${name} ended`)));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      const port = /listens on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(printed)?.[1];
      if (port) resolve({ name, port: Number(port), process: child, request, measured: [] });
    });
  });
}

function write(sides: Side[]): void {
  const floor = sides[0]!;
  const middle = (side: Side, member: keyof Measured) => median(side.measured.map((round) => round[member]));
  const lines = sides.map((side) => {
    const ratio = median(
      side.measured.map((round, index) => round.requestsPerSecond / floor.measured[index]!.requestsPerSecond),
    );
    return `| ${side.name} | ${middle(side, 'requestsPerSecond').toFixed(0)} | **${ratio.toFixed(2)}** | ${middle(side, 'p50').toFixed(1)} | ${middle(side, 'p99').toFixed(1)} |`;
  });
  const table = ['| | requests/s | of the floor | p50, ms | p99, ms |', '|---|---|---|---|---|', ...lines].join('\n');
  const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; load generator and PostgreSQL on the same machine.`;
  const what = `50 of ${applications} applications → 20 mappings each → access scope → access scope type, created-by user, translations; ${connections} connections, ${rounds} rounds of ${seconds} s. The floor: six batched prepared statements, stitched, over bare http.`;
  replaceSection('graph', `${machine}\n${what}\n\n${table}`);
  process.stdout.write(`${table}\n`);
}
