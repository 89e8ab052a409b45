/** bin/gatehouse …: reads the arguments, runs the command, reports a failure in one sentence. Exit code 1: failed, 2: wrong usage, unless the command defines others. */
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../errors.js';
import { commandsFrom } from '../modules/commands.js';
import { projectFile } from '../places.js';
import { readArguments, UsageError } from './command.js';
import { failureText, notice, print } from './session.js';

async function run(words: string[]): Promise<void> {
  const startedIn = presentFolder();
  // resolves DATA_DIR as npm start does: from the project's folder
  process.chdir(fileURLToPath(projectFile()));
  const read = readArguments(commandsFrom(startedIn), words);
  if ('help' in read) await print(read.help);
  else if ('version' in read) await print((await import('../config/config.js')).version);
  else await read.command.run(read.parsed);
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
