/** `npm run bench -- wrk`: the rows of the common table again, with a load generator of another make. wrk must be installed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closedLoop, requestsPerSecond, type Target } from './load.js';
import { readResults, replaceSection } from './results.js';
import type { Contender, Figures, Ratio, Row } from './row.js';
import { openCluster } from './service.js';

/** Rows that compare sides; the others measure something else than throughput. */
const left = ['loads', 'change', 'cold', 'start', 'graph-edges', 'graph-10x', 'list-changed', 'graph-changed'];
const requestsMax = 30_000;
/** What wrk can't tell as our own generator does. */
const untold = /CPU|p99/;

export async function run(options: { seconds: string; rounds: string }, rows: readonly Row[]): Promise<void> {
  await promisify(execFile)('wrk', ['-v']).catch((error: NodeJS.ErrnoException) => {
    // it ends with 1 after telling its version
    if (error.code === 'ENOENT') throw new Error('wrk is missing: apt-get install wrk');
  });
  const cluster = await openCluster();
  const stage = { cluster, seconds: Number(options.seconds), rounds: Number(options.rounds), data: 'plain' } as const;
  const lines: string[] = [];
  try {
    for (const row of rows.filter(({ name }) => !left.includes(name))) {
      const { ratios } = await row.run({ ...stage, generator: 'wrk' });
      const before = readResults()[row.name]?.ratios ?? [];
      for (const ratio of ratios.filter(({ work }) => !untold.test(work))) {
        const same = before.find(({ work, against }) => work === ratio.work && against === ratio.against);
        lines.push(`| ${ratio.work} | ${ratio.against} | **${valueText(ratio)}** | ${valueText(same)} |`);
        process.stdout.write(`${lines.at(-1)}\n`);
      }
    }
  } finally {
    await cluster.close();
  }
  const table = ['| work | against | ratio by wrk | by our own generator |', '|---|---|---|---|', ...lines].join('\n');
  const description = `Gatehouse’s throughput (where told, the p50 in closed loop) by that of the other side, with wrk as the load generator: medians of ${stage.rounds} interleaved rounds of ${stage.seconds} s.`;
  replaceSection('wrk', `${new Date().toISOString().slice(0, 10)}. ${description}\n\n${table}`);
}

const valueText = (ratio?: Ratio): string => (ratio?.value == null ? '–' : ratio.value.toFixed(2));

interface WrkRound {
  perSecond: number;
  p50: number;
}

/** What `compare` gives, as far as wrk tells it. */
export async function compareByWrk(
  contenders: readonly Contender[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-wrk-'));
  const all: WrkRound[][] = contenders.map(() => []);
  const expected: number[] = [];
  try {
    for (const { target } of contenders) {
      const warm = await closedLoop(await target(10_000), 1);
      // threads take turns as they like, and what is good once must not come again
      expected.push(Math.min(requestsMax, Math.ceil(8 * seconds * requestsPerSecond(warm))));
    }
    for (let round = 0; round < rounds; round++) {
      const order = [...contenders.keys()];
      for (const index of round % 2 ? order.toReversed() : order) {
        const target = await contenders[index]!.target(expected[index]!);
        all[index]!.push(await wrk(target, expected[index]!, seconds, folder));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const nothing = { service: Number.NaN, postgres: Number.NaN, generator: Number.NaN };
  return contenders.map(({ side }, index) => ({
    name: side.name,
    requestsPerSecond: all[index]![0]!.perSecond,
    rounds: all[index]!.map(({ perSecond }) => perSecond),
    closed: { p50: Number.NaN, p99: Number.NaN },
    statements: Number.NaN,
    cpu: nothing,
    walBytes: Number.NaN,
    open: {
      perSecond: Number.NaN,
      rounds: all[index]!.map(({ p50 }) => ({ p50, p99: undefined, p999: undefined })),
      waits: { garbage: 0, processor: 0, busy: 0, generator: 0, other: 0 },
    },
  }));
}

async function wrk(target: Target, count: number, seconds: number, folder: string): Promise<WrkRound> {
  const { connections, chain, port } = target;
  const fileOf = (name: string, lines: readonly string[]): string => {
    writeFileSync(join(folder, name), `${lines.map((line) => line.replaceAll('\r\n', '\u001f')).join('\n')}\n`);
    return join(folder, name);
  };
  const requests = chain
    ? Array.from({ length: chain.isOnceOnly ? count : 1 }, (_, index) => chain.request('TOKEN', index))
    : Array.from({ length: count }, (_, index) => `${target.request(index % connections)}`);
  const files = [...(chain ? [fileOf('tokens', chain.tokens)] : []), fileOf('requests', requests)];
  const script = chain ? 'renewal' : 'replay';
  const threads = chain ? connections : Math.min(2, connections);
  const words = [`-t${threads}`, `-c${connections}`, `-d${seconds}`, '--latency', '-s', `bench/wrk/${script}.lua`];
  const { stdout } = await promisify(execFile)('wrk', [...words, `http://127.0.0.1:${port}`, '--', ...files]);
  const perSecond = Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]);
  if (!(perSecond > 0) || /Non-2xx|Wrong answers: [1-9]/.test(stdout))
    throw new Error(`${requests[0]!.slice(0, 60)}… ${stdout}`);
  const [, p50, unit] = / 50% +([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  return { perSecond, p50: Number(p50) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'ms'] };
}
