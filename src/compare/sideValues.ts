/** What pseudonyms of a recording are at one of the two services: what its own answers gave, else what the operator says. */
import { LRUCache } from 'lru-cache';
import { guidDigits, guidsInText, isGuid } from './forms.js';
import { type Answer, type Headers, isRead, type Request, readBody } from './message.js';
import { isPseudonym, resolvePseudonyms } from './pseudonymizer.js';
import type { Recorded } from './recording.js';
import type { RedactedBody } from './redact.js';
import type { KnownValues, Side } from './values.js';

/** Of the newest answers; an older token is used up long since. */
const learntMax = 100_000;

export class SideValues {
  readonly #side: Side;
  readonly #known: KnownValues;
  readonly #learnt = new LRUCache<string, string>({ max: learntMax });

  constructor(side: Side, known: KnownValues) {
    this.#side = side;
    this.#known = known;
  }

  /** The request as this service takes it, or the kind of value that is missing. */
  fill({ request }: Recorded): Request | { missing: string } {
    const missing = new Set<string>();
    const find = (pseudonym: string): string => {
      const value = this.#find(pseudonym);
      if (value === undefined) missing.add(pseudonym.split('-')[0]!);
      return value ?? pseudonym;
    };
    const inText = (text: string) =>
      resolvePseudonyms(text, find).replaceAll(
        guidsInText,
        (guid) => this.#find(guidDigits(guid)) ?? this.#find(guid) ?? guid,
      );
    const target = resolvePseudonyms(request.target, (pseudonym) => encodeURIComponent(find(pseudonym)));
    const headers = this.#headers(request.headers, find);
    const body = bytesOf(request.body, inText, find);
    const [first] = missing;
    return first === undefined ? { method: request.method, target: inText(target), headers, body } : { missing: first };
  }

  #find(name: string): string | undefined {
    return this.#learnt.get(name) ?? this.#known.find(this.#side, name);
  }

  #headers(recorded: Headers, find: (pseudonym: string) => string): Headers {
    const headers: Headers = {};
    for (const [name, value] of Object.entries(recorded))
      if (name === 'authorization') headers[name] = this.#authorization(value, find);
      else if (!isPseudonym(value))
        headers[name] = resolvePseudonyms(value, (pseudonym) => this.#find(pseudonym) ?? pseudonym);
      // the tag of a list that this side never gave matches nothing there
      else if (this.#find(value)) headers[name] = this.#find(value)!;
    return { ...headers, ...this.#known.headers(this.#side) };
  }

  #authorization(recorded: string, find: (pseudonym: string) => string): string {
    const [scheme, credentials = ''] = recorded.split(' ', 2);
    if (scheme === 'Basic') return `Basic ${Buffer.from(resolvePseudonyms(credentials, find)).toString('base64')}`;
    if (scheme !== 'Bearer') return find(recorded);
    return `Bearer ${this.#learnt.get(credentials) ?? this.#known.find(this.#side, 'bearer') ?? find(credentials)}`;
  }

  /** What this side answered where the recorded answer has a token, a tag, or the id of what was made. */
  learn({ request, answer: recorded }: Recorded, answer: Answer): void {
    if (recorded.headers.etag && answer.headers.etag) this.#learnt.set(recorded.headers.etag, answer.headers.etag);
    if (recorded.body === undefined || !('json' in recorded.body)) return;
    const body = readBody(answer);
    if (body.kind !== 'json') return;
    const isChange = !isRead(request.method, request.target);
    this.#learnFrom(recorded.body.json, body.json, isChange, 0);
  }

  #learnFrom(recorded: unknown, actual: unknown, isChange: boolean, depth: number): void {
    if (typeof recorded === 'string' && typeof actual === 'string') {
      if (recorded.startsWith('token-') && isPseudonym(recorded)) this.#learnt.set(recorded, actual);
      // the place in a list is no ground to take one record for another: only what was made here and there
      else if (isChange && isGuid(recorded) && isGuid(actual) && guidDigits(recorded) !== guidDigits(actual))
        this.#learnt.set(guidDigits(recorded), actual);
    } else if (isObject(recorded) && isObject(actual) && depth < depthMax)
      for (const [key, value] of Object.entries(recorded))
        if (Object.hasOwn(actual, key)) this.#learnFrom(value, actual[key], isChange, depth + 1);
  }
}

const depthMax = 50;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

type Fill = (text: string) => string;

/** @param find the value of a pseudonym */
function bytesOf(body: RedactedBody | undefined, inText: Fill, find: Fill): Buffer {
  if (body === undefined || 'omitted' in body) return Buffer.alloc(0);
  if ('unread' in body) return Buffer.from(find(body.unread), 'latin1');
  if ('json' in body) return Buffer.from(JSON.stringify(filled(body.json, inText)));
  if ('form' in body)
    return Buffer.from(
      new URLSearchParams(body.form.map(([name, value]): [string, string] => [inText(name), inText(value)])).toString(),
    );
  return Buffer.from(inText(body.text));
}

function filled(value: unknown, inText: Fill): unknown {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, inText));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [inText(key), filled(item, inText)]));
}
