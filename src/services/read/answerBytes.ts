/** An answer whose nodes are partly JSON already, and the writing of it around them: one object for each request. */
import {
  countOf,
  fieldTexts,
  literal,
  type Part,
  roomBytes,
  type Take,
  type Texts,
  valuesOf,
  viewOf,
} from './columns.js';
import type { Page, ResultSet } from './projection.js';
import { type RecordBytes, RecordFormat } from './recordBytes.js';

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

/** The records of a part of the statement. @param take gives memory that is used until all is written */
function bytesOf({ root, columns, cursors }: ResultSet, template: Template, take: Take): RecordBytes {
  const open = (part: Part, template: Template): RecordBytes => {
    const format = new RecordFormat();
    const addAll = (members: Template): void => {
      members.forEach(({ key, says }, index) => {
        format.addSame(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
        if ('json' in says) format.addSame(says.json);
        else if ('node' in says) addAll(says.node);
        else if ('field' in says) format.add({ texts: fieldTexts(columns, part, says.field, take) });
        else if ('cursor' in says) format.add({ texts: cursorTexts(cursors) });
        else {
          const { relation, part: joined } = part.toOne.find(({ relation }) => relation.name === says.relation)!;
          const places = placesOf(valuesOf(columns, part, relation.from), valuesOf(columns, joined, relation.to));
          format.add({ places, records: open(joined, says.template) });
        }
      });
      format.addSame('}');
    };
    addAll(template);
    return format.close(countOf(columns, part));
  };
  return open(root, template);
}

/** Which of the records has each key; -1: none. */
function placesOf(keys: readonly unknown[], records: readonly unknown[]): Int32Array {
  const placeOfKey = new Map<unknown, number>();
  for (const key of records) placeOfKey.set(key, placeOfKey.size);
  const places = new Int32Array(keys.length);
  for (let place = 0; place < places.length; place++) places[place] = placeOfKey.get(keys[place]) ?? -1;
  return places;
}

/** Texts that JSON does not escape, in quotes. */
function cursorTexts(cursors: readonly string[]): Texts {
  const { view } = literal(cursors.map((text) => `"${text}"`).join());
  const starts = [0];
  for (const [index, { length }] of cursors.entries()) starts.push(starts[index]! + length + 3);
  return { view, starts, gap: 1 };
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

/** Limit for one answer. */
class Workspace {
  #blocks: Buffer[] = [];
  /** In the last block. */
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
  records({ rows, members }: Page, template: Template): RecordList {
    return new RecordList(rows && this.#bytesOf(rows, template), members, (list) => this.#lists.push(list));
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
  #bytesOf(rows: ResultSet, template: Template): RecordBytes {
    const cached = this.#records.get(rows) ?? new Map<Template, RecordBytes>();
    this.#records.set(rows, cached);
    const bytes = cached.get(template) ?? bytesOf(rows, template, this.#take);
    cached.set(template, bytes);
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

  /** Returns the place after it. */
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
  const view = viewOf(buffer);
  let at = 0;
  parts.forEach((part, index) => {
    at += buffer.write(part, at);
    if (index < lists.length) at = lists[index]!.writeTo(view, at);
  });
  return buffer.subarray(0, length);
}
