/** No operation of the console asks for so many and stops: what is read in part says how many there are, or reads on. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DefinitionNode,
  type FragmentDefinitionNode,
  getNamedType,
  parse,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const root = new URL('../../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('schema.graphql', root), 'utf8'));
const documents = Object.values(
  JSON.parse(readFileSync(new URL('console/src/operations/generated/documents.json', root), 'utf8')) as Record<
    string,
    string
  >,
).map((text) => parse(text));

/** Most rows that a list within a list has: a taste, beside the number of all. */
const tasteMax = 24;

/** Reads whose number is known beforehand: one for each thing that was asked about. */
const known = new Set([
  'Matrix.accessScopeApplicationsMappers',
  'Matrix.accessScopeTypeApplicationsMappers',
  'ColumnOfScope.accessScopeApplicationsMappers',
  'ColumnOfType.accessScopeTypeApplicationsMappers',
  // of the users that the request names
  'PeopleToChange.users',
  'PeopleLeftOut.users',
  'UnusualProfiles.users',
  // the palette counts what the lists find to which it leads
  'Find.applications',
  'Find.profiles',
  'Find.accessScopes',
  'Find.roles',
  // the role that is offered first
  'ProfileToGive.userProfiles',
  // languages that are offered first: any other can be added
  'UsedLanguages.applications',
  'UsedLanguages.translations',
]);
/** What a review reads of its own changes, which are 1,000 at most; and texts of a group, by their languages. */
const bounded =
  /^(Managers|MappingsNow|Present\w+|ProposalDetail|FinishReview|TryChanges|TryUndo|ApplicationTexts|ScopeTexts|TypeTexts)\./;

interface Connection {
  place: string;
  first: number | 'variable' | undefined;
  /** Whether any row of it can be asked for. */
  jumps: boolean;
  selects: ReadonlySet<string>;
}

const connections = documents.flatMap((document) => {
  const types = new TypeInfo(schema);
  const fieldsOf = (set: SelectionSetNode | undefined): string[] =>
    set?.selections.flatMap((each) => {
      if (each.kind === 'Field') return each.name.value;
      const isNamed = (node: DefinitionNode): node is FragmentDefinitionNode =>
        node.kind === 'FragmentDefinition' && each.kind === 'FragmentSpread' && node.name.value === each.name.value;
      return fieldsOf(document.definitions.find(isNamed)?.selectionSet);
    }) ?? [];
  const found: Connection[] = [];
  let operation = '';
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition: ({ name }) => {
        operation = name?.value ?? '';
      },
      Field: ({ name, arguments: given = [], selectionSet }) => {
        const type = getNamedType(types.getType());
        if (!type?.name.endsWith('Connection')) return;
        const first = given.find((argument) => argument.name.value === 'first')?.value;
        found.push({
          place: `${operation}.${name.value}`,
          first: first?.kind === 'IntValue' ? Number(first.value) : first && 'variable',
          jumps: given.some((argument) => argument.name.value === 'offset' && argument.value.kind === 'Variable'),
          selects: new Set(fieldsOf(selectionSet)),
        });
      },
    }),
  );
  return found;
});

it('each list says how many there are, or reads on to its end', () => {
  expect(connections.length).toBeGreaterThan(40);
  const cut = connections
    .filter(({ place }) => !known.has(place) && !bounded.test(place))
    .filter(({ first, jumps, selects }) =>
      first === 'variable'
        ? !selects.has('pageInfo') && !(jumps && selects.has('totalCount'))
        : !(first! <= tasteMax && selects.has('totalCount')),
    )
    .map(({ place }) => place);
  expect(cut).toEqual([]);
});
