/** Tests run on what the compiler wrote to dist, one file for each test/**\/*.test.ts; a removed test's old output doesn't run. */
import { testsOf } from './test/sets.js';

export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/dist/test'],
  testMatch: testsOf(process.argv.slice(2)).map((path) => `<rootDir>/dist/test/${path.replace(/\.ts$/, '.js')}`),
  testEnvironment: '<rootDir>/dist/test/support/sharedEnvironment.js',
  testRunner: '<rootDir>/dist/test/support/sharedModules.js',
  transform: {},
  // for hangs only: no test has a limit of its own
  testTimeout: 600_000,
  // one more than CI has cores: files wait about a third of their time, for processes to start and intervals to pass
  maxWorkers: 3,
  testSequencer: '<rootDir>/dist/test/support/longestFirst.cjs',
  // each file leaves 20 to 40 MB of modules in its worker; what collects garbage in one of gigabytes gets slow
  workerIdleMemoryLimit: '600MB',
  globalSetup: '<rootDir>/dist/test/support/globalSetup.js',
  setupFilesAfterEnv: ['<rootDir>/dist/test/support/setup.js'],
  globalTeardown: '<rootDir>/dist/test/support/globalTeardown.js',
  snapshotResolver: '<rootDir>/dist/test/support/snapshotResolver.cjs',
};
