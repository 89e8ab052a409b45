/** Rows in binary form, of which long ones come in parts: each value is the bytes that PostgreSQL holds. */
import { connect, type Database } from '../../src/database/connect.js';
import { createDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

const values = `select sha256(n::text::bytea) as hash, convert_to(repeat(chr(97 + n % 26), n), 'UTF8') as text, null::bytea as nothing
  from unnest($1::int[]) n`;
interface Row {
  hash: Buffer;
  text: Buffer;
  nothing: null;
}

async function openOne(): Promise<Database> {
  const database = await createDatabase();
  const opened = await connect({ url: database.url, poolMax: 1, timeoutMs: 20_000 });
  closeAtEnd(() => opened.close());
  return opened;
}
const ask = ({ sql }: Database, lengths: number[]): Promise<Row[]> => sql.rows<Row>(values, [lengths], 'binary');
const textsOf = (found: Row[]): string[] =>
  found.map(({ text, nothing }) => `${text.length} ${nothing} ${new Set(text).size} ${String.fromCharCode(text[0]!)}`);
const expected = (lengths: number[]): string[] =>
  lengths.map((length) => `${length} null 1 ${String.fromCharCode(97 + (length % 26))}`);

it('long rows, shorter ones after them, several of a statement, and what is longer than a connection keeps room for', async () => {
  const opened = await openOne();
  const statements = [[300_000], [70_000, 5, 200_000, 90_000], [100], [2_000_000, 150_000], [149_999], [1, 65_500]];
  const all: Row[][] = [];
  for (const lengths of statements) all.push(await ask(opened, lengths));
  // what was told before isn't touched by what came later
  expect(all.map(textsOf)).toEqual(statements.map(expected));
  expect(new Set(all.flat().map(({ hash }) => hash.toString('hex'))).size).toBe(statements.flat().length);
});

it('a statement that fails behind long rows, and rows of text between them', async () => {
  const opened = await openOne();
  await ask(opened, [400_000]);
  await expect(
    opened.sql.rows(
      `select convert_to(repeat('x', 300000 / (3 - n)), 'UTF8') from generate_series(1, 3) n`,
      [],
      'binary',
    ),
  ).rejects.toMatchObject({ code: '22012' });
  const [row] = await opened.sql.rows<{ text: string }>(`select repeat('ä', 300000) as text`);
  expect(row!.text).toBe('ä'.repeat(300_000));
  expect(textsOf(await ask(opened, [333_333]))).toEqual(expected([333_333]));
});

it('rows of a cursor, some at a time, and as text again for whoever asks next', async () => {
  const opened = await openOne();
  const all: Row[][] = [];
  for await (const rows of opened.sql.stream<Row>(values, [[70_000, 5, 200_000]], 2, 'binary')) all.push(rows);
  expect(all.map(textsOf)).toEqual([expected([70_000, 5]), expected([200_000])]);
  expect(all[0]![0]!.hash).toHaveLength(32);
  // in binary form there is a byte before its text
  for await (const rows of opened.sql.stream(`select '[1]'::jsonb as value`, [], 2, 'binary'))
    expect(rows).toEqual([{ value: '\u0001[1]' }]);
  for await (const rows of opened.sql.stream<{ text: string }>(`select repeat('ä', 9) as text`, [], 2))
    expect(rows).toEqual([{ text: 'ä'.repeat(9) }]);
});
