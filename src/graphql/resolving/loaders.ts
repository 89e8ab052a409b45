/**
 * The DataLoaders of a request: one for each place in the query, so that all parents of a relation share one statement. Also
 * records the refused fields: each is null, with one error for the field, however many records have it.
 */
import DataLoader from 'dataloader';
import {
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  responsePathAsArray,
} from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { Context, Refusal } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { forbidden } from '../../errors.js';
import { Page } from '../../services/read/projection.js';
import { type Condition, type PageArguments, readByKeys, readPages } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { connectionSelectionOf, type FieldInfo, selectionOf } from './selection.js';

/** What resolvers receive. */
export interface GraphContext extends Context {
  loaders: WeakMap<readonly FieldNode[], DataLoader<unknown, unknown>>;
  refusals: Map<string, Refusal>;
  /** The error of a mutation of the request for which the database was unavailable. */
  away: { error?: unknown };
  /** Counts against the limits of one request: applications listed without pages, and dry runs of proposals. */
  spent: { applications: number; trials: number };
}

export const graphContext = (context: Context): GraphContext => ({
  ...context,
  face: 'graphql',
  loaders: new WeakMap(),
  refusals: new Map(),
  away: {},
  spent: { applications: 0, trials: 0 },
});

/** Reads from the primary database, for records that the catalogue version does not cover: replicas may be behind. */
export const onPrimary = (context: GraphContext): GraphContext => ({ ...context, reads: context.sql });

function loaderAt<Value>(
  context: GraphContext,
  { fieldNodes }: FieldInfo,
  batch: (keys: readonly unknown[]) => Promise<Value[]>,
): DataLoader<unknown, Value> {
  let loader = context.loaders.get(fieldNodes) as DataLoader<unknown, Value> | undefined;
  if (!loader) {
    loader = new DataLoader(batch, { maxBatchSize: Number.POSITIVE_INFINITY });
    context.loaders.set(fieldNodes, loader);
  }
  return loader;
}

const emptyPage = new Page({ totalCount: 0, hasNextPage: false, hasPreviousPage: false });

/** The page of records whose field has the parent's key; an empty page for a parent without a key. */
export function loadPage(
  context: GraphContext,
  info: FieldInfo,
  record: RecordClass,
  field: string,
  key: unknown,
  page: PageArguments,
): Promise<Page> | Page {
  if (key === null || key === undefined) return emptyPage;
  const batch = (keys: readonly unknown[]) =>
    readPages(context, record, page, connectionSelectionOf(info, record), { parents: { field, keys } });
  return loaderAt(context, info, batch).load(key);
}

/** Reads records for a resolver; all parents of its field share the statements. */
export class Loader {
  constructor(
    readonly context: GraphContext,
    readonly info: GraphQLResolveInfo,
  ) {}

  /** The same for records of another context. */
  within(context: GraphContext): Loader {
    return new Loader(context, this.info);
  }

  /** The same from the primary database. */
  get primary(): Loader {
    return this.within(onPrimary(this.context));
  }

  /** The record whose field has the key, or null; also null for no key. */
  record(record: RecordClass, field: string, key: unknown): Promise<Row | null> {
    if (key === null) return Promise.resolve(null);
    return this.batched(key, async (keys) => {
      const rows = await readByKeys(this.context, selectionOf(this.info, record), field, keys);
      return keys.map((each) => rows.get(each) ?? null);
    });
  }

  /** The records whose field has the keys, in their order. */
  records(record: RecordClass, field: string, keys: readonly unknown[]): Promise<(Row | null)[]> {
    return Promise.all(keys.map((key) => this.record(record, field, key)));
  }

  /** The page of records whose field has the key. */
  page(record: RecordClass, field: string, key: unknown, page: PageArguments): Promise<Page> | Page {
    return loadPage(this.context, this.info, record, field, key, page);
  }

  /** A page of the records that meet the condition. */
  async list(record: RecordClass, page: PageArguments, condition?: Condition): Promise<Page> {
    const selection = connectionSelectionOf(this.info, record);
    const [rows] = await readPages(this.context, record, page, selection, condition && { condition });
    return rows!;
  }

  /** The result of `read` for the key; all parents of a field are read together. */
  batched<Key, Value>(key: Key, read: (keys: readonly Key[]) => Promise<Value[]>): Promise<Value> {
    return loaderAt<Value>(this.context, this.info, read as (keys: readonly unknown[]) => Promise<Value[]>).load(key);
  }
}

/** Injects the loader of its field into a method of a resolver class: `@Load() load: Loader`. */
export const Load = () => createParameterDecorator<GraphContext>(({ context, info }) => new Loader(context, info));

/** Returns null, and notes that the caller may not read the record of the field. */
export function refuseField(
  { refusals }: GraphContext,
  { parentType, fieldName, path }: GraphQLResolveInfo,
  target: RecordClass,
): null {
  const name = `${parentType.name}.${fieldName}`;
  if (!refusals.get(name)?.path)
    refusals.set(name, { permission: describe(target).readWith, path: responsePathAsArray(path) });
  return null;
}

/** The result with an error for each field that was refused. */
export function withRefusals(result: ExecutionResult, { refusals }: GraphContext): ExecutionResult {
  if (refusals.size === 0) return result;
  const errors = [...refusals.values()].map(({ permission, path }) => {
    const cause = forbidden(permission);
    return new GraphQLError(cause.message, { path: path ?? null, originalError: cause });
  });
  return { ...result, errors: [...(result.errors ?? []), ...errors] };
}
