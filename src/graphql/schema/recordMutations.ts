/** The create and update mutations that administered records share; each record's file says what is its own. */
import type { Context } from '../../context.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import type { InputField } from '../../services/records/input.js';
import { loadRecord } from '../resolving/loaders.js';
import { type Argument, declareChange, ifRevision, inputType, under } from './declare.js';

export interface RecordOperations {
  record: RecordClass;
  /** The field that callers name the record by. */
  key: string;
  fields(mode: 'create' | 'update'): InputField[];
  create(context: Context, input: unknown): Promise<object>;
  update(context: Context, key: string, input: unknown, ifRevision?: number | null): Promise<object>;
}

/** The argument that names a record. */
export function keyArgument(record: RecordClass, key: string): Argument {
  const field = fieldOf(record, key);
  return { type: () => graphqlType(field), doc: field.doc };
}

/** Declares `create…` and `update…`. */
export function declareChanges({ record, key, fields, create, update }: RecordOperations): void {
  const { name } = describe(record);
  declareChange(`create${name}`, {
    doc: `Makes a new ${name}.`,
    type: () => record,
    arguments: {
      input: { type: inputType(`Create${name}Input`, `A new ${name}.`, fields('create')), doc: 'Its fields.' },
    },
    apply: (context, { input }) => under('input', create(context, input)),
    answer: (made, _given, context, info) => loadRecord(context, info, record, key, made[key]),
  });
  const what = 'What to change: an absent field stays, null clears.';
  declareChange(`update${name}`, {
    doc: `Changes one ${name}.`,
    type: () => record,
    arguments: {
      [key]: keyArgument(record, key),
      input: { type: inputType(`Update${name}Input`, what, fields('update')), doc: 'What to change.' },
      ifRevision,
    },
    apply: (context, given) => under('input', update(context, given[key], given.input, given.ifRevision)),
    answer: (_changed, given, context, info) => loadRecord(context, info, record, key, given[key]),
  });
}

/** Declares `deactivate…`: an update that sets one field. */
export function declareDeactivation({ record, key, update }: RecordOperations, input: object, doc: string): void {
  declareChange(`deactivate${describe(record).name}`, {
    doc,
    type: () => record,
    arguments: { [key]: keyArgument(record, key), ifRevision },
    apply: (context, given) => update(context, given[key], input, given.ifRevision),
    answer: (_changed, given, context, info) => loadRecord(context, info, record, key, given[key]),
  });
}

/** Declares `delete…`, which answers the key. */
export function declareDeletion(
  { record, key }: Pick<RecordOperations, 'record' | 'key'>,
  remove: (context: Context, key: string, ifRevision?: number | null) => Promise<string>,
  doc: string,
): void {
  declareChange(`delete${describe(record).name}`, {
    doc: `${doc} Answers its key.`,
    type: () => graphqlType(fieldOf(record, key)),
    arguments: { [key]: keyArgument(record, key), ifRevision },
    apply: (context, given) => remove(context, given[key], given.ifRevision),
  });
}
