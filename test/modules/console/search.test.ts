/** One search over everything: by beginnings of words, guids and trace ids; only what the caller may read. */
import { allAdminScopes, startTestGraph, type TestGraph } from '../../graphql/graph.js';
import {
  newApplication,
  newClient,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
} from '../../support/records.js';

let graph: TestGraph;
let ada: string;
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const user = (first_name: string, last_name: string, email: string) =>
    newUser(context, { first_name, last_name, email, idpid: email });
  ({ user_guid: ada } = await user('Ada', 'Berg-Olsen', 'ada.berg@example.com'));
  await user('Adam', 'Zeller', 'zeller@example.com');
  await user('Élodie', "O'Brien", 'eob@example.com');
  await user('Łukasz', 'Straße', 'ls@example.com');
  await newProfile(context, 'grid-operator');
  await newRole(context, 'operator');
  const type = await newScopeType(context, 'outage');
  await newScope(context, type, undefined, { name: 'Outage map', access_scope_key: 'map.north' });
  for (const name of ['Outage map', 'Grid monitor', 'Monitor of grids']) await newApplication(context, { name });
  await newClient(context, 'secret', { name: 'Grid portal' });
});

interface Hit {
  kind: string;
  id: string;
  label: string;
  hint: string | null;
}
const search = async (text: string, scopes = allAdminScopes, first = 5): Promise<Hit[]> => {
  const query = 'query ($text: String!, $first: Int) { search(text: $text, first: $first) { kind id label hint } }';
  return (await graph.data(query, { text, first }, graph.token(scopes))).search;
};
const found = async (text: string, scopes?: string[]) =>
  (await search(text, scopes)).map(({ kind, label }) => `${kind} ${label}`);

it.each([
  ['ada', ['USER Ada Berg-Olsen', 'USER Adam Zeller']],
  ['ADA ber', ['USER Ada Berg-Olsen']],
  ['olsen', ['USER Ada Berg-Olsen']],
  ['berg-ol', ['USER Ada Berg-Olsen']],
  ['ada.berg@exa', ['USER Ada Berg-Olsen']],
  ['zeller example', ['USER Adam Zeller']],
  ["o'brien", ["USER Élodie O'Brien"]],
  ['élo', ["USER Élodie O'Brien"]],
  ['elodie', ["USER Élodie O'Brien"]],
  ['STRASSE', ['USER Łukasz Straße']],
  ['straße luk', ['USER Łukasz Straße']],
  ['outage', ['APPLICATION Outage map', 'ACCESS_SCOPE Outage map', 'ACCESS_SCOPE_TYPE outage']],
  ['map.nor', ['ACCESS_SCOPE Outage map']],
  ['monitor', ['APPLICATION Monitor of grids', 'APPLICATION Grid monitor']],
  ['grid', ['APPLICATION Grid monitor', 'APPLICATION Monitor of grids', 'PROFILE grid-operator', 'CLIENT Grid portal']],
  ['oper', ['PROFILE grid-operator', 'ROLE operator']],
  ['berg zeller', []],
  ['onitor', []],
  ['', []],
  ['   ', []],
  ['!!! & | <->', []],
  [`'x':* | 'ada' \\ "`, []],
])('%j finds %j: every word begins one of its words', async (text, expected) => {
  expect((await found(text)).sort()).toEqual([...expected].sort());
});

it('records that begin with the searched text come first', async () => {
  expect(await found('monitor')).toEqual(['APPLICATION Monitor of grids', 'APPLICATION Grid monitor']);
});

it('a guid is found whole, by its beginning, without hyphens and in any case', async () => {
  for (const text of [ada, ada.slice(0, 8), ada.replaceAll('-', ''), ada.toUpperCase()])
    expect((await search(text)).map(({ id }) => id)).toEqual([ada]);
  expect(await search(ada.slice(0, 7))).toEqual([]);
});

it('a trace id finds the change set of its request', async () => {
  const traceId = '0123456789abcdef0123456789abcdef';
  const created = await graph.app.post(
    '/graphql',
    { query: 'mutation { createRole(input: { roleId: "traced", name: "Traced" }) { roleId } }' },
    { authorization: `Bearer ${graph.token()}`, traceparent: `00-${traceId}-0123456789abcdef-01` },
  );
  expect(created.json.errors).toBeUndefined();
  const hits = await search(traceId);
  expect(hits.map(({ kind }) => kind)).toEqual(['CHANGE_SET']);
  expect((await search(hits[0]!.id)).map(({ id }) => id)).toEqual([hits[0]!.id]);
  expect(await search(traceId, ['admin:read'])).toEqual([]);
});

it('only kinds are found that the caller may read', async () => {
  expect(await found('grid', ['admin:read'])).not.toContain('CLIENT Grid portal');
  expect(await found('grid', ['admin:security'])).toEqual(['CLIENT Grid portal']);
  const { json } = await graph.ask('{ search(text: "grid") { id } }', {}, graph.token(['depot:a']));
  expect(json.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('a search finds as many of each kind as requested, and limits words and length', async () => {
  expect(await search('example', allAdminScopes, 2)).toHaveLength(2);
  const codeOf = async (text: string, first = 5) => {
    const query = 'query ($text: String!, $first: Int) { search(text: $text, first: $first) { id } }';
    const { json } = await graph.ask(query, { text, first });
    return json.errors?.[0].extensions.code;
  };
  expect(await codeOf('a', 0)).toBe('BAD_USER_INPUT');
  expect(await codeOf('a', 51)).toBe('BAD_USER_INPUT');
  expect(await codeOf('x'.repeat(201))).toBe('BAD_USER_INPUT');
  expect(await codeOf('a b c d e f g h i')).toBe('BAD_USER_INPUT');
  expect(await codeOf('a\u0000b')).toBe('BAD_USER_INPUT');
  expect(await codeOf('a b c d e f g h')).toBeUndefined();
  // folded, one letter is several
  for (const letter of ['\u3316', '\ufdfa']) expect(await codeOf(letter.repeat(200))).toBeUndefined();
});

it('null is as many as without being asked', async () => {
  const { json } = await graph.ask('{ search(text: "grid", first: null) { label } }');
  expect(json).toEqual({ data: { search: (await search('grid')).map(({ label }) => ({ label })) } });
});

it('each table that may be large is asked by an index, and a search is one statement', async () => {
  graph.app.takeStatements();
  await search('ada');
  const [statement] = graph.app.takeStatements().filter((text) => text.includes('union all'));
  const plan = await graph.app.context.sql.transaction(async (sql) => {
    await sql.rows('set local enable_seqscan = off');
    const lines = await sql.rows<{ 'QUERY PLAN': string }>(`explain ${statement}`, ['ada', 5, null, null, null]);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  for (const table of ['applications', 'users', 'profiles', 'access_scopes', 'clients'])
    expect(plan).toContain(`${table}_folded_words_index`);
  expect(plan).not.toMatch(/Seq Scan on (applications|users|profiles|access_scopes|clients)\b/);
});
