/** Which statements are prepared by name, and how many at most. */
import { openStatementNames } from '../../src/database/statementNames.js';
import { startTestApp } from '../support/app.js';

it('a statement gets its name at its second use and keeps it; another one gets another', () => {
  const nameOf = openStatementNames();
  expect(nameOf('select 1')).toBeUndefined();
  const name = nameOf('select 1');
  expect(name).toMatch(/^g.{22}$/);
  expect(nameOf('select 1')).toBe(name);
  nameOf('select 2');
  expect(nameOf('select 2')).not.toBe(name);
});

it('however many come, the named ones have a bound in number and in length, and keep their names', () => {
  const inNumber = openStatementNames({ namesMax: 10 });
  const inLength = openStatementNames({ charactersMax: 110 });
  const texts = Array.from({ length: 50 }, (_, index) => `select ${100 + index}`);
  for (const nameOf of [inNumber, inLength]) {
    for (const text of [...texts, ...texts]) nameOf(text);
    const named = texts.filter((text) => nameOf(text) !== undefined);
    expect(named).toEqual(texts.slice(0, nameOf === inNumber ? 10 : 11));
  }
});

it('statements that come once push out neither names nor each other without end', () => {
  const nameOf = openStatementNames({ onceMax: 5, namesMax: 10 });
  for (let index = 0; index < 100; index++) expect(nameOf(`select ${index}`)).toBeUndefined();
  expect(nameOf('select 99')).toBeDefined();
  expect(nameOf('select 1')).toBeUndefined();
});

it('a connection prepares what comes again, and nothing else', async () => {
  const app = await startTestApp({ DATABASE_POOL_MAX: '1' });
  const { sql } = app.context;
  await sql.rows('select 1 as once');
  for (let time = 0; time < 3; time++) await sql.rows('select 1 as again');
  const prepared = await sql.rows<{ statement: string }>('select statement from pg_prepared_statements');
  const texts = prepared.map(({ statement }) => statement);
  expect(texts).toContain('select 1 as again');
  expect(texts).not.toContain('select 1 as once');
  await app.close();
});
