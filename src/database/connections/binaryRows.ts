/**
 * Rows that PostgreSQL sends in binary form, for statements with pg's `binary: true`: values are their bytes. pg's own
 * parser makes UTF-8 of every value, whatever its form, and loses what isn't.
 */
import type pg from 'pg';
import { type Message, MessageParser, parseBy } from '../statements/pgInside.js';

// https://www.postgresql.org/docs/18/protocol-message-formats.html
const rowDescription = 'T'.charCodeAt(0);
const dataRow = 'D'.charCodeAt(0);
const headerBytes = 5;
/** What ends a statement comes behind its last row. */
const behindRowBytes = 256;
/** Kept by a connection. */
const roomBytesMax = 512 * 1024;

class BinaryRowParser extends MessageParser {
  #isBinary = false;
  #room = Buffer.alloc(0);

  /** A long row is put together in room that is there already, for its values are copied out of it; pg doubles new room until it fits. */
  override mergeBuffer(chunk: Buffer): void {
    const { buffer, bufferOffset, bufferLength } = this;
    const isRow = this.#isBinary && bufferLength >= headerBytes && buffer[bufferOffset] === dataRow;
    if (isRow && buffer !== this.#room) {
      const wanted = 1 + buffer.readUInt32BE(bufferOffset + 1) + behindRowBytes;
      if (wanted <= roomBytesMax) {
        if (this.#room.length < wanted) this.#room = Buffer.allocUnsafeSlow(wanted);
        buffer.copy(this.#room, 0, bufferOffset, bufferOffset + bufferLength);
        this.buffer = this.#room;
        this.bufferOffset = 0;
      }
    }
    super.mergeBuffer(chunk);
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message {
    if (code === dataRow && this.#isBinary) return { name: 'dataRow', length, fields: readValues(bytes, offset) };
    const message = super.handlePacket(offset, code, length, bytes);
    if (code === rowDescription)
      this.#isBinary = (message.fields as pg.FieldDef[]).some(({ format }) => format === 'binary');
    return message;
  }
}

/** The bytes are the parser's: whoever keeps them takes a copy, as pg does. */
function readValues(bytes: Buffer, offset: number): (Buffer | null)[] {
  const values: (Buffer | null)[] = new Array(bytes.readInt16BE(offset));
  let at = offset + 2;
  for (let column = 0; column < values.length; column++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    values[column] = length < 0 ? null : bytes.subarray(at, at + length);
    at += Math.max(0, length);
  }
  return values;
}

/** Call it before the client connects. */
export const readBinaryRows = (client: pg.Client): void => parseBy(client, BinaryRowParser);
