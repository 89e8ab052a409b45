/** `npm run bench -- soak --minutes 30`: everything the service does, mixed, at a steady rate; and what becomes of its memory. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { issueAdminToken } from '../src/services/adminToken.js';
import type { Answer } from './answers.js';
import { fillGraph, view } from './graphData.js';
import { closedLoop, openLoop, percentile, post, type Target } from './load.js';
import { replaceSection } from './results.js';
import { openCluster, startGatehouse } from './service.js';
import { clientId, clientSecret, makeIdTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const connections = 16;
const perSecond = 80;
const warmSeconds = 60;
const sampleMs = 10_000;
const applications = 200;

interface Sample {
  /** Minutes since the load began. */
  at: number;
  rss: number;
  heap: number;
}

export async function run({ minutes }: { minutes: string }): Promise<void> {
  const cluster = await openCluster();
  const bench = await openTokenBench(cluster, 'soak');
  const metricsPort = await freePort();
  await fillGraph(bench.context.sql, applications, 'plain');
  const side = await startGatehouse({ ...bench.environment, METRICS_PORT: String(metricsPort) });
  try {
    const mixture = await openMixture(bench, side.port);
    // as fast as it goes, so that caches and pools are as large as they get
    await closedLoop(mixture.target, warmSeconds);
    const samples: Sample[] = [];
    const began = performance.now();
    const sampling = setInterval(async () => {
      const heap = await heapOf(metricsPort).catch(() => Number.NaN);
      samples.push({ at: (performance.now() - began) / 60_000, rss: rssOf(side.process.pid!), heap });
      process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
    }, sampleMs);
    mixture.forget();
    const { values } = await openLoop(mixture.target, Number(minutes) * 60, perSecond);
    clearInterval(sampling);
    report(Number(minutes), samples, values, mixture.counts);
  } finally {
    await side.stop();
    await bench.close();
    await cluster.close();
  }
}

interface Step {
  name: string;
  request(held: Held): string;
  status: number;
  /** What the connection holds afterwards. */
  keep?(held: Held, body: string): void;
}

/** What a connection has been given. */
interface Held {
  refresh: string;
  access: string;
}

async function openMixture(bench: TokenBench, port: number) {
  const { context } = bench;
  const scopes = ['admin:read', 'admin:write', 'admin:security'] as const;
  const admin = issueAdminToken(context, {
    scopes: [...scopes],
    minutes: 600,
    userGuid: context.config.systemUserGuid,
  });
  const rows = await context.sql.rows<{ guid: string }>('select application_guid as guid from applications');
  const steps = stepsOf(
    bench,
    `authorization: Bearer ${admin}\r\n`,
    rows.map(({ guid }) => guid),
  );
  const held = Array.from({ length: connections }, (): Held => ({ refresh: '', access: '' }));
  const at = new Array<number>(connections).fill(0);
  const counts = new Map<string, { answers: number; others: number }>();
  const target: Target = {
    port,
    connections,
    request: (connection) => steps[at[connection]! % steps.length]!.request(held[connection]!),
    answered: (connection, { status, body }: Answer) => {
      const step = steps[at[connection]! % steps.length]!;
      const count = counts.get(step.name) ?? { answers: 0, others: 0 };
      counts.set(step.name, count);
      count.answers += 1;
      if (status === step.status) step.keep?.(held[connection]!, body!.toString('utf8'));
      else count.others += 1;
      at[connection]! += 1;
    },
  };
  return { target, counts, forget: () => counts.clear() };
}

