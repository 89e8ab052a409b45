/** Puts pseudonyms in place of secrets, tokens and personal data, in a request, its answer, and what a report shows of them. */
import { isGuid } from './forms.js';
import type { Answer, Body, Headers, Request } from './message.js';
import { readBody } from './message.js';
import { isClientId, productOf } from './operation.js';
import type { Kind, Pseudonymizer } from './pseudonymizer.js';
import {
  isAboutCatalogue,
  isQueryOption,
  knownNames,
  knownValues,
  messageNames,
  pathWords,
  personNames,
  type Shown,
  secretNames,
  shownOfAnswers,
  shownOfCatalogueRequests,
  shownOfRequests,
  tokenNames,
} from './vocabulary.js';

/** A body in a recording: absent where there is none. */
export type RedactedBody =
  | { json: unknown }
  | { form: [name: string, value: string][] }
  | { text: string }
  /** A body of a request that is neither JSON nor a form: its pseudonym, and how long it is. */
  | { unread: string; bytes: number }
  /** An answer that was too long to keep. */
  | { omitted: true };

const apiVersion = /^\d{1,2}(?:\.\d{1,2})?$/;
const mediaType = /^(?:\*|application|text|multipart|image|audio|video|message)\/[\w*.+-]{1,60}$/i;
const charset = /^(?:\*|utf-?8|utf-16|us-ascii|iso-8859-1)$/i;
/** The boundary of a multipart body is the caller's to choose, and none of these. */
const headerParameter =
  /^(?:charset="?(?:utf-?8|utf-16|us-ascii|iso-8859-1)"?|odata[\w.]{0,30}=\w{1,10}|q=[01](?:\.\d{1,3})?)$/i;

/** Of the headers of a request, those that choose the answer, and what an item of them may be to be shown. */
const shownRequestHeaders: Record<string, RegExp> = {
  accept: mediaType,
  'accept-charset': charset,
  'accept-language': /^(?:\*|[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)$/i,
  'api-version': apiVersion,
  'content-type': mediaType,
  origin: /^(?:null|https?:\/\/[\w.-]{1,200}(?::\d{1,5})?)$/,
  prefer: /^(?:return=(?:minimal|representation)|handling=(?:strict|lenient)|dry-run|respond-async|wait=\d{1,4})$/,
};
const shownAnswerHeaders = ['content-type', 'x-total-count', 'retry-after', 'allow', 'api-supported-versions'] as const;

const longWords = /[\w.-]{24,60000}/g;
const addresses = /[\w.+-]{1,64}@[\w.-]{1,190}/g;
const quoted = /'[^']{0,2000}'|"[^"]{0,2000}"/g;
const propertyName = /^[\w$.[\]-]{1,100}$/;
const textLengthMax = 200;
/** A shorter value is found everywhere by chance. */
const echoLengthMin = 3;
const echoLengthMinOfGuids = 6;
/** With more of them in a request, no text of its answer is shown. */
const heldMax = 1_000;

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

/** What a request held that was replaced: its answer may repeat it. */
interface Held {
  values: ReadonlySet<string>;
  /** The request could not be read, or held too much: any text of its answer may be of it. */
  isUnknown: boolean;
}
const nothingHeld: Held = { values: new Set(), isUnknown: false };

export interface RedactedRequest {
  target: string;
  headers: Headers;
  body?: RedactedBody;
}

/** The request with pseudonyms, and what it held. */
export function redactRequest(
  pseudonymizer: Pseudonymizer,
  request: Request,
  body = readBody(request),
): { shown: RedactedRequest; held: Held } {
  const values = new Set<string>();
  const redaction = new Redaction(pseudonymizer, {
    shown: isOfCatalogue(request.target) ? shownOfCatalogueRequests : shownOfRequests,
    onReplaced: (value) => {
      if (value.length >= echoLengthMin) values.add(value).add(JSON.stringify(value).slice(1, -1));
    },
  });
  const redacted = redaction.requestBody(body, request.body);
  const headers = redaction.requestHeaders(request.headers);
  const shown = { target: redaction.target(request.target), headers, ...(redacted && { body: redacted }) };
  const isUnread = redacted !== undefined && 'unread' in redacted;
  return { shown, held: { values, isUnknown: isUnread || values.size > heldMax } };
}

