/** Programs of other languages that tests compile and run: which tools are there, and runs whose output a failure shows. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PageFile } from '../support/clientWorld.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

const isWanted = process.env.CLIENTS_WANTED === 'yes';
const has = (tool: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** `describe` for `npm run test:clients`, skipped elsewhere; a language whose tools are missing is skipped, and says so. */
export function describeWith(language: string, tools: readonly string[]): jest.Describe {
  const missing = tools.filter((tool) => !has(tool));
  if (isWanted && missing.length > 0)
    process.stderr.write(`The ${language} clients did not run: no ${missing.join(', ')}.\n`);
  return isWanted && missing.length === 0 ? describe : (describe.skip as jest.Describe);
}

/** A folder for one trial, with the files of the page. */
export function writeFiles(files: readonly PageFile[], place: (name: string) => string = (name) => name): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true, force: true }));
  for (const { name, text } of files) {
    const path = join(folder, place(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

/** Runs a program, and returns what it prints; a failure shows all its output. */
export function run(program: string, words: readonly string[], cwd: string, environment: Record<string, string> = {}) {
  return new Promise<string>((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, words, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${words.join(' ')}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Starts an API that listens on the port in `PORT`, and returns its address when it answers. */
export async function startApi(
  program: string,
  words: readonly string[],
  cwd: string,
  environment: Record<string, string>,
): Promise<string> {
  const port = String(await freePort());
  const child = spawn(program, words, { cwd, env: { ...process.env, ...environment, PORT: port, SERVER_PORT: port } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  closeAtEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ${words.join(' ')} has ended\n${output}`);
    return (await fetch(url).catch(() => undefined)) !== undefined;
  });
  return url;
}

/** The statuses of an API's answers with each token; undefined sends none. */
export const statusesOf = (url: string, ...tokens: (string | undefined)[]): Promise<number[]> =>
  Promise.all(
    tokens.map(async (token) => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      return (await fetch(url, { headers })).status;
    }),
  );
