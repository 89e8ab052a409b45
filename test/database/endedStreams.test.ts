/** A list whose connection ends under it, at any moment of its stream, costs a 503 and nothing else: every turn and connection is given back once. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { connect, type Database } from '../../src/database/connect.js';
import { toGatehouseError } from '../../src/errors.js';
import { createDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

const rowsOfList = 5;
const batch = 2;
const list = `select n, repeat('x', 20) as text from generate_series(1, ${rowsOfList}) n`;
// https://www.postgresql.org/docs/18/protocol-error-fields.html
const terminated = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';

/** Passes only so many further bytes of the answers to all connections, then ends them. */
async function startCutter(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  const passed: Buffer[] = [];
  let lastWords = '';
  const server = createServer((near) => {
    const far = connectSocket(Number(target.port), target.hostname);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      passed.push(chunk);
      if (chunk.length < left) {
        left -= chunk.length;
        return void near.write(chunk);
      }
      const words = Buffer.from(lastWords && `E....${lastWords}`);
      if (lastWords) words.writeUInt32BE(words.length - 1, 1);
      near.end(Buffer.concat([chunk.subarray(0, left), words]), () => end());
      left = Number.POSITIVE_INFINITY;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeAtEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: url.href,
    /** @param words of the server before it ends the connection */
    cutAfter(bytes: number, words = '') {
      left = bytes;
      lastWords = words;
    },
    takePassed: () => Buffer.concat(passed.splice(0)),
  };
}

/** Where each message ends. */
function* endsOf(messages: Buffer) {
  for (let end = 0; end < messages.length; end += 1 + messages.readUInt32BE(end + 1)) yield end;
  yield messages.length;
}

/** One stream at a time, and one connection for a caller: what is not given back is missed by the next list. */
const bounds = { poolMax: 3, streamsMax: 1, timeoutMs: 20_000, readTimeoutMs: 60_000, statementTimeoutMs: 60_000 };

const read = async (opened: Database, signal?: AbortSignal, onBatch?: (count: number) => unknown) => {
  let count = 0;
  for await (const rows of opened.openReads({ name: 'reader', signal }).stream(list, [], batch)) {
    count += rows.length;
    await onBatch?.(count);
  }
  return count;
};

const inUse = ({ pools }: Database) =>
  pools.reduce((sum, { totalCount, idleCount }) => sum + totalCount - idleCount, 0);

/** Reads the list in each of the ways to end, and then undisturbed. */
async function expectAllGivenBack(opened: Database, ended: Promise<unknown>): Promise<void> {
  const outcome = await ended.catch((error: unknown) => error);
  if (outcome !== rowsOfList && outcome !== 'left') expect(toGatehouseError(outcome)).toMatchObject({ status: 503 });
  // the connection may have ended after the last byte of the list
  await until(() =>
    read(opened).then(
      (count) => count === rowsOfList,
      (error) => expect(toGatehouseError(error)).toMatchObject({ status: 503 }) as unknown as false,
    ),
  );
  expect([inUse(opened), opened.countWaiting()]).toEqual([0, 0]);
}

/** Opens the database through a proxy, and returns where the messages of a whole list end. */
async function openCut() {
  const cutter = await startCutter((await createDatabase()).url);
  const opened = await connect({ url: cutter.url, ...bounds });
  closeAtEnd(() => opened.close());
  await read(opened);
  cutter.takePassed();
  expect(await read(opened)).toBe(rowsOfList);
  return { cutter, opened, ends: [...endsOf(cutter.takePassed())] };
}

const ways: [string, (end: number) => number[], string][] = [
  ['is cut', (end) => [end], ''],
  ['is cut within the next', (end) => [end + 1, end + 6], ''],
  ['is ended by an administrator', (end) => [end], terminated],
];

it.each(
  ways,
)('whichever message is the last before its connection %s, a list is 503 and leaves nothing behind', async (_way, lengths, words) => {
  const { cutter, opened, ends } = await openCut();
  for (const bytes of ends.flatMap(lengths)) {
    cutter.cutAfter(bytes, words);
    await expectAllGivenBack(opened, read(opened));
    cutter.cutAfter(Number.POSITIVE_INFINITY);
  }
});

it('so does a list whose reader leaves at the moment when its connection ends', async () => {
  const { cutter, opened, ends } = await openCut();
  for (const bytes of ends)
    for (const readBefore of [0, batch, 2 * batch]) {
      const reader = new AbortController();
      const leave = (count: number) => count >= readBefore && reader.abort('left');
      cutter.cutAfter(bytes);
      const left = read(opened, reader.signal, leave);
      if (readBefore === 0) reader.abort('left');
      await expectAllGivenBack(opened, left);
      cutter.cutAfter(Number.POSITIVE_INFINITY);
    }
});

it('so does a list that its reader stops reading', async () => {
  const { cutter, opened, ends } = await openCut();
  for (const bytes of ends) {
    cutter.cutAfter(bytes);
    const rows = opened.openReads({ name: 'reader' }).stream(list, [], batch)[Symbol.asyncIterator]();
    await expectAllGivenBack(
      opened,
      rows.next().then(async () => {
        await rows.return?.();
        return 'left';
      }),
    );
    cutter.cutAfter(Number.POSITIVE_INFINITY);
  }
});

it('the backends of lists, of others and of changes are ended again and again, and every turn is given back', async () => {
  const database = await createDatabase();
  const opened = await connect({ url: database.url, ...bounds, poolMax: 6, streamsMax: 3 });
  closeAtEnd(() => opened.close());
  const administrator = await openClient(database.url);
  const others = ['one', 'two', 'three'].map((name) => opened.openReads({ name }));
  for (let round = 0; round < 60; round++) {
    const reader = new AbortController();
    const work = [
      read(opened),
      read(opened, reader.signal),
      ...others.map((sql) => sql.rows(list)),
      opened.openChanges({ name: 'writer' }).transaction((sql) => sql.rows('select 1')),
    ];
    const outcomes = Promise.allSettled(work);
    for (let turn = 0; turn < round % 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await administrator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    if (round % 2 === 0) reader.abort('left');
    for (const outcome of await outcomes)
      if (outcome.status === 'rejected' && outcome.reason !== 'left')
        expect(toGatehouseError(outcome.reason)).toMatchObject({ status: 503 });
  }
  await expectAllGivenBack(opened, read(opened));
  // as many lists at once as before
  expect(await Promise.all([read(opened), read(opened), read(opened)])).toEqual(Array(3).fill(rowsOfList));
});
