/** The folder, ports and programs of one trial on this machine; whatever its end, no program of it is left. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, open, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Program {
  command: string;
  words: string[];
  env?: Record<string, string>;
  /** PostgreSQL refuses to be run by root: true runs it as the user postgres then. */
  asPostgres?: boolean;
}

export interface Trial {
  folder: string;
  /** Free ones. */
  ports(count: number): Promise<number[]>;
  /** Runs a program in a folder of its own below the trial's, where its log is too; the signal ends it with this process. */
  start(name: string, program: Program, onOwnEnd?: NodeJS.Signals): Promise<ChildProcess>;
  /** Ends at once whatever runs in the folder of that name, children of its own included. */
  kill(name: string): Promise<void>;
  /** To whatever runs there, or to what has the word in its command line. */
  signal(name: string, signal: NodeJS.Signals, word?: string): Promise<void>;
  /** What the end does besides, the last one first. */
  closers: (() => Promise<void>)[];
  close(): Promise<void>;
}

export const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Runs the work, and clears away all that it started: also after a failure, Ctrl-C or SIGTERM. */
export async function inTrial(work: (trial: Trial) => Promise<void>): Promise<void> {
  const trial = await openTrial();
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await trial.close();
    process.exit(code);
  };
  process.on('SIGINT', () => void end(130)).on('SIGTERM', () => void end(143));
  try {
    await work(trial);
    await end(0);
  } catch (error) {
    if (!isEnding) tell(`FAILED: ${(error as Error).stack ?? error}`);
    await end(1);
  }
}

async function openTrial(): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-trial-'));
  await chmod(folder, 0o755);
  const postgres = process.getuid?.() === 0 ? await postgresUser() : undefined;
  const start: Trial['start'] = async (name, { command, words, env = {}, asPostgres }, onOwnEnd = 'SIGKILL') => {
    const place = join(folder, name);
    const runner = asPostgres ? postgres : undefined;
    await mkdir(place, { recursive: true });
    if (runner) await chown(place, runner.uid, runner.gid);
    const log = await open(join(place, 'log'), 'a', 0o644);
    const { PATH } = process.env;
    const child = spawn('setpriv', ['--pdeathsig', onOwnEnd, command, ...words], {
      cwd: place,
      env: { PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
      stdio: ['ignore', log.fd, log.fd],
      ...runner,
    });
    await log.close();
    return child;
  };
  const kill = async (path: string): Promise<void> => {
    while ((await runningIn(path)).length > 0) {
      await signalAll(path, 'SIGKILL');
      await pause(20);
    }
  };
  const closers: Trial['closers'] = [];
  return {
    folder,
    closers,
    ports: freePorts,
    start,
    kill: (name) => kill(join(folder, name)),
    signal: (name, signal, word) => signalAll(join(folder, name), signal, word),
    async close() {
      await kill(folder);
      const { TRIAL_LOGS } = process.env;
      if (TRIAL_LOGS) await copyLogs(folder, TRIAL_LOGS);
      for (const closer of closers.reverse()) await closer();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const entry = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith('postgres:'));
  const [, , uid, gid] = entry?.split(':') ?? [];
  if (!uid) throw new Error('PostgreSQL is not run by root, and there is no user postgres: run this as another user.');
  return { uid: Number(uid), gid: Number(gid) };
}

async function copyLogs(folder: string, target: string): Promise<void> {
  for (const name of await readdir(folder))
    await cp(join(folder, name, 'log'), join(target, `${name}.log`)).catch(() => undefined);
}

/** Processes whose working directory is the folder or below it. */
async function runningIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_pid, index) => places[index] === folder || places[index]!.startsWith(`${folder}/`));
}

async function signalAll(folder: string, signal: NodeJS.Signals, word = ''): Promise<void> {
  for (const pid of await runningIn(folder)) {
    try {
      if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(word)) continue;
      process.kill(pid, signal);
    } catch {} // it ended by itself
  }
}

/** All held at the same time, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server: Server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Asks again until it is so; fails with what was waited for. */
export async function until(what: string, seconds: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await pause(100);
  }
}
