/** The changes of a record by their arguments, as mutations and change sets have them. Problems are keyed by the arguments. */
import type { Context } from '../../context.js';
import type { RecordClass } from '../../entities/description.js';
import type { InputField } from './input.js';
import { under } from './problemPaths.js';

type KeyedService = (context: Context, key: string, ifRevision?: number | null) => Promise<unknown>;

interface RecordServices {
  record: RecordClass;
  /** The field that names a record. */
  key: string;
  /** The fields of the inputs. */
  fields(mode: 'create' | 'update'): InputField[];
  create(context: Context, input: unknown): Promise<object>;
  update(context: Context, key: string, input: unknown, ifRevision?: number | null): Promise<object>;
  deactivate?: KeyedService;
  delete?: KeyedService;
}

/** Beside the key of the record. */
export interface RecordArguments {
  input?: object;
  ifRevision?: number | null;
}

export interface RecordChanges extends Pick<RecordServices, 'record' | 'key' | 'fields'> {
  /** What can be done with the record. */
  by: {
    create(context: Context, change: RecordArguments): Promise<object>;
    update(context: Context, change: RecordArguments): Promise<object>;
    deactivate?(context: Context, change: RecordArguments): Promise<unknown>;
    delete?(context: Context, change: RecordArguments): Promise<unknown>;
  };
}

export type RecordVerb = keyof RecordChanges['by'];

export function recordChanges({ create, update, ...services }: RecordServices): RecordChanges {
  const { record, key, fields } = services;
  const keyOf = (change: object) => (change as Record<string, string>)[key]!;
  const keyed = (service: KeyedService) => (context: Context, change: RecordArguments) =>
    service(context, keyOf(change), change.ifRevision);
  return {
    record,
    key,
    fields,
    by: {
      create: (context, { input }) => under('input', create(context, input)),
      update: (context, change) => under('input', update(context, keyOf(change), change.input, change.ifRevision)),
      ...(services.deactivate && { deactivate: keyed(services.deactivate) }),
      ...(services.delete && { delete: keyed(services.delete) }),
    },
  };
}
