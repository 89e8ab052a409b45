/** No operation of the console asks for so many and stops: what is read in part says how many there are, or reads on. */
import { readdirSync, readFileSync } from 'node:fs';
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
import { grids, gridsWalkedElsewhere, partLists, partsWalkedElsewhere } from '../../browser/support/lists.js';

const root = new URL('../../../../', import.meta.url);
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
  // the role that is offered first
  'ProfileToGive.userProfiles',
  // what one guid or trace id names; words are found by the lists beside it, which are counted
  'Find.search',
  // offered while a text is typed, which may be any other
  'Suggest.suggestions',
  // languages that are offered first: any other can be added
  'UsedLanguages.applications',
  'UsedLanguages.translations',
]);
/** What a review reads of its own changes, which are 1,000 at most; and texts of a group, by their languages. */
const bounded =
  /^(Managers|MappingsNow|Present\w+|ProposalDetail|FinishReview|TryChanges|TryUndo|ApplicationTexts|ScopeTexts|TypeTexts)\./;

interface List {
  place: string;
  first: number | 'variable' | undefined;
  /** Whether any row of it can be asked for. */
  jumps: boolean;
  selects: Set<string>;
}

const lists = documents.flatMap((document) => {
  const types = new TypeInfo(schema);
  const fieldsOf = (set: SelectionSetNode | undefined): string[] =>
    set?.selections.flatMap((each) => {
      if (each.kind === 'Field') return each.name.value;
      const isNamed = (node: DefinitionNode): node is FragmentDefinitionNode =>
        node.kind === 'FragmentDefinition' && each.kind === 'FragmentSpread' && node.name.value === each.name.value;
      return fieldsOf(document.definitions.find(isNamed)?.selectionSet);
    }) ?? [];
  const found: List[] = [];
  let operation = '';
  const names = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(types, {
      OperationDefinition: ({ name }) => {
        operation = name?.value ?? '';
      },
      Field: ({ name, arguments: given = [], selectionSet }) => {
        names.add(name.value);
        const isConnection = getNamedType(types.getType())?.name.endsWith('Connection') ?? false;
        if (!isConnection && !given.some((argument) => argument.name.value === 'first')) return;
        const first = given.find((argument) => argument.name.value === 'first')?.value;
        found.push({
          place: `${operation}.${name.value}`,
          first: first?.kind === 'IntValue' ? Number(first.value) : first && 'variable',
          jumps: given.some((argument) => argument.name.value === 'offset' && argument.value.kind === 'Variable'),
          selects: new Set(isConnection ? fieldsOf(selectionSet) : []),
        });
      },
    }),
  );
  // a number that another field tells: `usageCount` of `usage`, or the same list asked for none of its rows
  for (const { place, selects } of found) {
    const isCounted = found.some((each) => each.place === place && each.first === 0 && each.selects.has('totalCount'));
    if (isCounted || names.has(`${place.split('.')[1]}Count`)) selects.add('totalCount');
  }
  return found;
});

it('each list says how many there are, or reads on to its end', () => {
  expect(lists.length).toBeGreaterThan(40);
  const cut = lists
    .filter(({ place }) => !known.has(place) && !bounded.test(place))
    .filter(({ first, jumps, selects }) =>
      first === 'variable'
        ? !selects.has('pageInfo') && !(jumps && selects.has('totalCount'))
        : !(first! <= tasteMax && selects.has('totalCount')),
    )
    .map(({ place }) => place);
  expect(cut).toEqual([]);
});

it('each list of the console is walked to its end by a test', () => {
  const folder = new URL('console/src/', root);
  /** How many lists a file shows, for each of console/src without those that lists are made of. */
  const shownIn = (shows: RegExp) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx') && !path.startsWith('ui/'))
      .map((path) => ({
        file: path.replace(/\.tsx$/, ''),
        lists: readFileSync(new URL(path, folder), 'utf8').match(shows)?.length ?? 0,
      }))
      .filter(({ lists }) => lists > 0);
  const missing = (shows: RegExp, walked: readonly string[]) =>
    shownIn(shows).filter(({ file, lists }) => walked.filter((each) => each === file).length < lists);
  const filesOf = (rows: readonly { file: string }[]) => rows.map(({ file }) => file);
  expect(missing(/<PartList\b|className="rest"/g, [...filesOf(partLists), ...partsWalkedElsewhere])).toEqual([]);
  expect(
    missing(/<(List|ListPage|Rows|Grid)$|<(List|ListPage|Rows|Grid)\s/gm, [...filesOf(grids), ...gridsWalkedElsewhere]),
  ).toEqual([]);
});
