/** The layout keeps its shape: who may import whom, one seam per library, no cycles but between entities, no dead exports. */
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
  /** By `import()`, when it is needed. */
  isLate?: boolean;
}
const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(root, 'src', from), 'utf8');
  const found = text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|^import\s+()'([^']+)'/gm);
  const late = text.matchAll(/(?<!typeof )import\('([^']+)'\)/g);
  return [
    ...[...found].map(([, type, named, , bare]) => ({ from, to: (named ?? bare)!, typeOnly: type !== undefined })),
    ...[...late].map(([, to]) => ({ from, to: to!, typeOnly: false, isLate: true })),
  ];
});

/** The first folder below src, or the file's own name for the ones at its top. */
const roomOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : path.replace(/\.ts$/, ''));
const inside = imports
  .filter(({ to }) => to.startsWith('.'))
  .map((each) => ({ ...each, to: normalize(join(dirname(each.from), each.to)).replace(/\.js$/, '.ts') }));

const everywhere = ['errors', 'config', 'observability', 'jsonObject', 'secretForm'];
const mayImport: Record<string, string[]> = {
  errors: [],
  observability: [],
  jsonObject: [],
  secretForm: [],
  escapeHtml: [],
  config: ['errors', 'entities', 'jsonObject'],
  entities: ['errors'],
  sql: [],
  database: ['entities', 'config', 'sql'],
  auth: ['entities', 'sql', 'config', 'errors', 'jsonObject'],
  context: ['entities', 'auth', 'sql', ...everywhere],
  services: ['auth', 'entities', 'context', 'sql', ...everywhere],
  http: ['services', 'auth', 'context', ...everywhere],
  graphql: ['services', 'entities', 'auth', 'context', ...everywhere],
  rest: ['services', 'entities', 'auth', 'context', 'http', ...everywhere],
  console: ['services', 'auth', 'context', 'http', 'escapeHtml', ...everywhere],
  server: ['graphql', 'rest', 'console', 'http', 'auth', 'services', 'context', ...everywhere],
  dev: ['database', 'services', 'context', 'auth', 'escapeHtml', ...everywhere],
};
const anyRoom = ['app', 'startApp', 'main', 'serve', 'cli', 'tools', 'process'];

it.each(Object.entries(mayImport))('%s imports only from %j', (room, allowed) => {
  const strangers = inside
    .filter(({ from }) => roomOf(from) === room)
    .filter(({ to }) => roomOf(to) !== room && !allowed.includes(roomOf(to)))
    .map(({ from, to }) => `${from} → ${to}`);
  expect(strangers).toEqual([]);
});

it('compare needs neither database nor settings: of the service it imports only files that import nothing', () => {
  const leaves = ['errors', 'jsonObject', 'escapeHtml', 'secretForm'].map((name) => `../src/${name}.js`);
  const others = readdirSync(join(root, 'compare'))
    .filter((path) => path.endsWith('.ts'))
    .flatMap((from) => {
      const text = readFileSync(join(root, 'compare', from), 'utf8');
      return [...text.matchAll(/'(\.\.\/[^']+\.js)'/g)].map(([, to]) => to!).filter((to) => !leaves.includes(to));
    });
  expect(others).toEqual([]);
  expect(leaves.map((leaf) => inside.filter(({ from }) => leaf.endsWith(from.replace(/ts$/, 'js'))))).toEqual([
    [],
    [],
    [],
    [],
  ]);
});

it('every file is in a room that has a rule', () => {
  expect(files.map(roomOf).filter((room) => !(room in mayImport) && !anyRoom.includes(room))).toEqual([]);
});

/** A room of the second level: `services/tokens`; a file that lies in the first level alone is of that room. */
const innerRoomOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/') || roomOf(path);

it('no rooms import each other in a circle, at the second level and with types; the files at the top are no rooms', () => {
  const next = Map.groupBy(
    inside.filter(({ from, to }) => from.includes('/') && to.includes('/') && innerRoomOf(from) !== innerRoomOf(to)),
    ({ from }) => innerRoomOf(from),
  );
  const reaches = (from: string, target: string, seen: Set<string>): boolean =>
    (next.get(from) ?? []).some(({ to }) => {
      const room = innerRoomOf(to);
      if (room === target) return true;
      if (seen.has(room)) return false;
      seen.add(room);
      return reaches(room, target, seen);
    });
  expect([...next.keys()].filter((room) => reaches(room, room, new Set()))).toEqual([]);
});

