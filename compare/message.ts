/** Requests and answers: their bodies, and the operation, options and client of a request. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../src/jsonObject.js';
import { secretForm } from '../src/secretForm.js';

// RFC 9562 §4, and the spellings of .NET: D, B, P and N
const guidForm = /^[{(]?[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}[)}]?$/i;

/** The guids in a text, in the form in which both services write them. */
export const guidsInText = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

export const isGuid = (text: string): boolean => text.length >= 32 && text.length <= 38 && guidForm.test(text);

/** The 32 digits in lower case: the same text for every spelling of a guid. */
export const guidDigits = (text: string): string => text.replaceAll(/[-{}()]/g, '').toLowerCase();

export interface DateTime {
  /** Milliseconds since the epoch, with a fraction; a time without a zone is taken as UTC. */
  moment: number;
  /** Such as `Z` or `+00:00`; empty without a zone. */
  zone: string;
  separator: string;
  fractionDigits: number;
}

// ISO 8601 as RFC 3339 and .NET write it
const dateTimeForm = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/;

export function readDateTime(text: string): DateTime | undefined {
  if (text.length < 19 || text.length > 40) return undefined;
  const match = dateTimeForm.exec(text);
  if (!match) return undefined;
  const [, date, separator, time, fraction = '', zone = ''] = match;
  const seconds = Date.parse(`${date}T${time}${zone === '' ? 'Z' : zone.toUpperCase()}`);
  if (Number.isNaN(seconds)) return undefined;
  const moment = seconds + Number(`0.${fraction || '0'}`) * 1_000;
  return { moment, zone, separator: separator!, fractionDigits: fraction.length };
}

interface Jwt {
  header: JsonObject;
  claims: JsonObject;
}

const jwtForm = /^eyJ[\w-]{4,20000}\.[\w-]{2,20000}\.[\w-]{0,20000}$/;
const jwtBytesMax = 60_000;

/** Header and claims of a compact JWS (RFC 7519), without checking its signature; undefined for any other text. */
export function readJwt(text: string): Jwt | undefined {
  if (text.length > jwtBytesMax || !jwtForm.test(text)) return undefined;
  try {
    const [header, claims] = text
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
    return isJsonObject(header) && isJsonObject(claims) ? { header, claims } : undefined;
  } catch {
    return undefined;
  }
}

/** Names in lower case; several values of one name are joined by commas. */
export type Headers = Record<string, string>;

export interface Request {
  method: string;
  /** Path and query, below the address of a service. */
  target: string;
  headers: Headers;
  body: Buffer;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** The body was too long to keep; `body` is empty. */
  isTooLong: boolean;
}

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; json: unknown; hasByteOrderMark: boolean }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
  /** The media type is JSON, but the body is not. */
  | { kind: 'malformed'; text: string };

/** Longest body of a request that is recorded, sent again or compared, and longest answer that is compared. */
export const bodyBytesMax = 8 * 1024 * 1024;

export const mediaTypeOf = (contentType = ''): string => contentType.split(';')[0]!.trim().toLowerCase();

const isJson = (mediaType: string): boolean =>
  mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json');

export function readBody({ headers, body }: { headers: Headers; body: Buffer }): Body {
  if (body.length === 0) return { kind: 'none' };
  const text = body.toString('utf8');
  const mediaType = mediaTypeOf(headers['content-type']);
  if (mediaType === 'application/x-www-form-urlencoded')
    return { kind: 'form', fields: [...new URLSearchParams(text)] };
  const hasByteOrderMark = text.startsWith('\uFEFF');
  try {
    const json: unknown = JSON.parse(hasByteOrderMark ? text.slice(1) : text);
    // the old service accepts JSON as text/plain; a single word or number in text/plain is a text
    if (isJson(mediaType) || (typeof json === 'object' && json !== null))
      return { kind: 'json', json, hasByteOrderMark };
  } catch {
    if (isJson(mediaType)) return { kind: 'malformed', text };
  }
  return { kind: 'text', text };
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const decompressors: Record<string, Decompress> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
};

/** Removes the content coding of a body; undefined if it is too long, damaged, or its coding is unknown. */
export async function decodeBody(coding: string | undefined, body: Buffer): Promise<Buffer | undefined> {
  if (coding === undefined || coding === 'identity' || body.length === 0) return body;
  return decompressors[coding.toLowerCase()]?.(body, { maxOutputLength: bodyBytesMax }).catch(() => undefined);
}

/** Whether the request may be sent to both services, because it changes nothing and uses no token up. */
export function isRead(method: string, target: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  const path = target.split('?')[0]!.toLowerCase();
  return method === 'POST' && /\/(?:validate-token|profiles|introspect)$/.test(path);
}

export interface Caller {
  operation: string;
  /** Names of query options, or the grant; `–` for neither. */
  option: string;
  client: string;
}

const applicationPaths: [pattern: RegExp, name: string][] = [
  [/\/api\/applications$/, '/api/applications'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes(:|%3a)delete$/, '/api/applications/{guid}/accessScopes:delete'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes$/, '/api/applications/{guid}/accessScopes'],
  [/\/api\/applications\/[^/]{1,200}\/accessscopes\/[^/]{1,200}$/, '/api/applications/{guid}/accessScopes/{guid}'],
  [/\/api\/applications\/[^/]{1,200}$/, '/api/applications/{guid}'],
];
const endsOfPaths = ['/token', '/profiles', '/revoke', '/validate-token', '/introspect', '/.well-known/jwks.json'];

export function operationOf(method: string, target: string): string {
  const full = target.split('?')[0]!;
  const path = (full.endsWith('/') ? full.slice(0, -1) : full).toLowerCase().slice(0, 2_000);
  const match =
    applicationPaths.find(([pattern]) => pattern.test(path))?.[1] ?? endsOfPaths.find((end) => path.endsWith(end));
  return `${method} ${match ?? 'another path'}`;
}

const grants: Record<string, string> = {
  'urn:service:authz:exchange': 'exchange',
  refresh_token: 'renewal',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token exchange',
};
const queryOptions = new Set(['filter', 'orderby', 'top', 'skip', 'select', 'expand', 'count', 'options']);
const queryOption = (name: string): string => name.replace(/^\$/, '').toLowerCase();
export const isQueryOption = (name: string): boolean => queryOptions.has(queryOption(name));

export function optionOf(target: string, body: Body): string {
  const names = [...new URLSearchParams(target.split('?')[1] ?? '').keys()];
  const optionNames = [...new Set(names.map((name) => (isQueryOption(name) ? queryOption(name) : 'another')))];
  const grant = fieldOf(body, 'grant_type');
  if (grant !== undefined) optionNames.push((Object.hasOwn(grants, grant) && grants[grant]) || 'another grant');
  if (body.kind === 'form') optionNames.push('form');
  return optionNames.sort().join(' ') || '–';
}

export function fieldOf(body: Body, name: string): string | undefined {
  const value =
    body.kind === 'form'
      ? body.fields.find(([key]) => key === name)?.[1]
      : body.kind === 'json' && (body.json as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** The product of a user agent, such as `legacy-portal` of `legacy-portal/1.2 (…)`; undefined for a longer word. */
export const productOf = (userAgent: string): string | undefined => /^[\w.-]{1,40}(?![\w.-])/.exec(userAgent)?.[0];

/** Whether the text may be shown as a client id: not if it looks like a secret. */
export const isClientId = (text: string): boolean => /^[\w.:-]{1,100}$/.test(text) && !secretForm.test(text);
