/** Which files a start runs: the bundle of `npm run build`, which loads in a third of the time, or what the compiler wrote. */
import { readFileSync, statSync } from 'node:fs';
import module, { type SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const below = (path: string): URL => new URL(`../${path}`, import.meta.url);
const bundle = below('bundle/').href;
const changedAt = (file: URL): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/**
 * Stores compiled modules next to the modules, so that the next start is faster: write access there already allows changing the
 * program. If nothing can be written, nothing is cached. https://nodejs.org/api/module.html#module-compile-cache
 * @param name path below src, without its ending
 */
export function findProgram(name: string): string {
  // Node 20 has none; it is refused when the libraries are loaded
  module.enableCompileCache?.(fileURLToPath(below('compile-cache')));
  const bundled = below(`bundle/src/${name}.js`);
  if (!isCurrent(bundled) || isDebugged()) return below(`src/${name}.js`).href;
  Error.prepareStackTrace = stackOfSources;
  return bundled.href;
}

/** Nothing was compiled since. The image has the bundle only. */
function isCurrent(bundled: URL): boolean {
  const bundledAt = changedAt(bundled);
  return bundledAt !== undefined && (changedAt(below('.tsbuildinfo')) ?? 0) <= bundledAt;
}

const isDebugged = (): boolean => process.execArgv.some((word) => word.startsWith('--inspect'));

/** MikroORM reads a stack for each decorated field of a record, while the service is loaded. */
const reader = 'lookupPathFromDecorator';

/** A stack that names our files. Node's own way would read all maps at each start. */
function stackOfSources(error: Error, frames: NodeJS.CallSite[]): string {
  const lines = frames[0]?.getFunctionName() === reader ? frames : frames.map(frameOfSource);
  return [Error.prototype.toString.call(error), ...lines].join('\n    at ');
}

function frameOfSource(frame: NodeJS.CallSite): string {
  const text = String(frame);
  const file = frame.getFileName();
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith(bundle) || line === null || column === null) return text;
  const origin = mapOf(file)?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return text;
  const source = fileURLToPath(new URL(origin.fileName, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${origin.lineNumber}:${origin.columnNumber}`);
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new module.SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined; // the bundle was replaced
  }
}