/** What comes first knows nothing of what follows; what stands together may be imported from one another, without circles. */
const orders: Record<string, string[][]> = {
  services: [
    ['services'],
    ['sql'],
    ['records', 'graphReads', 'restLists', 'history', 'answerCache', 'usage'],
    ['keys'],
    ['adminScopes', 'maintenance'],
    ['tokens'],
    ['catalogue', 'people', 'portal', 'search', 'console', 'refusals', 'policyReadiness'],
    ['transfer', 'explaining'],
    ['changes'],
    ['managed'],
  ],
  graphql: [['resolving'], ['schema', 'compiled'], ['records'], ['graphql'], ['execution']],
  rest: [
    ['token', 'odata'],
    ['applications', 'docs'],
  ],
  database: [['migrations'], ['statements'], ['connections'], ['database']],
  http: [['encoding'], ['http']],
  dev: [['dev'], ['postgres']],
};
const levelOf = (room: string): number => {
  const [outer = '', inner = outer] = room.split('/');
  return orders[outer]!.findIndex((rooms) => rooms.includes(inner));
};

it.each(
  Object.keys(orders),
)('the rooms of %s build on each other in one direction: what comes first knows nothing of what follows', (outer) => {
  const upwards = inside
    .filter(({ from, to }) => roomOf(from) === outer && roomOf(to) === outer)
    .map(({ from, to }) => [innerRoomOf(from), innerRoomOf(to)] as const)
    .filter(([from, to]) => levelOf(from) < levelOf(to))
    .map((pair) => pair.join(' → '));
  expect(upwards).toEqual([]);
});

it('every room of the second level has its place in the order of its first, and no room of the order is missing', () => {
  const known = Object.entries(orders).flatMap(([outer, levels]) => levels.flat().map((room) => `${outer}/${room}`));
  const present = new Set(files.map(innerRoomOf).map((room) => (room in orders ? `${room}/${room}` : room)));
  // migrations are no code of these rules
  present.add('database/migrations');
  expect([...present].filter((room) => room.includes('/') && !known.includes(room))).toEqual([]);
  expect(known.filter((room) => !present.has(room))).toEqual([]);
});

it('docs/architecture.md names the rooms of services in the order that is kept', () => {
  const order = orders.services!.slice(1).map((rooms) => rooms.map((room) => `\`${room}\``).join(', '));
  expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8')).toContain(order.join(' · '));
});