function stepsOf(bench: TokenBench, bearer: string, guids: string[]): Step[] {
  const client = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;
  const issued = (held: Held, body: string) => {
    const { access_token, refresh_token } = JSON.parse(body);
    held.access = access_token;
    held.refresh = refresh_token;
  };
  let turn = 0;
  const anyGuid = () => guids[turn++ % guids.length]!;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\napi-version: 1.0\r\n${bearer}\r\n`;
  const graph = (query: string, variables: object) => post('/graphql', JSON.stringify({ query, variables }), bearer);
  const renewal: Step = {
    name: 'renewal',
    status: 200,
    keep: issued,
    request: ({ refresh }) =>
      post(
        '/token',
        `{"grant_type":"refresh_token","refresh_token":"${refresh}","profileId":"${profileId}",${client}}`,
      ),
  };
  const exchange: Step = {
    name: 'exchange',
    status: 200,
    keep: issued,
    request: () =>
      post(
        '/token',
        `{"grant_type":"urn:service:authz:exchange","id_token":"${makeIdTokens(bench, 1)[0]}","profileId":"${profileId}",${client}}`,
      ),
  };
  const validation: Step = {
    name: 'validation',
    status: 200,
    request: ({ access }) => post('/validate-token', `{"token":"${access}"}`),
  };
  return [
    exchange,
    renewal,
    validation,
    { name: 'graph view', status: 200, request: () => graph(view, { first: 20, mappings: 10 }) },
    renewal,
    { name: 'list', status: 200, request: () => get('/api/applications?$top=20') },
    {
      name: 'filtered list, each another',
      status: 200,
      request: () => get(`/api/applications?$top=5&$filter=contains(name,%27${turn++}%27)`),
    },
    validation,
    {
      name: 'change',
      status: 200,
      request: () =>
        graph(
          'mutation Change($guid: UUID!, $text: String!) { updateApplication(applicationGuid: $guid, input: {description: $text}) { revision } }',
          { guid: anyGuid(), text: `Changed ${turn}` },
        ),
    },
    {
      name: 'graph query, each another',
      status: 200,
      request: () => graph(`{ roles(first: ${1 + (turn++ % 1_000)}) { nodes { roleId n${turn}: name } } }`, {}),
    },
    { name: 'mappings', status: 200, request: () => get(`/api/applications/${anyGuid()}/accessScopes`) },
    renewal,
    { name: 'bad request', status: 400, request: () => post('/token', '{"grant_type":') },
    {
      name: 'no such application',
      status: 404,
      request: () => get('/api/applications/00000000-0000-4000-8000-0000000f0000'),
    },
    { name: 'revocation', status: 200, request: ({ refresh }) => post('/revoke', `{"token":"${refresh}"}`) },
  ];
}

function report(
  minutes: number,
  samples: Sample[],
  values: number[],
  counts: Map<string, { answers: number; others: number }>,
) {
  const last = samples.filter(({ at }) => at >= minutes / 3);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const mean = (of: Sample[], name: 'rss' | 'heap') => of.reduce((sum, sample) => sum + sample[name], 0) / of.length;
  const part = Math.max(1, Math.floor(last.length / 4));
  const line = (name: 'rss' | 'heap', told: string) =>
    `| ${told} | ${mb(mean(last.slice(0, part), name))} | ${mb(mean(last.slice(-part), name))} | ${(slope(last, name) / 1e6).toFixed(2)} |`;
  const others = [...counts].filter(([, count]) => count.others > 0);
  const text = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; PostgreSQL and the load on the same machine. ${minutes} minutes at ${perSecond} requests/s (open loop, ${connections} connections) after ${warmSeconds} s as fast as it goes; one process, settings as in production. Figures of the last two thirds, a sample every ${sampleMs / 1_000} s.`,
    '',
    '| | first quarter, mean | last quarter, mean | slope, MB a minute |',
    '|---|---|---|---|',
    line('rss', 'resident memory'),
    line('heap', 'heap used'),
    '',
    `${values.length} answers, p50 ${percentile(values, 0.5)?.toFixed(1)} ms, p99 ${percentile(values, 0.99)?.toFixed(1)} ms: ${[...counts].map(([name, { answers }]) => `${name} ${answers}`).join(', ')}. Answers with another status than expected: ${others.length === 0 ? 'none' : others.map(([name, count]) => `${name} ${count.others}`).join(', ')}.`,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  replaceSection('soak', text);
}

/** Least squares, in bytes a minute. */
function slope(samples: Sample[], name: 'rss' | 'heap'): number {
  const x = samples.reduce((sum, { at }) => sum + at, 0) / samples.length;
  const y = samples.reduce((sum, sample) => sum + sample[name], 0) / samples.length;
  const above = samples.reduce((sum, sample) => sum + (sample.at - x) * (sample[name] - y), 0);
  return above / samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
}

/** proc(5): in kB. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

async function heapOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
