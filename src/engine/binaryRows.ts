/**
 * Reads rows in PostgreSQL's binary format, for statements with pg's `binary: true`: values are their bytes. pg's own
 * parser decodes every value as UTF-8, whatever its format, and corrupts other bytes.
 */
import type pg from 'pg';
import { type Message, MessageParser, parseBy } from './pgInside.js';

// https://www.postgresql.org/docs/18/protocol-message-formats.html
const rowDescription = 'T'.charCodeAt(0);
const dataRow = 'D'.charCodeAt(0);
const headerBytes = 5;
/** The messages that end a statement follow its last row. */
const behindRowBytes = 256;
/** Maximum size of the reused buffer of a connection. */
const roomBytesMax = 512 * 1024;

class BinaryRowParser extends MessageParser {
  #isBinary = false;
  #room = Buffer.alloc(0);

  /** A long row is assembled in a reused buffer, since its values are copied out; pg allocates and doubles a new one until it fits. */
  override mergeBuffer(chunk: Buffer): void {
    const { buffer, bufferOffset, bufferLength } = this;
    const isRow = this.#isBinary && bufferLength >= headerBytes && buffer[bufferOffset] === dataRow;
    if (isRow && buffer !== this.#room) {
      const size = 1 + buffer.readUInt32BE(bufferOffset + 1) + behindRowBytes;
      if (size <= roomBytesMax) {
        if (this.#room.length < size) this.#room = Buffer.allocUnsafeSlow(size);
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

/** Returns bytes in the parser's buffer: copy them to keep them, as pg does. */
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
