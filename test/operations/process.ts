/** The service as its own process, as an operator runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { patience } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';

export const encryptionKey = Buffer.alloc(32, 7).toString('base64');

export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Everything on standard output so far. */
  printed(): string;
  /** Everything on standard error so far. */
  errors(): string;
  /** Code and signal of its end. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
  kill(): Promise<void>;
}

/**
 * Starts it and waits until it listens.
 * @param nodeOptions words for Node before the program
 * @param line of a shell, instead of Node itself
 */
export async function startProcess(
  settings: Record<string, string>,
  nodeOptions: readonly string[] = [],
  line?: string,
): Promise<ServiceProcess> {
  const program = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const { PATH } = process.env;
  const own = { PORT: '0', BCRYPT_COST: '4', LOG_LEVEL: 'warn', KEY_ENCRYPTION_KEY: encryptionKey, ...patience };
  const env = { PATH, ...own, ...settings };
  const [file, words] = line ? ['/bin/sh', ['-c', line]] : [process.execPath, [...nodeOptions, program]];
  const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit') as ServiceProcess['ended'];
  const kill = closeAtEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await ended;
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    ended.then(([code]) => reject(new Error(`ended with ${code}: ${errors}`)));
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const found = /listens on ([^\s"]+)/.exec(printed)?.[1];
      if (found) resolve(found);
    });
  });
  return { url, child, printed: () => printed, errors: () => errors, ended, kill };
}
