/** A service with a console for tests: its built files, and a browser's requests to them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { closeAtEnd } from '../support/lifetimes.js';

export const script = 'console.log("the console");\n'.repeat(50);

/** As the build leaves it: a page that names its assets, which stand compressed beside themselves. */
export function builtConsole(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  const page = '<!doctype html><html><head><base href="/console/"><title>Gatehouse</title></head><body></body></html>';
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/index-4f3a.js'), script);
  writeFileSync(join(folder, 'assets/index-4f3a.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/index-4f3a.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'assets/small-77b0.css'), 'body{}');
  return folder;
}

/** What the console's pages send with each request to the graph. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'x-gatehouse-console': '1' };
