/** What a change of the schema breaks for its clients. */
import { buildSchema, findBreakingChanges } from 'graphql';

/** A sentence per change that an existing client can't bear. */
export function findBreakingSchemaChanges(before: string, after: string): string[] {
  if (before.trim() === '') return [];
  return findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);
}
