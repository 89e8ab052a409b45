/** npx gatehouse export: writes the import file of what is there; the file appears whole or not at all. */
import { once } from 'node:events';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { OperatorError } from '../errors.js';
import type { Wanted } from '../services/transfer/exportFile.js';
import { notice, withContext } from './session.js';

/** Hashes and personal data are nobody else's. */
const ownerOnly = 0o600;

/** @param path as the operator sees it, `-` for standard output @param file where it is */
export async function runExport(path: string, file: string, wanted: Wanted): Promise<void> {
  await withContext(async (context) => {
    const { exportFile } = await import('../services/transfer/exportFile.js');
    const rows =
      path === '-'
        ? await exportFile(context, wanted, print)
        : await writeWhole(path, file, (write) => exportFile(context, wanted, write));
    notice(`Exported ${rows} records${path === '-' ? '' : ` to ${path}`}.`);
  });
}

async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

async function writeWhole<T>(
  path: string,
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const refuse = ({ code }: NodeJS.ErrnoException): never => {
    throw new OperatorError(`${path} can't be written (${code}).`);
  };
  const place = await placeOf(path, file);
  const draft = `${place}.${process.pid}.tmp`;
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
  }
}

/** Where the file goes: a link stays one, and no folder, device or pipe is replaced by a file. */
async function placeOf(path: string, file: string): Promise<string> {
  const there = await stat(file).catch(() => undefined);
  if (!there) return file;
  if (!there.isFile()) throw new OperatorError(`${path} is no file: name one, or - for standard output.`);
  return await realpath(file);
}
