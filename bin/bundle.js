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

async function loadBundler() {
  try {
    return { ...(await import('rolldown')), ...(await import('rolldown/utils')) };
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

/** Without spaces. Rolldown's own comes after the plugins, and would write characters where `inAscii` wrote escapes. */
const short = ({ minifySync }) => ({
  name: 'short',
  renderChunk: (code, { fileName }) => minifySync(fileName, code, { mangle: false, compress: false, sourcemap: true }),
});

const escaped = (character) =>
  character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** V8 keeps a whole file in two bytes a character when one of them is beyond Latin-1. */
const inAscii = {
  name: 'in ASCII',
  renderChunk(code, _chunk, _options, { magicString }) {
    const found = new Set(code.match(/[^\0-\x7f]/gu));
    if (found.size === 0) return null;
    for (const character of found) magicString.replaceAll(character, escaped(character));
    return { code: magicString.toString(), map: magicString.generateMap({ hires: 'boundary' }).toString() };
  },
};

async function bundle(bundler, dir) {
  const build = await bundler.rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((name) => [name, join(compiled, `${name}.js`)])),
    platform: 'node',
    // what has threads, native code, or is not installed
    external: ['bcrypt', 'piscina', 'pino', 'pg-native', 'class-validator'],
    // as Node does it: by the field "module", graphql would be there twice
    resolve: { mainFields: ['main'] },
    plugins: [mapsOfCompiler, withoutBodyParser, short(bundler), inAscii],
    experimental: { nativeMagicString: true },
  });
  // names of classes are names of records and of types
  const form = {
    format: 'esm',
    entryFileNames: '[name].js',
    // beside src, what only dev needs: production does without it
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => id.startsWith(join(compiled, 'dev/'))) ? 'dev/[name].js' : 'src/[name].js',
    keepNames: true,
    minify: false,
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
  const bundler = await loadBundler();
  if (bundler) {
    // a folder of its own until it is whole
    const fresh = `${out}.${process.pid}`;
    await bundle(bundler, fresh);
    shorten(fresh);
    // what was compiled meanwhile is newer
    for (const name of programs) utimesSync(join(fresh, `${name}.js`), startedAt, startedAt);
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
  }
}
