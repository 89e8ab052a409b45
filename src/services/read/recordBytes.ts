/** Writes records of a compiled query as bytes. */
import { type Columns, countOf } from './columns.js';
import { copy, jsonColumn, type Literal, literal, roomBytes, type Take, type Texts, viewOf } from './jsonColumns.js';
import type { Part } from './projection.js';
import { type Page, type ResultSet, valuesOf } from './resultSet.js';

/** What the JSON of a record says: its members in their order. */
export type Template = readonly TemplateMember[];

interface TemplateMember {
  key: string;
  /**
   * JSON that each record says; or a field; or a relation to one and what is said of the record it leads to; or, of an
   * edge, its cursor or its record.
   */
  says:
    | { json: string }
    | { field: string }
    | { relation: string; template: Template }
    | { cursor: true }
    | { node: Template };
}

/**
 * Memory in which answers are put together, used again by the next ones. V8 collects the whole heap each time that 64 MB
 * were allocated outside of it, however soon they are free: a third of the processor that large answers took.
 */
const blockBytes = 512 * 1024;
/** Kept for the next: as many as large answers are usually under way. */
const spareMax = 16;
const spare: Buffer[] = [];
/** Small answers take no block: Node has a pool of its own for what is smaller. */
const leastBytes = 4 * 1024;

/** Of one answer. */
class Workspace {
  #blocks: Buffer[] = [];
  /** Of the last block. */
  #usedBytes = 0;
  #isClosed = false;

