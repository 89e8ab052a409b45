/** What values of PostgreSQL's types can be. */

/** https://www.postgresql.org/docs/18/datatype-numeric.html */
export const integerMax = 2_147_483_647;

/** Binary times count from 2000 on; milliseconds since 1970. */
export const timeEpochMs = Date.UTC(2000, 0, 1);
