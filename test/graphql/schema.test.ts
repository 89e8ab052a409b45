/** The schema as a contract: described, fresh, and its breaking changes told; each use of an operation answers the same. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { examples, examplesText } from '../../src/graphql/examples.js';
import { openSchema, schemaText } from '../../src/graphql/schema.js';
import { findLastRelease, findUnannouncedBreaks, schemaOf } from '../../src/tools/checkMigrations.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newHolder } from '../support/records.js';
import { startTestGraph } from './graph.js';

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it('every type, field, argument and value is described', () => {
  const silent: string[] = [];
  const judge = (name: string, described: { description?: string | null | undefined }) => {
    if (!described.description) silent.push(name);
  };
  for (const type of Object.values(openSchema().getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    judge(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) judge(`${type.name}.${value.name}`, value);
    if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
      for (const field of Object.values(type.getFields())) {
        judge(`${type.name}.${field.name}`, field);
        if ('args' in field)
          for (const argument of field.args) judge(`${type.name}.${field.name}.${argument.name}`, argument);
      }
  }
  expect(silent).toEqual([]);
});

it('every connection can be paged to its end', () => {
  const fields = Object.values(openSchema().getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, ...field }))
      : [],
  );
  const connections = fields.filter(({ type }) => /Connection!?$/.test(String(type)));
  expect(connections.length).toBeGreaterThan(50);
  const isPaged = (args: readonly { name: string }[]) =>
    ['first', 'after'].every((name) => args.some((argument) => argument.name === name));
  expect(connections.filter(({ args }) => !isPaged(args)).map(({ at }) => at)).toEqual([]);
});

it('guids and moments say which standard specifies them', () => {
  expect(schemaText()).toContain('scalar UUID @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc9562")');
  expect(schemaText()).toContain('scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")');
});

it('schema.graphql and the documented operations are fresh', () => {
  expect(file('schema.graphql')).toBe(schemaText());
  expect(file('docs/graphql.md')).toContain(examplesText());
});

it('a breaking change is refused unless the change log names it above the last release', () => {
  const before = 'type Query { name: String! age: Int }';
  const broken = 'type Query { name: String other: Int }';
  const removed = 'Query.age was removed.';
  const changed = 'Query.name changed type from String! to String.';
  const log = (unreleased: string, released = '') =>
    `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [1.0.0] - 2026-12-01\n\n${released}\n`;
  const breaks = (after: string, changelog: string) => findUnannouncedBreaks(before, after, changelog, '1.0.0').sort();
  expect(breaks(broken, log(''))).toEqual([removed, changed].sort());
  expect(breaks(broken, log(`- ${removed} Ask for the birthday.`, changed))).toEqual([changed]);
  // the next release has its heading before it has its tag
  expect(breaks(broken, log(`## [2.0.0] - 2027-01-01\n\n- ${removed}\n- ${changed}`))).toEqual([]);
  expect(breaks(broken, `## [Unreleased]\n- ${removed}\n- ${changed}`)).toEqual([]);
  expect(breaks('type Query { name: String! age: Int other: Int }', log(''))).toEqual([]);
});

it('the schema is compared with the last release before the present commit, in a clone without tags too, and with nothing before the first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder });
  const commit = (text: string) => {
    writeFileSync(join(folder, 'schema.graphql'), text);
    git('add', '.');
    git('commit', '--quiet', '--message', text);
  };
  const released = () => {
    const release = findLastRelease(folder);
    return release && [release.version, schemaOf(folder, release)];
  };
  expect(released()).toBeUndefined();
  git('init', '--quiet');
  commit('first');
  expect(released()).toBeUndefined();
  commit('release: 1.0.0');
  commit('second');
  expect(released()).toEqual(['1.0.0', 'release: 1.0.0']);
  commit('third');
  git('tag', 'v1.1.0');
  commit('fourth');
  git('tag', 'other');
  expect(released()).toEqual(['1.1.0', 'third']);
  const withoutTags = join(folder, 'without-tags');
  git('clone', '--quiet', '--no-tags', `file://${folder}`, withoutTags);
  expect(findLastRelease(withoutTags)?.version).toBe('1.0.0');
  const shallow = join(folder, 'shallow');
  git('clone', '--quiet', '--depth=1', '--no-tags', `file://${folder}`, shallow);
  expect(findLastRelease(shallow)).toBeUndefined();
});

it('each use of an operation answers the same, errors included', async () => {
  const graph = await startTestGraph();
  try {
    const { userGuid } = await newHolder(graph.app.context);
    const token = graph.token(['admin:read'], { sub: userGuid });
    const documents: [string, object?][] = [
      ...examples
        .filter(({ query }) => query.startsWith('query'))
        .map(({ query, variables }) => [query, variables] as [string, object?]),
      ['{ users { nodes { userGuid tokens { nodes { id } } } } viewer { profileId } }'],
      ['{ viewer { user { firstName tokens { totalCount } } profileId } }'],
      ['{ users(first: 5000) { nodes { userGuid } } }'],
      [
        'query ($n: Int = 1) { users(first: $n) { nodes { a: firstName b: firstName __typename } __typename } __typename }',
      ],
      ['query ($n: Int = 1) { users(first: $n) { nodes { firstName } } }', { n: null }],
      ['query ($f: UserFilter) { users(filter: $f) { totalCount } }'],
      [
        'query ($a: String!, $d: Direction!) { users(filter: { or: [{ firstName: { eq: $a } }, { lastName: { in: [$a, "x"] } }] }, orderBy: [{ firstName: $d }]) { totalCount nodes { firstName } } }',
        { a: 'Ada', d: 'DESC' },
      ],
      ['query ($o: [UserOrderBy!]) { users(orderBy: $o) { nodes { userGuid } } }', { o: { firstName: 'ASC' } }],
      [
        '{ users { nodes { ...A } } } fragment A on User { firstName ...B userProfiles { nodes { ...C } } } fragment B on User { lastName } fragment C on UserProfile { profile { name userProfiles { nodes { roleId } } } }',
      ],
      [
        '{ users { nodes { userProfiles { nodes { profileId } } } } ... { users { nodes { userProfiles { nodes { roleId user { firstName } } } } } } }',
      ],
      ['{ accessOf(applicationGuid: "00000000-0000-0000-0000-000000000009") { link } users { totalCount } }'],
    ];
    for (const [query, variables] of documents) {
      const answers: string[] = [];
      for (let time = 0; time < 3; time++)
        answers.push(
          (await graph.ask(query, variables, token)).text
            .replaceAll(/"traceId":"\w+"/g, '')
            .replaceAll(/"(exp|iat)":\d+/g, ''),
        );
      expect(answers[1]).toBe(answers[0]);
      expect(answers[2]).toBe(answers[0]);
    }
  } finally {
    await graph.close();
  }
});

it('a cursor stays right while records come and go', async () => {
  const graph = await startTestGraph();
  try {
    const add = (name: string) =>
      graph.data('mutation ($id: ID!, $name: String!) { createRole(input: { roleId: $id, name: $name }) { roleId } }', {
        id: name,
        name,
      });
    for (const name of ['b', 'd', 'f', 'h']) await add(name);
    const page = (after: string | null) =>
      graph.data(
        'query ($after: String) { roles(first: 2, after: $after, orderBy: [{ name: ASC }]) { nodes { name } pageInfo { endCursor } } }',
        { after },
      );
    const first = await page(null);
    await add('a');
    await add('e');
    await graph.data('mutation { deleteRole(roleId: "d") }');
    const second = await page(first.roles.pageInfo.endCursor);
    expect(second.roles.nodes).toEqual([{ name: 'e' }, { name: 'f' }]);
  } finally {
    await graph.close();
  }
});
