/** The house keeps its shape: who may import whom, one seam per library, no cycles but between entities. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(join(root, 'src'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.ts') && !path.includes('migrations/'));

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}
const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(root, 'src', from), 'utf8');
  const found = text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|^import\s+()'([^']+)'/gm);
  return [...found].map(([, type, named, , bare]) => ({ from, to: (named ?? bare)!, typeOnly: type !== undefined }));
});

/** The first folder below src, or the file's own name for the ones at its top. */
const roomOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : path.replace(/\.ts$/, ''));
const inside = imports
  .filter(({ to }) => to.startsWith('.'))
  .map((each) => ({ ...each, to: normalize(join(dirname(each.from), each.to)).replace(/\.js$/, '.ts') }));

const everywhere = ['errors', 'config', 'observability'];
const mayImport: Record<string, string[]> = {
  errors: [],
  observability: [],
  settingTypes: [],
  listening: ['errors', 'config'],
  config: ['errors', 'settingTypes'],
  entities: ['errors'],
  database: ['entities', 'config', 'context'],
  auth: ['entities', 'config', 'errors'],
  context: ['entities', 'auth', ...everywhere],
  services: ['auth', 'entities', 'context', ...everywhere],
  graphql: ['services', 'entities', 'auth', 'context', ...everywhere],
  rest: ['services', 'entities', 'auth', 'context', 'http', ...everywhere],
  http: ['graphql', 'rest', 'auth', 'services', 'context', ...everywhere],
  dev: ['database', 'services', 'context', 'auth', ...everywhere],
};
const anyRoom = ['app', 'main', 'cli', 'generate', 'operations', 'cluster'];

it.each(Object.entries(mayImport))('%s imports only from %j', (room, allowed) => {
  const strangers = inside
    .filter(({ from }) => roomOf(from) === room)
    .filter(({ to }) => roomOf(to) !== room && !allowed.includes(roomOf(to)))
    .map(({ from, to }) => `${from} → ${to}`);
  expect(strangers).toEqual([]);
});

it('every file is in a room that has a rule', () => {
  expect(files.map(roomOf).filter((room) => !(room in mayImport) && !anyRoom.includes(room))).toEqual([]);
});

it('database takes nothing but types of the context', () => {
  expect(
    inside.filter(({ from, to, typeOnly }) => roomOf(from) === 'database' && to === 'context.ts' && !typeOnly),
  ).toEqual([]);
});

it.each([
  ['jose', /^auth\//],
  ['bcrypt', /^auth\//],
  ['rate-limiter-flexible', /^auth\//],
  ['@apollo/server', /^graphql\/server/],
  ['express', /^(http|rest)\//],
  ['pg', /^database\//],
  ['pino', /^observability\//],
  ['@opentelemetry', /^observability\/tracing/],
  ['prom-client', /^(observability\/|cluster)/],
])('%s is imported in one place alone', (library, place) => {
  const elsewhere = imports
    .filter(({ to, typeOnly }) => !typeOnly && (to === library || to.startsWith(`${library}/`)))
    .filter(({ from }) => !place.test(from));
  expect(elsewhere.map(({ from }) => from)).toEqual([]);
});

it('tracing is loaded by nobody but who asks for it', () => {
  expect(inside.filter(({ to, typeOnly }) => to === 'observability/tracing.ts' && !typeOnly)).toEqual([]);
});

it('no files wait for each other, but entities', () => {
  const next = new Map<string, string[]>();
  for (const { from, to, typeOnly } of inside) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      const cycle = path.slice(start);
      if (!cycle.every((member) => member.startsWith('entities/'))) cycles.push([...cycle, file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

it('only config reads settings; PATH is passed on to child processes', () => {
  const readers = files.filter((path) => readFileSync(join(root, 'src', path), 'utf8').includes('process.env'));
  expect(
    readers.filter(
      (path) => !['config.ts', 'main.ts', 'cli.ts'].includes(path) && !/^(cli|dev\/embeddedPostgres)/.test(path),
    ),
  ).toEqual([]);
});

it('no room bears a name that says nothing', () => {
  expect(files.filter((path) => /(^|\/)(utils?|helpers?|common|misc|index)(\/|\.ts$)/.test(path))).toEqual([]);
});

it('every threat in SECURITY.md names the tests that guard it, and they are there', () => {
  const table = readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/^\| (?!threat|---)(.+?) \| .+ \| (.+) \|$/gm);
  const threats = [...table].map(([, threat, tests]) => ({
    threat,
    tests: [...tests!.matchAll(/`(\w+\/\w+)`/g)].map(([, path]) => path!),
  }));
  expect(threats.length).toBeGreaterThan(15);
  for (const { threat, tests } of threats) {
    const missing = tests.filter((path) => !['.test.ts', ''].some((end) => existsSync(join(root, 'test', path + end))));
    expect([threat, tests.length > 0, missing]).toEqual([threat, true, []]);
  }
});

it('no scope is kept by a bound function: what its request made would stay until a full collection', () => {
  const binding = files.filter((path) =>
    /Async(LocalStorage|Resource)\.(bind|snapshot)\b/.test(readFileSync(join(root, 'src', path), 'utf8')),
  );
  expect(binding).toEqual([]);
});

it('no source weakens what a commit promises, but for throwaway clusters', () => {
  const weakening = files.filter((path) =>
    /synchronous_commit|fsync|full_page_writes|unlogged/i.test(readFileSync(join(root, 'src', path), 'utf8')),
  );
  expect(weakening).toEqual(['dev/embeddedPostgresServer.ts']);
});