  /** Bytes that may hold anything, for as long as the workspace is open. */
  take(bytes: number): Buffer {
    if (this.#isClosed || bytes < leastBytes || bytes > blockBytes) return Buffer.allocUnsafe(bytes);
    if (this.#blocks.length === 0 || this.#usedBytes + bytes > blockBytes) {
      this.#blocks.push(spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes));
      this.#usedBytes = 0;
    }
    const start = this.#usedBytes;
    this.#usedBytes += bytes;
    return this.#blocks.at(-1)!.subarray(start, this.#usedBytes);
  }

  /** What was taken belongs to others then. */
  close(): void {
    this.#isClosed = true;
    spare.push(...this.#blocks.splice(0, spareMax - spare.length));
    this.#blocks = [];
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }
}

/**
 * Records as JSON in UTF-8, put together from columns: bytes go from place to place, without a string or an object for
 * any value, which the collector would have to clear away.
 */

/** What a record says: the same bytes before, then a text of its own, or another record. */
interface Member {
  before: Literal;
  texts: Texts | undefined;
  related: Related | undefined;
}

interface Related {
  records: RecordBytes;
  /** Which one each record leads to; -1: none. */
  places: Int32Array;
}

/** The texts of all records of a part, written when and where they are wanted. A column of bytes or of JSON has none. */
class RecordBytes {
  readonly #members: Member[] = [];
  readonly #after: Literal;
  /** Of what all of them say. */
  readonly #sameLength: number;
  /** By record, of those that others lead to: its length, and where it stands in the answer already. */
  readonly #lengths: Int32Array;
  readonly #written: Int32Array;

  /**
   * @param take gives what it uses until all is written
   * @param cursors of the records, where the template has one
   */
  constructor(columns: Columns, part: Part, template: Template, take: Take, cursors: readonly string[] = []) {
    let same = '';
    const add = (members: Template): void => {
      members.forEach(({ key, says }, index) => {
        same += `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
        if ('json' in says) same += says.json;
        else if ('node' in says) add(says.node);
        else {
          const before = literal(same);
          same = '';
          const related = 'relation' in says ? relatedRecords(columns, part, says, take) : undefined;
          const texts = 'field' in says ? fieldTexts(columns, part, says.field, take) : undefined;
          this.#members.push({
            before,
            related,
            texts: texts ?? ('cursor' in says ? cursorTexts(cursors) : undefined),
          });
        }
      });
      same += '}';
    };
    add(template);
    this.#after = literal(same);
    const count = countOf(columns, part);
    this.#lengths = new Int32Array(count);
    this.#written = new Int32Array(count).fill(-1);
    this.#sameLength = this.#members.reduce((length, { before }) => length + before.length, this.#after.length);
  }

  lengthOf(record: number): number {
    let length = this.#sameLength;
    for (const { texts, related } of this.#members) {
      if (texts) length += texts.starts[record + 1]! - texts.starts[record]! - 1;
      else length += related!.records.#lengthOfRelated(related!.places[record]!);
    }
    return length;
  }

  /** Gives the place past the end. What is written later must come behind. */
  write(record: number, to: DataView, start: number): number {
    let at = start;
    for (const { before, texts, related } of this.#members) {
      at = copy(before.view, 0, before.length, to, at);
      if (texts) at = copy(texts.view, texts.starts[record]!, texts.starts[record + 1]! - 1, to, at);
      else at = related!.records.#writeRelated(related!.places[record]!, to, at);
    }
    return copy(this.#after.view, 0, this.#after.length, to, at);
  }

  #lengthOfRelated(record: number): number {
    if (record < 0) return nothing.length;
    if (this.#lengths[record] === 0) this.#lengths[record] = this.lengthOf(record);
    return this.#lengths[record]!;
  }

  /** A second time from where it was written first. */
  #writeRelated(record: number, to: DataView, at: number): number {
    if (record < 0) return copy(nothing.view, 0, nothing.length, to, at);
    const before = this.#written[record]!;
    if (before >= 0) return copy(to, before, before + this.#lengths[record]!, to, at);
    this.#written[record] = at;
    return this.write(record, to, at);
  }
}

const nothing = literal('null');

function fieldTexts(columns: Columns, part: Part, field: string, take: Take): Texts {
  const { bytes, starts } = jsonColumn(columns, part, field, take);
  return { view: viewOf(bytes), starts };
}

/** Of texts that JSON writes as they are. */
function cursorTexts(cursors: readonly string[]): Texts {
  const { view } = literal(cursors.map((text) => `"${text}"`).join());
  const starts = [0];
  for (const [index, { length }] of cursors.entries()) starts.push(starts[index]! + length + 3);
  return { view, starts };
}

interface Leads {
  relation: string;
  template: Template;
}

function relatedRecords(columns: Columns, part: Part, { relation: name, template }: Leads, take: Take): Related {
  const { relation, part: joined } = part.toOne.find((candidate) => candidate.relation.name === name)!;
  const found = new Map<unknown, number>();
  for (const key of valuesOf(columns, joined, relation.to)) found.set(key, found.size);
  const keys = valuesOf(columns, part, relation.from);
  const places = new Int32Array(keys.length);
  for (let record = 0; record < places.length; record++) places[record] = found.get(keys[record]) ?? -1;
  return { records: new RecordBytes(columns, joined, template, take), places };
}

/** An answer whose nodes are partly JSON already, and the writing of it around them: one object for each request. */

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** Nothing that is answered holds a NUL: PostgreSQL stores none, and none is taken. */
const placeholder = '\0';
const writtenPlaceholder = JSON.stringify(placeholder);

export class AnswerBytes {
  readonly #workspace = new Workspace();
  readonly #take = (bytes: number): Buffer => this.#workspace.take(bytes);
  readonly #records = new Map<ResultSet, Map<Template, RecordBytes>>();
  /** In the order in which JSON.stringify comes to them. */
  #lists: RecordList[] = [];

  /** The nodes of a connection, or its edges. */
  records({ found, members }: Page, template: Template): RecordList {
    return new RecordList(found && this.#bytesOf(found, template), members, (list) => this.#lists.push(list));
  }

  /** The JSON of the answer and a line's end: in UTF-8 where it holds such nodes, which are written once. */
  write(answer: unknown): string | Buffer {
    this.#lists = [];
    const json = `${JSON.stringify(answer)}\n`;
    if (this.#lists.length === 0) return json;
    if (this.#workspace.isClosed) throw new Error('the nodes of an answer are written once');
    try {
      return fill(json.split(writtenPlaceholder), this.#lists);
    } finally {
      this.#workspace.close();
    }
  }

  /** Made once for all pages of the records found. */
  #bytesOf(found: ResultSet, template: Template): RecordBytes {
    const known = this.#records.get(found) ?? new Map<Template, RecordBytes>();
    this.#records.set(found, known);
    const bytes =
      known.get(template) ?? new RecordBytes(found.columns, found.root, template, this.#take, found.cursors);
    known.set(template, bytes);
    return bytes;
  }
}

/** A JSON array of records. */
class RecordList {
  readonly #records: RecordBytes | undefined;
  readonly #members: readonly number[];
  readonly #onWritten: (list: RecordList) => void;

  constructor(records: RecordBytes | undefined, members: readonly number[], onWritten: (list: RecordList) => void) {
    this.#records = records;
    this.#members = members;
    this.#onWritten = onWritten;
  }

  /** Leaves a placeholder where the array belongs. */
  toJSON(): string {
    this.#onWritten(this);
    return placeholder;
  }

  get length(): number {
    let length = 2 + Math.max(0, this.#members.length - 1);
    for (const member of this.#members) length += this.#records!.lengthOf(member);
    return length;
  }

  /** Gives the place past its end. */
  writeTo(to: DataView, start: number): number {
    let at = start;
    to.setUint8(at++, opening);
    this.#members.forEach((member, index) => {
      if (index > 0) to.setUint8(at++, comma);
      at = this.#records!.write(member, to, at);
    });
    to.setUint8(at++, closing);
    return at;
  }
}

/** @param parts of the answer, with a list between each two */
function fill(parts: string[], lists: RecordList[]): Buffer {
  if (parts.length !== lists.length + 1) throw new Error('the answer holds a NUL');
  const length = lists.reduce((sum, list) => sum + list.length, Buffer.byteLength(parts.join('')));
  const buffer = Buffer.allocUnsafe(length + roomBytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = 0;
  parts.forEach((part, index) => {
    at += buffer.write(part, at);
    if (index < lists.length) at = lists[index]!.writeTo(view, at);
  });
  return buffer.subarray(0, length);
}
