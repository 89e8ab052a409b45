/** A migration can be taken back: its `down` removes what its `up` made. */
import { connect } from '../../src/database/connect.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { createDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { fingerprint } from '../support/schema.js';

/** It stays: it has no `down`. */
const beginning = ['Migration20261125192500'];

it('migrations that are taken back, the newest first, and run again leave the same schema', async () => {
  const database = await connect({ url: (await createDatabase()).url, poolMax: 2, timeoutMs: 60_000 });
  closeAtEnd(() => database.close());
  const { migrator } = database.orm;
  const made = async () => (await database.sql.rows<{ text: string }>(fingerprint))[0]!.text.split('\n');
  await migrator.up();
  const whole = await made();
  const names = allMigrations.map(({ name }) => name).filter((name) => !beginning.includes(name));
  for (const name of names.toReversed()) await migrator.down({ migrations: [name] });
  const left = await database.sql.rows<{ name: string }>('select name from migrations order by name');
  expect(left.map(({ name }) => name)).toEqual(beginning);
  await migrator.up();
  expect(await made()).toEqual(whole);
});
