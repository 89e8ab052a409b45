/**
 * The rules of the layout. Each rule is a function over the text of the files: it judges the real tree, and the same tree
 * with planted files that break it, which proves that the rule can fail.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The text of each file by its path from the project's root. */
type Tree = ReadonlyMap<string, string>;

interface Rule {
  /** What is wrong, a line each; nothing when the rule is kept. */
  findViolations(tree: Tree): string[];
  /** Files that break the rule when they are added to the tree; undefined removes one. */
  planted: Record<string, string | undefined>;
  /** What the rule says about the planted files. */
  violations: string[];
}

// ── the tree ──

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['src', 'dev', 'compare', 'test', 'bench', 'console', 'docs', 'ops'];
/** What others write is not entered: tests that run beside this one make and remove theirs. */
const isOfOthers = (path: string): boolean =>
  /\/(node_modules|dist|migrations|generatedClients\/generated\w*)$/.test(path);
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return isOfOthers(path) ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
const paths = folders.flatMap(filesBelow);
const isRead = (path: string): boolean => /\.(tsx?|md)$/.test(path);
const realTree: Tree = new Map(
  [...paths, 'SECURITY.md', 'package.json', 'schema.graphql'].map((path) => [
    path,
    isRead(path) ? readFileSync(join(root, path), 'utf8') : '',
  ]),
);

const plant = (planted: Rule['planted']): Tree =>
  new Map(
    [...realTree, ...Object.entries(planted)].filter(
      (file): file is [string, string] => planted[file[0]] !== undefined || !(file[0] in planted),
    ),
  );

const sources = (tree: Tree): [path: string, text: string][] =>
  [...tree].filter(([path]) => /^(src|dev)\/.*\.ts$/.test(path));
const sourcesWith = (tree: Tree, pattern: RegExp): string[] =>
  sources(tree)
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path);

interface Import {
  from: string;
  /** The path of a file, or the name of a library. */
  to: string;
  /** Undefined: the module as a whole. */
  names: string[] | undefined;
  isTypeOnly: boolean;
  /** By `import()`, when it is needed. */
  isLate: boolean;
}

