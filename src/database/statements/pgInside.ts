/** All parts of `pg` that its types don't have; test/database/pgInside names each, so that a version without one is noticed. */
import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type Cursor from 'pg-cursor';
import { Parser } from 'pg-protocol/dist/parser.js';

/** A client, as it is inside. */
interface InnerClient {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig['ssl'];
  sslNegotiation: string;
  processID: number;
  secretKey: number;
  connection: InnerConnection;
}
interface InnerConnection extends EventEmitter {
  stream: { destroy(): void };
  parsedStatements: Record<string, string>;
  bind(config: object): void;
  attachListeners(stream: EventEmitter): void;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export interface Message {
  name: string;
  length: number;
  fields?: unknown;
}
interface InnerParser {
  /** The messages that are not whole yet, from an offset on. */
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
  mergeBuffer(chunk: Buffer): void;
  parse(chunk: Buffer, onMessage: (message: Message) => void): void;
  /** @param offset of the message's body */
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
}
/** Reads the messages of a connection. */
export const MessageParser = Parser as unknown as new () => InnerParser;

const inside = (client: pg.ClientBase): InnerClient => client as unknown as InnerClient;

/** Drops the connection without a word to the server. */
export const destroyConnection = (client: pg.ClientBase): void => inside(client).connection.stream.destroy();

/** Ends all that the connection has prepared, in PostgreSQL and in the library. */
export async function forgetPrepared(client: pg.ClientBase): Promise<void> {
  await client.query('deallocate all');
  inside(client).connection.parsedStatements = {};
}

/** Has the client's messages read by such a parser. Call it before the client connects. */
export function parseBy(client: pg.ClientBase, Parser: typeof MessageParser): void {
  const { connection } = inside(client);
  connection.attachListeners = (stream) => {
    const parser = new Parser();
    const emit = (message: Message) =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    stream.on('data', (chunk: Buffer) => parser.parse(chunk, emit));
  };
}

/** As pg's own queries do with `binary: true`; a cursor has no such option. */
export function askForBytes(cursor: Cursor): void {
  const { submit } = cursor;
  cursor.submit = (connection) => {
    const binding = connection as unknown as InnerConnection;
    const { bind } = binding;
    binding.bind = (config) => bind.call(binding, { ...config, binary: true });
    try {
      submit.call(cursor, connection);
    } finally {
      binding.bind = bind;
    }
  };
}

/**
 * Ends the client's statement by the protocol's own request, so that the connection serves on:
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS. Resolves when the server has read
 * the request, or after the time, in milliseconds: then the connection is given up anyway.
 */
export function requestCancel(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = inside(client);
  const request = new pg.Connection({ ssl, sslNegotiation } as never) as unknown as InnerConnection;
  return new Promise((resolve) => {
    const timeoutTimer = setTimeout(() => request.stream.destroy(), timeoutMs);
    const send = () => request.cancel(processID, secretKey);
    const isDirect = !ssl || sslNegotiation === 'direct';
    request.on('connect', () => {
      if (!ssl) send();
      else if (!isDirect) request.requestSsl();
    });
    request.on('sslconnect', send);
    request.on('error', () => undefined);
    request.on('end', () => {
      clearTimeout(timeoutTimer);
      resolve();
    });
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
}
