/**
 * Transfers values of columns as bytes, those of all records one after another. PostgreSQL sends its binary values, which costs
 * half as much as writing JSON. Here they become JSON in one buffer for each column, without a string or an object for each
 * value.
 */
import type { FieldDescription, FieldType, RelationDescription } from '../entities/description.js';
import { timeEpochMs } from '../entities/valueForms.js';

export type ColumnType = Pick<FieldDescription, 'type' | 'nullable'>;

/** Records of one part of a statement. */
export interface Part {
  /** Its name in the statement. */
  alias: string;
  fields: Map<string, ColumnType>;
  toOne: { relation: RelationDescription; part: Part }[];
}

/** SQL of the columns of a part: how many records there are, and each field of all of them. @param column SQL of a field */
export const partSql = ({ alias, fields }: Part, column: (field: string) => string): string[] => [
  `count(*)::int as "${alias}"`,
  ...[...fields].map(([name, type]) => `${columnSql(column(name), type)} as "${alias}.${name}"`),
];

/** Names of those columns. */
export const columnNames = ({ alias, fields }: Part): string[] => [
  alias,
  ...[...fields.keys()].map((field) => `${alias}.${field}`),
];

/** Bytes by part and field, null if there are no records; and the number of records by part. */
export type ResultColumns = Readonly<Record<string, Buffer | number | null>>;

export const columnOf = (columns: ResultColumns, { alias }: Part, field: string): Buffer | null =>
  columns[`${alias}.${field}`] as Buffer | null;

export const countOf = (columns: ResultColumns, { alias }: Part): number => columns[alias] as number;

/** The types whose values all have the same length in PostgreSQL's binary format, and that length. */
export const fixedTypes = {
  integer: { send: 'int4send', bytes: 4 },
  boolean: { send: 'boolsend', bytes: 1 },
  uuid: { send: 'uuid_send', bytes: 16 },
  dateTime: { send: 'timestamptz_send', bytes: 8 },
} as const;
type FixedType = keyof typeof fixedTypes;
const isFixed = (type: FieldType): type is FixedType => type in fixedTypes;

/** Stands for null, and between two texts: bytes that don't occur in UTF-8, as many as JSON needs there. */
const noText = 0x00;
const betweenTexts = 0xff;

/**
 * SQL of a column of bytes. Values of a fixed length follow each other; a nullable one has a byte before it that is 1 for a
 * value and 0 for null. Texts are separated. Any other type is an array of JSON.
 */
export function columnSql(value: string, { type, nullable }: ColumnType): string {
  if (type === 'string') return String.raw`string_agg(coalesce(textsend(${value}), '\x0000'), '\xffffff')`;
  // JavaScript's numbers end at 2^53
  if (!isFixed(type)) return `textsend(json_agg(${type === 'bigint' ? `${value}::text` : value})::text)`;
  const bytes = `${fixedTypes[type].send}(${value})`;
  const item = nullable ? String.raw`coalesce('\x01' || ${bytes}, '\x00')` : bytes;
  return `string_agg(${item}, '')`;
}

/** SQL of texts that are already JSON, with a byte between each two. @param value of type text, never null */
export const jsonTextsSql = (value: string, order = ''): string =>
  String.raw`string_agg(textsend(${value}), '\xff'${order && ` order by ${order}`})`;

/** Free bytes at the end of all buffers with JSON in UTF-8, which is copied eight bytes at a time. */
export const roomBytes = 8;

/** Texts in one buffer, with free bytes after the last. */
export interface Texts {
  view: DataView;
  /** The start of each value, and the end of the last one. */
  starts: readonly number[];
  /** Bytes between two texts. */
  gap: number;
}

/** Bytes that are the same in all records. */
export interface LiteralBytes {
  view: DataView;
  length: number;
}

/** Returns the place after the copy; up to seven bytes more are overwritten. */
export function copy(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const shift = at - start;
  for (let place = start; place < end; place += 8) to.setBigUint64(place + shift, from.getBigUint64(place, true), true);
  return end + shift;
}

export const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export function literal(text: string): LiteralBytes {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text) + roomBytes);
  bytes.write(text);
  return { view: viewOf(bytes), length: bytes.length - roomBytes };
}

// values as PostgreSQL sends them, the highest byte first, are written as JSON; each function returns the place after what it wrote
const [quoteByte, hyphen, zero, colon, dot] = Buffer.from('"-0:.') as unknown as Iterable<number> &
  [number, number, number, number, number];
