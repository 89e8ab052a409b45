/** Replaces secrets and personal data in recorded traffic. */
import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type Answer,
  type Body,
  fieldOf,
  guidDigits,
  guidsInText,
  type Headers,
  isClientId,
  isGuid,
  isQueryOption,
  productOf,
  type Request,
  readBody,
} from './message.js';

/**
 * Properties whose texts are shown. Everything that is not in these lists is replaced, so an unknown property never leaks. The
 * names are those of the two old services (docs/contract/), of RFC 6749, 7009, 7662, 8693 and of problem+json (RFC 9457).
 */
const catalogue = `name description iconDefault iconHover appType renderingMode linkType globalExternalLink
  individualExternalLink translationGroup state accessScopeKey fieldName languageCode translatedText applicationGuid
  accessScopeGuid accessScopeTypeGuid createdDate modifiedDate`;
const protocol = `grant_type token_type issued_token_type subject_token_type actor_token_type requested_token_type error
  error_description error_uri type title status detail code traceId instance errors scope scopes roleId aud iss typ alg
  client_id created_at expires_at kty crv use`;
/** Properties whose numbers and booleans are shown too. */
const others = `applicationId accessScopeId accessScopeTypeId accessScopeApplicationsMapperId
  accessScopeTypeApplicationsMapperId concreteId expires_in exp iat nbf isActive isIframe isIFrame isTokenExchangeRequired
  isWildcard is_valid active`;
const navigations = `accessScope accessScopeType application accessScopeApplicationsMappers
  accessScopeTypeApplicationsMappers translations createdByNavigation modifiedByNavigation claims`;

const words = (text: string): string[] => text.split(/\s/).filter(Boolean);

const secrets = 'client_secret clientSecret password pwd secret api_key apiKey';
const tokens = 'token id_token access_token refresh_token subject_token actor_token client_assertion assertion';

const secretNames = new Set(words(secrets));
export const tokenNames = new Set(words(tokens));
/** Everything below these properties is personal data. */
const personNames = new Set(words('createdByNavigation modifiedByNavigation user users'));
/** Messages for people: they may quote values of the request. */
const messageNames = new Set(words('detail error error_description errors title'));
/** Further parameters of token requests: their names are shown, their values are not. */
const parameters = `profileId username redirect_uri response_type nonce audience resource token_type_hint code_verifier
  code_challenge code_challenge_method client_assertion_type query variables operationName`;
/** Names of properties that are shown. Any other name may be personal data, such as an e-mail address as a key. */
const knownNames = new Set(
  words(`${catalogue} ${protocol} ${others} ${navigations} ${parameters} ${secrets} ${tokens} user users`),
);

/** What is shown of one kind of message, by names of properties. */
interface Shown {
  texts: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Whether `messageNames` are shown as messages; in a request they are ordinary texts. */
  messages: boolean;
  /** Whether names outside of these lists are shown: those of a service are harmless, those of a caller may be anything. */
  otherNames: boolean;
}

const nothing: ReadonlySet<string> = new Set();
const shownOfAnswers: Shown = {
  texts: new Set(words(`${catalogue} ${protocol}`)),
  numbers: new Set([...words(others), 'status']),
  messages: true,
  otherNames: true,
};
/** Shows no texts of the protocol: in a request, `code` or `title` may hold anything. */
const shownOfRequests: Shown = { texts: nothing, numbers: nothing, messages: false, otherNames: false };
const shownOfCatalogueRequests: Shown = {
  ...shownOfRequests,
  texts: new Set(words(catalogue)),
  numbers: new Set(words(others)),
};

const tokenTypes = words('access_token refresh_token id_token jwt saml1 saml2').map(
  (type) => `urn:ietf:params:oauth:token-type:${type}`,
);
const kindsOfTokens = ['access_token', 'refresh_token', ...tokenTypes];
const grants = `urn:service:authz:exchange refresh_token authorization_code client_credentials password
  urn:ietf:params:oauth:grant-type:token-exchange urn:ietf:params:oauth:grant-type:jwt-bearer`;
