/** In production each line that the service writes is JSON, with its message in one member. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp } from '../support/app.js';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { exchangeBody } from '../support/tokens.js';
import { encryptionKey, startProcess } from './process.js';

const issuers = JSON.stringify([{ issuer: 'http://127.0.0.1:1', audience: 'a', idpname: 'i', subject: 'userGuid' }]);
let database: TestDatabase;
beforeEach(async () => {
  database = await createMigratedDatabase();
});

const production = (more: Record<string, string> = {}): Record<string, string> => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.url,
  ISSUER_URL: 'https://auth.example.com',
  ID_TOKEN_ISSUERS: issuers,
  TOKEN_POLICY: 'documented',
  LOG_LEVEL: 'trace',
  ACCESS_LOG: 'all',
  ...more,
});

interface Line {
  level: number;
  time: string;
  msg: string;
  url?: string;
}
function linesOf(output: string): Line[] {
  const lines = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.stringMatching(/^\d.*Z$/),
      msg: expect.stringMatching(/./),
    });
  return lines;
}
const failure = async (settings: Record<string, string>): Promise<Line[]> => {
  const { message } = await startProcess(settings).then(
    () => new Error('started'),
    (error: Error) => error,
  );
  return linesOf(message.replace(/^ended with 1: /, ''));
};

it.each([{}, { WORKERS: '2' }])('what it says of itself, of requests and of providers, with %j', async (more) => {
  const service = await startProcess(production({ BCRYPT_COST: '4', ...more }), ['--trace-warnings']);
  const body = new URLSearchParams({ ...exchangeBody('a.b.c'), profileId: 'p' });
  await fetch(`${service.url}/token`, { method: 'POST', body });
  await fetch(`${service.url}/nowhere`);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  expect(linesOf(service.printed())).toEqual([
    expect.objectContaining({ msg: `Gatehouse listens on ${service.url}`, url: service.url }),
  ]);
  const said = linesOf(service.errors()).map(({ msg }) => msg);
  expect(said).toContain('BCRYPT_COST is below 10: client secrets can be guessed quickly from their hashes.');
  expect(said).toContain('request');
});

const program = fileURLToPath(new URL('../../src/main.js', import.meta.url));

it('a log that can not be written costs no answer, and the service ends as ever', async () => {
  const line = `exec '${process.execPath}' '${program}' 2>/dev/full`;
  const service = await startProcess(production({ BCRYPT_COST: '4' }), [], line);
  for (let request = 0; request < 3; request++) expect((await fetch(`${service.url}/nowhere`)).status).toBe(404);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
});

it('a reader of the log that stops reading costs no answer, and has the lines when it reads on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-log-'));
  closeAtEnd(() => rm(folder, { recursive: true }));
  const pipe = join(folder, 'log');
  await promisify(execFile)('mkfifo', [pipe]);
  // for reading and writing, so that opening it waits for nobody
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const line = `exec '${process.execPath}' '${program}' 2>'${pipe}'`;
  const service = await startProcess(production({ BCRYPT_COST: '4' }), [], line);
  const ask = async () => expect((await fetch(`${service.url}/nowhere`)).status).toBe(404);
  const chunk = Buffer.alloc(16_384);
  const pipeBytes = 65_536;
  // each is a line of more than a hundred bytes
  for (let request = 0; request < pipeBytes / 100; request++) await ask();
  let read = '';
  const readOn = () => {
    for (;;) {
      try {
        read += chunk.toString('utf8', 0, readSync(reader, chunk));
      } catch {
        return; // it is empty
      }
    }
  };
  readOn();
  await ask();
  readOn();
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  readOn();
  closeSync(reader);
  expect(linesOf(read).filter(({ msg }) => msg === 'request').length).toBeGreaterThan(pipeBytes / 100);
});

it('whoever reads what a start says may be gone before its end', async () => {
  const tellingWhenSaid = `data:text/javascript,const { stdout, stderr } = process; const write = stdout.write;
    stdout.write = (...given) => { setTimeout(() => stderr.write('said'), 100); return write.apply(stdout, given); }`;
  const child = spawn(process.execPath, ['--import', tellingWhenSaid, program], {
    env: { PORT: '0', KEY_ENCRYPTION_KEY: encryptionKey, ...production() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closeAtEnd(async () => child.kill('SIGKILL'));
  child.stdout.destroy();
  const ended = once(child, 'exit');
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => String(chunk).includes('said') && resolve()).on('end', resolve);
  });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('a start that fails is one line, with the sentence that doctor says', async () => {
  const wrongKey = Buffer.alloc(32, 9).toString('base64');
  const app = await startTestApp({ DATABASE_URL: database.url, KEY_ENCRYPTION_KEY: encryptionKey });
  await app.close();
  for (const [settings, sentence] of [
    [{ KEY_ENCRYPTION_KEY: wrongKey }, /^KEY_ENCRYPTION_KEY doesn't open .*: set KEY_ENCRYPTION_KEY to the one .*\.$/],
    [{ PORT: 'x', ISSUER_URL: '' }, /PORT must be[\s\S]*ISSUER_URL must be set/],
  ] as const) {
    const lines = await failure(production({ BCRYPT_COST: '10', ...settings }));
    expect(lines.map(({ msg }) => msg)).toEqual([expect.stringMatching(sentence)]);
    expect(lines[0]!.level).toBe(60);
  }
});

it('an error that nobody expected is a line too', async () => {
  const throwing = `data:text/javascript,process.on('SIGUSR2', () => {
    process.emitWarning('careful');
    setTimeout(() => { throw new Error('of no one') }, 50);
  })`;
  const service = await startProcess(production(), ['--import', throwing]);
  service.child.kill('SIGUSR2');
  expect(await service.ended).toEqual([1, null]);
  const lines = linesOf(service.errors()).filter(({ level }) => level > 30);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'Node reported a warning', warning: 'careful' }));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 60, error: expect.objectContaining({ message: 'of no one' }) }),
  );
});
