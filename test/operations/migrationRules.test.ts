/** Which migrations `npm run check` refuses. */

import { allMigrations } from '../../src/database/migrations/all.js';
import { findDangers } from '../../src/tools/checkMigrations.js';

const rulesOf = (statements: string[], source = '') => findDangers(statements, source).map(({ rule }) => rule);

it.each([
  ['drop-table', 'drop table if exists "tokens" cascade;'],
  ['drop-column', 'alter table "tokens" drop column "generation";'],
  ['rename', 'alter table "tokens" rename column "token" to "hash";'],
  ['rename', 'alter table "tokens" rename to "renewals";'],
  ['change-type', 'alter table "tokens" alter column "profile_id" type varchar(60) using ("profile_id"::varchar(60));'],
  ['change-type', 'ALTER TABLE tokens\n  ALTER COLUMN id SET DATA TYPE int'],
  ['required-column', 'alter table "tokens" add column "device" varchar(50) not null;'],
  ['required-column', 'alter table tokens add device varchar(50) not null'],
  ['set-not-null', 'alter table "tokens" alter column "client_id" set not null;'],
  ['rewrite', 'alter table "tokens" add column "device" uuid not null default gen_random_uuid();'],
  ['rewrite', 'alter table "tokens" add column "sum" int generated always as (generation + 1) stored;'],
  ['index', 'create index "tokens_client_id_index" on "tokens" ("client_id");'],
  ['index', 'create unique index "x" on "tokens" ("client_id");'],
  ['index', 'alter table "tokens" add constraint "x" unique ("client_id");'],
  [
    'constraint',
    'alter table "tokens" add constraint "x" foreign key ("client_id") references "clients" ("client_id");',
  ],
  ['constraint', 'alter table "tokens" add constraint "x" check (generation >= 0);'],
])('%s: %s', (rule, statement) => {
  expect(rulesOf([statement])).toEqual([rule]);
  expect(rulesOf([statement], `// allow ${rule}: the table is empty in every installation`)).toEqual([]);
  expect(rulesOf([statement], `// allow ${rule}:`)).toEqual([rule]);
});

it.each([
  'alter table "tokens" add column "device" varchar(50) null;',
  `alter table "tokens" add column "device" varchar(50) not null default '';`,
  'create index concurrently "tokens_client_id_index" on "tokens" ("client_id");',
  'alter table "tokens" add constraint "x" foreign key ("client_id") references "clients" ("client_id") not valid;',
  'alter table "tokens" validate constraint "x";',
  'insert into roles (role_id) values (1)',
])('no danger: %s', (statement) => {
  expect(rulesOf([statement])).toEqual([]);
});

it('a table that the same migration makes may be indexed and constrained', () => {
  const made = [
    'create table "t" ("id" int not null);',
    'create index "i" on "t" ("id");',
    'alter table "t" add constraint "u" unique ("id");',
  ];
  expect(rulesOf(made)).toEqual([]);
});

it('the statements of a migration are known without a database', async () => {
  const [first] = allMigrations;
  const migration = new first!.class(undefined as never, undefined as never);
  await migration.up();
  expect(rulesOf(migration.getQueries().map(String))).toEqual([]);
  expect(migration.getQueries().length).toBeGreaterThan(30);
});
