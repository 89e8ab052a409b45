/** `npm run bench -- soak --minutes 30`: everything the service does, mixed, at a steady rate; and what becomes of its memory. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { issueAdminToken } from '../src/services/tokens/caller.js';
import type { Answer } from './answers.js';
import { fillGraph, view } from './graphData.js';
import { openHeap } from './heap.js';
import { closedLoop, openLoop, percentile, post, type Target } from './load.js';
import { replaceSection } from './results.js';
import { openCluster, startSide } from './service.js';
import { clientId, clientSecret, makeIdTokens, openTokenBench, profileId, type TokenBench } from './tokenData.js';

const connections = 16;
const perSecond = 80;
const warmSeconds = 60;
const sampleMs = 30_000;
const partMinutes = 5;
/** Told one by one, to find what held it up. */
const slowMs = 500;
const applications = 200;

interface Sample {
  /** Minutes since the load began. */
  at: number;
  rss: number;
  /** What is left after a full collection. */
  kept: number;
  /** How long that took, in milliseconds. */
  collectionMs: number;
}

/** An answer, and how long it took from its request's sending, in milliseconds. */
interface Served {
  at: number;
  step: string;
  ms: number;
}

export async function run({ minutes }: { minutes: string }): Promise<void> {
  const cluster = await openCluster();
  const bench = await openTokenBench(cluster, 'soak');
  const inspectorPort = await freePort();
  await fillGraph(bench.context.sql, applications, 'plain');
  const command = [`--inspect=127.0.0.1:${inspectorPort}`, 'dist/src/main.js'];
  const side = await startSide('Gatehouse', command, bench.environment);
  const heap = await openHeap(inspectorPort);
  try {
    const mixture = await openMixture(bench, side.port);
    // as fast as it goes, so that caches and pools are as large as they get
    await closedLoop(mixture.target, warmSeconds);
    const samples: Sample[] = [];
    const began = performance.now();
    const sampling = setInterval(async () => {
      const askedAt = performance.now();
      const kept = await heap.keptBytes();
      const rss = rssOf(side.process.pid!);
      samples.push({ at: (askedAt - began) / 60_000, rss, kept, collectionMs: performance.now() - askedAt });
      process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
    }, sampleMs);
    mixture.forget();
    const { values } = await openLoop(mixture.target, Number(minutes) * 60, perSecond);
    clearInterval(sampling);
    report(Number(minutes), samples, values, mixture);
  } finally {
    heap.close();
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
  const admin = await issueAdminToken(context, {
    scopes: [...scopes],
    minutes: 480,
    userGuid: context.config.systemUserGuid,
  });
  const rows = await context.sql.rows<{ guid: string }>('select application_guid as guid from applications');
  const steps = stepsOf(
    bench,
    `authorization: Bearer ${admin}\r\n`,
    rows.map(({ guid }) => guid),
  );
  const sessions = Array.from({ length: connections }, (): Held => ({ refresh: '', access: '' }));
  const at = new Array<number>(connections).fill(0);
  const served: Served[] = [];
  const unexpected: string[] = [];
  const sentAt = new Array<number>(connections).fill(0);
  let began = performance.now();
  const target: Target = {
    port,
    connections,
    request: (connection) => {
      sentAt[connection] = performance.now();
      return steps[at[connection]! % steps.length]!.request(sessions[connection]!);
    },
    answered: (connection, { status, body }: Answer) => {
      const step = steps[at[connection]! % steps.length]!;
      const now = performance.now();
      served.push({ at: (now - began) / 60_000, step: step.name, ms: now - sentAt[connection]! });
      if (status === step.status) step.keep?.(sessions[connection]!, body!.toString('utf8'));
      else unexpected.push(`${step.name} ${status} ${body}`);
      at[connection]! += 1;
    },
  };
  const forget = () => {
    served.length = 0;
    unexpected.length = 0;
    began = performance.now();
  };
  return { target, served, unexpected, forget };
}

function stepsOf(bench: TokenBench, bearer: string, guids: string[]): Step[] {
  const client = `"client_id":"${clientId}","client_secret":"${clientSecret}"`;
  const issued = (session: Held, body: string) => {
    const { access_token, refresh_token } = JSON.parse(body);
    session.access = access_token;
    session.refresh = refresh_token;
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
  { served, unexpected }: { served: Served[]; unexpected: string[] },
) {
  const parts = Array.from({ length: Math.ceil(minutes / partMinutes) }, (_, index) => {
    const isIn = ({ at }: { at: number }) => at >= index * partMinutes && at < (index + 1) * partMinutes;
    const measured = samples.filter(isIn);
    const kept = measured.map((sample) => sample.kept);
    return `| ${index * partMinutes} to ${(index + 1) * partMinutes} | ${mb(Math.min(...kept))} | ${mb(mean(kept))} | ${mb(Math.max(...kept))} | ${mb(mean(measured.map(({ rss }) => rss)))} | ${latencies(served.filter(isIn))} |`;
  });
  const steps = [...new Set(served.map(({ step }) => step))].map((name) => {
    const own = served.filter(({ step }) => step === name);
    return `| ${name} | ${own.length} | ${latencies(own)} |`;
  });
  const half = samples.filter(({ at }) => at >= minutes / 2);
  const collections = samples.map(({ collectionMs }) => collectionMs);
  const text = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; PostgreSQL and the load on the same machine. ${minutes} minutes at ${perSecond} requests/s (open loop, ${connections} connections) after ${warmSeconds} s as fast as it goes; one process, settings as in production. Every ${sampleMs / 1_000} s a full collection of garbage (${mean(collections).toFixed(0)} ms on average, the process stands still), after which what is left is what the process keeps.`,
    '',
    '| minutes | kept heap, least | mean | most | resident, mean | p50, ms | p99 | most |',
    '|---|---|---|---|---|---|---|---|',
    ...parts,
    '',
    `Slope of the kept heap over the second half: ${(slope(half) / 1e6).toFixed(2)} MB a minute. Latencies here and below are from the sending of a request; from the time at which it was due, waiting for one of the ${connections} connections included, ${values.length} answers had p50 ${percentile(values, 0.5)?.toFixed(1)} ms, p99 ${percentile(values, 0.99)?.toFixed(1)} ms.`,
    '',
    '| request | answers | p50, ms | p99 | most |',
    '|---|---|---|---|---|',
    ...steps,
    '',
    `Answers with another status than expected: ${unexpected.length === 0 ? 'none' : unexpected.length}.`,
  ].join('\n');
  process.stdout.write(`${text}\n${unexpected.slice(0, 20).join('\n')}\n`);
  for (const { at, step, ms } of served.filter(({ ms }) => ms > slowMs))
    process.stderr.write(`slow: minute ${at.toFixed(2)}, ${step}, ${ms.toFixed(0)} ms\n`);
  replaceSection('soak', text);
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Cells of a table. */
function latencies(served: Served[]): string {
  const sorted = served.map(({ ms }) => ms).sort((one, other) => one - other);
  return [percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1)]
    .map((value) => value?.toFixed(1) ?? '–')
    .join(' | ');
}

/** Least squares of the kept heap, in bytes a minute. */
function slope(samples: Sample[]): number {
  const x = mean(samples.map(({ at }) => at));
  const y = mean(samples.map(({ kept }) => kept));
  const above = samples.reduce((sum, { at, kept }) => sum + (at - x) * (kept - y), 0);
  return above / samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
}

/** proc(5): in kB. */
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
