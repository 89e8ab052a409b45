/** Declares the internals of `pg` that Gatehouse uses; test/engine/pgInside checks each with every new version of pg. */
import type { EventEmitter } from 'node:events';
import { connect, isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import type Cursor from 'pg-cursor';
import { Parser } from 'pg-protocol/dist/parser.js';

/** A client with its internals. */
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
  stream: { destroy(error?: Error): void };
  ssl: pg.ConnectionConfig['ssl'];
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
  /** Buffer of incomplete messages, from an offset on. */
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
  mergeBuffer(chunk: Buffer): void;
  parse(chunk: Buffer, onMessage: (message: Message) => void): void;
  /** @param offset where the message's body begins */
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
}
/** Reads the messages of a connection. */
export const MessageParser = Parser as unknown as new () => InnerParser;

const inside = (client: pg.ClientBase): InnerClient => client as unknown as InnerClient;

/** Closes the connection without notifying the server. */
export const destroyConnection = (client: pg.ClientBase): void => inside(client).connection.stream.destroy();

/** Compares the certificate of a server with its IP address; the driver compares it with `localhost`. Call it before the client connects. */
export function checkAddress(client: pg.ClientBase): void {
  const inner = inside(client);
  const ssl = inner.ssl === true ? {} : inner.ssl;
  if (!ssl || isIP(inner.host) === 0 || ssl.checkServerIdentity || ssl.rejectUnauthorized === false) return;
  ssl.checkServerIdentity = (_name, certificate) => checkServerIdentity(inner.host, certificate);
  inner.ssl = ssl;
  inner.connection.ssl = ssl;
}

/** Deallocates the connection's prepared statements, in PostgreSQL and in the library. */
export async function forgetPrepared(client: pg.ClientBase): Promise<void> {
  await client.query('deallocate all');
  inside(client).connection.parsedStatements = {};
}

/**
 * Installs a parser for the client's messages. Call it before the client connects. A server that breaks the protocol loses the
 * connection; the error that the driver throws for it would end the process.
 */
export function parseBy(client: pg.ClientBase, Parser: typeof MessageParser): void {
  const { connection } = inside(client);
  connection.attachListeners = (stream) => {
    const parser = new Parser();
    const emit = (message: Message) => {
      // every error of a server has an SQLSTATE; the driver also reports messages of unknown types so
      if (message.name === 'error' && !(message as { code?: string }).code) throw message;
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (chunk: Buffer) => {
      try {
        parser.parse(chunk, emit);
      } catch (error) {
        connection.stream.destroy(error as Error);
      }
    });
  };
}

/** Requests binary results, which pg's cursor has no option for. */
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

/** https://www.postgresql.org/docs/18/protocol-message-formats.html: SSLRequest. A server answers it before anything else. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Whether the client's server does anything with a new connection, as a server that hangs doesn't; one that refuses it does not hang. */
export function isAnswering(client: pg.ClientBase, timeoutMs: number): Promise<boolean> {
  const { host, port } = inside(client);
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const end = (answers: boolean) => {
      clearTimeout(timeoutTimer);
      socket.destroy();
      resolve(answers);
    };
    // reads a pending answer first, since this process may have stood still
    const timeoutTimer = setTimeout(() => setImmediate(end, false), timeoutMs);
    socket.on('data', () => end(true)).on('error', () => end(true));
    socket.on('end', () => end(true)).write(sslRequest);
  });
}

/**
 * Cancels the client's statement with the protocol's cancel request, so that the connection stays usable:
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS. Resolves when the server has read
 * the request, or after the timeout in milliseconds, when the connection is closed anyway.
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
    // the server answers nothing
    request.attachListeners = (stream) => stream.on('data', () => undefined);
    request.on('error', () => undefined);
    request.on('end', () => {
      clearTimeout(timeoutTimer);
      resolve();
    });
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
}
