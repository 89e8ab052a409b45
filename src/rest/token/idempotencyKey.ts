/** Idempotency-Key of a renewal (draft-ietf-httpapi-idempotency-key-header-07 §2): a client's own name for one renewal. */

/** What is wrong with one. */
export const idempotencyKeyProblem = 'must be one string of 16 to 128 visible ASCII characters';

const bare = /^[!#-~][!-~]{15,127}$/;
// RFC 8941 §3.3.3, without spaces
const quoted = /^"((?:[!#-[\]-~]|\\["\\]){16,128})"$/;

/** The key; null for a header that is none. A quoted one and a bare one of the same characters are equal. */
export function readIdempotencyKey(header: string): string | null {
  const [, text] = quoted.exec(header) ?? [];
  if (text !== undefined) return text.replaceAll(/\\(["\\])/g, '$1');
  return bare.test(header) ? header : null;
}
