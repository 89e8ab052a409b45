/** The create and update mutations that administered records share; each record's file says what is its own. */
import type { Context } from '../context.js';
import { describe, fieldOf, type RecordClass } from '../entities/fields.js';
import { graphqlType } from '../entities/mapping.js';
import type { InputField } from '../services/inputRules.js';
import { loadRecord } from './loaders.js';
import { type Argument, declareMutation, ifRevision, inputType, under } from './operations.js';

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
  declareMutation(`create${name}`, {
    doc: `Makes a new ${name}.`,
    type: () => record,
    arguments: {
      input: { type: inputType(`Create${name}Input`, `A new ${name}.`, fields('create')), doc: 'Its fields.' },
    },
    resolve: async (_root, { input }, context, info) => {
      const made = (await under('input', create(context, input))) as Record<string, unknown>;
      return loadRecord(context, info, record, key, made[key]);
    },
  });
  const what = 'What to change: an absent field stays, null clears.';
  declareMutation(`update${name}`, {
    doc: `Changes a ${name}.`,
    type: () => record,
    arguments: {
      [key]: keyArgument(record, key),
      input: { type: inputType(`Update${name}Input`, what, fields('update')), doc: 'What to change.' },
      ifRevision,
    },
    resolve: async (_root, given, context, info) => {
      await under('input', update(context, given[key], given.input, given.ifRevision));
      return loadRecord(context, info, record, key, given[key]);
    },
  });
}

/** Declares `deactivate…`: an update that sets one field. */
export function declareDeactivation({ record, key, update }: RecordOperations, input: object, doc: string): void {
  declareMutation(`deactivate${describe(record).name}`, {
    doc,
    type: () => record,
    arguments: { [key]: keyArgument(record, key), ifRevision },
    resolve: async (_root, given, context, info) => {
      await update(context, given[key], input, given.ifRevision);
      return loadRecord(context, info, record, key, given[key]);
    },
  });
}

/** Declares `delete…`, which answers true. */
export function declareDeletion(
  { record, key }: Pick<RecordOperations, 'record' | 'key'>,
  remove: (context: Context, key: string) => Promise<boolean>,
  doc: string,
): void {
  declareMutation(`delete${describe(record).name}`, {
    doc,
    type: () => Boolean,
    arguments: { [key]: keyArgument(record, key) },
    resolve: (_root, given, context) => remove(context, given[key]),
  });
}
