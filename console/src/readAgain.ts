/** After a change, what the page shows is read again: before that a next change would start from the values of before. */
import type { QueryClient } from '@tanstack/react-query';

/** The first part of the key of what only a review asks: with its change made, it is not asked again. */
export const ofReview = 'review';

/** Resolves when all that is shown was read, or could not be. */
export const readAgain = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== ofReview });
