/**
 * Changes that are mutations by themselves and members of a change set. A change is a class: its fields are the arguments
 * of the mutation and of the member of `ChangeInput`, and `apply` carries it out.
 */
import { type GraphQLSchema, isInputObjectType } from 'graphql';
import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { Context } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Uuid } from '../../entities/scalars.js';
import { Translation } from '../../entities/Translation.js';
import { type MappingCell, setMappings } from '../../services/catalogue/mappings.js';
import { setTexts, type TranslationCell } from '../../services/catalogue/translations.js';
import { assignProfiles, type Unassignment, unassignProfiles } from '../../services/people/profiles.js';
import type { PlannedChange } from '../../services/records/plannedChange.js';
import { FieldOf, Member, MemberOrNull } from './operations.js';

export interface Change {
  /** Makes the change. Problems are keyed by the paths of the fields. */
  apply(context: Context): Promise<unknown>;
  /** How many records the change may touch; absent: one. */
  readonly size?: number;
  /** Guid of the change set that the change undoes. */
  readonly undoes?: string;
}

@InputType({ description: 'A change of one mapping: the state that was read and the new state.' })
class MappingChangeInput implements MappingCell {
  @Member(Uuid, 'Guid of the application.') applicationGuid!: string;
  @MemberOrNull(
    Uuid,
    'Guid of the access scope. Exactly one of `accessScopeGuid` and `accessScopeTypeGuid` is required.',
  )
  accessScopeGuid?: string | null;
  @MemberOrNull(Uuid, 'Guid of the access scope type.') accessScopeTypeGuid?: string | null;
  @MemberOrNull(
    String,
    'The state that was read, or null if there was no mapping. If the current state differs, the request fails with CONFLICT.',
  )
  from?: string | null;
  @MemberOrNull(String, 'The new state, or null to remove the mapping.') to?: string | null;
  @FieldOf(AccessScopeApplicationsMapper, 'individualExternalLink', { nullable: true })
  individualExternalLink?: string | null;
}

@InputType({ description: 'A change of one translation: the text that was read and the new text.' })
class TranslationChangeInput implements TranslationCell {
  @FieldOf(Translation, 'translationGroup') translationGroup!: string;
  @FieldOf(Translation, 'fieldName') fieldName!: string;
  @FieldOf(Translation, 'languageCode') languageCode!: string;
  @MemberOrNull(
    String,
    'The text that was read, or null if there was none. If the current text differs, the request fails with CONFLICT.',
  )
  from?: string | null;
  @MemberOrNull(String, 'The new text, or null to remove the translation.') to?: string | null;
}

/** One member for each class with `@ChangeOf`, and the cells of grids. */
@InputType({ description: 'A change. Exactly one field is required.' })
export class ChangeInput {
  @MemberOrNull(
    MappingChangeInput,
    'Adds, changes or removes a mapping of an application to an access scope or an access scope type.',
  )
  mapping?: MappingCell | null;
  @MemberOrNull(TranslationChangeInput, 'Adds, changes or removes a translation.') translation?: TranslationCell | null;
}

/** The classes of changes, by their member of `ChangeInput`. */
const classes = new Map<string, new () => Change>();

/**
 * Makes the fields of a class the arguments of the mutation, and of the member of `ChangeInput` with its name.
 * @param description the description of the member, if there is no such mutation
 */
