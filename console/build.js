/**
 * Builds the console to dist/console when one of its files is newer than the last build, or one came or went; silent
 * when nothing changed. A file with an older time than the last build is taken for unchanged: remove dist after unpacking an
 * archive over an installation. Beside each asset lie its .br and .gz, as small as can be.
 */
import {
  copyFileSync,
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
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist/console');
const stamp = join(out, '.built');

/** Every file that the build reads, sorted. */
function sources() {
  const own = readdirSync(join(root, 'console'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const documents = join(root, 'docs/console');
  const help = existsSync(documents) ? readdirSync(documents).filter((name) => name.endsWith('.md')) : [];
  const shown = [...help.map((name) => join(documents, name)), join(root, 'docs/access-reviews.md')];
  return [...own, ...shown.filter((file) => existsSync(file)), join(root, 'package-lock.json')].sort();
}

function isFresh(files) {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== files.join('\n')) return false;
  const builtAt = statSync(stamp).mtimeMs;
  return files.every((file) => statSync(file).mtimeMs <= builtAt);
}

function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

async function loadVite() {
  try {
    return await import('vite');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'The console is not built: its packages are not installed (npm ci --omit=dev leaves them out).\n',
    );
    return undefined;
  }
}

/** Another build at the same moment may have put its own there: it was made of the same files. */
function putInPlace(fresh) {
  rmSync(out, { recursive: true, force: true });
  try {
    renameSync(fresh, out);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
}

const files = sources();
if (!isFresh(files)) {
  const startedAt = new Date();
  const vite = await loadVite();
  if (vite) {
    // a folder of its own until it is whole: a build that breaks off, or another at the same moment, leaves no halves
    const fresh = `${out}.${process.pid}`;
    await vite.build({ configFile: join(root, 'console/vite.config.js'), build: { outDir: fresh } });
    compress(fresh);
    // beside the page, for the service alone: the operations that it executes for these pages
    copyFileSync(join(root, 'console/src/operations/generated/documents.json'), join(fresh, 'documents.json'));
    writeFileSync(join(fresh, '.built'), files.join('\n'));
    // what is edited while it is being built is newer than this
    utimesSync(join(fresh, '.built'), startedAt, startedAt);
    putInPlace(fresh);
  }
}
