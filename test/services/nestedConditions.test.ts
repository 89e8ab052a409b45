/** Filters by records of records: each keeps what it means, and PostgreSQL reads each table a few times at most for it. */
import fc from 'fast-check';
import { Application } from '../../src/entities/Application.js';
import { modelOf } from '../../src/rest/applications/lists.js';
import { readOptions } from '../../src/rest/odata/options.js';
import { conditionSql, type Expression } from '../../src/services/read/expression.js';
import { type RecordFilter, readRecordFilter } from '../../src/services/read/graphInputs.js';
import { namedRows, type Rows, Statement } from '../../src/services/read/select.js';
import { evaluate } from '../rest/odata/evaluate.js';
import { plainRecords } from '../rest/plainRecords.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { planWork } from '../support/planWork.js';

const mappingsOf = 40;
let app: TestApp;

/** 200 applications with 40 mappings each, to 50 access scopes: 160 applications have a scope. */
beforeAll(async () => {
  app = await startTestApp();
  const by = `'00000000-0000-0000-0000-000000000001'::uuid`;
  for (const text of [
    `insert into access_scope_types (name, created_by) values ('type', ${by})`,
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
     select 'scope ' || n, 'key-' || n, (select min(access_scope_type_id) from access_scope_types), ${by} from generate_series(0, 49) n`,
    `insert into applications (name, description, icon_default, icon_hover, app_type, rendering_mode, link_type, translation_group, created_by)
     select 'application ' || n, case when n % 3 > 0 then 'about ' || n end, 'i', 'h', 'web', 'tab', 'external', 'group ' || n % 150, ${by}
     from generate_series(1, 200) n`,
    `insert into access_scope_applications_mappers (application_id, access_scope_id, individual_external_link, created_by)
     select a.application_id, s.access_scope_id, case when (a.application_id::bigint + s.access_scope_id) % 7 > 0 then 'link' end, ${by}
     from applications a join access_scopes s on (a.application_id::bigint + s.access_scope_id) % 50 < ${mappingsOf}`,
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select 'group ' || n, 'name', 'de', 'text ' || n from generate_series(1, 100) n`,
    'vacuum analyze',
  ])
    await app.running.dependencies.sql.rows(text);
});
afterAll(() => app.close());

const throughScopes = (some: RecordFilter): RecordFilter => ({
  accessScopeApplicationsMappers: { some: { accessScope: { accessScopeApplicationsMappers: { some } } } },
});
const translated = (text: string): RecordFilter => ({ translations: { some: { translatedText: { contains: text } } } });

const treeOf = (filter: RecordFilter): Expression => readRecordFilter(Application, filter, () => undefined);

const selectWhere = (condition: Expression) => {
  const rows: Rows = namedRows(new Statement(), Application, 't');
  const where = conditionSql(condition, rows);
  const text = `select t.application_id as id from ${rows.from()} where ${where} order by t.application_id`;
  return { text, values: rows.statement.values };
};

function workFor(condition: Expression): Promise<number> {
  const { text, values } = selectWhere(condition);
  return planWork(app.running.dependencies.sql, `${text} limit 101`, values);
}

