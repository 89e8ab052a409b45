/** The changes that a change set may hold: one member for each mutation, of its name, with that mutation's arguments. */
import { type GraphQLSchema, isInputObjectType } from 'graphql';
import { Field, InputType } from 'type-graphql';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { fieldOf, type RecordClass } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import { Uuid } from '../../entities/scalars.js';
import { Translation } from '../../entities/Translation.js';
import type { PlannedChange } from '../../services/changes/applyChanges.js';
import { type MappingCell, setMappings, setTexts, type TranslationCell } from '../../services/changes/grid.js';
import { type Change, changes } from './declare.js';
import { namedClass } from './inputs.js';

type Given = Record<string, unknown>;
const ChangeInput = namedClass('ChangeInput');

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Declares the input; after every mutation that it takes. */
export function declareChangeInput(): () => unknown {
  InputType('ChangeInput', { description: 'A change: exactly one member is given.' })(ChangeInput);
  for (const { name, arguments: given } of changes) {
    const input = namedClass(`${capitalized(name)}Change`);
    InputType(`${capitalized(name)}Change`, { description: `The arguments of ${name}.` })(input);
    for (const [argument, { type, doc, nullable = false }] of Object.entries(given))
      Field(type as never, { nullable, description: doc })(input.prototype, argument);
    member(name, () => input, `As the mutation ${name}.`);
  }
  member('mapping', () => mappingCell(), 'A cell of a grid of applications and access scopes, or their types.');
  member('translation', () => translationCell(), 'A cell of a grid of texts and languages.');
  mappingCell();
  translationCell();
  return () => ChangeInput;
}

const member = (name: string, type: () => unknown, description: string): void =>
  Field(type as never, { nullable: true, description })(ChangeInput.prototype, name);

/** What type-graphql has no word for. */
export function markOneOf(schema: GraphQLSchema): void {
  const type = schema.getType('ChangeInput');
  if (isInputObjectType(type)) type.isOneOf = true;
}

type Member = [name: string, type: unknown, description: string, nullable?: boolean];
const made = new Map<string, RecordClass>();

function cellInput(name: string, description: string, members: readonly Member[]): RecordClass {
  const known = made.get(name);
  if (known) return known;
  const input = namedClass(name);
  made.set(name, input);
  InputType(name, { description })(input);
  for (const [field, type, doc, nullable = false] of members)
    Field(() => type as never, { nullable, description: doc })(input.prototype, field);
  return input;
}

const mappingCell = (): RecordClass =>
  cellInput('MappingChangeInput', 'A mapping, as it was read and as it is wanted.', [
    ['applicationGuid', Uuid, 'Guid of the application.'],
    ['accessScopeGuid', Uuid, 'Guid of the access scope; or of its type, exactly one of them.', true],
    ['accessScopeTypeGuid', Uuid, 'Guid of the access scope type.', true],
    ['from', String, 'The state that was read, null for no mapping: CONFLICT when it is another.', true],
    ['to', String, 'The state that is wanted, null for no mapping.', true],
    ['individualExternalLink', String, fieldOf(AccessScopeApplicationsMapper, 'individualExternalLink').doc, true],
  ]);

const translationCell = (): RecordClass =>
  cellInput('TranslationChangeInput', 'A text, as it was read and as it is wanted.', [
    ['translationGroup', String, fieldOf(Translation, 'translationGroup').doc],
    ['fieldName', graphqlType(fieldOf(Translation, 'fieldName')), fieldOf(Translation, 'fieldName').doc],
    ['languageCode', String, fieldOf(Translation, 'languageCode').doc],
    ['from', String, 'The text that was read, null for none: CONFLICT when it is another.', true],
    ['to', String, 'The text that is wanted, null for none.', true],
  ]);

/** What is carried out for them: cells that follow each other go together. */
export function plannedChanges(given: readonly Given[]): PlannedChange[] {
  const planned: PlannedChange[] = [];
  let run: Cells | undefined;
  given.forEach((change, index) => {
    const [name, value] = Object.entries(change).find(([, value]) => value !== undefined && value !== null)!;
    const grid = grids[name];
    if (run && (run.name !== name || run.has(value))) run = undefined;
    if (!grid) planned.push(single(changes.find((each) => each.name === name)!, value, index));
    else if (run) run.add(value, index);
    else {
      run = new Cells(name, grid, value, index);
      planned.push(run);
    }
  });
  return planned;
}

const single = (change: Change, value: unknown, index: number): PlannedChange => ({
  changes: 1,
  items: change.items(value),
  apply: (context) => change.apply(context, value),
  place: (path) => `changes[${index}].${change.name}${path === undefined ? '' : `.${path}`}`,
});

interface Grid {
  // biome-ignore lint/suspicious/noExplicitAny: the cells are what the schema says
  set(context: Parameters<PlannedChange['apply']>[0], cells: any[]): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: the cells are what the schema says
  keyOf(cell: any): string;
}
const grids: Record<string, Grid> = {
  mapping: {
    set: setMappings,
    keyOf: ({ applicationGuid, accessScopeGuid, accessScopeTypeGuid }: MappingCell) =>
      JSON.stringify([applicationGuid, accessScopeGuid ?? null, accessScopeTypeGuid ?? null]),
  },
  translation: {
    set: setTexts,
    keyOf: ({ translationGroup, fieldName, languageCode }: TranslationCell) =>
      JSON.stringify([translationGroup, fieldName, languageCode]),
  },
};

/** Cells of one grid, each once. */
class Cells implements PlannedChange {
  readonly #cells: unknown[] = [];
  readonly #places: number[] = [];
  readonly #keys = new Set<string>();

  constructor(
    readonly name: string,
    readonly grid: Grid,
    cell: unknown,
    index: number,
  ) {
    this.add(cell, index);
  }

  get changes(): number {
    return this.#cells.length;
  }
  get items(): number {
    return this.#cells.length;
  }

  has(cell: unknown): boolean {
    return this.#keys.has(this.grid.keyOf(cell));
  }

  add(cell: unknown, index: number): void {
    this.#cells.push(cell);
    this.#places.push(index);
    this.#keys.add(this.grid.keyOf(cell));
  }

  apply(context: Parameters<PlannedChange['apply']>[0]): Promise<void> {
    return this.grid.set(context, this.#cells);
  }

  place(path = '[0]'): string {
    const end = path.indexOf(']');
    return `changes[${this.#places[Number(path.slice(1, end))]}].${this.name}${path.slice(end + 1)}`;
  }
}
