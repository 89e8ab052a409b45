/** What the console asks of the graph: types of each operation and its id, and the texts by id, made from console/src/operations/*.graphql. */
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
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
import { sha256Of } from '../config/trustedDocuments.js';

const scalars = { ID: 'string', UUID: 'string', DateTime: 'string', JSON: 'unknown' };
const heading = '/** Written by `npm run generate` from the operations beside this folder. */';

/** An operation's text, with what it answers and takes. */
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
export async function consoleOperations(
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
  // a file of fragments alone has nothing to be asked
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
  const asked = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const names = asked.flatMap((each) => [`${typeName(each)}`, `${typeName(each)}Variables`]).sort();
  const texts = asked.map((each) => {
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
        const found = fragments.find((each) => 'name' in each && each.name?.value === name.value);
        if (!found || used.has(found)) return;
        used.add(found);
        collect(found);
      },
    });
  };
  collect(operation);
  return [...used];
}

const typeName = ({ name, operation }: OperationDefinitionNode): string =>
  `${name!.value}${operation === 'query' ? 'Query' : 'Mutation'}`;

/** The schema itself is documented in schema.graphql: the types repeat its names alone. */
function withoutDescriptions(schema: DocumentNode): DocumentNode {
  return visit(schema, { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) });
}
