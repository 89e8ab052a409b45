/** After a change, what the page shows is read again: before that a next change would start from the values of before. */
import type { Query, QueryClient } from '@tanstack/react-query';

/** The first part of the key of what only a review asks: with its change made, it is not asked again. */
export const ofReview = 'review';

const isShown = ({ queryKey: [name] }: Query): boolean => name !== ofReview;

/** Resolves when all that is shown was read. What could not be read is of before the change, and shown no more. */
export async function readAgain(queries: QueryClient): Promise<void> {
  await readBehind(queries);
  // who is here is no value that a change starts from, and the shell says what is wrong with it
  const isOld = (query: Query) => isShown(query) && query.state.status === 'error' && query.queryKey[0] !== 'viewer';
  void queries.resetQueries({ predicate: isOld });
}

/**
 * The same behind something that has to stay, such as a secret: what could not be read stays too. Pages that are not
 * shown forget what they had, and begin anew.
 */
export function readBehind(queries: QueryClient): Promise<void> {
  queries.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
  return queries.invalidateQueries({ predicate: isShown });
}
