/** A request and its answer as they go over the wire, and what their bodies are. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

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
  /** The body was longer than what is held; `body` is empty then. */
  isTooLong: boolean;
}

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; json: unknown; hasByteOrderMark: boolean }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
  /** Its media type says JSON, and it is none. */
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
    // the old service takes JSON as text/plain; a word or a number there is a text
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

/** The body without its content coding; undefined where it is too long, damaged or of a coding that isn't known. */
export async function decodeBody(coding: string | undefined, body: Buffer): Promise<Buffer | undefined> {
  if (coding === undefined || coding === 'identity' || body.length === 0) return body;
  return decompressors[coding.toLowerCase()]?.(body, { maxOutputLength: bodyBytesMax }).catch(() => undefined);
}

/** Whether the two services may both be asked: it changes nothing, and uses up nothing. */
export function isRead(method: string, target: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  const path = target.split('?')[0]!.toLowerCase();
  return (
    method === 'POST' &&
    (path.endsWith('/validate-token') || path.endsWith('/profiles') || path.endsWith('/introspect'))
  );
}
