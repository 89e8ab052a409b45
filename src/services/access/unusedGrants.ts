/** Grants that nobody has used for some days (docs/access-reviews.md). */

/**
 * SQL: whether the grant is at least that old and was not used since; one without a known use was not. Blocked people use nothing,
 * so the statement leaves them out.
 * @param given when it was given @param days a number or a parameter
 */
export const isUnused = (given: string, lastUsed: string, days: string): string =>
  `(${given} <= now() - make_interval(days => ${days})
    and (${lastUsed} is null or ${lastUsed} < now() - make_interval(days => ${days})))`;

const daysMax = 3_650;

/** The problem of a number of days, backwards or ahead; undefined: there is none. */
export const findDaysProblem = (days: number): string | undefined =>
  days < 1 || days > daysMax ? `Must be from 1 to ${daysMax} days.` : undefined;
