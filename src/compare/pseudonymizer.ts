/**
 * Stable pseudonyms for what a recording may not hold: a keyed hash (HMAC-SHA-256, cut to 64 bits) behind the kind of the
 * value. One value has one pseudonym in everything that is made with one key, and nobody gets back from it without the key.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { guidDigits, isGuid } from './forms.js';

export type Kind = 'secret' | 'token' | 'person' | 'profile' | 'text' | 'query' | 'path' | 'etag' | 'name' | 'body';

const pseudonymPattern = /\b(?:secret|token|person|profile|text|query|path|etag|name|body)-[0-9a-f]{16}\b/g;

/** Every pseudonym in the text becomes what `find` gives. */
export const resolvePseudonyms = (text: string, find: (pseudonym: string) => string): string =>
  text.replaceAll(pseudonymPattern, find);

export const isPseudonym = (text: string): boolean => text.length < 32 && text.replace(pseudonymPattern, '') === '';

export const newKey = (): Buffer => randomBytes(32);

/** Called for each value that got a pseudonym. */
export type OnReplaced = (pseudonym: string, value: string) => void;

export class Pseudonymizer {
  readonly #key: Buffer;
  readonly #onReplaced: OnReplaced;

  constructor(key: Buffer, onReplaced: OnReplaced = () => undefined) {
    this.#key = key;
    this.#onReplaced = onReplaced;
  }

  /** The same key, with one more listener. */
  with(onReplaced: OnReplaced): Pseudonymizer {
    return new Pseudonymizer(this.#key, (pseudonym, value) => {
      this.#onReplaced(pseudonym, value);
      onReplaced(pseudonym, value);
    });
  }

  /** A guid gets a guid, so that what it stands in stays readable as what it is. */
  replace(kind: Kind, value: string): string {
    const pseudonym = isGuid(value) ? this.#guid(value) : `${kind}-${this.#hash(value).slice(0, 16)}`;
    this.#onReplaced(pseudonym, value);
    return pseudonym;
  }

  replaceNumber(value: number): number {
    return Number.parseInt(this.#hash(String(value)).slice(0, 7), 16);
  }

  #guid(value: string): string {
    const digits = this.#hash(guidDigits(value));
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `8${digits.slice(13, 16)}`,
      `a${digits.slice(17, 20)}`,
      digits.slice(20, 32),
    ].join('-');
  }

  #hash(value: string): string {
    return createHmac('sha256', this.#key).update(value).digest('hex');
  }
}
