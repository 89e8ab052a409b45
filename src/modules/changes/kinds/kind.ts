/** What is asked of every kind of change. One object answers all of it, so that nothing else has to know which kinds there are. */
import type { Context } from '../../../context.js';
import type { FieldDescription } from '../../../entities/description.js';
import type { InputField } from '../../../services/records/input.js';
import type { VersionSubject } from '../ways.js';
import {
  type ChangeFields,
  describeAlike,
  describeDifferent,
  type NewRecord,
  type Said,
  type Words,
} from '../words.js';

// biome-ignore lint/suspicious/noExplicitAny: its values are what its arguments say
export interface Kind<Value = any> {
  /** The name of its member of `ChangeInput`. */
  name: string;
  /** The kind under whose name it is described and counted: itself, or the one of which it makes many at once. */
  family: string;
  /** Its arguments; null for those of the mutation that has its name. */
  input: Input | null;

  /** What it does: one by one, or many that follow each other at once. */
  does: Single<Value> | Grid<Value>;
  title: Title<Value>;
  effect: Effect<Value>;
  /** The application or profile whose owner may decide about it; null where ownership is not enough. */
  ownedBy: ((value: Value) => Owned) | null;
  /** The same with an end, where it gives something only to people whom it names; null otherwise. */
  endingAt: ((value: Value, end: string) => Value) | null;
}

/** The arguments of a kind without a mutation. */
interface Input {
  type: string;
  /** Of the type. */
  doc: string;
  /** Of the member of `ChangeInput`. */
  does: string;
  fields: ArgumentField[];
}
interface ArgumentField extends InputField {
  isList?: true;
}

/** An argument with the type of a record's field. @param doc absent: that of the field */
export const argument = (
  name: string,
  field: FieldDescription,
  { doc = field.doc, required = false, isList }: { doc?: string; required?: boolean; isList?: true } = {},
): ArgumentField => ({
  name,
  field: { ...field, doc },
  required,
  nullable: !required,
  ...(isList && { isList }),
});

// biome-ignore lint/suspicious/noExplicitAny: its values are what its arguments say
export interface Single<Value = any> {
  /** Problems are keyed by the paths of the arguments. */
  apply(context: Context, value: Value): Promise<unknown>;
  /** How many records it may touch. */
  size(value: Value): number;
  /** Guid of the change set that it undoes. */
  undoes?(value: Value): string;
}

// biome-ignore lint/suspicious/noExplicitAny: its cells are what its arguments say
export interface Grid<Cell = any> {
  /** Problems are keyed by `[index]` and the paths of the arguments, or by `userGuids[index]` for `userGuid`. */
  set(context: Context, cells: readonly Cell[]): Promise<unknown>;
  /** Names the cell: a cell is changed once. */
  keyOf(cell: Cell): string;
  /** What all cells of a change have in common. */
  groupOf(cell: Cell): string;
  /** What the version that the cell writes is of; undefined where cells are not told apart. */
  writes(cell: Cell, ids: CellIds): Partial<VersionSubject> | undefined;
}

/** The numbers of the records that a cell names. */
interface CellIds {
  application: number | undefined;
  scope: number | undefined;
  type: number | undefined;
  user: number | undefined;
}

/** What it says to people. */
export interface Title<Value> {
  /** The fields in which changes may differ that one sentence describes. */
  differsIn: readonly string[];
  sentence(words: Words, values: readonly Value[]): string;
  /** One sentence for changes of the family that differ in more. */
  summary(words: Words, values: readonly Value[]): string;
  /** Whether a title has a few sentences instead of the summary. */
  isJoined: boolean;
  /** The record that it makes; null if it makes none that others can refer to. */
  makes(value: Value): NewRecord | null;
}

/** Who gains or loses by it. */
interface Effect<Value> {
  /** It cannot give or remove access. */
  isBesideAccess(value: Value): boolean;
  /** It makes inactive what it names, so that nobody gains for another reason. */
  putsOutOfUse(value: Value): boolean;
  /** What changes with one line in the table of effects have in common, beside the family. */
  subject(value: Value): string;
}

interface Owned {
  application?: string;
  profile?: string;
}

/** The effect of a change that concerns access, and has a line of its own kind in the table of effects. */
export const onAccess: Effect<object> = { isBesideAccess: () => false, putsOutOfUse: () => false, subject: () => '' };

/** A title that says verb, record and each value. */
export const plainTitle = (said: Said, differsIn: readonly string[] = []): Title<object> => ({
  differsIn,
  sentence: (words, values) => describeAlike(words, said, values as ChangeFields[]),
  summary: (_words, values) => describeDifferent(said, values as ChangeFields[]),
  isJoined: true,
  makes: () => null,
});
