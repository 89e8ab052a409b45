/** What an entry of the `scopes` claim is: the same for a record in memory as for one in the database. */
import fc from 'fast-check';
import { isScopeToken } from '../../src/entities/valueForms.js';
import { notScopeToken, scopeEntry, scopeEntryColumn, scopeText } from '../../src/services/access/scopeEntry.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const text = fc.oneof(fc.constantFrom('', ' ', '*', ':', '0', 'null', '"', '\\'), fc.string({ maxLength: 5 }));
const parts = fc.record({
  typeName: text,
  accessScopeKey: fc.option(text),
  concreteId: fc.option(fc.constantFrom(0, -1, 7, 2_147_483_647)),
  isWildcard: fc.boolean(),
});
const storable = parts.filter(({ typeName, accessScopeKey }) => !`${typeName}${accessScopeKey}`.includes('\0'));

it('a record in memory has the entry that the database makes of it', async () => {
  const samples = fc.sample(storable, { numRuns: 2_000, seed: 1 });
  const rows = await app.context.sql.rows<{ entry: string | null }>(
    `select ${scopeEntryColumn} as entry from
       jsonb_to_recordset($1::jsonb) as scope (ord int, type_name text, access_scope_key text, concrete_id int, is_wildcard boolean)
       cross join lateral (select scope.type_name as name) type order by ord`,
    [
      JSON.stringify(
        samples.map((sample, ord) => ({
          ord,
          type_name: sample.typeName,
          access_scope_key: sample.accessScopeKey,
          concrete_id: sample.concreteId,
          is_wildcard: sample.isWildcard,
        })),
      ),
    ],
  );
  expect(rows.map(({ entry }) => entry)).toEqual(samples.map((sample) => scopeEntry(sample) ?? null));
});

it('the database tells scope-tokens from others as the service does, in any collation', async () => {
  const entries = [...fc.sample(text, { numRuns: 300, seed: 1 }), ...fc.sample(fc.string({ unit: 'binary' }), 700)];
  const sound = entries.filter((entry) => !entry.includes('\0') && entry.isWellFormed());
  for (const collation of ['"C"', '"und-x-icu"']) {
    const rows = await app.context.sql.rows<{ is_other: boolean }>(
      `select ${notScopeToken(`entry collate ${collation}`)} as is_other from unnest($1::text[]) with ordinality given (entry, ord) order by ord`,
      [sound],
    );
    expect(rows.map(({ is_other }) => is_other)).toEqual(sound.map((entry) => !isScopeToken(entry)));
  }
});

it('the scope text, read by RFC 6749, has no entry that the scopes array lacks', () => {
  const entries = fc.array(fc.oneof(text, fc.string({ unit: 'binary' }), fc.constantFrom('x admin:security', 'a\tb')));
  fc.assert(
    fc.property(entries, (scopes) => {
      const read = scopeText(scopes).split(' ').filter(Boolean);
      expect(read).toEqual(scopes.filter(isScopeToken));
      // %x21 / %x23-5B / %x5D-7E
      expect(read.join('')).toMatch(/^[!#-[\]-~]*$/);
    }),
    { numRuns: 2_000 },
  );
});
