/** Writes the answer of a request around nodes that are already JSON. */
import {
  columnValues,
  countOf,
  fieldTexts,
  literal,
  type Part,
  type ResultColumns,
  roomBytes,
  type Texts,
  viewOf,
} from './columns.js';
import { type RecordBytes, RecordFormat } from './recordBytes.js';

/** The records of a statement. */
interface ReadRecords {
  root: Part;
  columns: ResultColumns;
  /** One for each record, if the query selects cursors. */
  cursors: readonly string[];
}

/** Some of the records, by their indexes. */
export interface RecordsOfPage {
  members: readonly number[];
  rows?: ReadRecords;
}

/** The members of a record's JSON, in order. */
export type Template = readonly TemplateMember[];

interface TemplateMember {
  key: string;
  /** Constant JSON; or a field; or a to-one relation with the members of its record; or the cursor or the record of an edge. */
  says:
    | { json: string }
    | { field: string }
    | { relation: string; template: Template }
    | { cursor: true }
    | { node: Template };
}

/** The records of a part of the statement. */
function bytesOf({ root, columns, cursors }: ReadRecords, template: Template): RecordBytes {
  const open = (part: Part, template: Template): RecordBytes => {
    const format = new RecordFormat();
    const addAll = (members: Template): void => {
      members.forEach(({ key, says }, index) => {
        format.addSame(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
        if ('json' in says) format.addSame(says.json);
        else if ('node' in says) addAll(says.node);
        else if ('field' in says) format.add({ texts: fieldTexts(columns, part, says.field) });
        else if ('cursor' in says) format.add({ texts: cursorTexts(cursors) });
        else {
          const { relation, part: joined } = part.toOne.find(({ relation }) => relation.name === says.relation)!;
          const places = placesOf(
            columnValues(columns, part, relation.from),
            columnValues(columns, joined, relation.to),
          );
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

/** The index of the record with each key; -1: none. */
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

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** Answers contain no NUL: PostgreSQL stores none, and none is accepted. */
const placeholder = '\0';
const writtenPlaceholder = JSON.stringify(placeholder);

export class AnswerBytes {
  readonly #records = new Map<ReadRecords, Map<Template, RecordBytes>>();
  /** In the order in which JSON.stringify visits them. */
  #lists: RecordList[] = [];

  /** The nodes of a connection, or its edges. */
  records({ rows, members }: RecordsOfPage, template: Template): RecordList {
    return new RecordList(rows && this.#bytesOf(rows, template), members, (list) => this.#lists.push(list));
  }

  /** Returns the JSON of the answer and a line's end, as UTF-8 if the answer has such nodes. Call it once. */
  write(answer: unknown): string | Buffer {
    this.#lists = [];
    const json = `${JSON.stringify(answer)}\n`;
    if (this.#lists.length === 0) return json;
    return fill(json.split(writtenPlaceholder), this.#lists);
  }

  /** Made once for all pages of the records. */
  #bytesOf(rows: ReadRecords, template: Template): RecordBytes {
    const cached = this.#records.get(rows) ?? new Map<Template, RecordBytes>();
    this.#records.set(rows, cached);
    const bytes = cached.get(template) ?? bytesOf(rows, template);
    cached.set(template, bytes);
    return bytes;
  }
}

/** A JSON array of records. */
class RecordList {
  constructor(
    private readonly records: RecordBytes | undefined,
    private readonly members: readonly number[],
    private readonly onWritten: (list: RecordList) => void,
  ) {}

  /** Writes a placeholder for the array. */
  toJSON(): string {
    this.onWritten(this);
    return placeholder;
  }

  get length(): number {
    let length = 2 + Math.max(0, this.members.length - 1);
    for (const member of this.members) length += this.records!.lengthOf(member);
    return length;
  }

  /** Returns the place after it. */
  writeTo(to: DataView, start: number): number {
    let at = start;
    to.setUint8(at++, opening);
    this.members.forEach((member, index) => {
      if (index > 0) to.setUint8(at++, comma);
      at = this.records!.write(member, to, at);
    });
    to.setUint8(at++, closing);
    return at;
  }
}

/** @param parts of the answer; a list is written between each two */
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
