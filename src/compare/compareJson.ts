/** Compares two JSON values: the order of properties is nothing, the order of lists is something. */
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { textDifferences } from './compareTexts.js';
import type { Difference, DifferenceKind } from './difference.js';
import { guidDigits, isGuid, readDateTime, readJwt } from './forms.js';
import type { Pairs } from './pairs.js';
import { tokenNames } from './vocabulary.js';

type Path = Difference['path'];

const depthMax = 100;
/** Of one answer; a list whose every row differs is reported by its first rows. */
const differencesMax = 200;
/** Each service makes its own: that they are there, and of the same type, is all that there is to compare. */
const ownValues = new Set(['traceId', 'kid', 'jti', 'sid']);

export function compareJson(old: unknown, other: unknown, pairs: Pairs): Difference[] {
  const found: Difference[] = [];
  new JsonComparison(pairs, found).compare(['$'], old, other);
  return found;
}

class JsonComparison {
  readonly #pairs: Pairs;
  readonly #found: Difference[];

  constructor(pairs: Pairs, found: Difference[]) {
    this.#pairs = pairs;
    this.#found = found;
  }

  #add(kind: DifferenceKind, path: Path, old?: unknown, other?: unknown): void {
    if (this.#found.length < differencesMax) this.#found.push({ kind, path, old, new: other });
  }

  compare(path: Path, old: unknown, other: unknown): void {
    if (old === other || this.#found.length >= differencesMax) return;
    if (path.length > depthMax) return void this.#add('nested too deep', path);
    if (Array.isArray(old) && Array.isArray(other)) return void this.#lists(path, old, other);
    if (isJsonObject(old) && isJsonObject(other)) return void this.#objects(path, old, other);
    const kind = typeKind(old, other);
    if (kind) return void this.#add(kind, path, old, other);
    if (typeof old === 'string') return void this.#texts(path, old, other as string);
    const key = String(path.findLast((part) => typeof part === 'string'));
    if (typeof old === 'number' && this.#pairs.has(key, old, other as number)) return;
    this.#add(typeof old === 'number' ? 'number' : 'boolean', path, old, other);
  }

  #texts(path: Path, old: string, other: string): void {
    const key = String(path.at(-1));
    if (ownValues.has(key)) return;
    const [first, second] = [readJwt(old), readJwt(other)];
    if (first && second) return void this.#objects(path, { ...first }, { ...second });
    // an opaque token is its service's own; whether it can be read isn't
    if (tokenNames.has(key)) {
      if (first || second) this.#add('token of another form', path, old, other);
      return;
    }
    for (const kind of textDifferences(old, other, this.#pairs)) this.#add(kind, path, old, other);
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

  /** Times of a token count from its beginning; gives the names that are compared so. */
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
        // an ISO time may be cut to seconds on one side
        const tolerance = first.unit === 'iso' ? 1_000 : 0;
        if (Math.abs(oldSpan - newSpan) > tolerance) this.#add('lifetime', [...path, end], oldSpan, newSpan);
      }
    }
    return names;
  }

  #spelling(path: Path, old: unknown, other: unknown): void {
    if (typeof old !== 'string' || typeof other !== 'string') return;
    for (const kind of textDifferences(old, other, this.#pairs))
      if (kind !== 'another moment') this.#add(kind, path, old, other);
  }

  #lists(path: Path, old: unknown[], other: unknown[]): void {
    if (old.length !== other.length)
      this.#add(old.length > other.length ? 'list shorter' : 'list longer', path, old.length, other.length);
    const id = this.#idOf(old, other);
    if (id !== undefined) return void this.#rows(path, old as JsonObject[], other as JsonObject[], id);
    if (old.length !== other.length) return;
    const before = this.#found.length;
    for (const [index, item] of old.entries()) this.compare([...path, index], item, other[index]);
    if (this.#found.length > before + 1 && isPermutation(old, other)) {
      this.#found.length = before;
      this.#add('list order', path, old, other);
    }
  }

  /** The property that names the rows: the first Guid or Id that is another one in each row, and mostly found in both lists. */
  #idOf(old: unknown[], other: unknown[]): string | undefined {
    if (old.length === 0 || other.length === 0 || ![...old, ...other].every(isJsonObject)) return undefined;
    return Object.keys(old[0] as JsonObject)
      .filter((key) => /(?:Guid|Id)$/.test(key))
      .find((key) => {
        const first = new Set(old.map((row) => this.#pairs.newNameOf(key, (row as JsonObject)[key])));
        const second = new Set(other.map((row) => nameOf((row as JsonObject)[key])));
        const common = [...first].filter((each) => second.has(each)).length;
        return (
          first.size === old.length && second.size === other.length && common * 2 > Math.min(first.size, second.size)
        );
      });
  }

  /** Records are compared with those of the same id, wherever they stand. */
  #rows(path: Path, old: JsonObject[], other: JsonObject[], id: string): void {
    const rows = new Map(other.map((row) => [nameOf(row[id]), row]));
    const ids = old.map((row) => this.#pairs.newNameOf(id, row[id]));
    const common = ids.filter((each) => rows.has(each));
    const known = new Set(common);
    const strangers = [...rows].filter(([each]) => !known.has(each)).map(([, row]) => row);
    const order = [...rows.keys()].filter((each) => known.has(each));
    const moved = common.findIndex((each, index) => each !== order[index]);
    if (moved >= 0) this.#add('list order', path, common.slice(moved, moved + 3), order.slice(moved, moved + 3));
    for (const [index, row] of old.entries()) {
      // where as many came as went, one took the place of the other
      const partner = rows.get(ids[index]!) ?? (old.length === other.length ? strangers.shift() : undefined);
      if (partner) this.compare([...path, index], row, partner);
    }
  }
}

/** One that differs from `name` in its case alone, and that the old answer does not have. */
function findInOtherCase(name: string, old: JsonObject, other: JsonObject): string | undefined {
  const lower = name.toLowerCase();
  return Object.keys(other).find((each) => each.toLowerCase() === lower && !Object.hasOwn(old, each));
}

const nameOf = (id: unknown): string => (typeof id === 'string' && isGuid(id) ? guidDigits(id) : String(id));

function isPermutation(old: unknown[], other: unknown[]): boolean {
  const sorted = (items: unknown[]) => items.map(canonical).sort().join('\n');
  return sorted(old) === sorted(other);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

function timeOf(value: unknown): { at: number; unit: 's' | 'ms' | 'iso' } | undefined {
  // seconds since the epoch have ten digits until the year 2286
  if (typeof value === 'number') return { at: value, unit: value > 1e11 ? 'ms' : 's' };
  const time = typeof value === 'string' ? readDateTime(value) : undefined;
  return time && { at: time.moment, unit: 'iso' };
}

/** Undefined: they are of one type, and none is null. */
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
