/** What every connection to the database is set to. */
import { connect, type Database } from '../../src/database/connect.js';
import { createDatabase, type TestDatabase } from '../support/cluster.js';

let database: TestDatabase;
let connected: Database;
beforeEach(async () => {
  database = await createDatabase();
  connected = await connect({ url: database.url, poolMax: 2, timeoutMs: 5_000 });
});
afterEach(async () => {
  await connected.close();
  await database.drop();
});

it('no statement is compiled: the compiler would take longer than the answer', async () => {
  const { sql, background, orm } = connected;
  const ofOrm = async () => (await orm.em.getConnection().execute('show jit')) as { jit: string }[];
  expect(await Promise.all([sql.rows('show jit'), background.rows('show jit'), ofOrm()])).toEqual(
    Array(3).fill([{ jit: 'off' }]),
  );
});
