/** What is said of an input that is wrong: at the same place, with the same words, whoever finds it; never its value. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const base = { iconDefault: 'i', iconHover: 'h', appType: 'web', renderingMode: 'r', linkType: 'l' };
const create = (input: string, definitions = '') =>
  `mutation ${definitions} { createApplication(input: ${input}) { name } }`;
const literal = (input: object) => JSON.stringify(input).replaceAll(/"(\w{1,40})":/g, '$1: ');

it.each<[string, object, string, string]>([
  ['a missing member', base, 'input.name', 'The name field is required.'],
  ['null', { ...base, name: null }, 'input.name', 'The name field must not be null.'],
  [
    'another type',
    { ...base, name: 'a', isIframe: 'yes' },
    'input.isIframe',
    'The isIframe field must be true or false.',
  ],
  ['an unknown member', { ...base, name: 'a', nam: 1 }, 'input.nam', 'There is no field nam.'],
  ['a length', { ...base, name: 'x'.repeat(256) }, 'input.name', 'The name field must be at most 255 characters long.'],
])('%s: a variable, a member of one, a literal', async (_what, input, path, text) => {
  const [, member] = path.split('.') as [string, string];
  const { [member]: value, ...others } = input as Record<string, unknown>;
  const type = { name: 'String', isIframe: 'Boolean' }[member];
  for (const [query, variables, code] of [
    [create('$given', '($given: CreateApplicationInput!)'), { given: input }, 'BAD_USER_INPUT'],
    [create(literal(input)), undefined, /length/.test(text) ? 'BAD_USER_INPUT' : undefined],
    ...(type && value !== null && value !== undefined
      ? [
          [
            create(
              `{ ${literal(others).slice(1, -1)}, ${member}: $it }`,
              `($it: ${type}${member === 'name' ? '!' : ''})`,
            ),
            { it: value },
          ],
        ]
      : []),
  ] as [string, object | undefined, string | undefined][]) {
    const { status, json } = await graph.ask(query, variables);
    const { problems } = json.errors[0].extensions;
    // what a literal lacks by GraphQL's own rules is told as an invalid document
    if (code) expect(json.errors[0].extensions.code).toBe(code);
    expect([query, status, problems]).toEqual([query, 400, { [path]: [text] }]);
  }
});

it('faults are told at the field that they are for', async () => {
  const query = `mutation ($a: CreateApplicationInput!, $b: CreateApplicationInput!) {
    one: createApplication(input: $a) { name } two: createApplication(input: $b) { name } }`;
  const { json } = await graph.ask(query, { a: base, b: { ...base, name: 5 } });
  expect(
    json.errors.map(({ path, extensions }: never) => [path, (extensions as { problems: object }).problems]),
  ).toEqual([
    [['one'], { 'input.name': ['The name field is required.'] }],
    [['two'], { 'input.name': ['The name field must be a string.'] }],
  ]);
});

it('a page that is too large is told where it was asked for, and with the same status', async () => {
  const query = 'query ($n: Int) { applications(first: $n) { nodes { name } } }';
  for (const [n, first] of [
    ['x', 'The first field must be a whole number from -2147483648 to 2147483647.'],
    [-1, 'A page has from 0 to 1000 records.'],
  ]) {
    const { status, json } = await graph.ask(query, { n });
    expect([status, json.errors[0].extensions.problems]).toEqual([400, { first: [first] }]);
  }
});

it('only what the operation declares is looked at', async () => {
  const unread = { deep: JSON.parse(`${'['.repeat(60)}"\\u0000"${']'.repeat(60)}`), ['x'.repeat(1_000)]: '\ud800' };
  const { json } = await graph.ask('query ($n: Int) { applications(first: $n) { totalCount } }', { n: 1, ...unread });
  expect(json).toEqual({ data: { applications: { totalCount: 0 } } });
});

const filterQuery = 'query ($f: ApplicationFilter) { applications(filter: $f) { totalCount } }';

it('at most 50 faults are told', async () => {
  for (const f of [
    { or: Array.from({ length: 5_000 }, () => ({ name: 5 })) },
    Object.fromEntries(Array.from({ length: 3_000 }, (_, number) => [`unknown${number}`, number])),
    { applicationGuid: { in: Array.from({ length: 9_000 }, () => 'no guid') } },
  ]) {
    const { status, json } = await graph.ask(filterQuery, { f });
    const { code, problems, moreProblems } = json.errors[0].extensions;
    expect([status, code, Object.keys(problems).length, moreProblems]).toEqual([400, 'BAD_USER_INPUT', 50, true]);
  }
});

it('a service, too, tells at most 50', async () => {
  const items = Array.from({ length: 3_000 }, () => ({ accessScopeGuid: randomUUID(), state: 'x'.repeat(51) }));
  const { json } = await graph.ask(
    `mutation ($items: [AccessScopeApplicationsMapperCreateInput!]!) {
      createAccessScopeApplicationsMappers(applicationGuid: "${randomUUID()}", items: $items) { state } }`,
    { items },
  );
  const { problems, moreProblems } = json.errors[0].extensions;
  expect([Object.keys(problems).length, moreProblems]).toEqual([50, true]);
});

it('values are counted: ten thousand for who reads, ten times as many for a change', async () => {
  const or = (length: number) => ({ f: { or: Array.from({ length }, () => ({})) } });
  const limitOf = async (query: string, variables: object, scopes: string[]) => {
    const { status, json } = await graph.ask(query, variables, graph.token(scopes));
    return [status, json.errors[0].extensions.limit ?? json.errors[0].extensions.code];
  };
  for (const scopes of [['depot:a'], ['admin:read'], ['admin:write']])
    expect(await limitOf(filterQuery, or(10_000), scopes)).toEqual([400, 'values']);
  const change =
    'mutation ($t: [TranslationInput!]!) { setTranslations(translationGroup: "g", translations: $t) { fieldName } }';
  const texts = (length: number) => ({
    t: Array.from({ length }, (_, index) => ({ fieldName: 'name', languageCode: `l${index}`, translatedText: 't' })),
  });
  expect(await limitOf(change, texts(2_600), ['admin:read'])).toEqual([400, 'values']);
  expect(await limitOf(change, texts(26_000), ['admin:write'])).toEqual([400, 'values']);
  const { json } = await graph.ask(change, texts(3_000), graph.token(['admin:write']));
  expect(json.data.setTranslations).toHaveLength(3_000);
});

it.each([
  ['admin:read', 413],
  ['depot:a', 413],
  ['admin:write', 200],
])('bodies of more than 256 KiB are for those who may change something: %s', async (scope, expected) => {
  const query = `{ __typename } #${'x'.repeat(1_000)}`;
  const { status, json } = await graph.ask(query, { unread: 'x'.repeat(262_144) }, graph.token([scope]));
  expect(status).toBe(expected);
  if (expected === 413) expect(json.errors[0].extensions.code).toBe('TOO_LARGE');
});

const secret = 'Zt0pSecretZ';
const anywhere: [string, string, object?][] = [
  ['where a guid belongs', `{ application(applicationGuid: "${secret}") { name } }`],
  ['as an enum value', `{ applications(orderBy: [{ name: ${secret} }]) { totalCount } }`],
  ['where a number belongs', `{ applications(first: "${secret}") { totalCount } }`],
  ['as a block text', `{ applications(first: """${secret}""") { totalCount } }`],
  ['in an object where a text belongs', `{ viewer(languageCode: { a: "${secret}" }) { profileId } }`],
  ['in a list where an object belongs', `{ applications(filter: ["${secret}"]) { totalCount } }`],
  ['where a selection belongs', `{ applications "${secret}" }`],
  ['in a text without end', `{ application(applicationGuid: "${secret}`],
  ['behind a number', `{ applications(first: 1${secret}) { totalCount } }`],
  ['with a wrong escape', `{ application(applicationGuid: "\\u${secret}") { name } }`],
  ['with a wrong character', `{ application(applicationGuid: "${secret}") \u0000 }`],
  ['as a default', `query ($n: Int = "${secret}") { applications(first: $n) { totalCount } }`],
  ['as a variable of another type', 'query ($n: Int) { applications(first: $n) { totalCount } }', { n: secret }],
  ['as a guid', 'query ($g: UUID!) { application(applicationGuid: $g) { name } }', { g: secret }],
  [
    'as an enum variable',
    'query ($o: [ApplicationOrderBy!]) { applications(orderBy: $o) { totalCount } }',
    { o: [{ name: secret }] },
  ],
  ['in an object for a text', 'query ($s: String) { viewer(languageCode: $s) { profileId } }', { s: { a: secret } }],
  ['as a cursor', `{ applications(after: "${secret}") { totalCount nodes { name } } }`],
  [
    'in a list of numbers',
    'query ($f: AuditEventFilter) { auditEvents(filter: $f) { totalCount } }',
    { f: { auditEventId: { in: [secret] } } },
  ],
  [
    'in a list with a variable',
    `query ($g: UUID = "${randomUUID()}") { applications(filter: { applicationGuid: { in: ["${randomUUID()}", $g] }, name: { in: ["${secret}"] } }) { totalCount } }`,
    { g: null },
  ],
];

it.each(
  anywhere.map(([where, query, variables]) => ({ where, query, variables })),
)('no error repeats a value: $where', async ({ query, variables }) => {
  for (let use = 0; use < 3; use++) {
    const { json, text } = await graph.ask(query, variables);
    expect(json.errors[0].extensions.code).toMatch(/^(BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED|GRAPHQL_PARSE_FAILED)$/);
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/did you mean/i);
  }
});

it('a document that is no GraphQL is refused with the place and the kind of the token there', async () => {
  for (const [query, message] of [
    ['{ a(', 'unexpected end at line 1, column 5'],
    ['{\n  a: "x"\n}', 'unexpected text at line 2, column 6'],
    ['{ a(b: 1.) }', 'malformed text, number or character at line 1, column 10'],
    ['} ', 'unexpected "}" at line 1, column 1'],
    ['{ a } b', 'unexpected name at line 1, column 7'],
  ]) {
    const { status, json } = await graph.ask(query!);
    expect([status, json.errors[0].message]).toEqual([400, `The document is not GraphQL: ${message}.`]);
    expect(json.errors[0].extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  }
});

const long = (length: number) => Array.from({ length }, (_, index) => index);
const refused: [string, string, object?][] = [
  ['many faults in literals', `{ applications(filter: { or: [${'{ x: 1 } '.repeat(400)}] }) { totalCount } }`],
  [
    'long names',
    `{ ${long(20)
      .map((index) => `${'n'.repeat(9_000)}${index}`)
      .join(' ')} }`,
  ],
  ['a long name as a member', filterQuery, { f: { ['m'.repeat(200_000)]: 1 } }],
  [
    'long members at depth',
    filterQuery,
    { f: { not: { or: long(60).map((index) => ({ [`${'m'.repeat(3_000)}${index}`]: 1 })) } } },
  ],
  ['deep members', filterQuery, { f: deep(38) }],
  [
    'many conflicts',
    `{ viewer { ${long(100)
      .map((index) => `a${index % 2}: ${index % 4 < 2 ? 'profileId' : 'roleId'}`)
      .join(' ')} } }`,
  ],
  [
    'many root fields that fail',
    `{ ${long(20)
      .map(
        (index) =>
          `a${index}: applications(first: -1, filter: { name: { in: ["${'x'.repeat(100)}"] } }) { totalCount }`,
      )
      .join(' ')} }`,
  ],
];
it.each(
  refused.map(([what, query, variables]) => ({ what, query, variables })),
)('a refusal takes at most 64 KiB: $what', async ({ query, variables }) => {
  const { json, text } = await graph.ask(query, variables);
  expect(json.errors.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
});

it('an id that is taken, or of nothing, is not repeated', async () => {
  const id = 'value-of-a-caller';
  const creates = [
    `createRole(input: { roleId: "${id}", name: "n" }) { roleId }`,
    `createProfile(input: { profileId: "${id}", name: "n" }) { profileId }`,
    `createClient(input: { clientId: "${id}", name: "n" }) { client { clientId } }`,
  ];
  for (const create of creates) {
    await graph.data(`mutation { ${create} }`);
    const { json } = await graph.ask(`mutation { ${create} }`);
    expect(json.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    expect(JSON.stringify(json)).not.toContain(id);
  }
  const { json } = await graph.ask(`mutation { setClientActive(clientId: "${id}-2", isActive: false) { name } }`);
  expect(json.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(JSON.stringify(json)).not.toContain(id);
});

/** A filter by long relations, with a fault at each level. */
function deep(levels: number): object {
  const inner = levels === 0 ? {} : { accessScopeTypeApplicationsMappers: { some: { application: deep(levels - 1) } } };
  return { ...inner, name: 5, description: 5, unknownMember: 1 };
}
