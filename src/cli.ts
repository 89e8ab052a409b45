/** bin/gatehouse …: reads the arguments, runs the command, reports a failure in one sentence. Exit code 1: failed, 2: wrong usage, unless the command defines others. */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { readArguments, UsageError } from './cli/command.js';
import { commandsFrom } from './cli/commands.js';
import { failureText, notice, print } from './cli/session.js';
import { OperatorError } from './errors.js';

async function run(words: string[]): Promise<void> {
  keepCompiledModules();
  const startedIn = presentFolder();
  // resolves DATA_DIR as npm start does: from the project's folder
  process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
  const read = readArguments(commandsFrom(startedIn), words);
  if ('help' in read) await print(read.help);
  else if ('version' in read) await print((await import('./config/config.js')).version);
  else await read.command.run(read.parsed);
}

/**
 * Stores compiled modules next to the modules, so that commands start faster: write access there already allows changing the
 * program. If nothing can be written, nothing is cached. https://nodejs.org/api/module.html#module-compile-cache
 */
function keepCompiledModules(): void {
  // Node 20 has none; it is refused when the libraries are loaded
  module.enableCompileCache?.(fileURLToPath(new URL('../compile-cache', import.meta.url)));
}

/** Throws OperatorError if the folder is gone, for example because another version replaced it. */
function presentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new OperatorError('The current folder no longer exists. Change to another one.');
  }
}

function fail(error: unknown): void {
  const isMisspelt = error instanceof UsageError;
  notice(isMisspelt ? `${error.message}\nbin/gatehouse --help lists the commands.` : failureText(error));
  process.exitCode = isMisspelt ? error.exitCode : 1;
}

// the reader of the output may stop reading; a lost notice is no failure
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  notice(`The result can't be printed (${error.code}).`);
  process.exit(1);
});
await run(process.argv.slice(2)).catch(fail);
// whatever is still open, such as an idle connection, is no longer needed
process.exit();
