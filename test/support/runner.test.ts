/** The runner of test files: those in one process share the service's modules and nothing else, and a signal ends all of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeAtEnd } from './lifetimes.js';
import { until } from './until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
let notes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-runner-'));
  notes = join(folder, 'notes');
  writeFileSync(notes, '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs two of the files beside this one. */
function run(files: string, ...words: string[]) {
  const own = ['test/run.js', `--testMatch=<rootDir>/dist/test/support/runner/${files}.js`, ...words];
  const env = { ...process.env, NOTES: notes, WAS_HOME: homedir(), WAS_FOLDER: root.slice(0, -1) };
  const child = spawn(process.execPath, own, { cwd: root, env });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk) => {
      printed += chunk;
    });
  const ended = once(child, 'exit');
  closeAtEnd(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, ended, printed: () => printed };
}
const noted = () => readFileSync(notes, 'utf8').trimEnd().split('\n').filter(Boolean);

it('a test file finds nothing of one that ran before it in the same process, where the service is loaded once', async () => {
  const { ended, printed } = run('{one,two}', '--runInBand', '--globalSetup=', '--globalTeardown=');
  expect([await ended, printed()]).toEqual([[0, null], expect.stringContaining('Tests:       6 passed, 6 total')]);
  const [first = ''] = noted();
  const [id] = first.split(' ');
  expect(noted()).toEqual([`${id} loaded`, `${id} again`]);
});

it('after SIGTERM no process of a run of tests is left: no worker, no process of a test, no PostgreSQL', async () => {
  const { child, ended } = run('waiting{,Too}', '--maxWorkers=2');
  const workers = await until(() => noted().length === 2 && noted());
  const processes = [...new Set(workers.flatMap((line) => line.split(' '))), postmaster(child.pid!)];
  expect(processes.filter(isRunning)).toHaveLength(6);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  await until(() => !processes.some(isRunning));
});

/** The PostgreSQL of a run. */
function postmaster(runner: number): string {
  const name = readdirSync(tmpdir()).find((each) => each.startsWith(`gatehouse-test-${runner}-`))!;
  return readFileSync(join(tmpdir(), name, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]!;
}

function isRunning(id: string): boolean {
  try {
    // what has ended may still be listed until its parent looks
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}
