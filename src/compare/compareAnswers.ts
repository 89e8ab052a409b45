/** Compares two answers as a client reads them: status, the headers that matter, media type and body. */
import { compareJson } from './compareJson.js';
import { textDifferences } from './compareTexts.js';
import type { Difference, DifferenceKind } from './difference.js';
import { guidDigits } from './forms.js';
import { type Answer, type Body, mediaTypeOf, readBody } from './message.js';
import type { Pairs } from './pairs.js';

/** The older service's answer first. */
export function compareAnswers(old: Answer, other: Answer, pairs: Pairs): Difference[] {
  const differences: Difference[] = [];
  if (old.status !== other.status)
    differences.push({ kind: 'status', path: ['status'], old: old.status, new: other.status });
  // a success and a refusal have nothing in common to compare
  if (Math.floor(old.status / 100) !== Math.floor(other.status / 100)) return differences;
  return [...differences, ...compareHeaders(old, other, pairs), ...compareBodies(old, other, pairs)];
}

type HeaderReading = (value: string) => string;
const asSet: HeaderReading = (value) =>
  value
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .sort()
    .join(', ');
const asWritten: HeaderReading = (value) => value.trim();
const presence: HeaderReading = () => '';

/** What clients go by; those of connections, servers and intermediaries are not compared. */
const readings: Record<string, HeaderReading> = {
  allow: asSet,
  'api-supported-versions': asSet,
  'cache-control': asSet,
  'content-disposition': asWritten,
  'content-language': asWritten,
  deprecation: presence,
  etag: (value) => (value.startsWith('W/') ? 'weak' : 'strong'),
  'last-modified': presence,
  link: asWritten,
  location: asWritten,
  'retry-after': presence,
  sunset: asWritten,
  'www-authenticate': (value) => value.split(/[ ,]/, 1)[0]!.toLowerCase(),
  'x-total-count': asWritten,
  'access-control-allow-origin': asWritten,
  'access-control-allow-credentials': asWritten,
  'access-control-expose-headers': asSet,
};

function compareHeaders(
  { headers: old, body }: Answer,
  { headers: other, body: otherBody }: Answer,
  pairs: Pairs,
): Difference[] {
  const differences: Difference[] = [];
  for (const [name, read] of Object.entries(readings)) {
    const [first, second] = [old[name], other[name]];
    if (first === undefined && second === undefined) continue;
    const kind = headerKind(name, first, second, read, pairs);
    if (kind) differences.push({ kind, path: ['header', name], old: first, new: second });
  }
  // the type of a body that the other answer does not have is no difference of its own
  if ((body.length === 0) !== (otherBody.length === 0)) return differences;
  return [...differences, ...compareMediaTypes(old['content-type'], other['content-type'])];
}

function headerKind(
  name: string,
  old: string | undefined,
  other: string | undefined,
  read: HeaderReading,
  pairs: Pairs,
): DifferenceKind | undefined {
  if (other === undefined) return 'header missing';
  if (old === undefined) return 'header added';
  const isSame = name === 'location' ? isSameLocation(old, other, pairs) : read(old) === read(other);
  return isSame ? undefined : 'header value';
}

/** Hosts and prefixes are the services' own; whether there is a host is not. Ids that each made are a pair. */
function isSameLocation(old: string, other: string, pairs: Pairs): boolean {
  const [first, second] = [readLocation(old), readLocation(other)];
  if (!first || !second) return old === other;
  const isSameEnd = first.end === second.end || pairs.has('guid', guidDigits(first.end), guidDigits(second.end));
  return isSameEnd && first.begin === second.begin && first.search === second.search;
}

function readLocation(value: string): { begin: string; end: string; search: string } | undefined {
  const relative = 'relative://service';
  if (!URL.canParse(value, relative)) return undefined;
  const { protocol, pathname, search } = new URL(value, relative);
  const path = pathname.slice(Math.max(0, pathname.toLowerCase().lastIndexOf('/api/')));
  const at = path.lastIndexOf('/');
  return { begin: `${protocol === 'relative:'} ${path.slice(0, at)}`, end: path.slice(at + 1), search };
}

function compareMediaTypes(old: string | undefined, other: string | undefined): Difference[] {
  const path = ['header', 'content-type'];
  if (old === other) return [];
  if (old === undefined) return [{ kind: 'header added', path, new: other }];
  if (other === undefined) return [{ kind: 'header missing', path, old }];
  const differs = (kind: DifferenceKind): Difference[] => [{ kind, path, old, new: other }];
  if (mediaTypeOf(old) !== mediaTypeOf(other)) return differs('media type');
  const [first, second] = [parametersOf(old), parametersOf(other)];
  const charsets = [first.get('charset'), second.get('charset')];
  first.delete('charset');
  second.delete('charset');
  const rest = [first, second].map((parameters) => JSON.stringify([...parameters].sort()));
  return [
    ...(charsets[0] === charsets[1] ? [] : differs('charset')),
    ...(rest[0] === rest[1] ? [] : differs('media type parameter')),
  ];
}

const parametersOf = (contentType: string): Map<string, string> =>
  new Map(
    contentType
      .split(';')
      .slice(1)
      .map((part) => {
        const [name = '', value = ''] = part.trim().toLowerCase().split('=');
        return [name, value.replaceAll('"', '')];
      }),
  );

function compareBodies(old: Answer, other: Answer, pairs: Pairs): Difference[] {
  if (old.body.equals(other.body)) return [];
  const [first, second] = [readBody(old), readBody(other)];
  const differs = (kind: DifferenceKind): Difference[] => [
    { kind, path: ['$'], old: textOf(first), new: textOf(second) },
  ];
  if (second.kind === 'none') return differs('body missing');
  if (first.kind === 'none') return differs('body added');
  if (first.kind === 'json' && second.kind === 'json')
    return [
      ...(first.hasByteOrderMark === second.hasByteOrderMark ? [] : differs('byte order mark')),
      ...compareJson(first.json, second.json, pairs),
    ];
  if (first.kind !== second.kind)
    return differs(first.kind === 'malformed' || second.kind === 'malformed' ? 'malformed JSON' : 'JSON or text');
  return textDifferences(textOf(first), textOf(second), pairs).flatMap(differs);
}

function textOf(body: Body): string {
  if (body.kind === 'json') return JSON.stringify(body.json);
  if (body.kind === 'form') return new URLSearchParams(body.fields).toString();
  return body.kind === 'none' ? '' : body.text;
}
