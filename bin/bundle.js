/**
 * Bundles the service and its libraries to dist/bundle, from what the compiler wrote (docs/decisions/0053-bundle.md). Silent if
 * nothing was compiled since.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = join(root, 'dist');
const out = join(root, 'dist/bundle');
/** What is run by its path, which is the same in dist. */
const programs = ['src/serve', 'src/cli/run', 'src/auth/bcryptWork', 'src/places', 'dev/postgres/keeper'];
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function loadRolldown() {
  try {
    return (await import('rolldown')).rolldown;
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('The service is not bundled, and starts slower: npm ci --omit=dev leaves the bundler out.\n');
    return undefined;
  }
}

/** The stack of an error then names the source, not what the compiler wrote. */
const mapsOfCompiler = {
  name: 'maps of the compiler',
  load(id) {
    if (!id.startsWith(`${compiled}/`) || !existsSync(`${id}.map`)) return undefined;
    return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
  },
};

/** Express loads it with its tables of charsets, a sixth of the text of a process, and we read bodies ourselves. */
const withoutBodyParser = {
  name: 'without body-parser',
  resolveId: (source) => (source === 'body-parser' ? `\0${source}` : undefined),
  load: (id) => (id === '\0body-parser' ? 'module.exports = {};' : undefined),
};

async function bundle(rolldown, dir) {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((name) => [name, join(compiled, `${name}.js`)])),
    platform: 'node',
    // what has threads, native code, or is not installed
    external: ['bcrypt', 'piscina', 'pino', 'pg-native', 'class-validator'],
    // as Node does it: by the field "module", graphql would be there twice
    resolve: { mainFields: ['main'] },
    plugins: [mapsOfCompiler, withoutBodyParser],
  });
  // names of classes are names of records and of types
  const form = {
    format: 'esm',
    entryFileNames: '[name].js',
    // beside src, what only dev needs: production does without it
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => id.startsWith(join(compiled, 'dev/'))) ? 'dev/[name].js' : 'src/[name].js',
    keepNames: true,
    minify: { mangle: false, compress: false, codegen: true },
  };
  await build.write({ dir, ...form, sourcemap: true });
  await build.close();
}

/** Stacks need neither sources nor names, nor the maps of libraries. */
function shorten(folder) {
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.endsWith('.map')) continue;
    const file = join(parentPath, name);
    const { version, sources, mappings } = JSON.parse(readFileSync(file, 'utf8'));
    if (sources.every((path) => path.includes('/node_modules/'))) rmSync(file);
    else writeFileSync(file, JSON.stringify({ version, sources, names: [], mappings }));
  }
}

if (changedAt(join(out, 'src/serve.js')) < changedAt(join(root, 'dist/.tsbuildinfo'))) {
  const startedAt = new Date();
  const rolldown = await loadRolldown();
  if (rolldown) {
    // a folder of its own until it is whole
    const fresh = `${out}.${process.pid}`;
    await bundle(rolldown, fresh);
    shorten(fresh);
    // what was compiled meanwhile is newer
    for (const name of programs) utimesSync(join(fresh, `${name}.js`), startedAt, startedAt);
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
  }
}
