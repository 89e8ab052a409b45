/** The files of a catalogue are read completely, or not at all: what is left out, --prune would remove. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCatalogueFile } from '../../../src/modules/catalogueFile/cli/planCommand.js';
import { planRemotely } from '../../../src/modules/catalogueFile/cli/remoteCatalogue.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const read = async (name: string) =>
  (await readCatalogueFile({ displayPath: name, path: join(folder, name) })).content as { roles: { roleId: string }[] };
const role = (roleId: string) => `roles:\n  - {roleId: ${roleId}, name: R}\n`;
const rolesOf = async (name: string) => (await read(name)).roles.map(({ roleId }) => roleId);

it.each([
  ['name: !secret role_name', 'line 2, column 7: unknown tag !secret'],
  ['name: !include names.yaml', 'line 2, column 7: unknown tag !include'],
  ['name: !env OWNER', 'line 2, column 7: unknown tag !env'],
  ['name: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6530', 'line 2, column 7: unknown tag !vault'],
  ['roles: !Ref {roleId: x}', 'line 2, column 8: unknown tag !Ref'],
  ['roles: !include [a.yaml]', 'line 2, column 8: unknown tag !include'],
  ['!key name: x', 'line 2, column 1: unknown tag !key'],
  ['a:\n  - !<tag:example.org,2020:x> y', 'line 3, column 5: unknown tag tag:example.org,2020:x'],
  ['a: !!python/name:os.system x', 'line 2, column 4: unknown tag !!python/name:os.system'],
  ['a: !!int many', 'line 2, column 4: the value is not of its tag !!int'],
  ['validUntil: !!timestamp 2026-12-01', 'line 2, column 13: unknown tag !!timestamp'],
  ['a: !!binary aGk=', 'line 2, column 4: unknown tag !!binary'],
  ['roles: !!set {a, b}', 'line 2, column 8: unknown tag !!set'],
  ['roles: !!omap [a: b]', 'line 2, column 8: unknown tag !!omap'],
])('a tag that is not resolved is refused with its place: %j', async (text, sentence) => {
  for (const name of ['one.yaml', 'many/one.yml']) {
    write(name, `# a file\n${text}\n`);
    await expect(read(dirname(name) === '.' ? name : 'many')).rejects.toThrow(`${name}: ${sentence}.`);
  }
});

it('a tag of the core schema says what the value is', async () => {
  write(
    'core.yaml',
    'a: !!str 007\nb: !!int "7"\nc: !!seq [!!bool "true", !!null null, !!float 1.5]\nd: !!map {e: ! 5}\n',
  );
  expect(await read('core.yaml')).toEqual({ a: '007', b: 7, c: [true, null, 1.5], d: { e: '5' } });
});

it('many rows may share a value by an anchor, and a small file does not become a huge one', async () => {
  const rows = (count: number) =>
    `roles:\n  - {roleId: first, name: &name R}\n${Array.from({ length: count }, (_, n) => `  - {roleId: r${n}, name: *name}\n`).join('')}`;
  write('many.yaml', rows(1_500));
  expect((await read('many.yaml')).roles.at(-1)).toEqual({ roleId: 'r1499', name: 'R' });
  const sentence =
    'uses an anchor more than 10000 times, each use within another one counted: write its value instead.';
  const names = [...'abcdefghij'];
  const lines = names.map((name, n) => `${name}: &${name} [${Array(9).fill(n === 0 ? 'x' : `*${names[n - 1]}`)}]`);
  write('laughs.yaml', lines.join('\n'));
  await expect(read('laughs.yaml')).rejects.toThrow(`laughs.yaml ${sentence}`);
});

it('a file that names YAML 1.1 is read as YAML 1.2, so that a plan is the same on the server and by a request', async () => {
  write('old.yaml', '%YAML 1.1\n---\na: 2026-12-01\nb: no\nc: 12:30:45\nd: 010\n');
  expect(await read('old.yaml')).toEqual({ a: '2026-12-01', b: 'no', c: '12:30:45', d: 10 });
});

it.each([
  ['accessScopes: [{concreteId: .nan}]', 'The file has the number NaN as concreteId, which a request cannot hold.'],
  ['a: [1e999]', 'The file has the number Infinity as 0, which a request cannot hold.'],
  ['roles: &all [*all]', 'The file has an alias inside what it stands for.'],
])('what a request cannot hold is refused before it is sent: %j', async (text, sentence) => {
  write('one.yaml', text);
  const remote = { endpoint: new URL('https://never-asked.example/graphql'), headers: {} };
  await expect(planRemotely(remote, await read('one.yaml'), {})).rejects.toThrow(sentence);
});

it('an address that answers as no Gatehouse does is named with what it answers', async () => {
  const server = createServer(
    (_request, response) => void response.writeHead(302, { location: '/sign-in' }).end('<p>'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`);
  await expect(planRemotely({ endpoint, headers: {} }, {}, {})).rejects.toThrow(
    `${endpoint.href} answers 302 and is not a Gatehouse: check --url.`,
  );
  server.close();
});

it.each([
  'constructor',
  '__proto__',
])('a list of a folder may have any name, which is refused later: %s', async (name) => {
  for (const file of ['cat/a.yaml', 'cat/b.yaml']) write(file, `${name}: [1]\n`);
  expect(Object.entries(await read('cat'))).toEqual([[name, [1, 1]]]);
});

it('linked files and folders are read, each folder once', async () => {
  write('cat/a.yaml', role('own'));
  write('common/r.yaml', role('linked'));
  write('common/deep/r.json', JSON.stringify({ roles: [{ roleId: 'deep' }] }));
  write('elsewhere.yaml', role('file'));
  symlinkSync('../common', join(folder, 'cat/sub'));
  symlinkSync('../common', join(folder, 'cat/same'));
  symlinkSync('../../cat', join(folder, 'common/deep/cycle'));
  symlinkSync('.', join(folder, 'cat/self'));
  symlinkSync('../elsewhere.yaml', join(folder, 'cat/z.yaml'));
  expect((await rolesOf('cat')).sort()).toEqual(['deep', 'file', 'linked', 'own']);
  symlinkSync('cat', join(folder, 'link'));
  expect((await rolesOf('link')).sort()).toEqual(['deep', 'file', 'linked', 'own']);
});

it('a link is read as the file to which it leads where its own name says no form, and each file once', async () => {
  write('common/r.yaml', role('linked'));
  write('common/j.json', JSON.stringify({ roles: [{ roleId: 'json' }] }));
  write('cat/a.yaml', role('own'));
  symlinkSync('../common/r.yaml', join(folder, 'cat/roles'));
  symlinkSync('../common/r.yaml', join(folder, 'cat/roles-again.yaml'));
  symlinkSync('../common/j.json', join(folder, 'cat/roles.v2'));
  symlinkSync('a.yaml', join(folder, 'cat/latest'));
  expect((await rolesOf('cat')).sort()).toEqual(['json', 'linked', 'own']);
});

it('folders that link to each other in many ways are read in the time of reading each once', async () => {
  for (let level = 0; level < 30; level++) {
    mkdirSync(join(folder, `${level}`));
    for (const name of ['left', 'right']) symlinkSync(`../${level + 1}`, join(folder, `${level}/${name}`));
  }
  write('30/r.yaml', role('last'));
  expect(await rolesOf('0')).toEqual(['last']);
});

it('what is neither a file nor a folder is refused with its name, since --prune would remove what is left out', async () => {
  mkdirSync(join(folder, 'special'));
  symlinkSync('/dev/null', join(folder, 'special/roles.yaml'));
  await expect(readCatalogueFile({ displayPath: 'special', path: join(folder, 'special') })).rejects.toThrow(
    'special/roles.yaml is neither a file nor a folder.',
  );
});

it('a folder that may not be read is refused with its name', async () => {
  write('cat/a.yaml', role('own'));
  write('cat/closed/b.yaml', role('other'));
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'cat/closed'), 0);
  const isRoot = process.geteuid!() === 0;
  // root may read every folder
  if (isRoot) process.seteuid!(65_534);
  try {
    await expect(read('cat')).rejects.toThrow("cat/closed can't be read: it may not be read by this user.");
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(join(folder, 'cat/closed'), 0o755);
  }
});

it.each(['sub', 'r.yaml'])('a link to nothing is refused with its name: %s', async (name) => {
  write('cat/a.yaml', role('own'));
  symlinkSync('../gone', join(folder, 'cat', name));
  await expect(read('cat')).rejects.toThrow(`${join('cat', name)} can't be read: there is no such file.`);
});
