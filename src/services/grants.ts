/** When a grant ends: an assignment of a profile to a user, or an access scope of a profile (docs/grants-that-end.md). */
import { badInput, type GatehouseError } from '../errors.js';

/** SQL: whether the grant has not ended, by the database's clock. @param link alias of its row */
export const lasts = (link: string): string => `(${link}.valid_until is null or ${link}.valid_until > now())`;

/** SQL: a time as lists write it, ISO 8601 in UTC. */
export const iso = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What an end that has passed is refused with. */
export const endHasPassed = 'must be in the future';

export const passedEnd = (path = 'validUntil'): GatehouseError => badInput({ [path]: [`The end ${endHasPassed}.`] });
