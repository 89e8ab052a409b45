/** Lists are searched by parts of words, without accents, and jump to any place. */
import { fold, foldedSql } from '../../src/services/read/foldedText.js';
import { newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  const people = [
    ['Jürgen', 'Müller', 'j.mueller@example.com'],
    ['Łucja', 'Sørensen', 'lucja@example.com'],
    ['Ayşe', 'Yılmaz', 'ayse_100%@example.com'],
    ['Muriel', 'Ler', 'ler@example.com'],
    ['Þórður', 'Straße', 'weg@example.com'],
    ['Dinh\u0323', 'Đặng', 'd.d@example.com'],
    ['Cœur', 'Æbelø', 'aebelo@example.com'],
    ['ＷＩＤＥ', 'ΟΔΟΣ', 'wide@example.com'],
  ];
  for (const [first_name, last_name, email] of people)
    await newUser(graph.app.context, { first_name, last_name, email, idpid: email });
});
afterAll(() => graph?.close());

const ask =
  'query ($text: String) { users(filter: { text: $text }, orderBy: [{ userId: ASC }]) { nodes { lastName } totalCount } }';

it.each([
  ['muller', ['Müller']],
  ['MÜLLER', ['Müller']],
  ['ulle jurg', ['Müller']],
  ['lucja sorensen', ['Sørensen']],
  ['yilmaz', ['Yılmaz']],
  ['ler', ['Müller', 'Ler']],
  ['100%', ['Yılmaz']],
  ['e_1', ['Yılmaz']],
  ['x_1', []],
  ['mu%r', []],
  ['muller sorensen', []],
  ['strasse', ['Straße']],
  ['STRASSE', ['Straße']],
  ['STRAẞE', ['Straße']],
  ['straß', ['Straße']],
  ['thordur', ['Straße']],
  ['dang', ['Đặng']],
  ['đặng', ['Đặng']],
  ['coeur aebel', ['Æbelø']],
  ['æbelø', ['Æbelø']],
  ['wide', ['ΟΔΟΣ']],
  ['οδος', ['ΟΔΟΣ']],
  ['ΟΔΟΣ', ['ΟΔΟΣ']],
])('%s finds %j', async (text, names) => {
  const { users } = await graph.data(ask, { text });
  expect(users.nodes.map(({ lastName }: { lastName: string }) => lastName)).toEqual(names);
  expect(users.totalCount).toBe(names.length);
});

it('the service folds each letter as the database does, so that a word finds itself', async () => {
  const ranges = [
    [0x20, 0x24f],
    [0x250, 0x2af],
    [0x370, 0x52f],
    [0x1e00, 0x1fff],
    [0x2c60, 0x2c7f],
    [0xa720, 0xa7bf],
    [0xfb00, 0xfb06],
    [0xff01, 0xff9f],
  ] as const;
  const texts = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => `x${String.fromCodePoint(from + index)}x`),
  );
  const rows = await graph.app.context.sql.rows<{ text: string; folded: string }>(
    `select text, ${foldedSql('text')} as folded from unnest($1::text[]) text`,
    [texts],
  );
  const differing = rows.filter(({ text, folded }) => fold(text) !== folded);
  expect(differing.map(({ text }) => text)).toEqual([]);
  // letters of Latin alphabets end as letters from a to z
  const latin = 'ßæœþøłđðıħŧŋĸ'.concat('ẞÆŒÞØŁĐÐİĦŦŊ', 'éñçżžőğșť', 'ǿǽ');
  expect(fold(latin)).toMatch(/^[a-z]+$/);
});

/** The plan of the statement that the text led to. */
async function planOf(text: string): Promise<string> {
  graph.app.takeStatements();
  await graph.data(ask, { text });
  const [statement] = graph.app.takeStatements().filter((each) => each.includes(' like '));
  return graph.app.context.sql.transaction(async (sql) => {
    await sql.rows('set local enable_seqscan = off');
    await sql.rows('set local plan_cache_mode = force_generic_plan');
    await sql.rows(`prepare asked as ${statement}`);
    const places = statement!.match(/\$\d+/g)!.map((place) => Number(place.slice(1)));
    const values = Array.from({ length: Math.max(...places) }, () => 'null').join(', ');
    const lines = await sql.rows<{ 'QUERY PLAN': string }>(`explain execute asked(${values})`);
    await sql.rows('deallocate asked');
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}

it('users are searched by an index; where the database refuses its extension, each is read, and the answer is the same', async () => {
  expect(await planOf('muller')).toContain('users_texts_index');

  const other = await startTestGraph();
  await other.app.context.sql.rows('drop extension pg_trgm cascade');
  await newUser(other.app.context, { first_name: 'Jürgen', last_name: 'Müller' });
  expect((await other.data(ask, { text: 'ulle JURG' })).users.totalCount).toBe(1);
  await other.close();
});

it('the search indexes of users collect new entries before they sort them in, so that imports are fast', async () => {
  const { sql } = graph.app.context;
  const options = () =>
    sql.rows(
      `select relname, reloptions from pg_class where relname in ('users_folded_words_index', 'users_texts_index') order by relname`,
    );
  const collecting = ['users_folded_words_index', 'users_texts_index'].map((relname) => ({
    relname,
    reloptions: ['fastupdate=on', 'gin_pending_list_limit=1024'],
  }));
  expect(await options()).toEqual(collecting);
  // as an operator does who allows the extension later
  await sql.rows('drop index users_texts_index');
  await sql.rows('select index_user_texts()');
  expect(await options()).toEqual(collecting);
});

it('an empty text finds all, and a relation is searched like a list', async () => {
  const all = (await graph.data(ask, { text: '' })).users.totalCount;
  expect((await graph.data(ask, { text: null })).users.totalCount).toBe(all);
  expect(all).toBeGreaterThanOrEqual(4);
  const links = 'query { userProfiles(filter: { user: { text: "muller" } }) { totalCount } }';
  expect((await graph.data(links)).userProfiles.totalCount).toBe(0);
});

it('a text has at most 200 characters and 8 words', async () => {
  for (const text of ['x'.repeat(201), 'a b c d e f g h i']) {
    const { errors } = (await graph.ask(ask, { text })).json;
    expect(errors[0].extensions.problems).toHaveProperty(['filter.text']);
  }
});

it('pages by offset are the slices of the whole list', async () => {
  const page = async (window: string) =>
    (
      await graph.data(
        `{ users(orderBy: [{ lastName: ASC }], ${window}) { nodes { userGuid } pageInfo { hasPreviousPage hasNextPage } } }`,
      )
    ).users;
  const { nodes: all } = await page('first: 100');
  for (const offset of all.keys()) {
    const { nodes, pageInfo } = await page(`first: 2, offset: ${offset}`);
    expect(nodes).toEqual(all.slice(offset, offset + 2));
    expect(pageInfo).toEqual({ hasPreviousPage: offset > 0, hasNextPage: offset + 2 < all.length });
  }
  expect((await page(`first: 2, offset: ${all.length}`)).nodes).toEqual([]);
  expect((await page('offset: 1')).nodes).toEqual(all.slice(1));
});

it.each([
  'first: 1, offset: -1',
  'last: 1, offset: 1',
  'first: 1, after: "x", offset: 1',
])('%s is refused', async (window) => {
  const { errors } = (await graph.ask(`{ users(${window}) { nodes { userGuid } } }`)).json;
  expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', problems: { offset: [expect.any(String)] } });
});