export function ChangeOf(mutation: string, description = `The same as the mutation ${mutation}.`) {
  return (change: new () => Change): void => {
    classes.set(mutation, change);
    ArgsType()(change);
    InputType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Change`, {
      description: `The arguments of ${mutation}.`,
    })(change);
    Field(() => change, { nullable: true, description })(ChangeInput.prototype, mutation);
  };
}

export const ifRevisionDoc =
  'The revision that the caller has read. If the record has changed since, the request fails with CONFLICT.';

/** The field with which a change avoids overwriting the change of somebody else. */
export const IfRevision = (description = ifRevisionDoc) => Field(() => Int, { nullable: true, description });

/** type-graphql does not know `@oneOf`. */
export function markOneOf(schema: GraphQLSchema): void {
  const type = schema.getType('ChangeInput');
  if (isInputObjectType(type)) type.isOneOf = true;
}

/** The changes as the service makes them: consecutive cells of one grid are one change. */
export function plannedChanges(inputs: readonly ChangeInput[]): PlannedChange[] {
  const planned: PlannedChange[] = [];
  let run: Cells | undefined;
  inputs.forEach((input, index) => {
    const [name, value] = Object.entries(input).find(([, value]) => value !== undefined && value !== null)!;
    const grid = grids[name];
    if (run && (run.name !== name || run.excludes(value))) run = undefined;
    if (!grid) planned.push(single(name, value as Change, index));
    else if (run) run.add(value, index);
    else {
      run = new Cells(name, grid, value, index);
      planned.push(run);
    }
  });
  return planned;
}

/** The same for changes that were stored as JSON. */
export const storedPlan = (changes: readonly object[]): PlannedChange[] =>
  plannedChanges(
    changes.map((change) =>
      Object.fromEntries(
        Object.entries(change).map(([name, value]) => {
          const Class = classes.get(name);
          return [name, Class && value ? Object.assign(new Class(), value) : value];
        }),
      ),
    ) as ChangeInput[],
  );

const single = (name: string, change: Change, index: number): PlannedChange => ({
  changes: 1,
  items: change.size ?? 1,
  undoes: change.undoes,
  parts: [{ path: `changes[${index}].${name}`, name, value: change as unknown as Record<string, unknown> }],
  apply: (context) => change.apply(context),
  place: (path) => `changes[${index}].${name}${path === undefined ? '' : `.${path}`}`,
});

interface Grid {
  // biome-ignore lint/suspicious/noExplicitAny: the cells are what the schema says
  set(context: Context, cells: any[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the cells are what the schema says
  keyOf(cell: any): string;
  /** What all cells of a change have in common; absent: nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: the cells are what the schema says
  groupOf?(cell: any): string;
}
interface AssignmentCell extends Unassignment {
  validUntil?: string | null;
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
  assignProfile: {
    set: (context, cells: AssignmentCell[]) =>
      assignProfiles(context, { ...cells[0]!, userGuids: cells.map(({ userGuid }) => userGuid), isEachNew: true }),
    keyOf: ({ userGuid }: AssignmentCell) => userGuid,
    // no end and the end null are different
    groupOf: ({ profileId, roleId, validUntil }: AssignmentCell) => JSON.stringify({ profileId, roleId, validUntil }),
  },
  unassignProfile: {
    set: unassignProfiles,
    keyOf: ({ userGuid, roleId }: Unassignment) => JSON.stringify([userGuid, roleId]),
    groupOf: ({ profileId }: Unassignment) => profileId,
  },
};

/** Consecutive cells of one grid, each cell once; assignments only of one profile. */
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

  /** Whether the cell cannot be part of this change and begins another one. */
  excludes(cell: unknown): boolean {
    const { grid } = this;
    return this.#keys.has(grid.keyOf(cell)) || grid.groupOf?.(cell) !== grid.groupOf?.(this.#cells[0]);
  }

  add(cell: unknown, index: number): void {
    this.#cells.push(cell);
    this.#places.push(index);
    this.#keys.add(this.grid.keyOf(cell));
  }

  get parts() {
    return this.#cells.map((cell, index) => ({
      path: `changes[${this.#places[index]}].${this.name}`,
      name: this.name,
      value: cell as Record<string, unknown>,
    }));
  }

  apply(context: Context): Promise<unknown> {
    return this.grid.set(context, this.#cells);
  }

  /** The place of a problem in the request: one of the whole change is at its first cell, `userGuids[3]` at the fourth cell's `userGuid`. */
  place(path = ''): string {
    const [start, end] = [path.indexOf('['), path.indexOf(']')];
    const [field, index, rest] =
      start < 0 ? [path, 0, ''] : [path.slice(0, start), Number(path.slice(start + 1, end)), path.slice(end + 1)];
    return `changes[${this.#places[index]}].${this.name}${field && `.${field.replace(/s$/, '')}`}${rest}`;
  }
}
