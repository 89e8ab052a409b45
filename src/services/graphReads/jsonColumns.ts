/** The values of a column as JSON in UTF-8, made of what PostgreSQL sent without a string or an object for any of them. */
import {
  betweenTexts,
  type Columns,
  type ColumnType,
  columnOf,
  countOf,
  type FixedType,
  fixedTypes,
  isFixed,
  noText,
} from './columns.js';
import { roomBytes } from './copyBytes.js';
import type { Part } from './projection.js';
import { readInteger, writeInteger, writeText, writeTime, writeUuid } from './writeJson.js';

/** A JSON array without spaces, and some room behind it. */
interface JsonColumn {
  bytes: Buffer;
  /** Where each value begins, and one past the array's end: a value ends one byte before the next begins. */
  starts: number[];
}

/** Gives memory that may hold anything. @param bytes how many */
export type Take = (bytes: number) => Buffer;

/** A field of all records of a part. @param take where its bytes are put */
export function jsonColumn(columns: Columns, part: Part, field: string, take: Take = Buffer.allocUnsafe): JsonColumn {
  const sent = columnOf(columns, part, field);
  if (!sent) return ofValues([]);
  const { type, nullable } = part.fields.get(field)!;
  const count = countOf(columns, part);
  const column = isFixed(type)
    ? ofFixed(sent, count, { type, nullable, take })
    : type === 'string'
      ? (ofTexts(sent, take) ?? ofValues(textsOf(sent)))
      : ofValues(JSON.parse(sent.toString()));
  if (column.starts.length !== count + 1) throw new Error('a column has not as many values as there are records');
  return column;
}

const [opening, closing, quote, backslash, comma] = Buffer.from('[]"\\,') as unknown as Iterable<number> &
  [number, number, number, number, number];

type Write = (from: Buffer, start: number, to: Buffer, at: number) => number;

/** How a value is written, and the most bytes that it takes. */
const writers: { [type in FixedType]: { write: Write; bytesMax: number } } = {
  integer: { write: writeInteger, bytesMax: 11 },
  boolean: { write: (from, start, to, at) => writeText(from[start] === 0 ? 'false' : 'true', to, at), bytesMax: 5 },
  uuid: { write: writeUuid, bytesMax: 38 },
  dateTime: { write: writeTime, bytesMax: 29 },
};

interface Fixed {
  type: FixedType;
  nullable: boolean;
  take: Take;
}

function ofFixed(sent: Buffer, count: number, { type, nullable, take }: Fixed): JsonColumn {
  const { write, bytesMax } = writers[type];
  const valueBytes = fixedTypes[type].bytes;
  const bytes = take(2 + count * (bytesMax + 1) + roomBytes);
  const starts: number[] = [];
  let at = 0;
  bytes[at++] = opening;
  for (let from = 0; from < sent.length; ) {
    starts.push(at);
    if (nullable && sent[from++] === 0) at = writeText('null', bytes, at);
    else {
      at = write(sent, from, bytes, at);
      from += valueBytes;
    }
    bytes[at++] = comma;
  }
  bytes[at - 1] = closing;
  starts.push(at);
  return { bytes, starts };
}

/** Without a detour by JSON: relations are followed by them. */
export function integersOf(sent: Buffer, { nullable }: ColumnType): (number | null)[] {
  const values: (number | null)[] = [];
  for (let from = 0; from < sent.length; ) {
    if (nullable && sent[from++] === 0) values.push(null);
    else {
      values.push(readInteger(sent, from));
      from += fixedTypes.integer.bytes;
    }
  }
  return values;
}

/** Bytes that JSON has in another way, and those that stand for no text and between texts. */
const isSpecial = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 0x20 || byte === quote || byte === backslash || byte === betweenTexts),
);

/** In place: what is between two texts has as many bytes as `","`. Undefined: there is something that JSON escapes. */
function ofTexts(sent: Buffer, take: Take): JsonColumn | undefined {
  const bytes = take(sent.length + 4 + roomBytes);
  bytes.set(sent, 2);
  bytes[0] = opening;
  bytes[1] = quote;
  const end = sent.length + 2;
  const starts = [1];
  for (let at = 2; ; at += 3) {
    const isNull = at < end && bytes[at] === noText;
    if (isNull) at += 2;
    else while (at < end && isSpecial[bytes[at]!] === 0) at++;
    const isLast = at >= end;
    if (!isLast && bytes[at] !== betweenTexts) return undefined;
    bytes[at] = quote;
    if (isNull) writeText('null', bytes, at - 3);
    bytes[at + 1] = isLast ? closing : comma;
    starts.push(at + 2);
    if (isLast) return { bytes, starts };
    bytes[at + 2] = quote;
  }
}

function textsOf(sent: Buffer): (string | null)[] {
  const texts: (string | null)[] = [];
  for (let start = 0, end: number; start <= sent.length; start = end + 3) {
    const found = sent.indexOf(betweenTexts, start);
    end = found < 0 ? sent.length : found;
    texts.push(sent[start] === noText && start < end ? null : sent.toString('utf8', start, end));
  }
  return texts;
}

function ofValues(values: readonly unknown[]): JsonColumn {
  const texts = values.map((value) => JSON.stringify(value));
  const starts = [1];
  for (const [index, text] of texts.entries()) starts.push(starts[index]! + Buffer.byteLength(text) + 1);
  return { bytes: Buffer.from(`[${texts.join()}]${' '.repeat(roomBytes)}`), starts };
}