/** The only values of these properties that are shown in requests. */
const knownValues = new Map<string, readonly string[]>([
  ['grant_type', words(grants)],
  ['client_assertion_type', ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer']],
  ...words('token_type_hint subject_token_type actor_token_type requested_token_type').map(
    (name) => [name, kindsOfTokens] as const,
  ),
]);

const operators = `eq ne gt ge lt le in and or not contains startswith endswith tolower toupper length trim any asc desc true
  false null filter orderby top skip select expand count options`;
const queryWords = new Set(
  words(`${catalogue} ${others} ${navigations} ${operators}`).map((word) => word.toLowerCase()),
);

const timesInText = /\b\d{4}-\d\d-\d\d(?:T[\d:.]{1,20}Z?)?/gi;

/** Whether the value of an OData option names only the catalogue; then its literals are shown too. */
function isAboutCatalogue(option: string): boolean {
  if (option.length > 8_000) return false;
  const pieces = option.split("'");
  const outside = pieces
    .filter((_, index) => index % 2 === 0)
    .join(' ')
    .replaceAll(guidsInText, ' ')
    .replaceAll(timesInText, ' ');
  if (pieces.length % 2 === 0 || !/^[\p{L}\p{N}\s_()$,./:;=&*-]{0,8000}$/u.test(outside)) return false;
  // a lambda variable, a number with or without a type suffix, or a known word
  return [...outside.matchAll(/[\p{L}\p{N}_]{1,8000}[:/]?/gu)].every(
    ([word]) => /^(?:[a-z][:/]|\d{1,10}[a-z]?)$/i.test(word) || queryWords.has(word.replace(/[:/]$/, '').toLowerCase()),
  );
}

/** Segments of paths that are shown; others are replaced. */
const pathWords = new Set(
  words(
    'api applications accessScopes accessScopes:delete accessScopes%3Adelete token profiles revoke validate-token introspect .well-known jwks.json openid-configuration oauth-authorization-server openapi.json docs health graphql',
  ).map((word) => word.toLowerCase()),
);

/**
 * A pseudonym is the kind of the value and a keyed hash (HMAC-SHA-256, cut to 64 bits). With the same key, a value always has
 * the same pseudonym; without the key, nobody can find the value.
 */
type Kind = 'secret' | 'token' | 'person' | 'profile' | 'text' | 'query' | 'path' | 'etag' | 'name' | 'body';

const pseudonymPattern = /\b(?:secret|token|person|profile|text|query|path|etag|name|body)-[0-9a-f]{16}\b/g;

/** Replaces every pseudonym in the text. @param find returns the value */
export const resolvePseudonyms = (text: string, find: (pseudonym: string) => string): string =>
  text.replaceAll(pseudonymPattern, find);

export const isPseudonym = (text: string): boolean => text.length < 32 && text.replace(pseudonymPattern, '') === '';

export const newKey = (): Buffer => randomBytes(32);

/** Called for each value that is replaced by a pseudonym. */
export type OnReplaced = (pseudonym: string, value: string) => void;

export class Pseudonymizer {
  constructor(
    private readonly key: Buffer,
    private readonly onReplaced: OnReplaced = () => undefined,
  ) {}

  /** Returns a pseudonymizer with the same key and one more listener. */
  with(onReplaced: OnReplaced): Pseudonymizer {
    return new Pseudonymizer(this.key, (pseudonym, value) => {
      this.onReplaced(pseudonym, value);
      onReplaced(pseudonym, value);
    });
  }

  /** Replaces a guid by a guid, so that the text around it keeps its form. */
  replace(kind: Kind, value: string): string {
    const pseudonym = isGuid(value) ? this.#guid(value) : `${kind}-${this.#hash(value).slice(0, 16)}`;
    this.onReplaced(pseudonym, value);
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
    return createHmac('sha256', this.key).update(value).digest('hex');
  }
}

const tokensMax = 100_000;

export class ClientNames {
  readonly #clientOf = new LRUCache<string, string>({ max: tokensMax });

  /** @param shown the request with pseudonyms */
  nameOf({ headers, body: shownBody }: RedactedRequest, body: Body): string {
    const clientId = fieldOf(body, 'client_id');
    if (clientId !== undefined) return isClientId(clientId) ? clientId : 'a client without a proper id';
    const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ', 2);
    if (scheme === 'Basic') return credentials.split(':')[0]!;
    const token = shownBody && 'json' in shownBody ? (shownBody.json as { token?: unknown } | null)?.token : undefined;
    return (
      this.#clientOf.get(credentials) ??
      this.#clientOf.get(String(token)) ??
      productOf(headers['user-agent'] ?? '') ??
      'unknown'
    );
  }

  /** Remembers the client that got the token in an answer. */
  learn(pseudonym: string, client: string): void {
    if (pseudonym.startsWith('token-')) this.#clientOf.set(pseudonym, client);
  }

  wasGiven(pseudonym: string): boolean {
    return this.#clientOf.has(pseudonym);
  }
}

/** A body in a recording; absent if there was none. */
export type RedactedBody =
  | { json: unknown }
  | { form: [name: string, value: string][] }
  | { text: string }
  /** The body of a request that is neither JSON nor a form: its pseudonym and length. */
  | { unread: string; bytes: number }
  /** An answer that was too long to keep. */
  | { omitted: true };

const apiVersion = /^\d{1,2}(?:\.\d{1,2})?$/;
const mediaType = /^(?:\*|application|text|multipart|image|audio|video|message)\/[\w*.+-]{1,60}$/i;
const charset = /^(?:\*|utf-?8|utf-16|us-ascii|iso-8859-1)$/i;
/** Parameters of headers that are shown. The boundary of a multipart body is not, because the caller chooses it. */
const headerParameter =
  /^(?:charset="?(?:utf-?8|utf-16|us-ascii|iso-8859-1)"?|odata[\w.]{0,30}=\w{1,10}|q=[01](?:\.\d{1,3})?)$/i;

/** The request headers that affect the answer. An item is shown if it has this form. */
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
/** Shorter values occur in any text by chance, so they are not searched for. */
const echoLengthMin = 3;
const echoLengthMinOfGuids = 6;
/** If a request contains more values, no text of its answer is shown. */
const heldMax = 1_000;

/** The place of a value in JSON. */
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

/** The values of a request that were replaced; its answer may repeat them. */
interface Held {
  values: ReadonlySet<string>;
  /** The request could not be read, or had too many values: any text of its answer may repeat one. */
  isUnknown: boolean;
}
const nothingHeld: Held = { values: new Set(), isUnknown: false };

interface RedactedRequest {
  target: string;
  headers: Headers;
  body?: RedactedBody;
}

/** The request with pseudonyms, and the values that were replaced. */
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
  /** What the request of this answer contained. */
  held?: Held;
  onReplaced?: (value: string) => void;
}

