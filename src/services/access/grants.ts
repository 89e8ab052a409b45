/** When a grant ends: an assignment of a profile to a user, or an access scope of a profile (docs/grants-that-end.md). */
import { clockTime, isEndOfDay } from '../../entities/endOfDay.js';

/** SQL: whether the grant has not ended, by the database's clock. @param link alias of its row */
export const lasts = (link: string): string => `(${link}.valid_until is null or ${link}.valid_until > now())`;

/** The problem of an end that has passed. */
export const endHasPassed = 'must be in the future';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Such as “24 February 2027”; with its time and the zone where it is not the end of that day there. @param iso ISO 8601 */
export function endWords(iso: string, timeZone: string): string {
  const clock = clockTime(iso, timeZone);
  const date = day.format(new Date(`${clock.day}T00:00:00Z`));
  return isEndOfDay(iso, timeZone) ? date : `${date}, ${clock.time.replace(/:00$/, '')} ${timeZone}`;
}
