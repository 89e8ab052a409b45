/**
 * Fields that need another permission than their parent: null without it, with one error for each of them, however many
 * records have the field.
 */
import { type ExecutionResult, GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from 'graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import { forbidden } from '../../errors.js';
import { mayRead } from '../../services/read/projection.js';
import type { GraphContext } from './loaders.js';

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
type Resolve = GraphQLFieldResolver<any, GraphContext, any>;

const guards = new WeakMap<Resolve, RecordClass>();

/** The resolver, for those who may read what it leads to. */
export function guarded(target: RecordClass, resolve: Resolve): Resolve {
  const guard: Resolve = (parent, given, context, info) =>
    mayRead(context, target) ? resolve(parent, given, context, info) : refuse(context, info, target);
  guards.set(guard, target);
  return guard;
}

/** The record that one must be allowed to read for a resolver to answer; undefined where it is not guarded. */
export const guardOf = (resolve: Resolve | undefined): RecordClass | undefined => resolve && guards.get(resolve);

/** Null, and notes that the caller may not read the record that the field leads to. */
export function refuse(
  { refusals }: GraphContext,
  { parentType, fieldName, path }: GraphQLResolveInfo,
  target: RecordClass,
): null {
  const name = `${parentType.name}.${fieldName}`;
  if (!refusals.get(name)?.path) refusals.set(name, { permission: describe(target).readWith, path: pathTo(path) });
  return null;
}

function pathTo(path: GraphQLResolveInfo['path']): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let next: typeof path | undefined = path; next; next = next.prev) keys.push(next.key);
  return keys.reverse();
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
