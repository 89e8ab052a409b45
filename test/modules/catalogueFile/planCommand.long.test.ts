/** bin/gatehouse plan, apply and drift as an operator types them, and the commands of docs/catalogue-in-git.md as they stand there. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { updateApplication } from '../../../src/services/catalogue/applications.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { icons } from '../../support/changeSets.js';
import { newUser } from '../../support/records.js';
import { until } from '../../support/until.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
let app: TestApp;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-plan-'));
  app = await startTestApp();
});
afterEach(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  DATABASE_URL: app.database.url,
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  ISSUER_URL: app.url,
});

function run(program: string, words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, words, { cwd: folder, env: environment(), maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
const gatehouse = (...words: string[]) => run(join(root, 'bin/gatehouse'), words);
const write = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};
const guid = (n: number) => `44444444-0000-4000-8000-${String(n).padStart(12, '0')}`;
const application = (n: number, name = `A${n}`) => ({ applicationGuid: guid(n), name, ...icons });

it('the commands of docs/catalogue-in-git.md do what it says, one after the other', async () => {
  const text = readFileSync(join(root, 'docs/catalogue-in-git.md'), 'utf8');
  write('catalogue.yaml', /^```yaml catalogue.yaml\n(.*?)^```/ms.exec(text)![1]!);
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands!);
  const shell = (index: number) =>
    run('bash', [
      '--norc',
      '-e',
      '-o',
      'pipefail',
      '-c',
      blocks[index]!.replaceAll(/(npx |bin\/)gatehouse/g, 'gatehouse'),
    ]);
  expect(blocks).toHaveLength(6);
  expect((await shell(0)).code).toBe(0);
  const planned = await shell(1);
  expect([planned.code, planned.stderr]).toEqual([2, '']);
  expect(planned.stdout).toContain('+ applications 6f1d0a52-4444-4000-8000-000000000001 "Tide tables"');
  expect(planned.stdout).toMatch(/^To apply exactly this: bin\/gatehouse apply catalogue\.yaml --plan [0-9a-f]{64}$/m);
  const applied = await shell(2);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  expect(applied.stdout).toContain('Created 6, changed 0, removed 0.');
  expect(await shell(3)).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' });
  expect(await shell(4)).toEqual({ code: 0, stdout: 'No drift.\n', stderr: '' });
  const ada = (await newUser(app.context, { first_name: 'Ada', last_name: 'Lovelace' })).user_guid;
  await updateApplication(
    { ...app.context, caller: { ...app.context.caller, sub: ada } as typeof app.context.caller },
    '6f1d0a52-4444-4000-8000-000000000001',
    { name: 'Tides' },
  );
  const drift = await shell(4);
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain('name: "Tides" → "Tide tables"');
  expect(drift.stdout).toContain(`changed by hand: "Ada Lovelace" (${ada}), 20`);
  const piped = await shell(5);
  expect([piped.code, piped.stdout]).toEqual([0, expect.stringContaining('"actorName": "Ada Lovelace"')]);
  expect((await shell(2)).code).toBe(0);
  expect((await shell(4)).code).toBe(0);
});

it('YAML, JSON and a folder of both give the same plan; a fault is named by its file', async () => {
  const file = {
    managedBy: 'maps',
    roles: [{ roleId: 'r', name: 'R' }],
    applications: [application(1), application(2)],
  };
  write('all.json', file);
  write('all.yaml', stringify(file));
  mkdirSync(join(folder, 'parts/more'), { recursive: true });
  mkdirSync(join(folder, 'parts/.git'));
  write('parts/.git/broken.json', '{');
  write('parts/README.md', 'text');
  write('parts/a.yml', stringify({ managedBy: 'maps', applications: [application(2)] }));
  write('parts/more/b.json', { applications: [application(1)], roles: file.roles });
  const plans = await Promise.all(['all.json', 'all.yaml', 'parts'].map((name) => gatehouse('plan', name, '--json')));
  expect(plans.map(({ code }) => code)).toEqual([2, 2, 2]);
  const [first, ...others] = plans.map(({ stdout }) => JSON.parse(stdout));
  expect(first.summary).toEqual({ created: 3, updated: 0, removed: 0, unlisted: 0 });
  expect(others).toEqual([first, first]);
  write('parts/more/b.json', { applications: [application(1), { ...application(3), name: 5 }] });
  const { code, stderr } = await gatehouse('plan', 'parts');
  expect([code, stderr]).toEqual([1, expect.stringContaining('parts/more/b.json: applications[1].name: ')]);
});

it('a plan moves no terminal, and hides nothing, whatever records are called', async () => {
  const moving = '\x9b2J\u200etxt';
  const { user_guid: userGuid } = await newUser(app.context, { first_name: moving, last_name: 'x' });
  const file = { managedBy: 'maps', roles: [{ roleId: moving, name: moving }], applications: [application(1, 'A')] };
  write('a.json', file);
  const { hash } = JSON.parse((await gatehouse('plan', 'a.json', '--json')).stdout);
  await gatehouse('apply', 'a.json', '--plan', hash);
  const caller = { ...app.context.caller, sub: userGuid } as typeof app.context.caller;
  await updateApplication({ ...app.context, caller, note: moving }, guid(1), { name: moving });
  write('a.json', { ...file, roles: [{ roleId: moving, name: 'Role' }] });
  for (const form of [[], ['--markdown']]) {
    const { stdout } = await gatehouse('plan', 'a.json', ...form);
    expect(stdout.match(/\\u\{9b\}2J\\u\{200e\}txt/g)).toHaveLength(5);
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  }
});

it.each([
  ['a.yaml', 'a: [1', 'a.yaml is not YAML: line 1, column '],
  ['a.yaml', 'managedBy: x\nmanagedBy: y\n', 'a.yaml is not YAML: line '],
  [
    'a.yaml',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(10)}]\n`)}`,
    'a.yaml uses an anchor more than 10000 times',
  ],
  ['a.yaml', 'roles: []\n---\nroles: []\n', 'a.yaml is not YAML: line 2, column 1: a second document begins here'],
  [
    'a.json',
    '{"roles": [],\n"roles": []}',
    `a.json can't be read: line 2, column 1: "roles" appears twice in this object`,
  ],
  ['a.json', '[]', 'a.json must be an object'],
  ['b.json', undefined, "b.json can't be read: there is no such file."],
])('a file that is none is refused in one sentence with exit 1: %s', async (name, text, sentence) => {
  if (text !== undefined) write(name, text);
  const { code, stdout, stderr } = await gatehouse('plan', name);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('misspelt commands exit with 1, as 2 means changes; each has a help with an example', async () => {
  expect((await gatehouse('drift', 'x', '--colour')).code).toBe(1);
  expect((await gatehouse('plan')).code).toBe(1);
  expect((await gatehouse('apply', write('x.json', {}))).code).toBe(1);
  expect(await gatehouse('apply', 'x.json', '--plan', 'short')).toMatchObject({ code: 1 });
  for (const command of ['plan', 'apply', 'drift'])
    expect((await gatehouse(command, '--help')).stdout).toContain(`Example: bin/gatehouse ${command} catalogue.yaml`);
});

async function countOthers(condition: string): Promise<number> {
  const [found] = await app.context.sql.rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
  return found!.n;
}

it('an apply that is killed leaves nothing behind, and the same plan is applied after', async () => {
  const count = 3_000;
  const applications = Array.from({ length: count }, (_, n) => application(n));
  write('large.json', { managedBy: 'large', applications });
  const { hash } = JSON.parse((await gatehouse('plan', 'large.json', '--json')).stdout);
  const child = spawn(join(root, 'bin/gatehouse'), ['apply', 'large.json', '--plan', hash], {
    cwd: folder,
    env: environment(),
  });
  const gone = once(child, 'exit');
  const { sql } = app.context;
  const isWriting = `query like '%insert into applications%'`;
  await until(async () => (await countOthers(isWriting)) > 0 || child.exitCode !== null);
  child.kill('SIGKILL');
  await gone;
  await until(async () => (await countOthers(isWriting)) === 0);
  expect(await sql.rows('select 1 from applications union all select 1 from change_sets')).toEqual([]);
  const applied = await gatehouse('apply', 'large.json', '--plan', hash);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  expect(applied.stdout).toContain(`Created ${count}`);
});
