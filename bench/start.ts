/** Row `start`: `npm start` on an existing data folder until it is ready, beside PostgreSQL's own start on the same data. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { locate } from '../src/dev/postgres/initData.js';
import { removeEmbeddedPostgres, untilStopped } from '../src/dev/postgres/remove.js';
import { readPassword, startServer } from '../src/dev/postgres/server.js';
import { median } from './load.js';
import type { Outcome, Row, Stage } from './row.js';

const pollMs = 5;

export const rows: Row[] = [{ name: 'start', run }];

async function run({ rounds }: Stage): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const times: Record<'own' | 'postgres', number[]> = { own: [], postgres: [] };
  try {
    // makes the folder what it is after a first start
    await startGatehouse(dataDir);
    for (let round = 0; round < rounds; round++) {
      const measure = {
        own: async () => times.own.push(await startGatehouse(dataDir)),
        postgres: async () => times.postgres.push(await startPostgres(dataDir)),
      };
      for (const side of round % 2 ? (['own', 'postgres'] as const) : (['postgres', 'own'] as const))
        await measure[side]();
    }
  } finally {
    await removeEmbeddedPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
  const more = median(times.own.map((seconds, round) => seconds - times.postgres[round]!));
  const work = 'npm start on an existing data folder, to ready';
  const lineOf = (name: string, all: number[]) =>
    `| ${name} | ${median(all).toFixed(2)} | ${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)} |`;
  const table = [
    '| | seconds | range |',
    '|---|---|---|',
    lineOf('`npm start`, until /readyz says so', times.own),
    lineOf("PostgreSQL's own start, until it takes connections", times.postgres),
  ].join('\n');
  return {
    ratios: [{ work, against: 'PostgreSQL’s own start', value: more, kind: 'most', bar: 2, aim: 1, unit: 's more' }],
    details: `With npm, the build that it does first, embedded PostgreSQL, demonstration data.\n\n${table}`,
  };
}

/** Seconds until it is ready; then it is ended, PostgreSQL with it. */
async function startGatehouse(dataDir: string): Promise<number> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, DATA_DIR: dataDir, PORT: '0' };
  const began = performance.now();
  const npm = spawn('npm', ['start'], { env: environment, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = new Promise<never>((_, reject) => npm.once('exit', () => reject(new Error('npm start ended'))));
  exited.catch(() => undefined);
  try {
    const url = await Promise.race([exited, readUrl(npm.stdout)]);
    while (!(await isReady(url))) await pause(pollMs);
    return (performance.now() - began) / 1_000;
  } finally {
    if (npm.exitCode === null) process.kill(-npm.pid!, 'SIGTERM');
    await exited.catch(() => undefined);
    await untilStopped(dataDir);
  }
}

function readUrl(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let printed = '';
    output.on('data', (chunk) => {
      printed += chunk;
      const url = /listens on (http:\S+)/.exec(printed)?.[1];
      if (url) resolve(url);
    });
  });
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function startPostgres(dataDir: string): Promise<number> {
  const installation = await locate(dataDir, readPassword(dataDir), () => undefined);
  const began = performance.now();
  const server = await startServer(installation, dataDir, false);
  const seconds = (performance.now() - began) / 1_000;
  await server.stop();
  return seconds;
}
