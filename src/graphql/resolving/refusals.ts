/**
 * Fields that need another permission than their parent: null without it, with one error for each of them, however many
 * records have the field.
 */
import { type ExecutionResult, GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import { forbidden } from '../../errors.js';
import type { GraphContext } from './loaders.js';

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
