/** npx gatehouse …: reads the arguments, runs the command, tells a failure in one sentence. Exit 1: failed, 2: misspelt, unless the command says otherwise. */
import { fileURLToPath } from 'node:url';
import { readArguments, UsageError } from './cli/command.js';
import { commandsFrom } from './cli/commands.js';
import { failureText, notice, print } from './cli/session.js';
import { keepCompiledModules } from './config/compileCache.js';
import { OperatorError } from './errors.js';

async function run(words: string[]): Promise<void> {
  keepCompiledModules();
  const startedIn = presentFolder();
  // DATA_DIR is meant as npm start means it: from the project's folder
  process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
  const read = readArguments(commandsFrom(startedIn), words);
  if ('help' in read) await print(read.help);
  else if ('version' in read) await print((await import('./config/config.js')).version);
  else await read.command.run(read.given);
}

/** Throws OperatorError where it is gone, as when another version was put in its place. */
function presentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new OperatorError('The folder that this was started in is gone: change to another one.');
  }
}

function fail(error: unknown): void {
  const isMisspelt = error instanceof UsageError;
  notice(isMisspelt ? `${error.message}\nnpx gatehouse --help lists the commands.` : failureText(error));
  process.exitCode = isMisspelt ? error.exitCode : 1;
}

// whoever reads our output may stop reading; a notice that nobody reads ends nothing
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  notice(`The result can't be printed (${error.code}).`);
  process.exit(1);
});
await run(process.argv.slice(2)).catch(fail);
// what is still open, such as a connection kept alive, is nobody's any more
process.exit();
