/** Compares two answers: status, headers, JSON and texts by value. */
import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../src/jsonObject.js';
import type { Difference, DifferenceKind } from './difference.js';
import {
  type Answer,
  type Body,
  type DateTime,
  guidDigits,
  isGuid,
  mediaTypeOf,
  type Request,
  readBody,
  readDateTime,
  readJwt,
} from './message.js';
import { tokenNames } from './redact.js';

/** The kinds of difference; none if both texts mean the same to every reader. */
function textDifferences(old: string, other: string, pairs: Pairs): DifferenceKind[] {
  if (isGuid(old) && isGuid(other)) return guidDifferences(old, other, pairs);
  const [first, second] = [readDateTime(old), readDateTime(other)];
  if (first && second) return timeDifferences(first, second, pairs);
  if (old.normalize() === other.normalize()) return ['text in another Unicode form'];
  if (old.toLowerCase() === other.toLowerCase()) return ['text in another case'];
  if (withoutSpace(old) === withoutSpace(other)) return ['text with other white space'];
  return ['text'];
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

function guidDifferences(old: string, other: string, pairs: Pairs): DifferenceKind[] {
  const [first, second] = [guidDigits(old), guidDigits(other)];
  const kinds: DifferenceKind[] = [];
  if (first !== second && !pairs.has('guid', first, second)) kinds.push('guid');
  if (caseOf(old) !== caseOf(other) && caseOf(old) && caseOf(other)) kinds.push('guid in another case');
  if (shapeOf(old) !== shapeOf(other)) kinds.push('guid in another spelling');
  return kinds;
}

/** Empty if the guid has no letters. */
function caseOf(guid: string): string {
  const letters = guid.replaceAll(/[^a-f]/gi, '');
  if (letters === '') return '';
  if (letters === letters.toLowerCase()) return 'lower';
  return letters === letters.toUpperCase() ? 'upper' : 'mixed';
}

const shapeOf = (guid: string): string => guid.replaceAll(/[0-9a-f]/gi, '');

function timeDifferences(old: DateTime, other: DateTime, pairs: Pairs): DifferenceKind[] {
  const kinds: DifferenceKind[] = [];
  const isSame = old.moment === other.moment;
  if (!isSame && !pairs.areOfNow(old.moment, other.moment)) kinds.push('another moment');
  if (zoneOf(old) !== zoneOf(other)) kinds.push('date-time with another zone');
  if (old.separator !== other.separator) kinds.push('date-time with another separator');
  // .NET omits zeros at the end, so digits are compared only for the same moment
  if (isSame && old.fractionDigits !== other.fractionDigits) kinds.push('date-time with another precision');
  return kinds;
}

const zoneOf = ({ zone }: DateTime): string => (zone === '-00:00' ? '+00:00' : zone);

type Path = Difference['path'];

const comparedDepthMax = 100;
/** Limit for one answer. If all rows of a list differ, only its first rows are reported. */
const differencesMax = 200;
/** Each service has its own values for these properties: only presence and type are compared. */
const ownValues = new Set(['traceId', 'kid', 'jti', 'sid']);

function compareJson(old: unknown, other: unknown, pairs: Pairs): Difference[] {
  const differences: Difference[] = [];
  new JsonComparison(pairs, differences).compare(['$'], old, other);
  return differences;
}

class JsonComparison {
  constructor(
    private readonly pairs: Pairs,
    private readonly found: Difference[],
  ) {}

  #add(kind: DifferenceKind, path: Path, old?: unknown, other?: unknown, rows?: Difference['rows']): void {
    if (this.found.length < differencesMax) this.found.push({ kind, path, old, new: other, ...(rows && { rows }) });
  }

  compare(path: Path, old: unknown, other: unknown): void {
    if (old === other || this.found.length >= differencesMax) return;
    if (path.length > comparedDepthMax) return void this.#add('nested too deep', path);
    if (Array.isArray(old) && Array.isArray(other)) return void this.#lists(path, old, other);
    if (isJsonObject(old) && isJsonObject(other)) return void this.#objects(path, old, other);
    const kind = typeKind(old, other);
    if (kind) return void this.#add(kind, path, old, other);
    if (typeof old === 'string') return void this.#texts(path, old, other as string);
    const key = String(path.findLast((part) => typeof part === 'string'));
    if (typeof old === 'number' && this.pairs.has(key, old, other as number)) return;
    this.#add(typeof old === 'number' ? 'number' : 'boolean', path, old, other);
  }

  #texts(path: Path, old: string, other: string): void {
    const key = String(path.at(-1));
    if (ownValues.has(key)) return;
    const [first, second] = [readJwt(old), readJwt(other)];
    if (first && second) return void this.#objects(path, { ...first }, { ...second });
    // each service has its own opaque tokens; only whether a token is a JWT is compared
    if (tokenNames.has(key)) {
      if (first || second) this.#add('token of another form', path, old, other);
      return;
    }
    for (const kind of textDifferences(old, other, this.pairs)) this.#add(kind, path, old, other);
  }

  #objects(path: Path, old: JsonObject, other: JsonObject): void {
    const compared = new Set<string>();
    const lifetimes = this.#lifetimes(path, old, other);
    for (const [name, value] of Object.entries(old)) {
      const otherName = Object.hasOwn(other, name) ? name : findInOtherCase(name, old, other);
      if (otherName === undefined) {
        this.#add(value === null ? 'null left out' : 'property missing', [...path, name], value);
        continue;
      }
      compared.add(otherName);
      if (otherName !== name) this.#add('property name in another case', [...path, name], name, otherName);
      if (!lifetimes.has(name)) this.compare([...path, name], value, other[otherName]);
    }
    for (const [name, value] of Object.entries(other))
      if (!compared.has(name))
        this.#add(value === null ? 'null written' : 'property added', [...path, name], undefined, value);
  }

  /** Compares lifetimes instead of times. Returns the names of the properties that were compared. */
  #lifetimes(path: Path, old: JsonObject, other: JsonObject): Set<string> {
    const names = new Set<string>();
    for (const [begin, ends] of [
      ['iat', ['exp', 'nbf']],
      ['created_at', ['expires_at']],
    ] as const) {
      const [first, second] = [timeOf(old[begin]), timeOf(other[begin])];
      if (first === undefined || second === undefined || first.unit !== second.unit) continue;
      names.add(begin);
      this.#spelling([...path, begin], old[begin], other[begin]);
      for (const end of ends) {
        const [a, b] = [timeOf(old[end]), timeOf(other[end])];
        if (a?.unit !== first.unit || b?.unit !== first.unit) continue;
        names.add(end);
        this.#spelling([...path, end], old[end], other[end]);
        const [oldSpan, newSpan] = [a.at - first.at, b.at - second.at];
        // one service may cut ISO times to seconds
        const tolerance = first.unit === 'iso' ? 1_000 : 0;
        if (Math.abs(oldSpan - newSpan) > tolerance) this.#add('lifetime', [...path, end], oldSpan, newSpan);
      }
    }
    return names;
  }

  #spelling(path: Path, old: unknown, other: unknown): void {
    if (typeof old !== 'string' || typeof other !== 'string') return;
    for (const kind of textDifferences(old, other, this.pairs))
      if (kind !== 'another moment') this.#add(kind, path, old, other);
  }

  #lists(path: Path, old: unknown[], other: unknown[]): void {
    const id = this.#idOf(old, other);
    if (id !== undefined) return void this.#rows(path, old as JsonObject[], other as JsonObject[], id);
    if (old.length !== other.length) return void this.#lengths(path, old, other);
    const before = this.found.length;
    for (const [index, item] of old.entries()) this.compare([...path, index], item, other[index]);
    if (this.found.length > before + 1 && isPermutation(old, other)) {
      this.found.length = before;
      this.#add('list order', path, old, other);
    }
  }

  #lengths(path: Path, { length: old }: unknown[], { length: other }: unknown[], rows?: Difference['rows']): void {
    this.#add(old > other ? 'list shorter' : 'list longer', path, old, other, rows);
  }

  /** The property that identifies the rows: the first …Guid or …Id that differs in every row, and most of whose values are in both lists. */
  #idOf(old: unknown[], other: unknown[]): string | undefined {
    if (old.length === 0 || other.length === 0 || ![...old, ...other].every(isJsonObject)) return undefined;
    return Object.keys(old[0] as JsonObject)
      .filter((key) => /(?:Guid|Id)$/.test(key))
      .find((key) => {
        const first = new Set(old.map((row) => this.pairs.newNameOf(key, (row as JsonObject)[key])));
        const second = new Set(other.map((row) => nameOf((row as JsonObject)[key])));
        const common = [...first].filter((name) => second.has(name)).length;
        return (
          first.size === old.length && second.size === other.length && common * 2 > Math.min(first.size, second.size)
        );
      });
  }

  /** Compares records with the same id, at any index. */
  #rows(path: Path, old: JsonObject[], other: JsonObject[], id: string): void {
    const rows = new Map(other.map((row) => [nameOf(row[id]), row]));
    const ids = old.map((row) => this.pairs.newNameOf(id, row[id]));
    const common = ids.filter((commonId) => rows.has(commonId));
    const commonIds = new Set(common);
    const strangers = [...rows].filter(([rowId]) => !commonIds.has(rowId)).map(([, row]) => row);
    const lost = old.filter((_, index) => !rows.has(ids[index]!));
    const onlyOne = old.length > other.length ? lost : strangers;
    if (old.length !== other.length) this.#lengths(path, old, other, { id, names: onlyOne.map((row) => row[id]) });
    const order = [...rows.keys()].filter((rowId) => commonIds.has(rowId));
    const moved = common.findIndex((commonId, index) => commonId !== order[index]);
    if (moved >= 0) this.#add('list order', path, common.slice(moved, moved + 3), order.slice(moved, moved + 3));
    for (const [index, row] of old.entries()) {
      // in lists of the same length, a new row is compared with a missing one
      const partner = rows.get(ids[index]!) ?? (old.length === other.length ? strangers.shift() : undefined);
      if (partner) this.compare([...path, index], row, partner);
    }
  }
}

