/** Writes what is derived from the entities, settings and decisions: migration, snapshot, schema, tables of documents; `--check` only compares. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { MikroORM } from '@mikro-orm/postgresql';
import { settingsText } from '../config/config.js';
import { ormOptions } from '../database/connect.js';
import { examplesText } from '../graphql/examples.js';
import { schemaText } from '../graphql/schema.js';
import { typePoliciesText } from '../graphql/typePolicies.js';
import { checkMigrations } from './checkMigrations.js';
import { consoleOperations } from './consoleOperations.js';
import { importReference } from './importReference.js';
import { findUnannouncedBreaks, releasedSchema } from './schemaChanges.js';

const root = new URL('../../../', import.meta.url);
const migrations = new URL('src/database/migrations/', root);
const checkOnly = process.argv.includes('--check');
const stale: string[] = [];

const read = (path: string): string =>
  existsSync(new URL(path, root)) ? readFileSync(new URL(path, root), 'utf8') : '';

function write(path: string, content: string): void {
  if (read(path) === content) return;
  if (checkOnly) stale.push(path);
  else writeFileSync(new URL(path, root), content);
}

/** The text between `<!-- name -->` and `<!-- /name -->` replaced. */
function fillIn(document: string, name: string, content: string): string {
  const [before, after] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(before);
  const end = document.indexOf(after);
  if (start < 0 || end < start) return document;
  return `${document.slice(0, start + before.length)}\n${content}\n${document.slice(end)}`;
}

/** A migration from the snapshot of the last one to today's entities; needs no database. */
async function generateMigration(): Promise<void> {
  const options = ormOptions('postgresql://nobody@127.0.0.1:1/none');
  const orm = await MikroORM.init({ ...options, migrations: { ...options.migrations!, snapshot: true } });
  try {
    if (checkOnly) {
      if (await orm.migrator.checkSchema()) stale.push('src/database/migrations');
    } else {
      await orm.migrator.create();
    }
  } finally {
    await orm.close(true);
  }
}

function listMigrations(): void {
  const names = readdirSync(migrations)
    .filter((file) => /^Migration\d+.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();
  const imports = names.map((name) => `import { ${name} } from './${name}.js';`);
  const entries = names.map((name) => `  { name: '${name}', class: ${name} },`);
  write(
    'src/database/migrations/all.ts',
    [
      '/** Every migration, in order; written by `npm run generate`. */',
      ...imports,
      '',
      'export const allMigrations = [',
      ...entries,
      '];',
      '',
    ].join('\n'),
  );
}

/** A table of the decisions, by their first lines. */
function decisionsTable(): string {
  const folder = 'docs/decisions/';
  const rows = readdirSync(new URL(folder, root))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => {
      const [heading] = read(folder + name).split('\n', 1);
      return `| [${name.slice(0, 4)}](${name}) | ${heading!.replace('# ', '')} |`;
    });
  return ['| | |', '|---|---|', ...rows].join('\n');
}

/** Types and texts of what the console asks; a file without its operations any more is removed. */
async function generateConsoleOperations(): Promise<void> {
  const folder = 'console/src/operations/';
  const generated = `${folder}generated/`;
  mkdirSync(new URL(generated, root), { recursive: true });
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.graphql'));
  const sources = new Map(names.sort().map((name) => [name.replace(/\.graphql$/, ''), read(folder + name)]));
  const files = await consoleOperations(schemaText(), sources);
  for (const [name, content] of files) write(generated + name, content);
  for (const name of readdirSync(new URL(generated, root)).filter((name) => !files.has(name))) {
    if (checkOnly) stale.push(generated + name);
    else rmSync(new URL(generated + name, root));
  }
}

await generateMigration();
await generateConsoleOperations();
listMigrations();
write('schema.graphql', schemaText());
const graphDocument = fillIn(read('docs/graphql.md'), 'typePolicies', typePoliciesText());
write('docs/graphql.md', fillIn(graphDocument, 'examples', examplesText()));
write('docs/import.md', fillIn(read('docs/import.md'), 'lists', importReference()));
write('docs/settings.md', fillIn(read('docs/settings.md'), 'settings', settingsText()));
write('docs/decisions/README.md', fillIn(read('docs/decisions/README.md'), 'decisions', decisionsTable()));
const breaks = findUnannouncedBreaks(releasedSchema(root), schemaText(), read('CHANGELOG.md'));
if (breaks.length > 0) {
  process.stderr.write(
    `schema.graphql breaks clients of the last release. Take it back, or name it in CHANGELOG.md under "Unreleased", word for word:\n${breaks.map((change) => `  ${change}`).join('\n')}\n`,
  );
  process.exitCode = 1;
}
const dangers = await checkMigrations(migrations);
if (dangers.length > 0) {
  process.stderr.write(
    `Migrations that a database in use would suffer from:\n${dangers.map((danger) => `  ${danger}`).join('\n')}\n`,
  );
  process.exitCode = 1;
}
if (stale.length > 0) {
  process.stderr.write(`Not fresh, run \`npm run generate\`:\n${stale.map((path) => `  ${path}`).join('\n')}\n`);
  process.exitCode = 1;
}
