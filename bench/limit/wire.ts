/**
 * Prepared statements by the wire protocol itself (PostgreSQL's documentation, chapter 54): `pg` opens the connection, and
 * then stands aside. Parameters are arrays that are written once, into one buffer; of rows only what is asked for is read.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

/** How a parameter is sent: arrays, one member for each who asks, or one text for all. */
type Kind = 'bytea[]' | 'text[]' | 'uuid[]' | 'text';
/** Of a row: a `bigint` below 2³², or text of one byte a character. */
export type Cell = number | string;

export interface Statement {
  name: string;
  text: string;
  kinds: readonly Kind[];
  /** The first column is the place of who asked, from 1, as `bigint`; the others are text. */
  columns: number;
}

export interface Wire {
  /** One at a time. */
  run(
    values: readonly (readonly (Buffer | string)[] | string)[],
    callback: (error: Error | undefined, rows: Cell[][]) => void,
  ): void;
}

const oids = { 'bytea[]': 17, 'text[]': 25 } as const;
const code = (letter: string): number => letter.charCodeAt(0);
const [bindMessage, executeMessage, syncMessage] = [code('B'), code('E'), code('S')];
const [rowMessage, errorMessage, readyMessage] = [code('D'), code('E'), code('Z')];

export async function openWire(connectionString: string, { name, text, kinds, columns }: Statement): Promise<Wire> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  // named statements live as long as their connection; this parses and describes it
  await client.query(`prepare ${name} as ${text}`);
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  let callback: ((error: Error | undefined, rows: Cell[][]) => void) | undefined;
  let rows: Cell[][] = [];
  let failure: Error | undefined;
  let rest: Buffer | undefined;

  stream.on('data', (received: Buffer) => {
    const data = rest ? Buffer.concat([rest, received]) : received;
    let at = 0;
    while (data.length - at >= 5) {
      const end = at + 1 + data.readUInt32BE(at + 1);
      if (end > data.length) break;
      const type = data[at]!;
      if (type === rowMessage) rows.push(readRow(data, at + 7));
      else if (type === errorMessage) failure = new Error(data.toString('latin1', at + 5, end));
      else if (type === readyMessage) settle();
      at = end;
    }
    rest = at < data.length ? data.subarray(at) : undefined;
  });

  function settle(): void {
    const [answered, found, error] = [callback!, rows, failure];
    [callback, rows, failure] = [undefined, [], undefined];
    answered(error, found);
  }

  const head = bindHead(name, kinds, columns);
  const out = Buffer.allocUnsafeSlow(64 * 1_024);
  head.copy(out);
  const results = resultFormats(columns);
  return {
    run(values, answered) {
      callback = answered;
      let at = head.length;
      for (const [index, value] of values.entries()) at = writeValue(out, at, kinds[index]!, value);
      results.copy(out, at);
      at += results.length;
      out.writeUInt32BE(at - 1, 1);
      executeAndSync.copy(out, at);
      // the buffer is written over at the next run, when the answer is there
      stream.write(out.subarray(0, at + executeAndSync.length));
    },
  };
}

/** Of a Bind: everything up to the first value. */
function bindHead(name: string, kinds: readonly Kind[], columns: number): Buffer {
  if (columns < 1) throw new Error('no column');
  const formats = kinds.map((kind) => (kind in oids ? 1 : 0));
  const head = Buffer.alloc(5 + 1 + name.length + 1 + 2 + 2 * kinds.length + 2);
  head[0] = bindMessage;
  head.write(name, 6, 'latin1');
  let at = 5 + 1 + name.length + 1;
  for (const number of [kinds.length, ...formats, kinds.length]) at = head.writeUInt16BE(number, at);
  return head;
}

function resultFormats(columns: number): Buffer {
  const formats = Buffer.alloc(2 + 2 * columns);
  formats.writeUInt16BE(columns, 0);
  formats.writeUInt16BE(1, 2);
  return formats;
}

const executeAndSync = Buffer.from([executeMessage, 0, 0, 0, 9, 0, 0, 0, 0, 0, syncMessage, 0, 0, 0, 4]);

function writeValue(out: Buffer, start: number, kind: Kind, value: readonly (Buffer | string)[] | string): number {
  if (kind === 'bytea[]' || kind === 'text[]') return writeArray(out, start, oids[kind], value as (Buffer | string)[]);
  const text = kind === 'uuid[]' ? `{${(value as string[]).join(',')}}` : (value as string);
  out.writeUInt32BE(text.length, start);
  return start + 4 + out.write(text, start + 4, 'latin1');
}

/** One dimension, no nulls, from 1. */
function writeArray(out: Buffer, start: number, oid: number, values: readonly (Buffer | string)[]): number {
  let at = start + 4;
  for (const number of [1, 0, oid, values.length, 1]) at = out.writeUInt32BE(number, at);
  for (const value of values) {
    const length = typeof value === 'string' ? out.write(value, at + 4) : value.copy(out, at + 4);
    out.writeUInt32BE(length, at);
    at += 4 + length;
  }
  out.writeUInt32BE(at - start - 4, start);
  return at;
}

/** @param start behind the number of columns */
function readRow(data: Buffer, start: number): Cell[] {
  const row: Cell[] = [data.readUInt32BE(start + 8)];
  let at = start + 12;
  const columns = data.readUInt16BE(start - 2);
  for (let column = 1; column < columns; column++) {
    const length = data.readUInt32BE(at);
    row.push(data.toString('latin1', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return row;
}