describe('a condition on records of records reads each table a few times, however its parts are connected', () => {
  const hidden = { application: { or: [{ description: { contains: 'nowhere' } }, translated('nowhere')] } };
  const rare = { application: { name: { contains: 'nowhere' } } };
  it.each<[string, RecordFilter]>([
    ['alone', throughScopes(rare)],
    ['with or inside', throughScopes(hidden)],
    [
      'in or, inside and outside',
      {
        or: [
          {
            accessScopeApplicationsMappers: {
              some: {
                or: [{ state: { eq: 'x' } }, { accessScope: { accessScopeApplicationsMappers: { some: hidden } } }],
              },
            },
          },
          { name: { eq: 'x' } },
        ],
      },
    ],
    ['that is denied', { not: { or: [throughScopes(rare), { not: throughScopes(hidden) }] } }],
  ])('%s', async (_how, filter) => {
    // 8,000 mappings: in each of three places they are joined and looked up a few times
    expect(await workFor(treeOf(filter))).toBeLessThan(15 * 200 * mappingsOf);
  });

  it('over REST', async () => {
    const inner = `a/application/accessScopeApplicationsMappers/any(b: contains(b/accessScope/name, 'nowhere') or b/state eq 'x')`;
    const text = `accessScopeApplicationsMappers/any(a: a/state eq 'x' or ${inner}) or name eq 'x'`;
    const { filter } = readOptions(`$filter=${encodeURIComponent(text)}`, modelOf(Application));
    expect(await workFor(filter!)).toBeLessThan(15 * 200 * mappingsOf);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: records of any kind, linked by name
type Linked = any;
/** What a filter means, in JavaScript. */
function passes(filter: RecordFilter, record: Linked): boolean {
  return Object.entries(filter).every(([name, value]: [string, Linked]) => {
    if (name === 'not') return !passes(value, record);
    if (name === 'and') return value.every((part: RecordFilter) => passes(part, record));
    if (name === 'or') return value.some((part: RecordFilter) => passes(part, record));
    if ('some' in value) return record[name].some((member: Linked) => passes(value.some, member));
    if ('none' in value) return !record[name].some((member: Linked) => passes(value.none, member));
    if ('isNull' in value) return (record?.[name] == null) === value.isNull;
    if ('eq' in value) return record?.[name] === value.eq;
    if ('ne' in value) return record?.[name] !== value.ne;
    if ('endsWith' in value) return record?.[name]?.endsWith(value.endsWith) ?? false;
    return passes(value, record?.[name]);
  });
}

const digit = fc.nat(9).map(String);
const connected = (leaf: fc.Arbitrary<RecordFilter>): fc.Arbitrary<RecordFilter> =>
  fc.letrec<{ any: RecordFilter }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 1, withCrossShrink: true },
      leaf,
      fc.record({ not: tie('any') }),
      fc.record({ or: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ and: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    ),
  })).any;
const manyOf = (name: string, inner: fc.Arbitrary<RecordFilter>): fc.Arbitrary<RecordFilter> =>
  fc.oneof(fc.record({ some: inner }), fc.record({ none: inner })).map((condition) => ({ [name]: condition }));
const ends = (name: string) => digit.map((end) => ({ [name]: { endsWith: end } }));

function applicationFilter(depth: number): fc.Arbitrary<RecordFilter> {
  const own = [
    ends('name'),
    ends('description'),
    fc.constantFrom<RecordFilter>({ description: { isNull: true } }, { description: { ne: 'about 4' } }),
    manyOf('translations', ends('translatedText')),
  ];
  if (depth === 0) return connected(fc.oneof(...own));
  const mapping: fc.Arbitrary<RecordFilter> = fc.oneof(
    fc.constantFrom<RecordFilter>(
      { individualExternalLink: { isNull: true } },
      { individualExternalLink: { ne: 'link' } },
    ),
    applicationFilter(depth - 1).map((application) => ({ application })),
    manyOf(
      'accessScopeApplicationsMappers',
      applicationFilter(depth - 1).map((application) => ({ application })),
    ).map((accessScope) => ({ accessScope })),
  );
  return connected(fc.oneof(...own, manyOf('accessScopeApplicationsMappers', connected(mapping))));
}

/** Values of each type, so few that many conditions hold for some records. */
const values = {
  text: fc.constantFrom('', 'a', 'A', 'application 1', 'APPLICATION 10', 'about 10', 'É ß', 'é', 'ß', '😀', '～'),
  number: fc.integer({ min: -1, max: 30 }),
  time: fc.constantFrom('2024-01-02T00:00:00.000Z', '2024-01-03T12:00:00.001Z', '2024-01-04T00:00:00.000Z'),
  boolean: fc.boolean(),
};
const operators = (
  value: fc.Arbitrary<unknown>,
  ...others: fc.Arbitrary<RecordFilter>[]
): fc.Arbitrary<RecordFilter> => {
  const listed = fc.array(fc.option(value), { maxLength: 3 });
  const range = fc.record({ gt: value, ge: value, lt: value, le: value }, { requiredKeys: [] });
  return fc.oneof(
    fc.record({ eq: value }),
    fc.record({ ne: value }),
    fc.record({ isNull: fc.boolean() }),
    fc.record({ in: listed }),
    fc.record({ notIn: listed }),
    range,
    ...others,
  );
};
const textOperators = fc
  .tuple(
    operators(
      values.text,
      fc.record({ contains: values.text }),
      fc.record({ startsWith: values.text }),
      fc.record({ endsWith: values.text }),
    ),
    fc.boolean(),
  )
  .map(([given, ignoreCase]): RecordFilter => ({ ...given, ignoreCase }));
const ofField = fc.oneof(
  ...['name', 'description', 'globalExternalLink'].map((name) => textOperators.map((given) => ({ [name]: given }))),
  operators(values.number).map((given) => ({ applicationId: given })),
  operators(values.time).map((given) => ({ createdDate: given })),
  operators(values.time).map((given) => ({ modifiedDate: given })),
  fc
    .oneof(fc.record({ eq: values.boolean }), fc.record({ isNull: fc.boolean() }))
    .map((given) => ({ isIframe: given })),
  textOperators.map((given) => ({ createdByNavigation: { firstName: given } })),
);

it('each operator of the graph, and all of them connected, keep the records that the tree keeps', async () => {
  const { sql } = app.running.dependencies;
  const names = ['', 'a', 'A', 'É ß', 'é ß', 'ß', '😀 up', '～ down', 'APPLICATION 10', 'application 1'];
  for (const [index, name] of names.entries())
    await sql.rows(
      `update applications set name = $2, description = $3, is_iframe = $4, created_date = $5, modified_date = $6
       where application_id = (select application_id from applications order by application_id offset $1::int limit 1)`,
      [
        index,
        name,
        index % 3 === 0 ? null : names[(index + 3) % names.length],
        [true, false, null][index % 3],
        new Date(Date.UTC(2024, 0, 1 + index)),
        index % 2 ? new Date(Date.UTC(2024, 0, 1 + index, 12, 0, 0, 1)) : null,
      ],
    );
  await sql.rows(
    "insert into users (user_guid, first_name, created_by) select created_by, 'É ß', created_by from applications limit 1",
  );
  const applications: Linked[] = await plainRecords(sql, Application);
  await fc.assert(
    fc.asyncProperty(connected(ofField), async (filter) => {
      const tree = treeOf(filter);
      const { text, values } = selectWhere(tree);
      const kept = await sql.rows<{ id: number }>(text, values);
      const expected = applications.filter((record) => evaluate(tree, record));
      expect(kept.map(({ id }) => id)).toEqual(expected.map(({ applicationId }) => applicationId));
    }),
    { numRuns: 300 },
  );
});

it('a filter of any nesting keeps the records that JavaScript keeps', async () => {
  const { sql } = app.running.dependencies;
  // fewer, so that many filters can be judged in JavaScript
  await sql.rows('delete from access_scope_applications_mappers where application_id % 10 > 0');
  await sql.rows("delete from applications where application_id % 10 > 0 and name not like 'application 1_'");
  const applications: Linked[] = await plainRecords(sql, Application);
  const mappings = applications.flatMap((application) => application.accessScopeApplicationsMappers);
  // REST doesn't follow it
  for (const { accessScope } of mappings)
    accessScope.accessScopeApplicationsMappers = mappings.filter((other) => other.accessScope === accessScope);
  await fc.assert(
    fc.asyncProperty(applicationFilter(1), async (filter) => {
      const tree = treeOf(filter);
      const { text, values } = selectWhere(tree);
      const kept = await sql.rows<{ id: number }>(text, values);
      const idsOf = (keeps: (record: Linked) => boolean) =>
        applications.filter(keeps).map(({ applicationId }) => applicationId);
      expect(kept.map(({ id }) => id)).toEqual(idsOf((record) => evaluate(tree, record)));
      expect(kept.map(({ id }) => id)).toEqual(idsOf((record) => passes(filter, record)));
    }),
    { numRuns: 150 },
  );
});
