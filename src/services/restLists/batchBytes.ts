/** A batch of listed records as JSON in UTF-8: bytes of its columns, copied between the keys into one buffer. */
import { copy, type Literal, literal, roomBytes, type Texts, viewOf } from '../graphReads/copyBytes.js';
import { type BatchColumns, type BatchRow, batchSizeOf } from './batchColumns.js';
import { ListBytes } from './listBytes.js';
import type { SharedRecords } from './sharedJson.js';
import { readTexts } from './texts.js';

/** A buffer isn't added to when it is as long as that: few applications with many mappings are in one together. */
const pieceBytes = 1024 * 1024;

const listEnd = literal(']');
const recordEnd = literal('}');

/** What a listed record says: keys that are JSON already, or a list. */
type Part = { before: Literal } & ({ own: Texts } | { list: ListBytes });

export class BatchBytes {
  #shared: ReadonlyMap<string, SharedRecords> | undefined;
  readonly #columns: BatchColumns;

  constructor(columns: BatchColumns) {
    this.#columns = columns;
  }

  /** The records, a comma before each, in buffers of one or more. The first batch must come first. */
  *write(row: BatchRow): Generator<Buffer> {
    const parts = this.#partsOf(row);
    const size = batchSizeOf(row);
    for (let start = 0; start < size; ) {
      let end = start;
      let length = 0;
      while (end < size && length < pieceBytes) length += lengthOf(parts, end++);
      const piece = Buffer.allocUnsafe(length + roomBytes);
      const view = viewOf(piece);
      let at = 0;
      for (; start < end; start++) at = write(parts, start, view, at);
      yield piece.subarray(0, at);
    }
  }

  #partsOf(row: BatchRow): Part[] {
    this.#shared ??= this.#columns.shared.read(row);
    const shared = this.#shared;
    return this.#columns.sections.map((section, index): Part => {
      const before = index === 0 ? ',{' : ',';
      if (!('list' in section)) return { before: literal(before), own: readTexts(row[section.column] as Buffer) };
      const key = `${before}"${section.list.relation.name}":[`;
      return { before: literal(key), list: new ListBytes(row, section.list, shared) };
    });
  }
}

function lengthOf(parts: readonly Part[], record: number): number {
  let length = recordEnd.length;
  for (const part of parts) {
    length += part.before.length;
    if ('list' in part) length += part.list.lengthOf(record) + listEnd.length;
    // without its braces, and what ends a text isn't of it
    else length += part.own.starts[record + 1]! - part.own.starts[record]! - 3;
  }
  return length;
}

/** Gives the place past the end. */
function write(parts: readonly Part[], record: number, to: DataView, start: number): number {
  let at = start;
  for (const part of parts) {
    at = copy(part.before.view, 0, part.before.length, to, at);
    if ('list' in part) {
      at = part.list.write(record, to, at);
      at = copy(listEnd.view, 0, listEnd.length, to, at);
    } else at = copy(part.own.view, part.own.starts[record]! + 1, part.own.starts[record + 1]! - 2, to, at);
  }
  return copy(recordEnd.view, 0, recordEnd.length, to, at);
}
