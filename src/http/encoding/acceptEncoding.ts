/** Which content coding an answer gets, by the request's Accept-Encoding (RFC 9110 §12.5.3). */

/** Those that are made here, the best one first: zstd takes the least time for its size. */
export const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Members that are read; who sends more is not understood past them. */
const membersMax = 32;
/** RFC 9110 §12.4.2: zero to one, with three digits at most. */
const weightForm = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The coding that the header prefers of those given; undefined: the answer goes as it is. */
export function preferredEncoding<Available extends Encoding>(
  header: string | undefined,
  available: readonly Available[] = encodings as readonly Encoding[] as readonly Available[],
): Available | undefined {
  if (!header) return undefined;
  const weights = weightsOf(header);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = available.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (best === undefined || weightOf(best) === 0) return undefined;
  // only who names it prefers it: without its name it is merely allowed
  return (weights.get('identity') ?? 0) > weightOf(best) ? undefined : best;
}

/** Weights by codings, in lower case. A member that is malformed says nothing. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',', membersMax)) {
    const [coding, weight, ...others] = member.split(';', 3).map((part) => part.trim()) as [string, ...string[]];
    const given = weight === undefined ? '1' : weightForm.exec(weight)?.[1];
    if (coding === '' || given === undefined || others.length > 0) continue;
    // RFC 9110 §8.4.1.3: an old name of the same
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(given));
  }
  return weights;
}
