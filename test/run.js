/** `npm test [-- fast] [parts of paths …] [jest's options]`: jest, on the tests of test/sets.js. A signal ends all that it started. */
import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endProcesses } from './endProcesses.js';
import { isSet } from './sets.js';

const { exit } = process; // a test file that runs in this process has Jest's
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    endProcesses();
    exit(128 + constants.signals[signal]);
  });

enableCompileCache(fileURLToPath(new URL('../dist/compile-cache', import.meta.url)));
const { run } = await import('jest');
await run(process.argv.slice(2).filter((word) => !isSet(word)));
