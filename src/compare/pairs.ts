/** What the two services made, each its own: ids that count as equal from then on, and moments since the comparison began. */
import { LRUCache } from 'lru-cache';
import { guidDigits, isGuid } from './forms.js';
import type { Request } from './message.js';

const pairsMax = 100_000;
/** Clocks may differ by so much, and the two be asked so long after each other. */
const clocksApartMs = 2 * 60_000;
const askedApartMs = 60_000;
const depthMax = 50;
/** Numbers that a service gives to what it makes. */
const madeNumbers = new Set(['applicationId', 'accessScopeApplicationsMapperId']);

export class Pairs {
  readonly #newOf = new LRUCache<string, string>({ max: pairsMax });
  readonly #oldOf = new LRUCache<string, string>({ max: pairsMax });

  readonly #since: number;

  /** @param startedAt when the comparison began, in milliseconds */
  constructor(startedAt = Date.now()) {
    this.#since = startedAt - clocksApartMs;
  }

  /** Both are of this comparison: the moments at which each did the same. */
  areOfNow(old: number, other: number): boolean {
    return Math.min(old, other) > this.#since && Math.abs(old - other) < askedApartMs;
  }

  /** @param kind what kind of thing: two numbers are a pair for one property alone */
  has(kind: string, old: string | number, other: string | number): boolean {
    return this.#newOf.get(`${kind} ${old}`) === String(other);
  }

  /** How the new service names what the old one names so: for telling which rows of two lists are one. */
  newNameOf(key: string, old: unknown): string {
    const [kind, name] = typeof old === 'string' && isGuid(old) ? ['guid', guidDigits(old)] : [key, String(old)];
    return this.#newOf.get(`${kind} ${name}`) ?? name;
  }

  /** Where neither has a partner yet: one for one. */
  #add(kind: string, old: string | number, other: string | number): void {
    if (this.#newOf.has(`${kind} ${old}`) || this.#oldOf.has(`${kind} ${other}`)) return;
    this.#newOf.set(`${kind} ${old}`, String(other));
    this.#oldOf.set(`${kind} ${other}`, String(old));
  }

  /** Takes up what both answers to a change have made. @param requests as each had it */
  learn(requests: readonly Request[], old: unknown, other: unknown): void {
    const asked = requests.map(({ target, body }) => `${target} ${body}`.toLowerCase()).join(' ');
    const walk = (a: unknown, b: unknown, key: string, depth: number): void => {
      if (a === b || depth > depthMax) return;
      if (typeof a === 'number' && typeof b === 'number' && madeNumbers.has(key)) return void this.#add(key, a, b);
      if (typeof a === 'string' && typeof b === 'string') {
        // what the request names was there before
        if (isGuid(a) && isGuid(b) && !asked.includes(a.toLowerCase()))
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