const [beforeHours, zulu] = Buffer.from('TZ') as unknown as Iterable<number> & [number, number];
const hexDigits = Buffer.from('0123456789abcdef');
// the two hexadecimal digits of each byte
const firstDigits = Uint8Array.from({ length: 256 }, (_, byte) => hexDigits[byte >> 4]!);
const secondDigits = Uint8Array.from({ length: 256 }, (_, byte) => hexDigits[byte & 15]!);

/** In ASCII. */
function writeText(text: string, to: Buffer, at: number): number {
  for (let index = 0; index < text.length; index++) to[at + index] = text.charCodeAt(index);
  return at + text.length;
}

const readInteger = (from: Buffer, start: number): number =>
  (from[start]! << 24) | (from[start + 1]! << 16) | (from[start + 2]! << 8) | from[start + 3]!;

function writeInteger(from: Buffer, start: number, to: Buffer, at: number): number {
  const value = readInteger(from, start);
  const magnitude = Math.abs(value);
  let place = at;
  if (value < 0) to[place++] = hyphen;
  let digits = 1;
  for (let above = 10; magnitude >= above; above *= 10) digits++;
  return writeDigits(magnitude, digits, to, place);
}

/** @param value whole, below 2^32 */
function writeDigits(value: number, digits: number, to: Buffer, at: number): number {
  let rest = value;
  for (let place = at + digits - 1; place >= at; place--) {
    const tens = (rest / 10) >>> 0;
    to[place] = zero + rest - 10 * tens;
    rest = tens;
  }
  return at + digits;
}

/** The bytes of a uuid that are followed by a hyphen: 8-4-4-4-12 digits. */
const hyphenBehind = Uint8Array.from({ length: 16 }, (_, index) => Number([3, 5, 7, 9].includes(index)));

function writeUuid(from: Buffer, start: number, to: Buffer, at: number): number {
  let place = at;
  to[place++] = quoteByte;
  for (let index = 0; index < 16; index++) {
    const byte = from[start + index]!;
    to[place++] = firstDigits[byte]!;
    to[place++] = secondDigits[byte]!;
    if (hyphenBehind[index] === 1) to[place++] = hyphen;
  }
  to[place++] = quoteByte;
  return place;
}

const dayMs = 86_400_000;

/** Writes microseconds since 2000, in eight bytes, as `"2026-01-02T03:04:05.600Z"`. */
function writeTime(from: Buffer, start: number, to: Buffer, at: number): number {
  const microseconds = readInteger(from, start) * 2 ** 32 + (readInteger(from, start + 4) >>> 0);
  const time = timeEpochMs + Math.floor(microseconds / 1_000);
  const days = Math.floor(time / dayMs);
  // JSON has another format for years without four digits
  if (days < yearZero || days >= yearTenThousand) return writeText(JSON.stringify(new Date(time)), to, at);
  const ms = time - days * dayMs;
  to[at] = quoteByte;
  writeDate(days, to, at + 1);
  to[at + 11] = beforeHours;
  writeDigits((ms / 3_600_000) >>> 0, 2, to, at + 12);
  to[at + 14] = colon;
  writeDigits(((ms / 60_000) >>> 0) % 60, 2, to, at + 15);
  to[at + 17] = colon;
  writeDigits(((ms / 1_000) >>> 0) % 60, 2, to, at + 18);
  to[at + 20] = dot;
  writeDigits(ms % 1_000, 3, to, at + 21);
  to[at + 24] = zulu;
  to[at + 25] = quoteByte;
  return at + 26;
}

const yearZero = new Date('0000-01-01').getTime() / dayMs;
const yearTenThousand = Date.UTC(10_000, 0, 1) / dayMs;

/** The Gregorian date of a number of days after 1970. http://howardhinnant.github.io/date_algorithms.html#civil_from_days */
function writeDate(days: number, to: Buffer, at: number): void {
  // periods of 400 years that begin with a March
  const sinceMarch = days + 719_468;
  const era = Math.floor(sinceMarch / 146_097);
  const dayOfEra = sinceMarch - era * 146_097;
  const leapDays = ((dayOfEra / 1_460) >>> 0) - ((dayOfEra / 36_524) >>> 0) + ((dayOfEra / 146_096) >>> 0);
  const yearOfEra = ((dayOfEra - leapDays) / 365) >>> 0;
  const dayOfYear = dayOfEra - 365 * yearOfEra - (yearOfEra >>> 2) + ((yearOfEra / 100) >>> 0);
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) >>> 0;
  const isNextYear = monthFromMarch >= 10;
  writeDigits(400 * era + yearOfEra + Number(isNextYear), 4, to, at);
  to[at + 4] = hyphen;
  writeDigits(monthFromMarch + (isNextYear ? -9 : 3), 2, to, at + 5);
  to[at + 7] = hyphen;
  writeDigits(dayOfYear - (((153 * monthFromMarch + 2) / 5) >>> 0) + 1, 2, to, at + 8);
}

