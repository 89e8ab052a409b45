/** When a grant ends: an assignment of a profile to a user, or an access scope of a profile (docs/grants-that-end.md). */
import { badInput, type GatehouseError } from '../errors.js';

/** SQL: whether the grant has not ended, by the database's clock. @param link alias of its row */
export const lasts = (link: string): string => `(${link}.valid_until is null or ${link}.valid_until > now())`;

/** The problem of an end that has passed. */
export const endHasPassed = 'must be in the future';

export const passedEnd = (path = 'validUntil'): GatehouseError => badInput({ [path]: [`The end ${endHasPassed}.`] });
