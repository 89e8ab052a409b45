/** `import` and `export`. */
import { rmSync } from 'node:fs';
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withChanges } from '../../../cli/changing.js';
import type { ParsedArguments } from '../../../cli/command.js';
import { readJson, readText } from '../../../cli/readFile.js';
import { notice, openProgressBar, problemLines, withContext, write, yieldToRequests } from '../../../cli/session.js';
import { GatehouseError, OperatorError, type Problems } from '../../../errors.js';
import type { ExportOptions } from '../exportFile.js';

/** @param path as the operator sees it, for messages @param file where it is */
export async function runImport(path: string, file: string, options: ParsedArguments['options']): Promise<void> {
  const resetClients = options['reset-clients'] !== undefined;
  const isCsv = options.csv !== undefined;
  const isDryRun = options['dry-run'] !== undefined;
  const json = isCsv ? undefined : readJson(path, file);
  if (resetClients)
    notice(
      '--reset-clients: secrets and isActive of clients are taken from the file, even where they were changed here.',
    );
  await withChanges(options, async (context) => {
    yieldToRequests();
    const [{ importFile }, { importCsvUsers }] = await Promise.all([
      import('../importFile.js'),
      import('../csvUsers.js'),
    ]);
    const bar = openProgressBar('rows');
    try {
      let warnings: Problems = {};
      const onWarnings = (problems: Problems) => {
        warnings = problems;
      };
      const importOptions = { resetClients, onProgress: bar.show, onWarnings };
      const imported = isCsv
        ? await importCsvUsers(context, readText(path, file), options.map, importOptions)
        : await importFile(context, json, importOptions);
      bar.clear();
      const { created, updated, removed, unchanged } = imported;
      notice(
        `${isDryRun ? 'Would import' : 'Imported'} ${path}: ${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged.`,
      );
      list('Changed here since, and kept:', imported.kept);
      list('Changed here since, and replaced by the file:', imported.reset);
      list('Imported, but please check:', warnings);
    } catch (error) {
      bar.clear();
      if (!(error instanceof GatehouseError) || !error.more.problems) throw error;
      throw new OperatorError(`${path} is not imported, nothing was written:\n${problemLines(error.more.problems)}`);
    }
  });
}

function list(heading: string, problems: Problems): void {
  if (Object.keys(problems).length > 0) notice(`${heading}\n${problemLines(problems)}`);
}

/** Only the owner may read the file: it may contain hashes and personal data. */
const ownerOnly = 0o600;

/** @param path as the operator sees it, `-` for standard output @param file where it is */
export async function runExport(path: string, file: string, options: ExportOptions): Promise<void> {
  await withContext(async (context) => {
    const { exportFile } = await import('../exportFile.js');
    const records =
      path === '-'
        ? await exportFile(context, options, write)
        : await writeAtomically(path, file, (write) => exportFile(context, options, write));
    notice(`Exported ${records} records${path === '-' ? '' : ` to ${path}`}.`);
  });
}

async function writeAtomically<T>(
  path: string,
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const refuse = ({ code }: NodeJS.ErrnoException): never => {
    throw new OperatorError(`${path} can't be written (${code}).`);
  };
  const place = await exportPlaceOf(path, file);
  await removeLeftDrafts(place);
  const draft = `${place}.${process.pid}.tmp`;
  const leave = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    // it has no handler any more, so this ends the process as without one
    process.kill(process.pid, signal);
  };
  for (const signal of endingSignals) process.once(signal, leave);
  const handle = await open(draft, 'wx', ownerOnly).catch(refuse);
  try {
    const result = await work(async (text) => {
      await handle.write(text).catch(refuse);
    });
    await handle.sync().catch(refuse);
    await handle.close();
    await rename(draft, place).catch(refuse);
    return result;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  } finally {
    for (const signal of endingSignals) process.off(signal, leave);
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes what exports to the same file left behind that were killed. */
async function removeLeftDrafts(place: string): Promise<void> {
  const folder = dirname(place);
  for (const name of await readdir(folder).catch(() => [])) {
    const [begin = '', pid = ''] = /^(.*\.)(\d{1,10})\.tmp$/.exec(name)?.slice(1) ?? [];
    if (begin === `${basename(place)}.` && !isOfOther(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** Whether another process has this id. */
function isOfOther(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Resolves the target of the export. Links stay links; folders, devices and pipes are never replaced. */
async function exportPlaceOf(path: string, file: string): Promise<string> {
  const there = await stat(file).catch(() => undefined);
  if (!there) return file;
  if (!there.isFile()) throw new OperatorError(`${path} is not a file: name one, or - for standard output.`);
  return await realpath(file);
}
