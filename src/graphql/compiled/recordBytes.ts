/**
 * Records as JSON in UTF-8, put together from the columns that PostgreSQL gave: bytes go from place to place, without a
 * string or an object for any value, which the collector would have to clear away.
 */
import { type Columns, columnOf, countOf, isoTime } from '../../services/graphReads/columns.js';
import type { Part } from '../../services/graphReads/projection.js';
import { valuesOf } from '../../services/graphReads/rows.js';
import type { Template } from './template.js';

/** Texts in one buffer, with some room behind the last. */
interface Texts {
  view: DataView;
  /** Where each begins, and past its end. */
  starts: Int32Array;
  ends: Int32Array;
}

/** A member of all records: the same bytes before, then a text that each has. */
interface Member {
  before: DataView;
  beforeLength: number;
  texts: Texts;
  /** Which text each record has. */
  places: Int32Array;
}

/** The texts of all records of a part, written when and where they are wanted. A column of bytes or of JSON has none. */
export class RecordBytes {
  private readonly members: Member[];
  /** Of what all of them say. */
  private readonly sameLength: number;

  constructor(columns: Columns, part: Part, template: Template) {
    const count = countOf(columns, part);
    const inOrder = new Int32Array(count).map((_, index) => index);
    this.members = template.map(({ key, says }, index): Member => {
      const before = `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
      if ('json' in says) return { ...literal(before), ...sameText(says.json, count) };
      if ('field' in says) return { ...literal(before), texts: valueTexts(columns, part, says.field), places: inOrder };
      return { ...literal(before), ...relatedTexts(columns, part, says.relation, says.template) };
    });
    this.sameLength = this.members.reduce((length, { beforeLength }) => length + beforeLength, 1);
  }

  lengthOf(record: number): number {
    let length = this.sameLength;
    for (const { texts, places } of this.members) {
      const place = places[record]!;
      length += texts.ends[place]! - texts.starts[place]!;
    }
    return length;
  }

  /** Gives the place past the end. What is written later must come behind. */
  write(record: number, to: DataView, start: number): number {
    let at = start;
    for (const { before, beforeLength, texts, places } of this.members) {
      const place = places[record]!;
      at = copy(before, 0, beforeLength, to, at);
      at = copy(texts.view, texts.starts[place]!, texts.ends[place]!, to, at);
    }
    to.setUint8(at, closingBrace);
    return at + 1;
  }
}

/** Room that is needed behind whatever is copied, and behind where it is written: eight bytes go at once. */
export const roomBytes = 8;

/** Gives the place past the end; up to seven bytes more are written over. */
function copy(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const shift = at - start;
  for (let place = start; place < end; place += 8) to.setBigUint64(place + shift, from.getBigUint64(place, true), true);
  return end + shift;
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The text in UTF-8, with room behind it. */
function withRoom(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text) + roomBytes);
  bytes.write(text);
  return bytes;
}

function literal(text: string): Pick<Member, 'before' | 'beforeLength'> {
  const bytes = withRoom(text);
  return { before: viewOf(bytes), beforeLength: bytes.length - roomBytes };
}

function sameText(json: string, count: number): Pick<Member, 'texts' | 'places'> {
  const bytes = withRoom(json);
  const texts = { view: viewOf(bytes), starts: Int32Array.of(0), ends: Int32Array.of(bytes.length - roomBytes) };
  return { texts, places: new Int32Array(count) };
}

/** Each record on the other side is written once; at the end `null`, for those who have none. */
function relatedTexts(
  columns: Columns,
  part: Part,
  name: string,
  template: Template,
): Pick<Member, 'texts' | 'places'> {
  const { relation, part: joined } = part.toOne.find((candidate) => candidate.relation.name === name)!;
  const texts = writeAll(new RecordBytes(columns, joined, template), countOf(columns, joined));
  const found = new Map<unknown, number>();
  for (const key of valuesOf(columns, joined, relation.to)) found.set(key, found.size);
  const keys = valuesOf(columns, part, relation.from);
  const places = new Int32Array(keys.length);
  for (let record = 0; record < places.length; record++) places[record] = found.get(keys[record]) ?? found.size;
  return { texts, places };
}

function writeAll(records: RecordBytes, count: number): Texts {
  const starts = new Int32Array(count + 1);
  const ends = new Int32Array(count + 1);
  let length = 0;
  for (let record = 0; record < count; record++) {
    starts[record] = length;
    length += records.lengthOf(record);
    ends[record] = length;
  }
  starts[count] = length;
  ends[count] = length + nothing.length;
  const bytes = Buffer.allocUnsafe(length + nothing.length + roomBytes);
  const view = viewOf(bytes);
  for (let record = 0; record < count; record++) records.write(record, view, starts[record]!);
  bytes.write(nothing, length);
  return { view, starts, ends };
}

const nothing = 'null';

/** The JSON of each value of a column, as it leaves. */
function valueTexts(columns: Columns, part: Part, field: string): Texts {
  const text = columnOf(columns, part, field) ?? '[]';
  const type = part.fields.get(field)!;
  const count = countOf(columns, part);
  const bytes = withRoom(text);
  const texts = elementsOf(bytes, count, type === 'uuid' ? uuidLength : 0);
  if (type !== 'dateTime' || shortenTimes(bytes, texts)) return texts;
  return elementsOf(withRoom(withIsoTimes(text)), count);
}

const [quote, backslash, comma, closingBrace] = Buffer.from('"\\,}') as unknown as [number, number, number, number];
const [beforeHours, dot, zero, zulu] = Buffer.from('T.0Z') as unknown as [number, number, number, number];

const uuidLength = 36;

/** Of a server that is not in UTC, or of years that have not four digits. */
const withIsoTimes = (text: string): string =>
  text.replaceAll(/"([^"]{1,64})"/g, (_, time: string) => `"${isoTime(time)}"`);

const utc = Buffer.from('+00:00"');

/** In place: `"2026-01-02T03:04:05.6+00:00"` becomes `"2026-01-02T03:04:05.600Z"`. False: there are others among them. */
function shortenTimes(bytes: Buffer, { starts, ends }: Texts): boolean {
  for (let element = 0; element < starts.length; element++) {
    const start = starts[element]!;
    const offset = ends[element]! - utc.length;
    if (bytes[start] !== quote) continue;
    if (
      bytes[start + 11] !== beforeHours ||
      offset > start + 24 ||
      !utc.every((byte, at) => bytes[offset + at] === byte)
    )
      return false;
    bytes[start + 20] = dot;
    bytes.fill(zero, Math.max(offset, start + 21), start + 24);
    bytes[start + 24] = zulu;
    bytes[start + 25] = quote;
    ends[element] = start + 26;
  }
  return true;
}

/** The elements of an array of numbers, texts and names such as `true`, as PostgreSQL writes it: `, ` between them. */
function elementsOf(bytes: Buffer, count: number, quotedLength = 0): Texts {
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const last = bytes.length - roomBytes - 1;
  let at = 1;
  for (let element = 0; element < count; element++) {
    starts[element] = at;
    if (bytes[at] === quote) {
      at += 1 + quotedLength;
      while (at < last && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
      at++;
    } else while (at < last && bytes[at] !== comma) at++;
    ends[element] = at;
    at += 2;
  }
  return { view: viewOf(bytes), starts, ends };
}