it('files and rooms that docs/architecture.md names are there', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const named = [...text.matchAll(/`(\w+\/[\w/.]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(30);
  const places = (path: string) =>
    ['src', ''].flatMap((folder) => ['', '.ts'].map((end) => join(root, folder, path + end)));
  expect(named.filter((path) => !path.startsWith('dist/') && !places(path).some(existsSync))).toEqual([]);
});

it('services/maintenance needs services/keys alone', () => {
  const rooms = inside
    .filter(({ from, to }) => from.startsWith('services/maintenance/') && to.startsWith('services/'))
    .map(({ to }) => innerRoomOf(to));
  expect(rooms.filter((room) => !['services/keys', 'services/maintenance'].includes(room))).toEqual([]);
});

it.each([
  ['jose', /^auth\//],
  ['bcrypt', /^auth\//],
  ['rate-limiter-flexible', /^auth\//],
  ['openid-client', /^auth\/providerSignIn/],
  ['piscina', /^auth\/clientSecret/],
  ['graphql-jit', /^graphql\/compiled\//],
  ['dataloader', /^graphql\/resolving\//],
  ['type-graphql', /^(graphql|entities)\//],
  ['kysely', /^services\/sql\//],
  ['yaml', /^cli\//],
  ['proxy-addr', /^rest\/token\//],
  ['@apollo/server', /^graphql\/execution\/server/],
  ['express', /^(http|rest|console|server)\//],
  ['pg', /^database\//],
  ['pino', /^observability\//],
  ['@opentelemetry', /^observability\/tracing/],
  ['prom-client', /^observability\//],
])('%s is imported in one place alone', (library, place) => {
  const elsewhere = imports
    .filter(({ to, typeOnly }) => !typeOnly && (to === library || to.startsWith(`${library}/`)))
    .filter(({ from }) => !place.test(from));
  expect(elsewhere.map(({ from }) => from)).toEqual([]);
});

it('tracing is loaded by nobody but who asks for it', () => {
  expect(
    inside.filter(({ to, typeOnly, isLate }) => to === 'observability/tracing.ts' && !typeOnly && !isLate),
  ).toEqual([]);
});

/** Of each file of a folder, which others of it it imports, types too; a component's file ends in tsx. */
function importsWithin(folder: string): Map<string, string[]> {
  const known = readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'));
  return new Map(
    known.map((from) => {
      const text = readFileSync(join(root, folder, from), 'utf8');
      const named = [...text.matchAll(/(?:\sfrom\s+|import\()'(\.[^']+)'/g)];
      const places = named.map(([, to]) => normalize(join(dirname(from), to!)).replace(/\.js$/, ''));
      return [from, known.filter((path) => places.includes(path.replace(/\.tsx?$/, '')))];
    }),
  );
}

it.each([
  'src',
  'compare',
  'console/src',
  'bench',
])('no files of %s import each other in a circle, with types too; but entities', (folder) => {
  const next = importsWithin(folder);
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
    for (const target of next.get(file)!) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  expect(next.size).toBeGreaterThan(10);
  expect(cycles).toEqual([]);
});

it('only config reads settings; PATH is passed on to child processes', () => {
  const readers = files.filter((path) => readFileSync(join(root, 'src', path), 'utf8').includes('process.env'));
  expect(
    readers.filter(
      (path) =>
        !['config/config.ts', 'main.ts', 'serve.ts', 'cli.ts'].includes(path) && !/^(cli|dev\/postgres)/.test(path),
    ),
  ).toEqual([]);
});

it('nothing is exported that no other file asks for', () => {
  const users = ['src', 'compare', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules')),
  );
  const asked = new Set<string>();
  for (const from of users) {
    const text = readFileSync(join(root, from), 'utf8');
    const ask = (names: string, to: string) => {
      const file = normalize(join(dirname(from), to)).replace(/\.js$/, '.ts');
      for (const name of names.split(',')) asked.add(`${file} ${/(?:type )?(\w*)/.exec(name.trim())![1]}`);
    };
    for (const [, names, to] of text.matchAll(/\{([^{}]*)\}\s+from\s+'(\.[^']+)'/g)) ask(names!, to!);
    for (const [, names, to] of text.matchAll(/\{([^{}]*)\} = await import\(\s*'(\.[^']+)'/g)) ask(names!, to!);
    // read as a whole
    for (const [, to] of text.matchAll(/(?:\* as \w+ from |(?<!\} = await )import\(\s*)'(\.[^']+)'/g)) ask('', to!);
  }
  const exported = files
    // a thread calls these by name
    .filter((file) => file !== 'auth/bcryptWork.ts' && !asked.has(`src/${file} `))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, 'src', file), 'utf8').matchAll(
          /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm,
        ),
      ].map(([, name]) => `src/${file} ${name}`),
    );
  expect(exported.filter((each) => !asked.has(each))).toEqual([]);
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
  expect(weakening).toEqual(['dev/postgres/server.ts']);
});

/** Lines of each room, without migrations. A commit that raises a number says why. */
const budgets = JSON.parse(readFileSync(join(root, 'test/lineBudgets.json'), 'utf8')) as Record<string, number>;

/** `src/auth`, inside services `src/services/tokens`; the files at the top of src are `src`. */
function budgetOf(path: string): string {
  const [first, second, third] = path.split('/').slice(0, -1);
  if (first === 'compare') return first;
  return ['src', second, second === 'services' ? third : undefined].filter(Boolean).join('/');
}

function linesOfRooms(paths: string[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const path of paths) {
    const room = budgetOf(path);
    const count = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
    lines.set(room, (lines.get(room) ?? 0) + count);
  }
  return lines;
}

it('no room has more lines than its budget, and every room has one', () => {
  const compared = readdirSync(join(root, 'compare')).map((path) => `compare/${path}`);
  const lines = linesOfRooms([
    ...files.map((path) => `src/${path}`),
    ...compared.filter((path) => path.endsWith('.ts')),
  ]);
  expect([...lines.keys()].sort()).toEqual(Object.keys(budgets).sort());
  expect([...lines].filter(([room, count]) => count > budgets[room]!)).toEqual([]);
});