export class Redaction {
  readonly #pseudonyms: Pseudonymizer;
  readonly #vocabulary: Shown;
  readonly #held: Held;
  readonly #onReplaced: (value: string) => void;

  /** Without options: the redaction of an answer whose request contained nothing to replace. */
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
   * A body that is neither JSON nor a form is replaced as a whole: it may be JSON or a form that was cut off or has the wrong
   * media type. The hash is keyed, because a short secret could be guessed from a plain one.
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

  /** Redacts a text that is not JSON. A short one is a message of the service; a long one may be a page with any content. */
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
    // a link may identify a person or contain a token
    if (key.endsWith('ExternalLink') && /[?#@]/.test(value)) return this.#replace('text', value);
    return this.#plain(value);
  }

  /** Redacts the name of a property, which may be any text if the object is a dictionary. */
  property(name: string): string {
    if (knownNames.has(name)) return name;
    return this.#vocabulary.otherNames && propertyName.test(name) ? this.#plain(name) : this.#replace('name', name);
  }

  #message(text: string): string {
    return this.#plain(
      text.replaceAll(quoted, (literal) =>
        literal.length > 2 ? `'${this.#replace('text', literal.slice(1, -1))}'` : literal,
      ),
    );
  }

  /** Replaces tokens and addresses in the text, and the whole text if it repeats a value of the request. */
  #plain(text: string): string {
    if (this.#repeats(text)) return this.#replace('text', text);
    let plain = text;
    if (plain.includes('.'))
      plain = plain.replaceAll(longWords, (word) => (isTokenLike(word) ? this.#replace('token', word) : word));
    return plain.includes('@') ? plain.replaceAll(addresses, (address) => this.#replace('person', address)) : plain;
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

  /** Keeps items that have the form, and replaces the others. */
  #header(value: string, form: RegExp): string {
    const items = value.split(',').map((item) =>
      item
        .split(';')
        .map((part, index) => [part.trim(), index === 0 ? form : headerParameter] as const)
        .map(([part, pattern]) => (part === '' || pattern.test(part) ? part : this.#replace('text', part)))
        .join('; '),
    );
    return items.join(', ');
  }

  #authorization(value: string): string {
    const [scheme = '', credentials = ''] = value.split(' ', 2);
    if (/^bearer$/i.test(scheme)) return `Bearer ${this.#replace('token', credentials)}`;
    if (!/^basic$/i.test(scheme)) return this.#replace('secret', value);
    const [id = '', ...secret] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    // a replay encodes the two parts again
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

  /** Redacts a parameter; keeps it as written if all of it may be shown. */
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

/** Whether the word is a JWS or a large part of one. */
const isTokenLike = (word: string): boolean =>
  (word.includes('eyJ') || word.length > 100) && word.split('.').filter((part) => part.length >= 8).length >= 2;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
