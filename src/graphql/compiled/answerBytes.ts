/** An answer whose nodes are partly JSON already, and the writing of it around them: one object for each request. */

import { roomBytes } from '../../services/graphReads/copyBytes.js';
import type { ResultSet } from '../../services/graphReads/resultSet.js';
import type { Connection } from '../resolving/connection.js';
import { RecordBytes } from './recordBytes.js';
import type { Template } from './template.js';
import { Workspace } from './workspace.js';

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
  records({ page: { found, members } }: Connection, template: Template): RecordList {
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
