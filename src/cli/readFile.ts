/** Reads files that commands name, and says where a mistake in a JSON file is. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../errors.js';

const token =
  /[ \t\n\r]*(?:([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)))/y;

/** What may follow in a JSON text, and its words in messages. */
const words = {
  value: 'a value is expected',
  'name or }': 'a name in double quotes or } is expected',
  name: 'a name in double quotes is expected',
  ':': 'a colon is expected',
  ', or }': 'a comma or } is expected',
  ', or ]': 'a comma or ] is expected',
  'value or ]': 'a value or ] is expected',
  'end of the file': 'the end of the file is expected',
};
type Expected = keyof typeof words;

/** Such as `line 3, column 7: a comma or } is expected`; undefined for valid JSON. */
export function findJsonFault(text: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; index = token.lastIndex) {
    token.lastIndex = index;
    const match = token.exec(text);
    const next: Expected | undefined | null =
      match && after(expected, match[1] ?? (match[2] ? 'string' : 'scalar'), open);
    if (next) expected = next;
    else {
      const at = index + /^[ \t\n\r]*/.exec(text.slice(index))![0].length;
      if (expected === 'end of the file' && at === text.length) return undefined;
      return `${placeOf(text, at)}: ${words[expected]}${at === text.length ? ', but the file ends here' : ''}`;
    }
  }
}

/** Returns what may follow the token; undefined when the token is not allowed here. */
function after(expected: Expected, character: string, open: ('{' | '[')[]): Expected | undefined {
  const takesValue = expected === 'value' || expected === 'value or ]';
  if (takesValue && (character === '{' || character === '[')) {
    open.push(character);
    return character === '{' ? 'name or }' : 'value or ]';
  }
  if (takesValue && (character === 'string' || character === 'scalar')) return afterValue(open);
  if (expected.startsWith('name') && character === 'string') return ':';
  if (expected === ':' && character === ':') return 'value';
  if (expected.startsWith(', or') && character === ',') return open.at(-1) === '{' ? 'name' : 'value';
  if ((character === '}' || character === ']') && expected.endsWith(`or ${character}`)) {
    open.pop();
    return afterValue(open);
  }
  return undefined;
}

function afterValue(open: ('{' | '[')[]): Expected {
  if (open.length === 0) return 'end of the file';
  return open.at(-1) === '{' ? ', or }' : ', or ]';
}

/** Maximum number of names that are compared in one object. An object with more is no import file, and is refused later. */
const namesMax = 100_000;

/**
 * Where an object of valid JSON repeats a name. `JSON.parse` keeps only the last value, and the others, perhaps whole lists,
 * would be lost (RFC 8259 §4). Undefined if no name is repeated.
 */
export function findRepeatedName(text: string): string | undefined {
  /** Names of the objects around the place; null for an array. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      const end = endOfString(text, index);
      const names = open.at(-1);
      if (isName && names && names.size < namesMax) {
        const name = JSON.parse(text.slice(index, end + 1)) as string;
        if (names.has(name))
          return `${placeOf(text, index)}: ${JSON.stringify(name.slice(0, 100))} appears twice in this object`;
        names.add(name);
      }
      isName = false;
      index = end;
    } else if (character === '{' || character === '[') {
      isName = character === '{';
      open.push(isName ? new Set() : null);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') isName = open.at(-1) !== null;
  }
  return undefined;
}

/** The place of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; ; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index;
  }
}

function placeOf(text: string, index: number): string {
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return `line ${line}, column ${index - lineStart + 1}`;
}

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
    if (error instanceof OperatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${path} can't be read: ${reasons[code ?? ''] ?? message}.`);
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

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read by this user',
};
