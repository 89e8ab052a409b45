/** docs/migration.md: its commands in their order, as they stand there, from an old service to a new one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { updateApplication } from '../../src/services/catalogue/applications.js';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { type ComparedServices, clientSecret, startComparedServices } from '../compare/comparedServices.js';
import { startTestApp } from '../support/app.js';
import { freePort } from '../support/freePort.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const text = readFileSync(join(root, 'docs/migration.md'), 'utf8');
const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, commands]) => commands!.replaceAll(/^ +/gm, ''));

let services: ComparedServices;
let folder: string;
let environment: Record<string, string>;
let port: number;
beforeAll(async () => {
  services = await startComparedServices({ USAGE_RETENTION_DAYS: '9' });
  folder = join(services.folder, 'walk');
  mkdirSync(folder);
  for (const name of ['package.json', 'node_modules', 'bin', 'dist']) symlinkSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'old-records.json'), JSON.stringify(services.records.file));
  port = await freePort();
  environment = {
    PATH: process.env.PATH!,
    DATABASE_URL: services.new.database.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ISSUER_URL: 'https://auth.example.org',
    OLD: services.recorded.url,
    NEW: services.new.url,
    OLD_COPY: services.old.url,
    NEW_COPY: services.new.url,
    OLD_TOKEN: await issueAdminToken(services.recorded.context, {
      scopes: ['admin:read'],
      minutes: 5,
      userGuid: services.recorded.context.config.systemUserGuid,
    }),
  };
});
afterAll(() => services?.close());

/** The port of the document may be another's here. */
const here = (commands: string): string => commands.replaceAll('127.0.0.1:4080', `127.0.0.1:${port}`);

async function run(commands: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', here(commands)], { cwd: folder, env: environment });
  return stdout;
}

/** Runs until the work is done, and then gets what Ctrl-C sends. */
async function runMeanwhile(commands: string, work: () => Promise<void>): Promise<string> {
  const child = spawn('bash', ['-e', '-c', here(commands)], { cwd: folder, env: environment, detached: true });
  const ended = once(child, 'close');
  let [printed, notices] = ['', ''];
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    await new Promise<void>((resolve, reject) => {
      void ended.then(() => reject(new Error(notices)));
      child.stderr.on('data', (chunk) => {
        notices += chunk;
        if (notices.includes('until Ctrl-C')) resolve();
      });
    });
    await work();
  } finally {
    process.kill(-child.pid!, 'SIGINT');
    await ended;
  }
  return printed;
}

const recorder = (): string => `http://127.0.0.1:${port}`;

const askForTokens = (url: string): Promise<Response> =>
  fetch(`${url}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Portal/4.2 (old)' },
    body: JSON.stringify({
      ...exchangeBody(services.idToken()),
      profileId: 'canary-profile',
      client_id: 'portal',
      client_secret: clientSecret,
    }),
  });

const client = async (url = recorder()): Promise<void> => {
  const { access_token } = (await (await askForTokens(url)).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'api-version': '1.0' };
  for (const query of ['', '?$top=2', '?$filter=appType eq %27web%27'])
    expect((await fetch(`${url}/api/applications${query}`, { headers })).status).toBe(200);
};

/** Requests are counted a moment after their answer. */
function runUntil(commands: string, words: string): Promise<string> {
  return until(async () => {
    const output = await run(commands);
    return output.includes(words) && output;
  });
}

/** The new service with the end that the document announces; its brown-out is on. */
async function startAnnounced(): Promise<string> {
  const [json] = [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, block]) => block!);
  const [end] = JSON.parse(json!);
  end.brownouts[0].at = new Date(Date.now() - 1_000).toISOString();
  const app = await startTestApp({
    DATABASE_URL: services.new.database.url,
    USAGE_RETENTION_DAYS: '9',
    ENDPOINT_ENDS: JSON.stringify([end]),
  });
  return app.url;
}

it('every command of the walk does what it says, in the order of the document', async () => {
  const [
    bring,
    record,
    look,
    tokens,
    compare,
    withWrites,
    live,
    again,
    ready,
    come,
    moving,
    changed,
    announced,
    browned,
  ] = blocks;
  await run(bring!);
  await runMeanwhile(record!, () => client());
  expect(statSync(join(folder, 'monday.values.jsonl')).mode & 0o077).toBe(0);
  expect((await run(look!)).split('\n')[1]).toContain('"client":"portal"');
  await run(tokens!);
  expect(await run(compare!)).toMatch(/4 requests: 3 the same, 0 different, 1 not compared\.\n$/);
  expect(readFileSync(join(folder, 'monday.html'), 'utf8')).toContain('<!doctype html>');
  await run(withWrites!);
  expect(JSON.parse(readFileSync(join(folder, 'monday.json'), 'utf8'))).toMatchObject({ same: 4, notCompared: 0 });
  expect(await runMeanwhile(live!, () => client())).toMatch(/4 requests: 3 the same, 0 different, 1 not compared\.\n$/);
  expect(existsSync(join(folder, 'live.html'))).toBe(true);
  await run(again!);
  expect(JSON.parse(await run(ready!)).status).toBe('ok');
  await client(services.new.url);
  expect(await runUntil(come!, 'Portal/4.2')).toMatch(
    /^"portal" +POST \/token +exchange +application\/json +Portal\/4\.2 /m,
  );
  const moved = await runMeanwhile(moving!, () => client());
  expect(moved).toMatch(/^client +old +new .*\nno client +0 +3 +0\nportal +0 +1 +0\n$/);
  expect(await run(changed!)).toBe('Nothing was changed.\n');
  const { applicationGuids } = services.records;
  await updateApplication(services.new.context, applicationGuids[3]!, { name: 'Another name' });
  expect((await run(changed!)).split('\n').map((line) => /^[-+].*"name":"(.*?)"/.exec(line)?.[1])).toEqual([
    'Caf\u00e9 3',
    'Another name',
    undefined,
  ]);
  const url = await startAnnounced();
  environment.NEW = url;
  expect((await run(announced!)).toLowerCase().match(/^[a-z]+/gm)).toEqual(['deprecation', 'sunset', 'link']);
  expect((await askForTokens(url)).status).toBe(410);
  expect(await runUntil(browned!, 'portal')).toMatch(/^portal\tapplication\/json\tPortal\/4\.2\t/m);
  expect(blocks).toHaveLength(14);
});
