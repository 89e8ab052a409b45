/** A process of `openCommands`: what bin/gatehouse starts, run anew for each message, on libraries that are loaded already. */
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { Writable } from 'node:stream';

const program = new URL('../../src/cli/run.js', import.meta.url).href;
const ended = new Error('process.exit()');
process.exit = () => {
  throw ended;
};
// an import lowers it for good
os.setPriority = () => undefined;
syncBuiltinESMExports();
process.once('disconnect', () => process.kill(process.pid));

let count = 0;
process.on('message', async ([words, settings, folder]: [string[], NodeJS.ProcessEnv, string]) => {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    const value = new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
    Object.defineProperty(process, name, { configurable: true, value });
  }
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, settings);
  process.argv.splice(2, process.argv.length, ...words);
  process.exitCode = 0;
  count += 1;
  const fault = await import(`${program}?${count}`).catch((error) => error);
  process.send!({ code: fault === ended ? process.exitCode : `${fault}`, ...printed });
});
