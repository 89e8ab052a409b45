/** Whatever answers in the place of PostgreSQL, and whatever PostgreSQL says to a new connection: requests are 503, and the process goes on. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { connect } from '../../src/database/connect.js';
import { toGatehouseError } from '../../src/errors.js';
import { createDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

/** A database behind a way that can be broken. */
async function openThroughWay() {
  const { url } = await createDatabase();
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const way: {
    greeting?: Buffer | undefined;
    answer?: Buffer | undefined;
    translate?(text: string): string;
    cut(): void;
  } = {
    translate: (text) => text,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    const { greeting } = way;
    if (greeting) return void near.once('data', () => near.end(greeting));
    const far = connectSocket(Number(target.port), target.hostname);
    sockets.add(far.on('error', () => near.destroy()).on('close', () => near.destroy()));
    near.on('close', () => far.destroy()).on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) =>
      near.write(way.answer ?? Buffer.from(way.translate!(chunk.toString('latin1')), 'latin1')),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const throughWay = new URL(url);
  throughWay.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = await connect({ url: throughWay.href, poolMax: 1, timeoutMs: 60_000 });
  closeAtEnd(async () => {
    way.cut();
    await opened.close();
    server.close();
  });
  await opened.sql.rows('select 1');
  /** Whether the pool has noticed the loss of its connection. */
  const isEmpty = () => opened.pools.every(({ totalCount }) => totalCount === 0);
  return { way, sql: opened.sql, isEmpty };
}

/** The request that meets the fault is 503, and the next one is answered. */
async function expectUnavailable({ sql, way }: Awaited<ReturnType<typeof openThroughWay>>) {
  const error = await sql.rows('select 2').catch((thrown: unknown) => thrown);
  expect(toGatehouseError(error)).toMatchObject({ status: 503 });
  Object.assign(way, { greeting: undefined, answer: undefined });
  expect(await sql.rows('select 3 as value')).toEqual([{ value: 3 }]);
}

// https://www.postgresql.org/docs/18/protocol-message-formats.html
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const authentication = (kind: number, rest = ''): Buffer =>
  message('R', Buffer.concat([Buffer.from([0, 0, 0, kind]), Buffer.from(rest)]));
const refusal = (code: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0${code && `C${code}\0`}Mas the test wishes\0\0`));

const greetings: { [words: string]: Buffer } = {
  'asks for a log-in that nobody knows': authentication(99),
  'asks for GSSAPI': authentication(7),
  'asks for another SASL mechanism': authentication(10, 'OTHER\0\0'),
  'begins a message of an unknown type': Buffer.from([0xff, 0, 0, 0, 4, 1, 2, 3]),
  'speaks HTTP': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'describes no rows': message('T', Buffer.from([0, 9])),
  ...Object.fromEntries(
    ['', '57P03', '0A000', '22023', '42501', '42704', 'F0000'].map((code) => [
      `refuses with the state ${JSON.stringify(code)}`,
      refusal(code),
    ]),
  ),
};

it.each(Object.keys(greetings))('a server that %s costs a request its answer, and nothing else', async (words) => {
  const opened = await openThroughWay();
  opened.way.greeting = greetings[words];
  opened.way.cut();
  await until(() => opened.isEmpty());
  await expectUnavailable(opened);
});

const answers: { [words: string]: Buffer } = {
  'has a row that is shorter than its values': message('D', Buffer.from([0, 2, 0, 0, 0, 9, 1])),
  'has a description that is too short': message('T', Buffer.from([0, 9, 1])),
  'has a message of an unknown type': Buffer.from([0xff, 0, 0, 0, 4]),
  'has an error without a state': message('E', Buffer.from('SERROR\0VERROR\0Mas the test wishes\0\0')),
  'ends the transaction, which took too long': refusal('25P04'),
  'ends the transaction, which waited too long': refusal('25P03'),
};

it.each(
  Object.keys(answers),
)('an answer that %s costs a request its answer and its connection, and nothing else', async (words) => {
  const opened = await openThroughWay();
  opened.way.answer = answers[words];
  await expectUnavailable(opened);
});

it('a plan that a migration made stale is made anew, whatever language the database speaks', async () => {
  const { way, sql } = await openThroughWay();
  await sql.rows('create table stale as select 1 as one');
  const read = () => sql.rows('select * from stale');
  for (let count = 0; count < 3; count++) expect(await read()).toEqual([{ one: 1 }]);
  let translated = 0;
  way.translate = (text) =>
    // as long as the English ones
    text
      .replace('SERROR\0', 'SFEHLR\0')
      .replace('cached plan must not change result type', () =>
        `Plan ${++translated} mit neuem Ergebnistyp`.padEnd(39, '.'),
      );
  await sql.rows('alter table stale add two int default 2');
  expect(await read()).toEqual([{ one: 1, two: 2 }]);
  expect(translated).toBe(1);
});

it('a statement that is refused costs no connection, whatever language the database speaks', async () => {
  const { way, sql } = await openThroughWay();
  const pid = async () => (await sql.rows<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
  const before = await pid();
  way.translate = (text) => text.replace('SERROR\0', 'SFEHLR\0');
  await expect(sql.rows('select 1 / 0')).rejects.toMatchObject({ severity: 'FEHLR', code: '22012' });
  expect(await pid()).toBe(before);
});
