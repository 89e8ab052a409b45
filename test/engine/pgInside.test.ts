/** The parts of pg that its types don't have: a version of pg without one of them fails here by the part's name. */
import pg from 'pg';
import Cursor from 'pg-cursor';
import { MessageParser, parseBy } from '../../src/engine/pgInside.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

/** How a value by its path is there: the type of each part that is read, called or replaced. */
const typesOf = (whole: unknown, paths: readonly string[]): [string, string][] =>
  paths.map((path) => {
    const value = path.split('.').reduce((part, name) => (part as Record<string, unknown>)?.[name], whole);
    return [path, typeof value];
  });

it('a client has the address and the numbers by which its statement is cancelled, and its connection', async () => {
  const { url } = await createMigratedDatabase();
  const client = new pg.Client(url);
  await client.connect();
  closeAtEnd(() => client.end());
  await client.query({ name: 'named', text: 'select 1' });
  const expected = {
    host: 'string',
    port: 'number',
    ssl: 'boolean',
    processID: 'number',
    secretKey: 'number',
    'connection.stream.destroy': 'function',
    'connection.parsedStatements.named': 'string',
    'connection.bind': 'function',
    'connection.attachListeners': 'function',
  };
  expect(Object.fromEntries(typesOf(client, Object.keys(expected)))).toEqual(expected);
});

it('a connection can be made for a cancellation alone', () => {
  const expected = { connect: 'function', requestSsl: 'function', cancel: 'function', 'stream.destroy': 'function' };
  expect(Object.fromEntries(typesOf(new pg.Connection(), Object.keys(expected)))).toEqual(expected);
});

it('a cursor binds its values when it is submitted', async () => {
  const bound: object[] = [];
  const connection = new Proxy(
    {},
    { get: (_target, name) => (name === 'bind' ? (config: object) => bound.push(config) : () => undefined) },
  );
  new Cursor('select $1', [1]).submit(connection as never);
  expect(bound).toHaveLength(1);
});

it('a parser puts messages together in a buffer of its own, and handles each by its code', async () => {
  const parser = new MessageParser();
  expect(typesOf(parser, ['mergeBuffer', 'parse', 'handlePacket', 'bufferOffset', 'bufferLength'])).toEqual([
    ['mergeBuffer', 'function'],
    ['parse', 'function'],
    ['handlePacket', 'function'],
    ['bufferOffset', 'number'],
    ['bufferLength', 'number'],
  ]);
  expect(Buffer.isBuffer(parser.buffer)).toBe(true);
  const { url } = await createMigratedDatabase();
  const handled = new Set<string>();
  class Watching extends MessageParser {
    override handlePacket(...packet: Parameters<InstanceType<typeof MessageParser>['handlePacket']>) {
      const message = super.handlePacket(...packet);
      handled.add(message.name);
      return message;
    }
  }
  const client = new pg.Client(url);
  parseBy(client, Watching);
  await client.connect();
  closeAtEnd(() => client.end());
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect([...handled]).toEqual(expect.arrayContaining(['rowDescription', 'dataRow']));
});