const isOfCatalogue = (target: string): boolean => /\/applications(\/|$)/i.test(target.split('?', 1)[0]!);

interface RedactionOptions {
  shown?: Shown;
  /** By the request whose answer it is. */
  held?: Held;
  onReplaced?: (value: string) => void;
}

export class Redaction {
  readonly #pseudonyms: Pseudonymizer;
  readonly #vocabulary: Shown;
  readonly #held: Held;
  readonly #onReplaced: (value: string) => void;

  /** By default of an answer to a request that held nothing. */
  constructor(
    pseudonymizer: Pseudonymizer,
    { shown = shownOfAnswers, held = nothingHeld, onReplaced = () => undefined }: RedactionOptions = {},
  ) {
    this.#pseudonyms = pseudonymizer;
    this.#vocabulary = shown;
    this.#held = held;
    this.#onReplaced = onReplaced;
  }

  answer({ status, headers, body }: Answer): { status: number; headers: Headers; body?: RedactedBody } {
    const kept: Headers = {};
    for (const name of shownAnswerHeaders)
      if (headers[name]) kept[name] = this.#held.isUnknown ? headers[name] : this.#plain(headers[name]);
    if (headers.etag) kept.etag = this.#replace('etag', headers.etag);
    const redacted = this.body(readBody({ headers, body }));
    return { status, headers: kept, ...(redacted && { body: redacted }) };
  }

  /**
   * A body that is neither JSON nor a form may be either, cut off or by another media type: a list of what may be shown does
   * not help. Its hash has a key, or a short secret could be guessed from it.
   */
  requestBody(body: Body, bytes: Buffer): RedactedBody | undefined {
    const isForm = body.kind === 'form' && body.fields.every(([name]) => propertyName.test(name));
    if (isForm || body.kind === 'json' || body.kind === 'none') return this.body(body);
    return { unread: this.#replace('body', bytes.toString('latin1')), bytes: bytes.length };
  }

  body(body: Body): RedactedBody | undefined {
    if (body.kind === 'none') return undefined;
    if (body.kind === 'json') return { json: this.json(body.json) };
    if (body.kind === 'form')
      return {
        form: body.fields.map(([name, value]) => [this.property(name), this.#text(value, { ...topPlace, key: name })]),
      };
    return { text: body.kind === 'text' ? this.message(body.text) : this.#replace('text', body.text) };
  }

  /** A text that is no JSON: short ones are messages of the service, long ones may be pages that show anything. */
  message(text: string): string {
    return text.length <= textLengthMax && !text.startsWith('<') ? this.#message(text) : this.#replace('text', text);
  }

  json(value: unknown, place: Place = topPlace): unknown {
    if (typeof value === 'string') return this.#text(value, place);
    if (typeof value === 'number')
      return this.#vocabulary.numbers.has(place.key) && !place.isAboutPerson ? value : this.#number(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item, place));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.property(key), this.json(item, placeBelow(place, key))]),
    );
  }

  #replace(kind: Kind, value: string): string {
    this.#onReplaced(value);
    return this.#pseudonyms.replace(kind, value);
  }

  #number(value: number): number {
    this.#onReplaced(String(value));
    return this.#pseudonyms.replaceNumber(value);
  }

  #text(value: string, { key, isAboutPerson, isMessage }: Place): string {
    const { texts, messages } = this.#vocabulary;
    if (value === '') return value;
    if (messages && isMessage && !isAboutPerson) return this.#message(value);
    if (knownValues.get(key)?.includes(value)) return value;
    if (secretNames.has(key)) return this.#replace('secret', value);
    if (tokenNames.has(key)) return this.#replace('token', value);
    if (key === 'profileId') return this.#replace('profile', value);
    if (key === 'client_id' || key === 'clientId') return isClientId(value) ? value : this.#replace('name', value);
    if (isAboutPerson || !texts.has(key))
      return this.#replace(isAboutPerson || isGuid(value) ? 'person' : 'text', value);
    // a link may lead to somebody, or carry a token
    if (key.endsWith('ExternalLink') && /[?#@]/.test(value)) return this.#replace('text', value);
    return this.#plain(value);
  }

  /** Property names of an object that is a dictionary may be anything. */
  property(name: string): string {
    if (knownNames.has(name)) return name;
    return this.#vocabulary.otherNames && propertyName.test(name) ? this.#plain(name) : this.#replace('name', name);
  }

  #message(text: string): string {
    return this.#plain(
      text.replaceAll(quoted, (found) => (found.length > 2 ? `'${this.#replace('text', found.slice(1, -1))}'` : found)),
    );
  }

