/** A command's way to the services: settings from the environment, everything opened, and closed whatever happens. */
import { type Config, loadConfig } from '../config/config.js';
import { nodeFault } from '../config/nodeVersion.js';
import type { Context } from '../context.js';
import { OperatorError } from '../errors.js';

/** Notices go to standard error, so that standard output holds the result alone. */
export const notice = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Resolves when the line is on its way, also into a pipe. */
export function print(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve());
  });
}

/** Runs the work as the service itself. The libraries are loaded only now: a help or a refusal needs none. */
export async function withContext(work: (context: Context) => Promise<void>): Promise<void> {
  const fault = nodeFault();
  if (fault) throw new OperatorError(fault);
  const config = loadConfig(process.env);
  const [{ openApp }, { openLog }] = await Promise.all([import('../app.js'), import('../observability/log.js')]);
  const app = await openApp({ config, notice, log: openLog(logLevelOf(config)) });
  try {
    await work(app.commandContext());
  } finally {
    await app.close();
  }
}

/** A command tells its result itself. */
const logLevelOf = ({ logLevel }: Config): string =>
  logLevel === 'error' || logLevel === 'silent' ? logLevel : 'warn';