/** A JSON array without spaces, and free bytes after it. */
interface JsonColumn {
  bytes: Buffer;
  /** The start of each value, and the end of the array plus one: a value ends one byte before the next begins. */
  starts: number[];
}

/** A field of all records of a part. */
export function jsonColumn(columns: ResultColumns, part: Part, field: string): JsonColumn {
  const sent = columnOf(columns, part, field);
  if (!sent) return valuesColumn([]);
  const { type, nullable } = part.fields.get(field)!;
  const count = countOf(columns, part);
  const column = isFixed(type)
    ? fixedColumn(sent, count, { type, nullable })
    : type === 'string'
      ? (textColumn(sent) ?? valuesColumn(textsOf(sent)))
      : valuesColumn(JSON.parse(sent.toString()));
  if (column.starts.length !== count + 1) throw new Error('a column has not as many values as there are records');
  return column;
}

/** A field of all records of a part, as texts of JSON. */
export function fieldTexts(columns: ResultColumns, part: Part, field: string): Texts {
  const { bytes, starts } = jsonColumn(columns, part, field);
  return { view: viewOf(bytes), starts, gap: 1 };
}

/** What `jsonTextsSql` sent; null: there are no records. @param braces whether texts of objects keep theirs */
export function readJsonTexts(sent: Buffer | null, { braces = true } = {}): Texts {
  if (!sent) return { view: new DataView(new ArrayBuffer(roomBytes)), starts: [0], gap: 1 };
  const bytes = Buffer.allocUnsafe(sent.length + roomBytes);
  bytes.set(sent);
  const lead = braces ? 0 : 1;
  const starts = [lead];
  for (let end = sent.indexOf(betweenTexts); end >= 0; end = sent.indexOf(betweenTexts, end + 1))
    starts.push(end + 1 + lead);
  starts.push(sent.length + 1 + lead);
  return { view: viewOf(bytes), starts, gap: 1 + 2 * lead };
}

/** A field of all records of a part, as values. */
export function columnValues(columns: ResultColumns, part: Part, name: string): unknown[] {
  const sent = columnOf(columns, part, name);
  if (!sent) return [];
  const column = part.fields.get(name)!;
  if (column.type === 'integer') return integersOf(sent, column);
  const { bytes, starts } = jsonColumn(columns, part, name);
  return JSON.parse(bytes.toString('utf8', 0, starts.at(-1)));
}

const [opening, closing, quote, backslash, comma] = Buffer.from('[]"\\,') as unknown as Iterable<number> &
  [number, number, number, number, number];

type Write = (from: Buffer, start: number, to: Buffer, at: number) => number;

/** How a value is written, and its maximum size in bytes. */
const writers: { [type in FixedType]: { write: Write; bytesMax: number } } = {
  integer: { write: writeInteger, bytesMax: 11 },
  boolean: { write: (from, start, to, at) => writeText(from[start] === 0 ? 'false' : 'true', to, at), bytesMax: 5 },
  uuid: { write: writeUuid, bytesMax: 38 },
  dateTime: { write: writeTime, bytesMax: 29 },
};

interface Fixed {
  type: FixedType;
  nullable: boolean;
}

function fixedColumn(sent: Buffer, count: number, { type, nullable }: Fixed): JsonColumn {
  const { write, bytesMax } = writers[type];
  const valueBytes = fixedTypes[type].bytes;
  const bytes = Buffer.allocUnsafe(2 + count * (bytesMax + 1) + roomBytes);
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

/** Reads integers directly, without JSON; they are the keys of relations. */
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

/** Bytes that JSON escapes, and those that stand for null and between texts. */
const isSpecial = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 0x20 || byte === quote || byte === backslash || byte === betweenTexts),
);

/** Converts in place: the separator of two texts has as many bytes as `","`. Undefined if a text needs escaping. */
function textColumn(sent: Buffer): JsonColumn | undefined {
  const bytes = Buffer.allocUnsafe(sent.length + 4 + roomBytes);
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
    const textEnd = sent.indexOf(betweenTexts, start);
    end = textEnd < 0 ? sent.length : textEnd;
    texts.push(sent[start] === noText && start < end ? null : sent.toString('utf8', start, end));
  }
  return texts;
}

function valuesColumn(values: readonly unknown[]): JsonColumn {
  const texts = values.map((value) => JSON.stringify(value));
  const starts = [1];
  for (const [index, text] of texts.entries()) starts.push(starts[index]! + Buffer.byteLength(text) + 1);
  return { bytes: Buffer.from(`[${texts.join()}]${' '.repeat(roomBytes)}`), starts };
}
