/** One text for one request and for many: what it says to PostgreSQL, and what it asks of its callers. */
import { randomUUID } from 'node:crypto';
import { shared } from '../../src/sql.js';
import { startTestApp } from '../support/app.js';

const types = { name: 'text', guid: 'uuid', bytes: 'bytea', number: 'int', time: 'timestamptz' };
const echo = shared(types, ({ rows }) => `select asked.* from ${rows}`);

it('requests of the same moment have what each would have alone, in one statement', async () => {
  const app = await startTestApp();
  const { sql } = app.context;
  const requests = Array.from({ length: 5 }, (_, number) => ({
    time: new Date(1_800_000_000_000 + number),
    number,
    guid: randomUUID(),
    bytes: Buffer.from([number]),
    name: number === 0 ? null : `name, "${number}"`,
    further: 'ignored',
  }));
  const expected = requests.map(({ further: _, time, ...rest }) => ({ ...rest, time: time.toISOString() }));
  const alone = [];
  for (const request of requests) alone.push(await sql.batchedRow(echo, request));
  expect(alone).toEqual(expected.map((row) => ({ ...row, ord: 1 })));
  app.takeStatements();
  const together = await Promise.all(requests.map((request) => sql.batchedRow(echo, request)));
  expect(together).toEqual(expected.map((row, index) => ({ ...row, ord: String(index + 1) })));
  expect(app.takeStatements()).toEqual([echo.many]);
  await app.close();
});

it('a value that is missing is no null: the request fails before anything is run', async () => {
  const app = await startTestApp();
  app.takeStatements();
  const { sql } = app.context;
  const request = async () => sql.batchedRow(echo, { name: 'n', guid: null, bytes: null, number: null });
  await expect(request()).rejects.toThrow('the statement needs time');
  expect(app.takeStatements()).toEqual([]);
  await app.close();
});
