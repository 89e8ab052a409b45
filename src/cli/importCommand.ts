/** npx gatehouse import: reads the file, tells how far it is, and what was done or what is wrong. */
import { readFileSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { GatehouseError, OperatorError, type Problems } from '../errors.js';
import type { ImportOptions } from '../services/transfer/importFile.js';
import { failureText, problemLines } from './failure.js';
import { findJsonFault, findRepeatedName } from './jsonFault.js';
import { openProgressBar } from './progressBar.js';
import { notice, withContext } from './session.js';

/** Longest text that JavaScript holds. */
const fileBytesMax = 512 * 1024 * 1024;

/** @param path as the operator sees it, for messages @param file where it is */
export async function runImport(
  path: string,
  file: string,
  { resetClients = false }: Pick<ImportOptions, 'resetClients'> = {},
): Promise<void> {
  const content = readJson(path, file);
  if (resetClients)
    notice(
      '--reset-clients: secrets and isActive of clients become what the file says, also where they were changed here.',
    );
  await withContext(async (context) => {
    // where the service runs on this machine too, its requests come first
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const { importFile } = await import('../services/transfer/importFile.js');
    const bar = openProgressBar();
    try {
      let warnings: Problems = {};
      const onWarnings = (found: Problems) => {
        warnings = found;
      };
      const imported = await importFile(context, content, { resetClients, onProgress: bar.show, onWarnings });
      bar.clear();
      const { created, updated, removed, unchanged } = imported;
      notice(`Imported ${path}: ${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged.`);
      list('Changed here since, and kept so:', imported.kept);
      list('Changed here since, and now as the file says:', imported.reset);
      list('Taken as they are, but look at them:', warnings);
    } catch (error) {
      bar.clear();
      const isFault = error instanceof GatehouseError && error.more.problems;
      throw isFault ? new OperatorError(`${path} is not imported, nothing was written:\n${failureText(error)}`) : error;
    }
  });
}

function list(heading: string, problems: Problems): void {
  if (Object.keys(problems).length > 0) notice(`${heading}\n${problemLines(problems)}`);
}

/** Throws OperatorError with the place of what is wrong. */
export function readJson(path: string, file: string): unknown {
  const text = readText(path, file);
  const content = parseJson(path, text);
  const repeated = findRepeatedName(text);
  if (repeated) throw new OperatorError(`${path} can't be read: ${repeated}.`);
  return content;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${path} is not JSON: ${findJsonFault(text) ?? (error as Error).message}.`);
  }
}

/** Throws OperatorError. */
export function readText(path: string, file: string): string {
  try {
    if (statSync(file).size > fileBytesMax)
      throw new OperatorError(`${path} is larger than 512 MB: import it in parts.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new OperatorError(`${path} is not text in UTF-8.`);
    throw new OperatorError(`${path} can't be read: ${reasons[code ?? ''] ?? (error as Error).message}.`);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read by this user',
};
