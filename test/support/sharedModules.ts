/**
 * Jest's runner of a test file. The file is loaded by Node, so each worker loads the service and its libraries once, not once for
 * each file (docs/decisions/0051-shared-loading.md). A file has the modules of test/ for itself.
 */
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Jest } from '@jest/environment';
import { setJest } from './jestGlobals.js';

const require = createRequire(import.meta.url);
const runFile: (...given: unknown[]) => Promise<unknown> = require('jest-circus/runner').default;
const tests = new URL('../', import.meta.url).href;
const ownGlobals = new URL('./jestGlobals.js', import.meta.url).href;

enableCompileCache(fileURLToPath(new URL('../../compile-cache', import.meta.url)));
// a worker has no work without the process that gives it out
const leave = () => process.exit(1);
process.once('disconnect', leave);
// Jest's own listener goes when there is no more; what listens to the channel keeps the process
process.on('removeListener', (event) => event === 'message' && process.off('disconnect', leave));

/** A test file is loaded with its number in the address, and passes it on to the modules of test/ that it imports. */
let number = 0;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return next(ownGlobals, context);
    const resolved = next(specifier, context);
    const file = context.parentURL?.startsWith(tests) && new URL(context.parentURL).search;
    return file && resolved.url.startsWith(tests) ? { ...resolved, url: resolved.url + file } : resolved;
  },
});

/** What we use of Jest's Runtime, which would load each module for each file. */
interface Runtime {
  requireModuleOrMock(from: string, name: '@jest/globals'): { jest: Jest };
  enterTestCode(): void;
  leaveTestCode(): void;
}

export default function run(
  globalConfig: unknown,
  config: unknown,
  environment: unknown,
  runtime: Runtime,
  path: string,
  report: unknown,
): Promise<unknown> {
  number += 1;
  setJest(runtime.requireModuleOrMock(path, '@jest/globals').jest);
  const loader = {
    requireInternalModule: requireFresh,
    requireModule: (module: string) => require(module),
    setGlobalsForRuntime: () => undefined,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (module: string) => import(`${pathToFileURL(module)}?file=${number}`),
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  };
  // at the end of a worker, of which Jest waits for half a second, there would be no time for what most files load
  return runFile(globalConfig, config, environment, loader, path, report).finally(
    number === 1 ? flushCompileCache : undefined,
  );
}

/** Jest's describe and it, without the tests and listeners of the file before. */
function requireFresh(module: string): unknown {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  Reflect.deleteProperty(require.cache, module);
  return require(module);
}
