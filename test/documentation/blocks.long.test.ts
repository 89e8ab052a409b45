/** The blocks of README.md and of the documents for operators, as they stand there, against a service in development. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config/loadConfig.js';
import { encryptionKey, type ServiceProcess, startProcess } from '../operations/process.js';
import { pageOf } from '../support/clientWorld.js';
import { createDatabase, type TestDatabase } from '../support/cluster.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const documented = 'http://127.0.0.1:4000';

let folder: string;
let database: TestDatabase;
let service: ServiceProcess;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-blocks-'));
  for (const name of ['package.json', 'node_modules', 'bin', 'dist']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'data'));
  database = await createDatabase();
  environment = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    KEY_ENCRYPTION_KEY: encryptionKey,
    BCRYPT_COST: '4',
    LOG_LEVEL: 'error',
    // the typ that the program with validateJwtAccessToken requires, and all others accept
    ACCESS_TOKEN_TYP: 'at+jwt',
  };
  service = await startProcess(environment);
});
afterAll(async () => {
  await service?.kill();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The blocks of a language below a heading, or all of the document; also those that are indented in a list. */
function blocksOf(document: string, language: string, heading?: string): string[] {
  const text = document.startsWith('docs/clients/')
    ? pageOf(document.slice('docs/clients/'.length))
    : readFileSync(join(root, document), 'utf8');
  const section = heading ? text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) : text;
  if (!section) throw new Error(`${document} has no heading ${heading}`);
  const found = section.matchAll(/^( {0,9})```(\w{1,20})\n(.*?)^\1```$/gms);
  return [...found].flatMap(([, indent, name, block]) =>
    name === language ? block!.replaceAll(new RegExp(`^${indent}`, 'gm'), '') : [],
  );
}

/** Runs the commands in one shell, with the addresses and times of the test for those of the document. */
async function run(commands: string, replacements: [string, string][] = []): Promise<string> {
  for (const [from] of replacements) expect(commands).toContain(from);
  const text = [[documented, service.url] as [string, string], ...replacements].reduce(
    (before, [from, to]) => before.replaceAll(from, to),
    commands,
  );
  const env = { PATH: process.env.PATH, HOME: folder, ISSUER_URL: service.url, ...environment };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', text], { cwd: folder, env });
  return stdout;
}

it('README: a token is had, validated, revoked and exchanged in both dialects, profiles are listed; REST and the graph answer', async () => {
  const [json, forms, held] = blocksOf('README.md', 'sh', 'Try the token endpoints');
  const [rest] = blocksOf('README.md', 'sh', 'Try the administration over REST');
  const [graph] = blocksOf('README.md', 'sh', 'Try the graph');
  const parted = [json!, forms!, held!, rest!, graph!].join("\necho; echo '=='\n");
  const output = await run(parted);
  const [first, exchanged, profiles, lists, nodes] = output.split('==\n');
  expect(first).toMatch(/"is_valid":true.*"status":"success"/s);
  expect(JSON.parse(exchanged!)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect(JSON.parse(profiles!).profiles).toContainEqual(expect.objectContaining({ profileId: 'grid-operator' }));
  const [two, selected] = lists!.split('][').map((part, index) => JSON.parse(index ? `[${part}` : `${part}]`));
  expect(two).toHaveLength(2);
  expect(Object.keys(selected[0]).sort()).toEqual(['appType', 'name']);
  expect(JSON.parse(nodes!).data.applications.nodes).toHaveLength(2);
});

it('docs/run/watch.md: a refusal is explained by its trace id', async () => {
  const [explain] = blocksOf('docs/run/watch.md', 'sh', 'Refused tokens');
  const answer = await fetch(`${service.url}/token`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  environment.TRACE_ID = answer.headers.get('trace-id')!;
  // it is written within a second or so
  const output = await until(async () => {
    const printed = await run(explain!).catch(({ stderr }) => String(stderr));
    return !printed.startsWith('No refusal') && printed;
  });
  expect(output).toContain('The request does not have the documented form.');
});

it('docs/run/ends.md: who still uses an operation is told', async () => {
  const [usage] = blocksOf('docs/run/ends.md', 'sh');
  await fetch(`${service.url}/api/applications`);
  await until(async () => (await run(usage!)).includes('GET /api/applications'));
});

it('docs/changes.md: the catalogue as it was is exported', async () => {
  const [commands] = blocksOf('docs/changes.md', 'sh');
  await run(commands!, [['2026-01-31T12:00:00Z', new Date().toISOString()]]);
  const { applications } = JSON.parse(readFileSync(join(folder, 'catalogue.json'), 'utf8'));
  expect(applications.length).toBeGreaterThan(5);
});

it('docs/identity-providers.md: the first administrator and client are made, and each provider’s entry is taken', async () => {
  const [first, ...others] = blocksOf('docs/identity-providers.md', 'sh');
  expect(others).toEqual([]);
  expect(await run(first!)).toMatch(/^[\w-]{43}\n$/);
  const entries = blocksOf('docs/identity-providers.md', 'json');
  expect(entries.length).toBeGreaterThan(2);
  for (const entry of entries) {
    const issuers = JSON.stringify([JSON.parse(entry)].flat());
    expect(loadConfig({ ID_TOKEN_ISSUERS: issuers }).idTokenIssuers).toHaveLength(1);
  }
});

it('docs/legacy-clients.md: the file of an old service is loaded, and a script reads the list with a token of its own', async () => {
  const [file] = blocksOf('docs/legacy-clients.md', 'json');
  writeFileSync(join(folder, 'old.json'), file!);
  await run('npx gatehouse import old.json');
  const [script] = blocksOf('docs/legacy-clients.md', 'sh');
  const output = await run(script!, [['https://gatehouse.example.org', service.url]]);
  expect(JSON.parse(output)).toContainEqual(expect.objectContaining({ applicationId: 17, name: 'Time sheets' }));
});

it('one block exports what all programs of the pages for developers read, and each prints what stands below it', async () => {
  const [variables] = blocksOf('docs/clients/README.md', 'sh', 'Variables that the programs read');
  const [ownKey] = blocksOf('docs/clients/javascript.md', 'sh', 'Keys of its own');
  cpSync(join(root, 'docs/clients/javascript/typePolicies.mjs'), join(folder, 'typePolicies.mjs'));
  const printed: string[] = [];
  const pages = [
    ['docs/clients/README.md', 'js', 'bin/node'],
    ['docs/clients/javascript.md', 'js', 'bin/node'],
    ['docs/clients/curl.md', 'sh', 'bash'],
  ] as const;
  const commands = pages.flatMap(([page, language, runner]) => {
    printed.push(...blocksOf(page, 'text').map((text) => `${page}\n${text}`));
    return blocksOf(page, language).map((program, index) => {
      const file = `${page.replaceAll('/', '-')}-${index}.${language === 'js' ? 'mjs' : language}`;
      writeFileSync(join(folder, file), program);
      return `echo ${page}; ${runner} ${file}`;
    });
  });
  expect(await run([variables, ownKey, ...commands].join('\n'))).toBe(printed.join(''));
  const [question] = blocksOf('docs/apis.md', 'sh');
  expect(JSON.parse(await run(`${variables}\n${question}`))).toMatchObject({ decision: true });
});