/** A property whose name differs from `name` only in case, and which the old answer does not have. */
function findInOtherCase(name: string, old: JsonObject, other: JsonObject): string | undefined {
  const lower = name.toLowerCase();
  return Object.keys(other).find((candidate) => candidate.toLowerCase() === lower && !Object.hasOwn(old, candidate));
}

const nameOf = (id: unknown): string => (typeof id === 'string' && isGuid(id) ? guidDigits(id) : String(id));

function isPermutation(old: unknown[], other: unknown[]): boolean {
  const sorted = (items: unknown[]) => items.map(canonical).sort().join('\n');
  return sorted(old) === sorted(other);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

function timeOf(value: unknown): { at: number; unit: 's' | 'ms' | 'iso' } | undefined {
  // seconds since the epoch have ten digits until the year 2286
  if (typeof value === 'number') return { at: value, unit: value > 1e11 ? 'ms' : 's' };
  const time = typeof value === 'string' ? readDateTime(value) : undefined;
  return time && { at: time.moment, unit: 'iso' };
}

/** The kind of difference if the types differ or one value is null; otherwise undefined. */
function typeKind(old: unknown, other: unknown): DifferenceKind | undefined {
  const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
  if (other === null)
    return isEmptyList(old) ? 'null for an empty list' : old === '' ? 'null for an empty text' : 'null for a value';
  if (old === null)
    return isEmptyList(other) ? 'an empty list for null' : other === '' ? 'an empty text for null' : 'a value for null';
  if (Array.isArray(old)) return isJsonObject(other) ? 'object for a list' : 'another type';
  if (Array.isArray(other)) return isJsonObject(old) ? 'list for an object' : 'another type';
  if (typeof old === typeof other) return undefined;
  const kinds: Record<string, DifferenceKind> = {
    'number string': 'number as text',
    'string number': 'text as number',
    'boolean string': 'boolean as text',
    'string boolean': 'text as boolean',
  };
  return kinds[`${typeof old} ${typeof other}`] ?? 'another type';
}

const pairsMax = 100_000;
/** Largest difference between the clocks, and between the two requests. */
const clocksApartMs = 2 * 60_000;
const askedApartMs = 60_000;
const pairedDepthMax = 50;
/** Numbers that a service assigns to new records. */
const madeNumbers = new Set(['applicationId', 'accessScopeApplicationsMapperId']);

export class Pairs {
  readonly #newOf = new LRUCache<string, string>({ max: pairsMax });
  readonly #oldOf = new LRUCache<string, string>({ max: pairsMax });

  readonly #since: number;

  /** @param startedAt when the comparison began, in milliseconds */
  constructor(startedAt = Date.now()) {
    this.#since = startedAt - clocksApartMs;
  }

  /** Whether both times lie in this comparison, so that each service did the same at its own time. */
  areOfNow(old: number, other: number): boolean {
    return Math.min(old, other) > this.#since && Math.abs(old - other) < askedApartMs;
  }

  /** @param kind `guid`, or the property: a pair of numbers is valid for one property only */
  has(kind: string, old: string | number, other: string | number): boolean {
    return this.#newOf.get(`${kind} ${old}`) === String(other);
  }

  /** The new service's name for what the old one names `old`; used to match the rows of two lists. */
  newNameOf(key: string, old: unknown): string {
    const [kind, name] = typeof old === 'string' && isGuid(old) ? ['guid', guidDigits(old)] : [key, String(old)];
    return this.#newOf.get(`${kind} ${name}`) ?? name;
  }

  /** Pairs two values if neither has a partner yet. */
  #add(kind: string, old: string | number, other: string | number): void {
    if (this.#newOf.has(`${kind} ${old}`) || this.#oldOf.has(`${kind} ${other}`)) return;
    this.#newOf.set(`${kind} ${old}`, String(other));
    this.#oldOf.set(`${kind} ${other}`, String(old));
  }

  /** Pairs the new ids in both answers to a change. @param requests as each service got it */
  learn(requests: readonly Request[], old: unknown, other: unknown): void {
    const requestText = requests.map(({ target, body }) => `${target} ${body}`.toLowerCase()).join(' ');
    const walk = (a: unknown, b: unknown, key: string, depth: number): void => {
      if (a === b || depth > pairedDepthMax) return;
      if (typeof a === 'number' && typeof b === 'number' && madeNumbers.has(key)) return void this.#add(key, a, b);
      if (typeof a === 'string' && typeof b === 'string') {
        // an id in the request existed before
        if (isGuid(a) && isGuid(b) && !requestText.includes(a.toLowerCase()))
          return void this.#add('guid', guidDigits(a), guidDigits(b));
      }
      if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null)
        for (const [name, value] of Object.entries(a))
          if (Object.hasOwn(b, name))
            walk(value, (b as Record<string, unknown>)[name], Array.isArray(a) ? key : name, depth + 1);
    };
    walk(old, other, '', 0);
  }
}