const staticImport = /^(?:import|export)\s+(type\s+)?(?:([^'"]*?)\sfrom\s+)?'([^']+)'/gm;
const lateImport = /(typeof )?(?:\{([^{}]*)\} = await )?import\(\s*'([^']+)'/g;

function importsOf(tree: Tree, inFolder: RegExp): Import[] {
  const targetOf = (from: string, name: string) => {
    if (!name.startsWith('.')) return name;
    const base = normalize(join(dirname(from), name)).replace(/\.js$/, '');
    return tree.has(`${base}.tsx`) ? `${base}.tsx` : `${base}.ts`;
  };
  return [...tree]
    .filter(([path]) => inFolder.test(path) && /\.tsx?$/.test(path))
    .flatMap(([from, text]) => [
      ...[...text.matchAll(staticImport)].map(([, type, clause = '', name]) => ({
        from,
        to: targetOf(from, name!),
        names: clause.includes('* as') ? undefined : namesIn(/\{([^{}]*)\}/.exec(clause)?.[1]),
        isTypeOnly: type !== undefined,
        isLate: false,
      })),
      ...[...text.matchAll(lateImport)].map(([, type, names, name]) => ({
        from,
        to: targetOf(from, name!),
        names: names === undefined ? undefined : namesIn(names),
        isTypeOnly: type !== undefined,
        isLate: true,
      })),
    ]);
}

/** The names of what a file declares and exports. */
const exportsOf = (text: string): string[] =>
  [...text.matchAll(/^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm)].map(
    ([, name]) => name!,
  );

const namesIn = (list = ''): string[] => list.split(',').map((name) => /(?:type )?(\w*)/.exec(name.trim())![1]!);

// ── who may import whom ──

/** The first folder below src, or the file's own name for the ones at its top; outside of src the first folder. */
const roomOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .split('/')[0]!
    .replace(/\.ts$/, '');
/** A room of the second level, `services/tokens`; a file that lies directly in a room of the first level belongs to that one. */
const innerRoomOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .split('/')
    .slice(0, -1)
    .slice(0, 2)
    .join('/') || roomOf(path);
/** Between files of the service, of what development adds, and of the comparison tools. */
const importsInside = (tree: Tree): Import[] =>
  importsOf(tree, /^(src|dev|compare)\//).filter(({ to }) => to.endsWith('.ts') && to.includes('/'));

const everywhere = ['errors', 'config', 'observability', 'jsonObject', 'secretForm', 'places'];
const mayImport: Record<string, string[]> = {
  errors: [],
  observability: [],
  jsonObject: [],
  secretForm: [],
  html: [],
  places: [],
  // a comparison needs neither database nor settings
  compare: ['errors', 'jsonObject', 'html', 'secretForm'],
  config: ['errors', 'entities', 'jsonObject', 'places'],
  entities: ['errors'],
  sql: [],
  slots: [],
  engine: ['entities', 'errors', 'sql', 'slots'],
  database: ['engine', 'entities', 'config', 'sql', 'slots'],
  auth: ['entities', 'sql', 'slots', 'config', 'errors', 'jsonObject', 'places'],
  context: ['engine', 'entities', 'auth', 'sql', ...everywhere],
  services: ['engine', 'auth', 'entities', 'context', 'sql', ...everywhere],
  http: ['engine', 'services', 'auth', 'context', 'slots', ...everywhere],
  // its list of resolvers has those of the modules
  graphql: ['modules', 'engine', 'services', 'entities', 'auth', 'context', ...everywhere],
  rest: ['engine', 'services', 'entities', 'auth', 'context', 'http', ...everywhere],
  server: ['graphql', 'rest', 'http', 'auth', 'services', 'context', ...everywhere],
  development: ['errors', 'dev'],
  dev: ['database', 'services', 'context', 'auth', 'html', ...everywhere],
};
const anyRoom = ['app', 'startApp', 'main', 'bundled', 'serve', 'cli', 'tools', 'process', 'modules'];
/** What the modules add, a list for each face: at the top of the order of all files. Those that compose the service read them. */
const isList = (path: string): boolean => /^src\/modules\/\w+\.ts$/.test(path);
/** Each lends something of the engine to all others, which don't know it: statements, reads, answers. */
const engineUsers =
  /^src\/(engine\/\w+|app|context|database\/(connections\/(failover|watchedClient)|statements\/sql)|services\/read\/\w+|graphql\/(execution\/(execution|server)|resolving\/selection)|rest\/applications\/lists|http\/answer)\.ts$/;
/** In a module; what translates between rules and callers. */
const isInModule = (path: string): boolean => /^src\/modules\/\w+\//.test(path);
const interfaceFile =
  /^src\/modules\/\w+\/(resolvers|rest\/|cli\/|routes|endpoints\/|commands|background|check|receivers)/;
const composing =
  /^src\/(app|startApp|config\/loadConfig|graphql\/schema|server\/routes|cli\/\w+)\.ts$|^src\/(tools|modules)\/|^dev\/development.ts$/;

/** A room knows the rooms of its own line and of those before it. */
const orders: Record<string, string[][]> = {
  services: [
    ['services'],
    ['access'],
    ['read'],
    ['adminScopes'],
    ['records'],
    ['keys'],
    ['maintenance'],
    ['tokens'],
    ['catalogue', 'people', 'portal'],
  ],
  graphql: [['resolving'], ['schema'], ['resolvers'], ['graphql'], ['execution']],
  rest: [
    ['token', 'odata'],
    ['applications', 'docs'],
  ],
  database: [['statements'], ['connections'], ['database']],
  http: [['encoding'], ['http']],
  dev: [['dev'], ['postgres']],
  // a module imports those before it; the lists of what they add come last
  modules: [
    ['insight'],
    ['changes'],
    ['transfer'],
    ['scim'],
    ['door'],
    ['catalogueFile'],
    ['governance'],
    ['events'],
    ['console'],
    ['modules'],
  ],
};
const levelOf = (room: string): number => {
  const [outer = '', inner = outer] = room.split('/');
  return orders[outer]!.findIndex((rooms) => rooms.includes(inner));
};

/** Importers of a library, beside types: the pattern of their paths below src. */
const seams: Record<string, RegExp> = {
  jose: /^auth\//,
  bcrypt: /^auth\//,
  'openid-client': /^auth\/providerSignIn/,
  piscina: /^auth\/clientSecret/,
  dataloader: /^graphql\/resolving\//,
  'type-graphql': /^(graphql|entities|modules)\//,
  kysely: /^services\/execute/,
  yaml: /^modules\/catalogueFile\/cli\//,
  'proxy-addr': /^rest\/token\//,
  '@apollo/server': /^graphql\/execution\/server/,
  express: /^(http|rest|server|modules)\//,
  pg: /^(database|engine)\//,
  pino: /^observability\//,
  '@opentelemetry': /^observability\/tracing/,
  'prom-client': /^observability\//,
};

const arrow = ({ from, to }: Pick<Import, 'from' | 'to'>): string => `${from} → ${to}`;

/** Circles in a graph, each as the names along it. */
function findCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (node: string, path: string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) {
      cycles.push([...path.slice(start), node]);
      return;
    }
    if (done.has(node)) return;
    for (const target of next.get(node) ?? []) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return cycles;
}

function graphOf(edges: readonly Pick<Import, 'from' | 'to'>[]): Map<string, string[]> {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  return new Map([...next].map(([from, targets]) => [from, [...targets]]));
}

// ── the rules ──

const architecture = realTree.get('docs/architecture.md')!;
/** Planted: the files that stand in src/services itself are gone. */
const withoutServices = Object.fromEntries(
  [...realTree.keys()].filter((path) => /^src\/services\/\w+\.ts$/.test(path)).map((path) => [path, undefined]),
);

const rules: Record<string, Rule> = {
  'a room imports only from the rooms that it may know': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => {
          const allowed = mayImport[roomOf(from)];
          if (isList(to)) return !composing.test(from);
          // the next rule judges it
          if (roomOf(to) === 'modules') return false;
          return allowed && roomOf(to) !== roomOf(from) && !allowed.includes(roomOf(to));
        })
        .map(arrow),
    planted: {
      'src/auth/planted.ts': "import type { Context } from '../context.js';\n",
      'src/rest/planted.ts': "const { a } = await import('../graphql/schema.js');\n",
      'compare/planted.ts': "import '../src/config/config.js';\n",
      'src/services/records/planted.ts': "import { sweeps } from '../../modules/cleanUp.js';\n",
    },
    violations: [
      'src/auth/planted.ts → src/context.ts',
      'src/rest/planted.ts → src/graphql/schema.ts',
      'compare/planted.ts → src/config/config.ts',
      'src/services/records/planted.ts → src/modules/cleanUp.ts',
    ],
  },
  'only the files that lend the engine to others import it': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => roomOf(to) === 'engine' && !engineUsers.test(from))
        .map(arrow),
    planted: {
      'src/graphql/resolvers/planted.ts': "import { AnswerBytes } from '../../engine/answerBytes.js';\n",
      'src/modules/door/planted.ts': "import type { Columns } from '../../engine/columns.js';\n",
    },
    violations: [
      'src/graphql/resolvers/planted.ts → src/engine/answerBytes.ts',
      'src/modules/door/planted.ts → src/engine/columns.ts',
    ],
  },
  'only src/development.ts imports what only development runs, and only when it is needed': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => roomOf(to) === 'dev' && roomOf(from) !== 'dev')
        .filter(({ from, isLate }) => from !== 'src/development.ts' || !isLate)
        .map(arrow),
    planted: {
      'src/cli/planted.ts': "const { a } = await import('../../dev/demoData.js');\n",
      'src/development.ts': "import { a } from '../dev/demoData.js';\n",
    },
    violations: ['src/development.ts → dev/demoData.ts', 'src/cli/planted.ts → dev/demoData.ts'],
  },
  'the core imports no module': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => roomOf(from) !== 'modules' && roomOf(to) === 'modules' && !isList(to))
        .map(arrow),
    planted: { 'src/cli/planted.ts': "export type { A } from '../modules/scim/settings.js';\n" },
    violations: ['src/cli/planted.ts → src/modules/scim/settings.ts'],
  },
  'each module has a page that names the modules which it needs': {
    findViolations: (tree) => {
      const pages = [...tree].filter(([path]) => /^src\/modules\/\w+\/README\.md$/.test(path));
      const needed = importsInside(tree)
        .filter(({ from, to }) => isInModule(from) && isInModule(to) && innerRoomOf(from) !== innerRoomOf(to))
        .map(({ from, to }) => [innerRoomOf(from), innerRoomOf(to).split('/')[1]!] as const);
      return orders
        .modules!.flat()
        .slice(0, -1)
        .flatMap((name) => {
          const page = pages.find(([path]) => path === `src/modules/${name}/README.md`)?.[1];
          if (page === undefined) return [`${name}: no page`];
          const item = /\*\*Needs\*\*: (.*)/.exec(page)?.[1] ?? '';
          const named = orders.modules!.flat().filter((other) => item.includes(`\`${other}\``));
          const imported = new Set(needed.flatMap(([from, to]) => (from === `modules/${name}` ? [to] : [])));
          return [
            ...(page.trimEnd().split('\n').length > 20 ? [`${name}: more than 20 lines`] : []),
            ...(named.sort().join() === [...imported].sort().join()
              ? []
              : [`${name}: needs ${[...imported].sort().join()}`]),
          ];
        });
    },
    planted: {
      'src/modules/scim/README.md': undefined,
      'src/modules/insight/README.md': '- **Needs**: `scim`.\n'.repeat(21),
      'src/modules/door/planted.ts': "export type { A } from '../transfer/write.js';\n",
    },
    violations: ['insight: more than 20 lines', 'insight: needs ', 'scim: no page', 'door: needs changes,transfer'],
  },
  'rules of a module know no interface': {
    findViolations: (tree) =>
      importsOf(tree, /^src\/modules\/\w+\//)
        .filter(({ from }) => !interfaceFile.test(from))
        .filter(
          ({ to }) =>
            /^(src\/(graphql|rest|cli|server|http)\/|express$|type-graphql$)/.test(to) || interfaceFile.test(to),
        )
        .map(arrow),
    planted: { 'src/modules/scim/planted.ts': "import { a } from './resolvers.js';\nimport 'express';\n" },
    violations: [
      'src/modules/scim/planted.ts → src/modules/scim/resolvers.ts',
      'src/modules/scim/planted.ts → express',
    ],
  },
  'what both contracts reach stays small, types counted': {
    findViolations: (tree) => {
      const next = graphOf(importsInside(tree));
      const reached = new Set(
        [...tree.keys()].filter((path) => /^src\/rest\/(token|applications)\/\w+\.ts$/.test(path)),
      );
      for (const file of reached) for (const to of next.get(file) ?? []) reached.add(to);
      const lines = [...reached]
        .map((path) => tree.get(path)!.split('\n').length - 1)
        .reduce((sum, count) => sum + count, 0);
      return reached.size <= 120 && lines <= 16_500 ? [] : [`${reached.size} files, ${lines} lines`];
    },
    planted: { 'src/rest/token/planted.ts': "export type { A } from '../../modules/changes/undo.js';\n" },
    violations: [expect.stringMatching(/^\d+ files, \d+ lines$/)],
  },
  'every file is in a room that has a rule': {
    findViolations: (tree) =>
      sources(tree)
        .map(([path]) => path)
        .filter((path) => !(roomOf(path) in mayImport) && !anyRoom.includes(roomOf(path))),
    planted: { 'src/planted/a.ts': '', 'src/plantedAtTheTop.ts': '' },
    violations: ['src/planted/a.ts', 'src/plantedAtTheTop.ts'],
  },
  'the inner rooms of a room, and the modules, build on each other in one direction': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => roomOf(from) in orders && roomOf(from) === roomOf(to))
        .filter(({ from, to }) => levelOf(innerRoomOf(from)) < levelOf(innerRoomOf(to)))
        .map(arrow),
    planted: {
      'src/services/keys/planted.ts': "export type { A } from '../tokens/renew.js';\n",
      'src/modules/insight/planted.ts': "export type { A } from '../scim/users.js';\n",
    },
    violations: [
      'src/services/keys/planted.ts → src/services/tokens/renew.ts',
      'src/modules/insight/planted.ts → src/modules/scim/users.ts',
    ],
  },
  'every inner room has its place in the order, and no room of the order is missing': {
    findViolations: (tree) => {
      const known = Object.entries(orders).flatMap(([outer, levels]) =>
        levels.flat().map((room) => `${outer}/${room}`),
      );
      const rooms = sources(tree).map(([path]) => innerRoomOf(path));
      const present = new Set(rooms.map((room) => (room in orders ? `${room}/${room}` : room)));
      const unplaced = [...present].filter((room) => room.includes('/') && !known.includes(room));
      return [...unplaced, ...known.filter((room) => !present.has(room)).map((room) => `missing: ${room}`)];
    },
    planted: {
      'src/services/planted/a.ts': '',
      ...withoutServices,
    },
    violations: ['services/planted', 'missing: services/services'],
  },
  'services/maintenance needs no room of services except services/keys': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ from, to }) => innerRoomOf(from) === 'services/maintenance' && roomOf(to) === 'services')
        .filter(({ to }) => !['services/keys', 'services/maintenance'].includes(innerRoomOf(to)))
        .map(arrow),
    planted: { 'src/services/maintenance/planted.ts': "import { a } from '../records/change.js';\n" },
    violations: ['src/services/maintenance/planted.ts → src/services/records/change.ts'],
  },
  'no inner rooms import each other in a circle, types counted': {
    findViolations: (tree) =>
      findCycles(
        graphOf(
          importsInside(tree)
            // the files at the top of src are no rooms
            .filter(({ from, to }) =>
              [from, to].every((path) => path.startsWith('compare/') || path.split('/').length > 2),
            )
            .filter(({ from, to }) => !isList(from) && !isList(to))
            .map(({ from, to }) => ({ from: innerRoomOf(from), to: innerRoomOf(to) }))
            .filter(({ from, to }) => from !== to),
        ),
      ).map((cycle) => cycle.join(' → ')),
    planted: {
      'src/services/people/planted.ts': "import type { A } from '../portal/planted.js';\n",
      'src/services/portal/planted.ts': "import type { A } from '../people/planted.js';\n",
    },
    violations: ['services/people → services/portal → services/people'],
  },
  'no files import each other in a circle, types counted; entities may': {
    findViolations: (tree) =>
      [/^(src|dev)\//, /^compare\//, /^console\/src\//, /^bench\//]
        .flatMap((folder) => findCycles(graphOf(importsOf(tree, folder).filter(({ to }) => folder.test(to)))))
        .filter((cycle) => !cycle.every((path) => path.startsWith('src/entities/')))
        .map((cycle) => cycle.join(' → ')),
    planted: {
      'src/auth/plantedA.ts': "import type { B } from './plantedB.js';\n",
      'src/auth/plantedB.ts': "const a = await import('./plantedA.js');\n",
      'console/src/planted.tsx': "import { a } from './planted.js';\n",
      'bench/planted.ts': "export { a } from './planted.js';\n",
      'compare/planted.ts': "type A = typeof import('./planted.js');\n",
    },
    violations: [
      'src/auth/plantedA.ts → src/auth/plantedB.ts → src/auth/plantedA.ts',
      'compare/planted.ts → compare/planted.ts',
      'console/src/planted.tsx → console/src/planted.tsx',
      'bench/planted.ts → bench/planted.ts',
    ],
  },
  'a library is imported in its own place only': {
    findViolations: (tree) =>
      importsOf(tree, /^(src|dev)\//)
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .filter(({ from, to }) => {
          const library = Object.keys(seams).find((name) => to === name || to.startsWith(`${name}/`));
          return library && !seams[library]!.test(from.replace(/^src\//, ''));
        })
        .map(arrow),
    planted: {
      'src/http/planted.ts': Object.keys(seams)
        .map((library) => `import '${library}/inside';\n`)
        .join(''),
    },
    violations: Object.keys(seams)
      .filter((library) => library !== 'express')
      .map((library) => `src/http/planted.ts → ${library}/inside`),
  },
  'the help of commands loads no server, no graph and no database': {
    findViolations: (tree) => {
      const next = new Map<string, Import[]>();
      for (const each of importsOf(tree, /^src\//))
        if (!each.isTypeOnly && !each.isLate) next.set(each.from, [...(next.get(each.from) ?? []), each]);
      const loaded = new Set(['src/cli/run.ts']);
      for (const file of loaded) for (const { to } of next.get(file) ?? []) loaded.add(to);
      return [...loaded].filter((to) => /^(express|type-graphql|pg|@mikro-orm|jose)\b/.test(to));
    },
    planted: {
      'src/modules/commands.ts': "import { a } from './planted.js';\n",
      'src/modules/planted.ts': "import 'express';\n",
    },
    violations: ['express'],
  },
  'tracing is loaded only when it is asked for': {
    findViolations: (tree) =>
      importsInside(tree)
        .filter(({ to, isTypeOnly, isLate }) => to === 'src/observability/tracing.ts' && !isTypeOnly && !isLate)
        .map(arrow),
    planted: { 'src/http/planted.ts': "import { a } from '../observability/tracing.js';\n" },
    violations: ['src/http/planted.ts → src/observability/tracing.ts'],
  },
  'nothing is exported that no other file imports': {
    findViolations: (tree) => {
      const imports = importsOf(tree, /^(src|dev|compare|test|bench)\//);
      // what is imported without a name, such as records, is there for its effect
      const used = new Set(imports.flatMap(({ to, names = ['*'] }) => names.map((name) => `${to} ${name || '*'}`)));
      return (
        sources(tree)
          // a thread calls the functions of bcryptWork by name
          .filter(([path]) => !used.has(`${path} *`) && path !== 'src/auth/bcryptWork.ts')
          .flatMap(([path, text]) => {
            return exportsOf(text).map((name) => `${path} ${name}`);
          })
          .filter((each) => !used.has(each))
      );
    },
    planted: { 'src/http/planted.ts': 'export const a = 1;\nexport async function b() {}\nexport interface C {}\n' },
    violations: ['src/http/planted.ts a', 'src/http/planted.ts b', 'src/http/planted.ts C'],
  },
  'an exported name stands once; both dialects of the token endpoints have the same names': {
    findViolations: (tree) => {
      const exported = sources(tree).flatMap(([path, text]) => exportsOf(text).map((name) => [name, path] as const));
      const dialects = ['src/rest/token/form.ts', 'src/rest/token/json.ts'];
      return [...Map.groupBy(exported, ([name]) => name)]
        .map(([name, all]) => ({ name, paths: all.map(([, path]) => path) }))
        .filter(({ paths }) => paths.length > 1 && paths.join() !== dialects.join())
        .map(({ name, paths }) => `${name}: ${paths.join(', ')}`);
    },
    planted: { 'src/http/planted.ts': 'export const permit = 1;\n' },
    violations: ['permit: src/services/permit.ts, src/http/planted.ts'],
  },
  "a file's head stands at its beginning: a second one asks for a file of its own": {
    findViolations: (tree) =>
      [...tree]
        .filter(([path]) => /^(src|dev|compare|bench|console\/src)\/.*\.tsx?$/.test(path))
        .filter(([, text]) => /\n\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\n/.test(text))
        .map(([path]) => path),
    planted: {
      'src/http/planted.ts': "import './a.js';\n\n/**\n * What the second half is for.\n */\n\nconst a = 1;\n",
    },
    violations: ['src/http/planted.ts'],
  },
  'only config reads settings; commands and the database of development pass them on': {
    findViolations: (tree) =>
      sourcesWith(tree, /process\.env/).filter(
        (path) =>
          !/^src\/(config\/loadConfig|main|serve|cli)\.ts$|^(src\/(cli|modules\/\w+\/cli)|dev\/postgres)\//.test(path),
      ),
    planted: { 'src/auth/planted.ts': 'export const port = process.env.PORT;\n' },
    violations: ['src/auth/planted.ts'],
  },
  'no scope is kept by a bound function: what its request made would stay until a full collection': {
    findViolations: (tree) => sourcesWith(tree, /Async(LocalStorage|Resource)\.(bind|snapshot)\b/),
    planted: { 'src/http/planted.ts': 'AsyncResource.bind(() => {});\n' },
    violations: ['src/http/planted.ts'],
  },
  'no source weakens what a commit promises, except for throwaway clusters': {
    findViolations: (tree) =>
      sourcesWith(tree, /synchronous_commit|fsync|full_page_writes|unlogged/i).filter(
        (path) => path !== 'dev/postgres/server.ts',
      ),
    planted: { 'src/database/planted.ts': "const statement = 'create UNLOGGED table a ()';\n" },
    violations: ['src/database/planted.ts'],
  },
  'no call of a global is there only for what it throws: the bundler leaves it out': {
    findViolations: (tree) =>
      sourcesWith(tree, /^\s*(?:(?:de|en)codeURI(?:Component)?|String|isNaN|isFinite|parseInt|parseFloat)\(.*\);$/m),
    planted: { 'src/config/planted.ts': 'try {\n  decodeURIComponent(text);\n} catch {}\n' },
    violations: ['src/config/planted.ts'],
  },
  'no file or room has a name that says nothing': {
    findViolations: (tree) =>
      sources(tree)
        .map(([path]) => path)
        .filter((path) => /(^|\/)(utils?|helpers?|common|misc|index)(\/|\.ts$)/.test(path)),
    planted: { 'src/auth/helpers.ts': '', 'src/auth/common/a.ts': '' },
    violations: ['src/auth/helpers.ts', 'src/auth/common/a.ts'],
  },
  'no test has a time limit of its own, or a timer: what waits asks with test/support/until.ts': {
    findViolations: (tree) =>
      [...tree]
        // the planted ones are written here
        .filter(([path]) => /^test\/.*\.test\.ts$/.test(path) && path !== 'test/architecture.test.ts')
        .filter(([, text]) =>
          [
            /\bsetTimeout\b.* from 'node:timers/,
            /Promise.*=> setTimeout\(/,
            /jest\.setTimeout/,
            /^ *\}, [\d_]+.*\);$/m,
            /^ *\},\n *(\d[\d_]*|timeout\w*)[^\n]*,\n *\);$/m,
          ].some((pattern) => pattern.test(text)),
        )
        .map(([path]) => path),
    planted: {
      'test/auth/plantedA.test.ts': "it('waits', async () => {\n}, 60_000);\n",
      'test/auth/plantedB.test.ts': "it(\n  'waits',\n  async () => {\n  },\n  60_000 * factor,\n);\n",
      'test/auth/plantedC.test.ts': 'await new Promise((resolve) => setTimeout(resolve, 5));\n',
      'test/auth/plantedD.test.ts': "import { setTimeout as pause } from 'node:timers/promises';\n",
    },
    violations: ['A', 'B', 'C', 'D'].map((name) => `test/auth/planted${name}.test.ts`),
  },
  'docs/architecture.md names the rooms of services in the order that is kept': {
    findViolations: (tree) => {
      const levels = orders.services!.slice(1).map((rooms) => rooms.map((room) => `\`${room}\``).join(', '));
      const modules = orders.modules!.slice(0, -1).map(([room]) => `\`${room}\``);
      const page = tree.get('docs/architecture.md')!.replaceAll(/\s+/g, ' ');
      return [levels.join(' · '), modules.join(', ')].filter((order) => !page.includes(order));
    },
    planted: { 'docs/architecture.md': architecture.replace('`keys`', '`locks`') },
    violations: [expect.stringContaining('`keys`')],
  },
  'files and rooms that docs/architecture.md names are there': {
    findViolations: (tree) => {
      const all = [...tree.keys()];
      const named = [...tree.get('docs/architecture.md')!.matchAll(/`(\w+\/[\w/.]+)`/g)].map(([, path]) => path!);
      const isThere = (path: string) =>
        all.some((file) =>
          [file, file.replace(/^src\//, '')].some(
            (name) => name === path || name === `${path}.ts` || name.startsWith(path.replace(/\/?$/, '/')),
          ),
        );
      return [
        ...(named.length > 30 ? [] : ['fewer than 31 places are named']),
        ...named.filter((path) => !path.startsWith('dist/') && !isThere(path)),
      ];
    },
    planted: {
      'docs/architecture.md': `${architecture}\nSee \`auth/planted\`. \`src/auth/gone.ts\` decides.\n`,
    },
    violations: ['auth/planted', 'src/auth/gone.ts'],
  },
  'every threat in SECURITY.md names the tests that guard it, and they are there': {
    findViolations: (tree) => {
      const table = tree.get('SECURITY.md')!.matchAll(/^\| (?!threat|request|---)(.+?) \| .+ \| (.+) \|$/gm);
      const threats = [...table].map(([, threat, tests]) => ({
        threat,
        tests: [...tests!.matchAll(/`((?:\w+\/)+\w+)`/g)].map(([, path]) => path!),
      }));
      const all = [...tree.keys()];
      const ends = ['.test.ts', '.long.test.ts', '/'];
      const isThere = (test: string) => ends.some((end) => all.some((path) => path.startsWith(`test/${test}${end}`)));
      return [
        ...(threats.length > 15 ? [] : ['fewer than 16 threats are in the table']),
        ...threats.filter(({ tests }) => tests.length === 0).map(({ threat }) => `${threat}: no test`),
        ...threats.flatMap(({ threat, tests }) =>
          tests.filter((test) => !isThere(test)).map((test) => `${threat}: ${test} is missing`),
        ),
      ];
    },
    planted: {
      'SECURITY.md': `${realTree.get('SECURITY.md')}\n| planted | answer | none |\n| gone | answer | \`auth/planted\` |\n`,
    },
    violations: ['planted: no test', 'gone: auth/planted is missing'],
  },
};

describe.each(Object.entries(rules))('%s', (_guarantee, { findViolations, planted, violations }) => {
  it('in the real tree', () => expect(findViolations(realTree)).toEqual([]));
  it('a planted violation is found', () => expect(findViolations(plant(planted))).toEqual(violations));
});
