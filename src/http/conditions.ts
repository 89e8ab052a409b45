/** Conditions of a request on the entity tag of its resource (RFC 9110 §13.1). */
import type { IncomingMessage } from 'node:http';

/**
 * Whether the value of If-Match or If-None-Match names the tag. The comparison is weak (§8.8.3.2), because our tags are.
 * @param etag undefined: the resource exists and has no tag
 */
function namesEtag(value: string, etag: string | undefined): boolean {
  if (value.trim() === '*') return true;
  const tags: readonly string[] = value.match(/"[^"]{0,16384}"/g) ?? [];
  return etag !== undefined && tags.includes(etag.replace(/^W\//, ''));
}

type Conditional = Pick<IncomingMessage, 'method' | 'headers'>;

export const isConditional = ({ headers }: Conditional): boolean =>
  headers['if-match'] !== undefined || headers['if-none-match'] !== undefined;

/** What the conditions say about the request, in the order of §13.2.2. `unchanged`: a read is answered with 304. */
export function judgeConditions(
  { method, headers }: Conditional,
  etag: string | undefined,
): 'true' | 'false' | 'unchanged' {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !namesEtag(match, etag)) return 'false';
  if (noneMatch === undefined || !namesEtag(noneMatch, etag)) return 'true';
  return method === 'GET' || method === 'HEAD' ? 'unchanged' : 'false';
}
