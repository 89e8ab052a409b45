/**
 * Stable stand-ins for what a recording may not hold: a keyed hash (HMAC-SHA-256, cut to 64 bits) behind the kind of the
 * value. One value has one stand-in in everything that is made with one key, and nobody gets back from it without the key.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { guidDigits, isGuid } from './forms.js';

type Kind = 'secret' | 'token' | 'person' | 'profile' | 'text' | 'query' | 'path' | 'etag' | 'name';

const standInForm = /\b(?:secret|token|person|profile|text|query|path|etag|name)-[0-9a-f]{16}\b/g;

/** Every stand-in in the text becomes what `find` gives. */
export const replaceStandIns = (text: string, find: (standIn: string) => string): string =>
  text.replaceAll(standInForm, find);

export const isStandIn = (text: string): boolean => text.length < 32 && text.replace(standInForm, '') === '';

export const newKey = (): Buffer => randomBytes(32);

/** Called for each value that got a stand-in. */
export type OnReplaced = (standIn: string, value: string) => void;

export class StandIns {
  readonly #key: Buffer;
  readonly #onReplaced: OnReplaced;

  constructor(key: Buffer, onReplaced: OnReplaced = () => undefined) {
    this.#key = key;
    this.#onReplaced = onReplaced;
  }

  /** The same key, with one more listener. */
  with(onReplaced: OnReplaced): StandIns {
    return new StandIns(this.#key, (standIn, value) => {
      this.#onReplaced(standIn, value);
      onReplaced(standIn, value);
    });
  }

  /** A guid gets a guid, so that what it stands in stays readable as what it is. */
  name(kind: Kind, value: string): string {
    const standIn = isGuid(value) ? this.#guid(value) : `${kind}-${this.#hash(value).slice(0, 16)}`;
    this.#onReplaced(standIn, value);
    return standIn;
  }

  number(value: number): number {
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
