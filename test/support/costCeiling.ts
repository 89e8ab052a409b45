/**
 * What a request costs at most, in measures that hold on a slow or busy machine too. Times are CPU time, in runs of a
 * fixed loop that is timed around each measurement: about a millisecond each where these ceilings were found.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { TestApp } from './app.js';

export interface Cost {
  /** CPU time of this process, all threads, the sending in the test with it; in runs of the loop. */
  cpu: number;
  /** CPU time of the longest stretch in which the event loop came to nothing else; in runs of the loop. */
  loopDelay: number;
  /** CPU time of PostgreSQL's processes, to about 4 ms; in runs of the loop. Always 0 where there is no proc(5). */
  databaseCpu: number;
  /** SQL statements. */
  statements: number;
  /** Bytes of the answers' bodies. */
  bytesOut: number;
  /** The rise of the peak of the process's resident memory, in megabytes. */
  memory: number;
}

/** Measures that are left out have no ceiling. */
export type Ceiling = Partial<Cost>;

/** Sends one request or several, and gives the bodies of the answers. */
type Send = (attempt: number) => Promise<string | readonly string[]>;

const attemptsMax = 3;
const tickMs = 1;
/** A slow machine tries fewer requests. */
const searchMsMax = 60_000;

/** What sending costs. */
export async function measureCost(app: TestApp, send: () => ReturnType<Send>): Promise<Cost> {
  const before = timeLoop();
  app.takeStatements();
  const stretches = watchLoop();
  const databaseStart = await databaseMicroseconds(app);
  const memoryStart = process.resourceUsage().maxRSS;
  const start = cpuMicroseconds();
  const bodies = await send();
  const cpu = cpuMicroseconds() - start;
  const longest = await stretches.end();
  const memory = (process.resourceUsage().maxRSS - memoryStart) / 1_024;
  const statements = app.takeStatements().length;
  const database = (await databaseMicroseconds(app)) - databaseStart;
  const loop = Math.max(before, timeLoop());
  const bytesOut = [bodies].flat().reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return { cpu: cpu / loop, loopDelay: longest / loop, databaseCpu: database / loop, statements, bytesOut, memory };
}

/**
 * Fails when sending costs more than the ceiling, at each of three attempts: whatever else runs only adds to a cost.
 * `attempt` (0, 1, 2) is for requests that must be new each time, such as documents that are remembered.
 */
export async function expectWithin(app: TestApp, what: string, send: Send, ceiling: Ceiling): Promise<Cost> {
  const attempts: Cost[] = [];
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const cost = await measureCost(app, () => send(attempt));
    attempts.push(cost);
    if (excess(cost, ceiling).length === 0) return cost;
  }
  const exceeded = attempts.map((cost) => excess(cost, ceiling).join(', ')).join('; then ');
  throw new Error(`${what} costs too much: ${exceeded}`);
}

/** Searches the requests of the arbitrary, known worst ones first, for one that costs more than the ceiling. Gives the most of each measure. */
export async function searchWithin<Request>(
  app: TestApp,
  search: {
    requests: fc.Arbitrary<Request>;
    regressions?: readonly Request[];
    runs: number;
    what(request: Request): string;
  },
  send: (request: Request, attempt: number) => ReturnType<Send>,
  ceiling: Ceiling,
): Promise<Cost> {
  const dearest: Cost = { cpu: 0, loopDelay: 0, databaseCpu: 0, statements: 0, bytesOut: 0, memory: 0 };
  const regressions = search.regressions ?? [];
  const property = fc.asyncProperty(search.requests, async (request) => {
    const cost = await expectWithin(app, search.what(request), (attempt) => send(request, attempt), ceiling);
    for (const measure of measures) dearest[measure] = Math.max(dearest[measure], cost[measure]);
  });
  const { failed, errorInstance, seed, counterexamplePath } = await fc.check(property, {
    numRuns: search.runs + regressions.length,
    examples: regressions.map((request) => [request]),
    interruptAfterTimeLimit: searchMsMax,
    markInterruptAsFailure: false,
  });
  if (failed) throw new Error(`${(errorInstance as Error).message}; seed ${seed}, path ${counterexamplePath}`);
  return dearest;
}

const measures = ['cpu', 'loopDelay', 'databaseCpu', 'statements', 'bytesOut', 'memory'] as const;

const excess = (cost: Cost, ceiling: Ceiling): string[] =>
  measures
    .filter((measure) => cost[measure] > (ceiling[measure] ?? Number.POSITIVE_INFINITY))
    .map((measure) => `${measure} ${Math.round(cost[measure])} of ${ceiling[measure]}`);

/** CPU time of the process; unlike a thread's it is exact to the microsecond. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const sample = JSON.stringify(
  Array.from({ length: 1_000 }, (_, number) => ({
    number,
    name: `row ${number}`,
    tags: ['a', 'b'],
    isOdd: number % 2,
  })),
);

/** Microseconds of CPU time that a run of the loop takes just now: the work of a service, objects and texts. */
function timeLoop(): number {
  const times = Array.from({ length: 9 }, () => {
    const start = cpuMicroseconds();
    JSON.stringify(JSON.parse(sample));
    return cpuMicroseconds() - start;
  });
  return times.sort((one, other) => one - other)[4]!;
}

/** Follows the CPU time that passes between two turns of the event loop. */
function watchLoop(): { end(): Promise<number> } {
  let longest = 0;
  let last = cpuMicroseconds();
  const look = () => {
    const now = cpuMicroseconds();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  const end = async () => {
    await new Promise((turn) => setTimeout(turn, 2 * tickMs));
    clearInterval(timer);
    return longest;
  };
  return { end };
}

/** CPU time of the processes behind the connections to the app's database, since each began. */
async function databaseMicroseconds({ context, takeStatements }: TestApp): Promise<number> {
  const pids = await context.sql.rows<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  takeStatements();
  return pids.reduce((sum, { pid }) => sum + processMicroseconds(pid), 0);
}

/** https://docs.kernel.org/scheduler/sched-stats.html: nanoseconds on a processor come first. */
function processMicroseconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
  } catch {
    return 0;
  }
}