  /** The text, without tokens and addresses in it; a pseudonym where it holds what the request held. */
  #plain(text: string): string {
    if (this.#repeats(text)) return this.#replace('text', text);
    let plain = text;
    if (plain.includes('.'))
      plain = plain.replaceAll(longWords, (word) => (isTokenLike(word) ? this.#replace('token', word) : word));
    return plain.includes('@') ? plain.replaceAll(addresses, (found) => this.#replace('person', found)) : plain;
  }

  #repeats(text: string): boolean {
    const { values, isUnknown } = this.#held;
    if (isUnknown) return true;
    const lengthMin = isGuid(text) ? echoLengthMinOfGuids : 0;
    const decoded = decode(text);
    for (const value of values)
      if (value.length >= lengthMin && (text.includes(value) || decoded.includes(value))) return true;
    return false;
  }

  requestHeaders(headers: Headers): Headers {
    const kept: Headers = {};
    for (const [name, form] of Object.entries(shownRequestHeaders))
      if (headers[name] !== undefined) kept[name] = this.#header(headers[name], form);
    const product = productOf(headers['user-agent'] ?? '');
    if (product) kept['user-agent'] = product;
    for (const name of ['if-none-match', 'if-match'])
      if (headers[name]) kept[name] = headers[name] === '*' ? '*' : this.#replace('etag', headers[name]);
    if (headers.authorization) kept.authorization = this.#authorization(headers.authorization);
    return kept;
  }

  /** Its items as they are, and pseudonyms in place of those that may be anything. */
  #header(value: string, form: RegExp): string {
    const items = value.split(',').map((item) =>
      item
        .split(';')
        .map((part, index) => [part.trim(), index === 0 ? form : headerParameter] as const)
        .map(([part, wanted]) => (part === '' || wanted.test(part) ? part : this.#replace('text', part)))
        .join('; '),
    );
    return items.join(', ');
  }

  #authorization(value: string): string {
    const [scheme = '', credentials = ''] = value.split(' ', 2);
    if (/^bearer$/i.test(scheme)) return `Bearer ${this.#replace('token', credentials)}`;
    if (!/^basic$/i.test(scheme)) return this.#replace('secret', value);
    const [id = '', ...secret] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    // what stands behind Basic is made again of the two when it is sent
    return `Basic ${isClientId(id) ? id : this.#replace('name', id)}:${this.#replace('secret', secret.join(':'))}`;
  }

  target(target: string): string {
    const [path = '', ...query] = target.split('?');
    const isCatalogue = isOfCatalogue(path);
    const segments = path.split('/').map((segment) => {
      if (segment === '' || pathWords.has(segment.toLowerCase())) return segment;
      const text = decode(segment);
      return isGuid(text) && isCatalogue ? segment : this.#replace('path', text);
    });
    const pieces = query
      .join('?')
      .split('&')
      .map((piece) => this.#queryPiece(piece, isCatalogue));
    return segments.join('/') + (query.length > 0 ? `?${pieces.join('&')}` : '');
  }

  /** As it was written, unless something in it may not be shown. */
  #queryPiece(piece: string, isCatalogue: boolean): string {
    const at = piece.indexOf('=');
    const [name, value] = at < 0 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)];
    const [nameText, valueText] = [decode(name), decode(value)];
    const isOption = isCatalogue && isQueryOption(nameText);
    const shownName =
      isOption || nameText === 'api-version' ? name : encodeURIComponent(this.#replace('name', nameText));
    if (at < 0) return shownName;
    const isShown = nameText === 'api-version' ? apiVersion.test(valueText) : isOption && isAboutCatalogue(valueText);
    const isPlain = isShown && this.#plain(valueText) === valueText;
    return `${shownName}=${isPlain ? value : encodeURIComponent(this.#replace('query', valueText))}`;
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
