/** The ranges of PostgreSQL's types. */

/** https://www.postgresql.org/docs/18/datatype-numeric.html */
export const integerMax = 2_147_483_647;
const bigintMax = 2n ** 63n - 1n;

/** Whether a text is a whole number that a bigint holds. */
export const isBigint = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt(text) <= bigintMax && BigInt(text) >= -bigintMax - 1n;

/** Binary times count from 2000 on; milliseconds since 1970. */
export const timeEpochMs = Date.UTC(2000, 0, 1);
