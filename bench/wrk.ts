/** `npm run bench -- wrk`: ratios of the common table again, with a load generator of another make. wrk must be installed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { adminToken } from './graph.js';
import { fillGraph, view } from './graphData.js';
import { median } from './load.js';
import { replaceSection } from './results.js';
import { type Cluster, openCluster, type Side, startGatehouse, startSide } from './service.js';
import {
  clientId,
  clientSecret,
  makeAccessTokens,
  makeFloorTokens,
  makeIdTokens,
  makeRenewalTokens,
  openTokenBench,
  profileId,
} from './tokenData.js';

const rounds = 5;
const seconds = 2;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-wrk-'));

/** The arguments of wrk after its duration. */
type Ask = (side: Side) => string[] | Promise<string[]>;

export async function run(): Promise<void> {
  const cluster = await openCluster();
  try {
    const lines = [...(await tokenRows(cluster)), await graphRow(cluster)];
    const table = ['| work | floor, requests/s | Gatehouse | ratio (range) |', '|---|---|---|---|', ...lines].join(
      '\n',
    );
    process.stdout.write(`${table}\n`);
    const told = `Ratios to the floor with wrk as the load generator, ${rounds} interleaved rounds of ${seconds} s, medians.`;
    replaceSection('wrk', `${new Date().toISOString().slice(0, 10)}. ${told}\n\n${table}`);
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true });
  }
}

const client = `"profileId":"${profileId}","client_id":"${clientId}","client_secret":"${clientSecret}"`;
const fileOf = (name: string, lines: readonly string[]): string => {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};
const posts = (path: string, connections: number, bodies: readonly string[], further: string[] = []): Ask => {
  const file = fileOf(`bodies-${path.length}-${bodies[0]!.length}`, bodies);
  const script = ['-t2', `-c${connections}`, '-s', 'bench/wrk/post.lua'];
  return ({ port }) => [...script, `http://127.0.0.1:${port}${path}`, '--', file, ...further];
};

async function tokenRows(cluster: Cluster): Promise<string[]> {
  const bench = await openTokenBench(cluster, 'wrk');
  const floor = await startSide('floor', ['dist/bench/tokenFloor.js'], bench.environment);
  const own = await startGatehouse(bench.environment);
  try {
    const body = `{"grant_type":"refresh_token","refresh_token":"TOKEN",${client}}`;
    const renewal: Ask = async ({ port }) => {
      const file = fileOf('tokens', await makeRenewalTokens(bench, 32));
      return ['-t32', '-c32', '-s', 'bench/wrk/renewal.lua', `http://127.0.0.1:${port}`, '--', file, body];
    };
    const exchange: Ask = (side) => {
      const tokens = makeIdTokens(bench, 20_000).map((token) => `"id_token":"${token}"`);
      const bodies = tokens.map((token) => `{"grant_type":"urn:service:authz:exchange",${token},${client}}`);
      return posts('/token', 32, bodies)(side);
    };
    const validate =
      (count: number): Ask =>
      (side) => {
        const tokens = side === floor ? makeFloorTokens(count) : makeAccessTokens(bench, count);
        const bodies = tokens.map((token) => `{"token":"${token}"}`);
        return posts('/validate-token', 32, bodies)(side);
      };
    const sides: [Side, Side] = [floor, own];
    return [
      await row('renewal, 32 connections', sides, renewal),
      await row('exchange, 32 connections', sides, exchange),
      await row('/validate-token, every token new', sides, validate(60_000)),
      await row('/validate-token, tokens seen before', sides, validate(500)),
    ];
  } finally {
    await floor.stop();
    await own.stop();
    await bench.close();
  }
}

async function graphRow(cluster: Cluster): Promise<string> {
  const bench = await cluster.openDatabase('wrk-graph');
  const context = bench.app.commandContext();
  await fillGraph(context.sql, 500, 'plain');
  const floor = await startSide('floor', ['dist/bench/graphFloor.js'], bench.environment);
  const own = await startGatehouse(bench.environment);
  try {
    const body = JSON.stringify({ query: view, variables: { first: 50, mappings: 200 } });
    const ask = posts('/graphql', 8, [body], [`Bearer ${await adminToken(context)}`]);
    return await row('graph view, 8 connections', [floor, own], ask);
  } finally {
    await floor.stop();
    await own.stop();
    await bench.close();
  }
}

/** The line of the table. */
async function row(work: string, [floor, own]: [Side, Side], ask: Ask): Promise<string> {
  const speeds = { floor: [] as number[], own: [] as number[] };
  for (const side of [floor, own]) await wrk(side, ask);
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? [own, floor] : [floor, own])
      speeds[side === floor ? 'floor' : 'own'].push(await wrk(side, ask));
  const ratios = speeds.own.map((speed, round) => speed / speeds.floor[round]!);
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const cells = [median(speeds.floor), median(speeds.own)].map((speed) => speed.toFixed(0));
  return `| ${work} | ${cells.join(' | ')} | **${median(ratios).toFixed(2)}** (${range}) |`;
}

async function wrk(side: Side, ask: Ask): Promise<number> {
  const words = await ask(side);
  const { stdout } = await promisify(execFile)('wrk', [`-d${seconds}`, ...words]);
  const speed = Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]);
  if (!(speed > 0) || /Non-2xx|Wrong answers: [1-9]/.test(stdout)) throw new Error(`${side.name}: ${stdout}`);
  return speed;
}
