/** Puts pseudonyms in place of secrets, tokens and personal data, in a request, its answer, and what a report shows of them. */
import { isGuid } from './forms.js';
import type { Answer, Body, Headers, Request } from './message.js';
import { readBody } from './message.js';
import { isClientId, productOf } from './operation.js';
import type { Pseudonymizer } from './pseudonymizer.js';
import {
  isAboutCatalogue,
  knownNames,
  messageNames,
  pathWords,
  personNames,
  secretNames,
  shownNumbers,
  shownTexts,
  tokenNames,
} from './vocabulary.js';

/** A body in a recording: absent where there is none. */
export type RedactedBody =
  | { json: unknown }
  | { form: [name: string, value: string][] }
  | { text: string }
  /** An answer that was too long to keep. */
  | { omitted: true };

/** Of the headers of a request, those that choose the answer. */
const shownRequestHeaders = [
  'accept',
  'accept-charset',
  'accept-language',
  'content-type',
  'api-version',
  'origin',
  'prefer',
] as const;
const shownAnswerHeaders = ['content-type', 'x-total-count', 'retry-after', 'allow', 'api-supported-versions'] as const;

const longWords = /[\w.-]{24,60000}/g;
const addresses = /[\w.+-]{1,64}@[\w.-]{1,190}/g;
const quoted = /'[^']{0,2000}'|"[^"]{0,2000}"/g;
const propertyName = /^[\w$.[\]-]{1,100}$/;
const textLengthMax = 200;
/** A shorter value is found everywhere by chance. */
const echoLengthMin = 6;

/** What is in the place of a value in JSON. */
interface Place {
  key: string;
  isAboutPerson: boolean;
  isMessage: boolean;
}
export const topPlace: Place = { key: '', isAboutPerson: false, isMessage: false };

export const placeBelow = (place: Place, key: string): Place => ({
  key,
  isAboutPerson: place.isAboutPerson || personNames.has(key),
  isMessage: place.isMessage || messageNames.has(key),
});

/** Values that were replaced, with their pseudonyms. */
type Held = ReadonlyMap<string, string>;

export interface RedactedRequest {
  target: string;
  headers: Headers;
  body?: RedactedBody;
}

/** The request with pseudonyms, and what it held: its answer may repeat it. */
export function redactRequest(
  pseudonymizer: Pseudonymizer,
  request: Request,
  body = readBody(request),
): { shown: RedactedRequest; held: Held } {
  const held = new Map<string, string>();
  const redaction = new Redaction(
    pseudonymizer.with((pseudonym, value) => {
      if (value.length >= echoLengthMin) held.set(value, pseudonym);
    }),
  );
  const redacted = redaction.body(body);
  const headers = redaction.requestHeaders(request.headers);
  return { shown: { target: redaction.target(request.target), headers, ...(redacted && { body: redacted }) }, held };
}

export class Redaction {
  readonly #pseudonyms: Pseudonymizer;
  readonly #held: Held;

  /** @param held by the request whose answer it is */
  constructor(pseudonymizer: Pseudonymizer, held: Held = new Map()) {
    this.#pseudonyms = pseudonymizer;
    this.#held = held;
  }

  answer({ status, headers, body }: Answer): { status: number; headers: Headers; body?: RedactedBody } {
    const kept: Headers = {};
    for (const name of shownAnswerHeaders) if (headers[name]) kept[name] = this.#plain(headers[name]);
    if (headers.etag) kept.etag = this.#pseudonyms.replace('etag', headers.etag);
    const redacted = this.body(readBody({ headers, body }));
    return { status, headers: kept, ...(redacted && { body: redacted }) };
  }

