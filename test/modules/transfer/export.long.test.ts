/** The export is the inverse of the import, byte for byte. */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExportOptions } from '../../../src/modules/transfer/exportFile.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { encryptionKey } from '../../operations/process.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createDatabase } from '../../support/cluster.js';
import { exportedText } from '../../support/exportedText.js';
import { newClient, newHolder, newScope, newScopeType } from '../../support/records.js';
import { until } from '../../support/until.js';

const all: ExportOptions = { users: true, clients: true };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await newClient(app.context);
  const { profileId } = await newHolder(app.context, { last_name: "O'Löve\n\u2028", email: null });
  const typeId = await newScopeType(app.context);
  const scopes = [
    await newScope(app.context, typeId, profileId, { access_scope_key: 'ä' }),
    await newScope(app.context, typeId, profileId, { concrete_id: 7 }),
  ];
  const [first, second] = [randomUUID(), randomUUID()];
  await importFile(app.context, {
    applications: [first, second].map((applicationGuid, index) => ({
      applicationGuid,
      name: ['Zebra', 'ant'][index],
      iconDefault: 'i',
      iconHover: 'h',
      appType: 'web',
      renderingMode: 'tile',
      linkType: 'internal',
      translationGroup: 'group',
    })),
    accessScopeApplicationsMappers: scopes.map(({ access_scope_guid: accessScopeGuid }) => ({
      applicationGuid: first,
      accessScopeGuid,
      state: 'active',
    })),
    translations: [{ translationGroup: 'group', fieldName: 'name', languageCode: 'de', translatedText: 'Zäbra' }],
  });
  await app.context.sql.rows(
    `insert into users (first_name, created_by) select 'User ' || n, gen_random_uuid() from generate_series(1, 6000) n`,
  );
});
afterAll(() => app.close());

const exported = (from: TestApp, wanted: ExportOptions) => exportedText(from.context, wanted);

it('an import of the export changes nothing', async () => {
  const text = await exported(app, all);
  const lists = JSON.parse(text) as Record<string, unknown[]> & { profiles: { accessScopeGuids: string[] }[] };
  const rows = Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  const links = lists.profiles.reduce((sum, { accessScopeGuids }) => sum + accessScopeGuids.length, 0);
  const imported = await importFile(app.context, JSON.parse(text));
  expect(imported).toEqual({ created: 0, updated: 0, removed: 0, unchanged: rows + links, kept: {}, reset: {} });
  expect(await exported(app, all)).toBe(text);
});

it('imported into another database, it is exported with the same bytes', async () => {
  const empty = await createDatabase();
  const other = await startTestApp({ DATABASE_URL: empty.url });
  const text = await exported(app, all);
  await importFile(other.context, JSON.parse(text));
  expect(await exported(other, all)).toBe(text);
});

it('users and clients are in it only when asked for, tokens never; a row is a line', async () => {
  const lists = async (wanted: ExportOptions) => Object.keys(JSON.parse(await exported(app, wanted)));
  const catalogue = await lists({});
  for (const list of ['users', 'userProfiles', 'clients', 'tokens']) expect(catalogue).not.toContain(list);
  expect(await lists({ users: true })).toEqual(expect.arrayContaining([...catalogue, 'users', 'userProfiles']));
  expect(await lists({ clients: true })).toEqual([...catalogue, 'clients']);
  expect(await lists(all)).not.toContain('tokens');
  const text = await exported(app, all);
  expect(text.split('\n').length).toBeGreaterThan(6_000);
  expect(text).not.toContain('client-secret');
});

describe('bin/gatehouse export', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL('../../../src/cli.js', import.meta.url));
  let env: NodeJS.ProcessEnv;
  beforeAll(() => {
    env = { PATH: process.env.PATH, DATABASE_URL: app.database.url, KEY_ENCRYPTION_KEY: encryptionKey };
  });
  const run = (path: string, output: 'pipe' | number = 'pipe') =>
    spawnSync(process.execPath, [program, 'export', path], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', output, 'pipe'],
    });

  it('writes a file for its owner alone, or standard output', () => {
    const file = join(folder, 'catalogue.json');
    const { status, stderr } = run(file);
    expect([status, stderr]).toEqual([0, expect.stringContaining(`to ${file}`)]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['catalogue.json']);
    expect(run('-').stdout).toBe(readFileSync(file, 'utf8'));
    expect(run(join(folder, 'nowhere', 'x.json'))).toMatchObject({ status: 1, stdout: '' });
  });

  it('leaves a link a link, and replaces no folder, device or pipe by a file', () => {
    const link = join(folder, 'latest.json');
    expect(run(join(folder, 'catalogue.json')).status).toBe(0);
    symlinkSync('catalogue.json', link);
    expect(run(link).status).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    for (const path of [folder, pipe])
      expect(run(path)).toMatchObject({
        status: 1,
        stderr: `${path} is not a file: name one, or - for standard output.\n`,
      });
    expect(readdirSync(folder)).toEqual(['catalogue.json', 'latest.json', 'pipe']);
  });

  it.each([
    ['SIGINT', []],
    ['SIGTERM', []],
    // removed by the next export
    ['SIGKILL', [expect.stringMatching(/^catalogue\.json\.\d+\.tmp$/)]],
  ] as const)('that is ended by %s leaves no part of a file behind', async (signal, left) => {
    const file = join(folder, 'catalogue.json');
    // another program's, and that of an export that still runs
    const kept = ['catalogue.json.tmp', `catalogue.json.${process.pid}.tmp`];
    for (const name of kept) writeFileSync(join(folder, name), '');
    const others = () => readdirSync(folder).filter((name) => !kept.includes(name));
    await app.context.sql.transaction(async ({ rows }) => {
      await rows('lock table translations in access exclusive mode');
      const child = spawn(process.execPath, [program, 'export', file], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await until(() => others().length > 0 || child.exitCode !== null);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
    });
    expect(others()).toEqual(left);
    expect(run(file).status).toBe(0);
    expect(readdirSync(folder)).toEqual(['catalogue.json', ...kept].sort());
  });

  it('says in a sentence that its result can not be printed', () => {
    const { status, stderr } = run('-', openSync('/dev/full', 'w'));
    expect([status, stderr]).toEqual([1, expect.stringContaining("The result can't be printed (ENOSPC).")]);
  });
});
