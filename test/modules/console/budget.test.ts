/** What a browser loads of the console, compressed: its first page is there soon, and stays so. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from '../../../src/modules/console/routes/builtFiles.js';

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

const kilobyte = 1_000;
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8'));

const sizeOf = (file: string): number =>
  statSync(join(builtFolder, /\.(js|css)$/.test(file) ? `${file}.gz` : file)).size;
const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + sizeOf(file), 0);

/** A chunk's files and those of what it imports at once. */
function filesOf(name: string, seen = new Set<string>(), files = new Set<string>()): Set<string> {
  if (seen.has(name)) return files;
  seen.add(name);
  const { file, css = [], assets = [], imports = [] } = manifest[name]!;
  for (const each of [file, ...css, ...assets]) files.add(each);
  for (const each of imports) filesOf(each, seen, files);
  return files;
}

const [entry] = Object.entries(manifest).find(([, { isEntry }]) => isEntry)!;
const shell = filesOf(entry);
const pages = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'));

it('the first page takes 200 kB at most, of which JavaScript 145', () => {
  const first = new Set([...shell, ...filesOf('src/pages/Applications.tsx')]);
  const scripts = [...first].filter((file) => file.endsWith('.js'));

  expect(sum(scripts)).toBeLessThanOrEqual(145 * kilobyte);
  expect(sum(first)).toBeLessThanOrEqual(200 * kilobyte);
});

it.each(pages)('%s adds 20 kB at most of its own', (name) => {
  expect(sizeOf(manifest[name]!.file)).toBeLessThanOrEqual(20 * kilobyte);
});
