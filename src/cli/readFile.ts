/** Reads files that commands name. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { findJsonFault, findRepeatedName } from '../config/jsonFault.js';
import { OperatorError } from '../errors.js';

/** Longest text that JavaScript holds. */
const fileBytesMax = 512 * 1024 * 1024;

/** Throws OperatorError with the place of the mistake. */
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
  let bytes: Buffer;
  try {
    if (statSync(file).size > fileBytesMax)
      throw new OperatorError(`${path} is larger than 512 MB: import it in parts.`);
    bytes = readFileSync(file);
  } catch (error) {
    throw error instanceof OperatorError ? error : unreadable(path, error as NodeJS.ErrnoException);
  }
  // UTF-16 without a byte order mark is UTF-8 too, with a zero byte beside each letter
  if (!isUtf8(bytes) || bytes.subarray(0, 2).includes(0))
    throw new OperatorError(`${path} is not text in UTF-8. ${otherEncoding(bytes)}`);
  return new TextDecoder('utf-8').decode(bytes);
}

/** The usual cause, and the way out. */
function otherEncoding(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === '504b') return 'It is a spreadsheet, or another ZIP file: save the sheet as "CSV UTF-8".';
  if (mark === '1f8b') return 'It is compressed: unpack it before (gunzip).';
  return mark === 'fffe' || mark === 'feff' || mark.startsWith('00') || mark.endsWith('00')
    ? 'It is in UTF-16, as Windows tools write: save it as UTF-8, or convert it (iconv -f UTF-16 -t UTF-8).'
    : 'A CSV file of a spreadsheet is often in Windows-1252: save it as "CSV UTF-8", or convert it (iconv -f WINDOWS-1252 -t UTF-8).';
}

export const unreadable = (path: string, { code, message }: NodeJS.ErrnoException): OperatorError =>
  new OperatorError(`${path} can't be read: ${reasons[code ?? ''] ?? message}.`);

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read by this user',
};
