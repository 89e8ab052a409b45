/**
 * Stands between the service and PostgreSQL and reads their talk (protocol 3, unencrypted), so that a test can break it at
 * the boundary of any statement: https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeAtEnd } from './lifetimes.js';

/**
 * cutBefore: the connection ends before the server has the statement. cutAfter: the server did it, and its answer is lost.
 * cutWithin: the answer breaks off. sqlState: the server's refusal, without doing it. pass: when it resolves.
 */
export type Fault = 'cutBefore' | 'cutAfter' | 'cutWithin' | { sqlState: string } | { pass: Promise<void> };

export interface DatabaseProxy {
  url: string;
  /** Asked for each statement before the server has it. */
  fault: ((text: string) => Fault | undefined) | undefined;
  /** The statements that the server had since the last call. */
  takeStatements(): string[];
  /** The statements that were prepared under a name so far. */
  named: Set<string>;
  close(): Promise<void>;
}

const untyped = 0;
const [bind, close, describe, execute, parse, query, ready] = [...'BCDEPQZ'].map((letter) => letter.charCodeAt(0));

/** What comes before the Execute, Flush or Sync of one statement. */
const partial = [bind, close, describe, execute, parse];

/**
 * The look at the keys and the notes of clients' uses, for which no request waits, and what prepares a connection, which they
 * may have opened: neither reported nor cut.
 */
const ofNoRequest = /^select kid, alg, state|^with used as|^set jit = off; .*show transaction_read_only$/;

interface Message {
  type: number;
  bytes: Buffer;
}

/** Cuts a stream into messages; the first of a client has no type. */
function openReader(hasUntypedFirst: boolean): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  let isFirst = hasUntypedFirst;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const start = isFirst ? 0 : 1;
      if (rest.length < start + 4) return messages;
      const length = start + rest.readUInt32BE(start);
      if (rest.length < length) return messages;
      messages.push({ type: isFirst ? untyped : rest[0]!, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
      isFirst = false;
    }
  };
}

/** The text that ends with a zero byte, from `start`. */
const textAt = (bytes: Buffer, start: number): string => bytes.toString('utf8', start, bytes.indexOf(0, start));

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let statements: string[] = [];
  const server = createServer((client) => serve(client, connect(Number(target.port || 5432), target.hostname)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: DatabaseProxy = {
    url: url.href,
    fault: undefined,
    takeStatements: () => statements.splice(0),
    named: new Set(),
    close: closeAtEnd(async () => {
      for (const socket of open) socket.destroy();
      statements = [];
      server.close();
      await once(server, 'close');
    }),
  };

  function serve(client: Socket, database: Socket): void {
    const cut = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', cut).on('close', () => {
        open.delete(socket);
        cut();
      });
    }
    const prepared = new Map<string, string>();
    const readClient = openReader(true);
    const readDatabase = openReader(false);
    let onAnswer: ((bytes: Buffer) => void) | undefined;
    let group: Buffer[] = [];
    let text: string | undefined;
    let turn = Promise.resolve();

    client.on('data', (chunk: Buffer) => {
      for (const message of readClient(chunk)) {
        note(message);
        group.push(message.bytes);
        if (!partial.includes(message.type)) passOn();
      }
    });
    database.on('data', (chunk: Buffer) => {
      if (onAnswer) onAnswer(chunk);
      else client.write(chunk);
    });

    function note({ type, bytes }: Message): void {
      if (type === parse) {
        const name = textAt(bytes, 5);
        const parsed = textAt(bytes, 6 + Buffer.byteLength(name));
        prepared.set(name, parsed);
        if (name !== '') proxy.named.add(parsed);
      }
      if (type === bind) text = prepared.get(textAt(bytes, 6 + Buffer.byteLength(textAt(bytes, 5))));
      if (type === query) text = textAt(bytes, 5);
    }

    /** All that was sent for one statement, in order. */
    function passOn(): void {
      const [bytes, statement] = [Buffer.concat(group), text];
      group = [];
      text = undefined;
      turn = turn.then(() => send(bytes, statement));
    }

    async function send(bytes: Buffer, statement: string | undefined): Promise<void> {
      if (statement && ofNoRequest.test(statement)) return void database.write(bytes);
      const fault = statement === undefined ? undefined : proxy.fault?.(statement);
      if (fault === 'cutBefore') {
        client.resetAndDestroy();
        return cut();
      }
      if (typeof fault === 'object' && 'sqlState' in fault) return void client.write(refusal(fault.sqlState));
      if (typeof fault === 'object') await fault.pass;
      if (fault === 'cutAfter' || fault === 'cutWithin') onAnswer = untilReady(fault);
      if (statement !== undefined) statements.push(statement);
      database.write(bytes);
    }

    function untilReady(fault: 'cutAfter' | 'cutWithin'): (chunk: Buffer) => void {
      let isBegun = false;
      return (chunk) => {
        if (fault === 'cutWithin' && !isBegun) client.write(chunk.subarray(0, 7));
        isBegun = true;
        if (readDatabase(chunk).some(({ type }) => type === ready)) client.end(() => cut());
      };
    }
  }
  return proxy;
}

/** ErrorResponse and ReadyForQuery. */
function refusal(sqlState: string): Buffer {
  const fields = Buffer.from(`SERROR\0VERROR\0C${sqlState}\0Mas the test wishes\0\0`);
  const error = Buffer.alloc(5);
  error.write('E');
  error.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([error, fields, Buffer.from([ready!, 0, 0, 0, 5, 'I'.charCodeAt(0)])]);
}
