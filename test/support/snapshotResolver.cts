/**
 * Keeps snapshots beside the TypeScript sources: dist/test/rest/x.test.js ↔ test/rest/__snapshots__/x.test.ts.snap.
 * CommonJS, because jest requires this one file synchronously.
 */
import path = require('node:path');

const compiled = '/dist/test/';
const source = '/test/';

export = {
  resolveSnapshotPath(testPath: string, extension: string): string {
    const test = replaceLast(testPath, compiled, source).replace(/\.js$/, '.ts');
    return path.join(path.dirname(test), '__snapshots__', path.basename(test) + extension);
  },
  resolveTestPath(snapshotPath: string, extension: string): string {
    const test = snapshotPath.replace('/__snapshots__/', '/').slice(0, -extension.length);
    return replaceLast(test, source, compiled).replace(/\.ts$/, '.js');
  },
  testPathForConsistencyCheck: '/gatehouse/dist/test/rest/example.test.js',
};

function replaceLast(file: string, from: string, to: string): string {
  const at = file.lastIndexOf(from);
  return file.slice(0, at) + to + file.slice(at + from.length);
}