/** Compares the old service's answer with the new one's. */
export function compareAnswers(old: Answer, other: Answer, pairs: Pairs): Difference[] {
  const differences: Difference[] = [];
  if (old.status !== other.status)
    differences.push({ kind: 'status', path: ['status'], old: old.status, new: other.status });
  // the rest of a success and of a refusal cannot be compared
  if (Math.floor(old.status / 100) !== Math.floor(other.status / 100)) return differences;
  return [...differences, ...compareHeaders(old, other, pairs), ...compareBodies(old, other, pairs)];
}

type HeaderReading = (value: string) => string;
const asSet: HeaderReading = (value) =>
  value
    .trim()
    .toLowerCase()
    .split(/\s{0,9},\s{0,9}/)
    .sort()
    .join(', ');
const asWritten: HeaderReading = (value) => value.trim();
const presence: HeaderReading = () => '';

/** The headers that clients depend on, and how each is compared. Headers of connections, servers and proxies are not compared. */
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

function compareHeaders(old: Answer, other: Answer, pairs: Pairs): Difference[] {
  const differences: Difference[] = [];
  for (const [name, read] of Object.entries(readings)) {
    const [first, second] = [old.headers[name], other.headers[name]];
    const differs = (kind: DifferenceKind) =>
      differences.push({ kind, path: ['header', name], old: first, new: second });
    if (first === undefined || second === undefined) {
      if (first !== second) differs(first === undefined ? 'header added' : 'header missing');
    } else if (name === 'location' ? !isSameLocation(first, second, pairs) : read(first) !== read(second))
      differs('header value');
  }
  // if only one answer has a body, its media type is no further difference
  if ((old.body.length === 0) !== (other.body.length === 0)) return differences;
  return [...differences, ...compareMediaTypes(old.headers['content-type'], other.headers['content-type'])];
}

/** Ignores hosts and prefixes, but not whether there is a host. Ids that each service made count as equal. */
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

const parametersOf = (contentType: string): Map<string, string | undefined> => {
  const parameters = contentType.toLowerCase().replaceAll(/["\s]/g, '').split(';').slice(1);
  return new Map(parameters.map((part) => [part.split('=')[0]!, part.split('=')[1]]));
};

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