  body(body: Body): RedactedBody | undefined {
    if (body.kind === 'none') return undefined;
    if (body.kind === 'json') return { json: this.json(body.json) };
    if (body.kind === 'form')
      return {
        form: body.fields.map(([name, value]) => [this.property(name), this.#text(value, { ...topPlace, key: name })]),
      };
    return { text: body.kind === 'text' ? this.message(body.text) : this.#pseudonyms.replace('text', body.text) };
  }

  /** A text that is no JSON: short ones are messages of the service, long ones may be pages that show anything. */
  message(text: string): string {
    return text.length <= textLengthMax && !text.startsWith('<')
      ? this.#message(text)
      : this.#pseudonyms.replace('text', text);
  }

  json(value: unknown, place: Place = topPlace): unknown {
    if (typeof value === 'string') return this.#text(value, place);
    if (typeof value === 'number')
      return shownNumbers.has(place.key) && !place.isAboutPerson ? value : this.#pseudonyms.replaceNumber(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item, place));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.property(key), this.json(item, placeBelow(place, key))]),
    );
  }

  #text(value: string, { key, isAboutPerson, isMessage }: Place): string {
    if (value === '') return value;
    if (isMessage && !isAboutPerson) return this.#message(value);
    if (secretNames.has(key)) return this.#pseudonyms.replace('secret', value);
    if (tokenNames.has(key)) return this.#pseudonyms.replace('token', value);
    if (key === 'profileId') return this.#pseudonyms.replace('profile', value);
    if (key === 'client_id' || key === 'clientId')
      return isClientId(value) ? value : this.#pseudonyms.replace('name', value);
    if (isAboutPerson || !shownTexts.has(key))
      return this.#pseudonyms.replace(isAboutPerson || isGuid(value) ? 'person' : 'text', value);
    // a link may lead to somebody, or carry a token
    if (key.endsWith('ExternalLink') && /[?#@]/.test(value)) return this.#pseudonyms.replace('text', value);
    return this.#plain(value);
  }

  /** Property names of an object that is a dictionary may be anything. */
  property(name: string): string {
    if (knownNames.has(name)) return name;
    return propertyName.test(name) ? this.#plain(name) : this.#pseudonyms.replace('name', name);
  }

  #message(text: string): string {
    return this.#plain(
      text.replaceAll(quoted, (found) =>
        found.length > 2 ? `'${this.#pseudonyms.replace('text', found.slice(1, -1))}'` : found,
      ),
    );
  }

  /** The text, without tokens and addresses in it, and without what the request held. */
  #plain(text: string): string {
    let plain = text;
    for (const [value, pseudonym] of this.#held) if (plain.includes(value)) plain = plain.replaceAll(value, pseudonym);
    if (plain.includes('.'))
      plain = plain.replaceAll(longWords, (word) =>
        isTokenLike(word) ? this.#pseudonyms.replace('token', word) : word,
      );
    return plain.includes('@')
      ? plain.replaceAll(addresses, (found) => this.#pseudonyms.replace('person', found))
      : plain;
  }

  requestHeaders(headers: Headers): Headers {
    const kept: Headers = {};
    for (const name of shownRequestHeaders) if (headers[name] !== undefined) kept[name] = this.#plain(headers[name]);
    const product = productOf(headers['user-agent'] ?? '');
    if (product) kept['user-agent'] = product;
    for (const name of ['if-none-match', 'if-match'])
      if (headers[name]) kept[name] = headers[name] === '*' ? '*' : this.#pseudonyms.replace('etag', headers[name]);
    if (headers.authorization) kept.authorization = this.#authorization(headers.authorization);
    return kept;
  }

  #authorization(value: string): string {
    const [scheme = '', credentials = ''] = value.split(' ', 2);
    if (/^bearer$/i.test(scheme)) return `Bearer ${this.#pseudonyms.replace('token', credentials)}`;
    if (!/^basic$/i.test(scheme)) return this.#pseudonyms.replace('secret', value);
    const [id = '', ...secret] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    // what stands behind Basic is made again of the two when it is sent
    return `Basic ${isClientId(id) ? id : this.#pseudonyms.replace('name', id)}:${this.#pseudonyms.replace('secret', secret.join(':'))}`;
  }

  target(target: string): string {
    const [path = '', ...query] = target.split('?');
    const isCatalogue = /\/applications(\/|$)/i.test(path);
    const segments = path.split('/').map((segment) => {
      if (segment === '' || pathWords.has(segment.toLowerCase())) return segment;
      const text = decode(segment);
      return isGuid(text) && isCatalogue ? segment : this.#pseudonyms.replace('path', text);
    });
    const pieces = query
      .join('?')
      .split('&')
      .map((piece) => this.#queryPiece(piece));
    return segments.join('/') + (query.length > 0 ? `?${pieces.join('&')}` : '');
  }

  /** As it was written, unless something in it may not be shown. */
  #queryPiece(piece: string): string {
    const at = piece.indexOf('=');
    const [name, value] = at < 0 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)];
    const [nameText, valueText] = [decode(name), decode(value)];
    const isOption = isAboutCatalogue(nameText.replace('$', ''));
    const shownName =
      isOption || nameText === 'api-version' ? name : encodeURIComponent(this.#pseudonyms.replace('name', nameText));
    if (at < 0) return shownName;
    const isShown =
      nameText === 'api-version' ? /^[\w.]{1,20}$/.test(valueText) : isOption && isAboutCatalogue(valueText);
    const isPlain = isShown && this.#plain(valueText) === valueText;
    return `${shownName}=${isPlain ? value : encodeURIComponent(this.#pseudonyms.replace('query', valueText))}`;
  }
}

/** Three parts of a JWS, or what is left of one in a longer text. */
const isTokenLike = (word: string): boolean =>
  (word.includes('eyJ') || word.length > 100) && word.split('.').filter((part) => part.length >= 8).length >= 2;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
