/** Writes everything that is generated: migration, schema, operations of the console, tables of documents; `--check` compares only. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { MikroORM } from '@mikro-orm/postgresql';
import {
  buildSchema,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import { version } from '../config/config.js';
import { settingsText } from '../config/loadConfig.js';
import { sha256Of } from '../config/trustedDocuments.js';
import { ormOptions } from '../database/connect.js';
import { examplesText } from '../graphql/examples.js';
import { schemaText } from '../graphql/schema.js';
import { typePoliciesText } from '../graphql/typePolicies.js';
import { documents } from '../modules/documents.js';
import { letters } from '../services/read/foldedText.js';
import { checkMigrations, findLastRelease, findUnannouncedBreaks, schemaOf } from './checkMigrations.js';
import { moduleTable } from './moduleTable.js';
import { noticeText } from './notice.js';

const scalars = { ID: 'string', UUID: 'string', DateTime: 'string', JSON: 'unknown' };
const heading = '/** Written by `npm run generate` from the operations beside this folder. */';

/** An operation's text, with the types of its answer and its variables. */
const operationType = [
  '/** An operation by the SHA-256 of its text, which documents.json has; its types say what it answers and what it takes. */',
  'export interface Operation<Answer, Variables> {',
  '  readonly operationName: string;',
  '  readonly documentId: string;',
  '  readonly answer?: Answer;',
  '  readonly variables?: Variables;',
  '}',
].join('\n');

/** The generated files by name. Throws where an operation is not of the schema. */
async function consoleOperations(
  schemaText: string,
  sources: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const documents = [...sources].map(([name, text]) => ({ location: name, document: parse(text) }));
  const types = await codegen({
    schema: withoutDescriptions(parse(schemaText)),
    schemaAst: buildSchema(schemaText),
    filename: 'graph.ts',
    documents,
    config: { scalars, skipTypename: true, namingConvention: 'keep', enumsAsTypes: true },
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  });
  const fragments = documents.flatMap(({ document }) =>
    document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION),
  );
  const listed = new Map<string, string>();
  // a file with only fragments has no operation
  const texts = documents
    .filter(({ document }) => document.definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION))
    .map(({ location, document }): [string, string] => [`${location}.ts`, operations(document, fragments, listed)]);
  const manifest = `${JSON.stringify(Object.fromEntries([...listed].sort()), null, 2)}\n`;
  return new Map([['graph.ts', `${heading}\n${types}\n${operationType}\n`], ['documents.json', manifest], ...texts]);
}

/**
 * @param fragments of all documents: an operation may spread one of another file
 * @param listed gets the text of each operation by its id
 */
function operations(document: DocumentNode, fragments: readonly Definition[], listed: Map<string, string>): string {
  const definitions = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const names = definitions.flatMap((each) => [`${typeName(each)}`, `${typeName(each)}Variables`]).sort();
  const texts = definitions.map((each) => {
    const used = usedFragments(each, fragments);
    const text = stripIgnoredCharacters([each, ...used].map(print).join('\n'));
    const name = each.name!.value;
    const id = sha256Of(text);
    listed.set(id, text);
    const value = `{ operationName: '${name}', documentId: 'sha256:${id}' }`;
    return `export const ${name[0]!.toLowerCase()}${name.slice(1)}: Operation<${typeName(each)}, ${typeName(each)}Variables> =\n  ${value};`;
  });
  return `${heading}\nimport type { Operation, ${names.join(', ')} } from './graph';\n\n${texts.join('\n')}\n`;
}

type Definition = DocumentNode['definitions'][number];

/** The fragments that an operation spreads, and those that they spread. */
function usedFragments(operation: Definition, fragments: readonly Definition[]): Definition[] {
  const used = new Set<Definition>();
  const collect = (definition: Definition): void => {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.find((each) => 'name' in each && each.name?.value === name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return [...used];
}

const typeName = ({ name, operation }: OperationDefinitionNode): string =>
  `${name!.value}${operation === 'query' ? 'Query' : 'Mutation'}`;

/** The schema itself is documented in schema.graphql; the types only repeat its names. */
function withoutDescriptions(schema: DocumentNode): DocumentNode {
  return visit(schema, { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) });
}

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

/** A list of the decisions, by their first lines. */
function decisionsList(): string {
  const folder = 'docs/decisions/';
  const rows = readdirSync(new URL(folder, root))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => {
      const [heading] = read(folder + name).split('\n', 1);
      return `- [${name.slice(0, 4)}](${name}) ${heading!.replace('# ', '')}`;
    });
  return rows.join('\n');
}

/** The names of images and jobs with the version of package.json. */
const withVersion = (text: string): string =>
  text.replaceAll(/(gatehouse:|gatehouse-migrate-|image\.version=)\d+\.\d+\.\d+(-[\w.-]+)?/g, `$1${version}`);

/** Types and texts of the console's operations; a generated file whose operations are gone is removed. */
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
write('docs/clients/javascript/typePolicies.mjs', typePoliciesText());
write('docs/graphql.md', fillIn(read('docs/graphql.md'), 'examples', examplesText()));
for (const { path, place, text } of documents) write(path, fillIn(read(path), place, text()));
const modules = moduleTable(new URL('src/modules/', root));
write('docs/architecture.md', fillIn(read('docs/architecture.md'), 'modules', modules));
write('docs/settings.md', fillIn(read('docs/settings.md'), 'settings', settingsText()));
write('docs/decisions/README.md', fillIn(read('docs/decisions/README.md'), 'decisions', decisionsList()));
write(
  'console/src/letters.ts',
  `/** Written by \`npm run generate\` from services/read/foldedText.ts. */\nexport const letters: Readonly<Record<string, string>> = {\n${Object.entries(
    letters,
  )
    .map(([letter, form]) => `  ${letter}: '${form}',\n`)
    .join('')}};\n`,
);
write('NOTICE', noticeText(root));
for (const path of ['ops/Dockerfile', 'ops/kubernetes/gatehouse.yaml', 'ops/kubernetes/migrate/migrate.yaml'])
  write(path, withVersion(read(path)));
const release = findLastRelease(root);
const breaks = release
  ? findUnannouncedBreaks(schemaOf(root, release), schemaText(), read('CHANGELOG.md'), release.version)
  : [];
if (breaks.length > 0) {
  process.stderr.write(
    `schema.graphql breaks clients of ${release!.version}. Take it back, or name it in CHANGELOG.md under "Unreleased", word for word:\n${breaks.map((change) => `  ${change}`).join('\n')}\n`,
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
