/** Bodies of requests: media type (415), then size (413), then UTF-8 and JSON (400). */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { RequestHandler } from 'express';
import { badInput, GatehouseError, malformed, tooLarge, unsupportedMediaType } from '../errors.js';
import { excessOf, type JsonLimits } from './jsonExcess.js';
import { largeBodyBytes, type QueueLargeBody } from './largeBodyQueue.js';
import { hasRepeatedMember } from './repeatedMember.js';

export interface BodyRule {
  /** Whether a media type (lower case, without parameters) is taken. */
  accepts(mediaType: string): boolean;
  /** What is accepted, for the error. */
  described: string;
  bytesMax: number;
}

/** RFC 6838 §4.2: names have at most 127 characters. */
export const isJsonSuffixed = (type: string): boolean => /^application\/[^/\s;]{1,122}\+json$/.test(type);
const isJson = (type: string): boolean => type === 'application/json' || type === 'text/json' || isJsonSuffixed(type);
const formType = 'application/x-www-form-urlencoded';
const tokenBytesMax = 64 * 1024;
/** The token endpoints' JSON family. */
export const tokenJson: BodyRule = { accepts: isJson, described: 'JSON (application/json)', bytesMax: tokenBytesMax };
/** JSON or a form: what the two dialects differ by. */
export const tokenBody: BodyRule = {
  accepts: (type) => isJson(type) || type === formType,
  described: `JSON (application/json) or a form (${formType})`,
  bytesMax: tokenBytesMax,
};
export const formOnly: BodyRule = {
  accepts: (type) => type === formType,
  described: `a form (${formType})`,
  bytesMax: tokenBytesMax,
};

const isJsonOrText = (type: string): boolean => isJson(type) || type === 'text/plain';
const jsonOrText = 'JSON (application/json, application/*+json, text/json or text/plain)';
/** The administration service's bodies, and those of its bulk operations. */
export const administrationJson: BodyRule = { accepts: isJsonOrText, described: jsonOrText, bytesMax: 256 * 1024 };
export const bulkJson: BodyRule = { ...administrationJson, bytesMax: 8 * 1024 * 1024 };

/** The media type without parameters, lower case; undefined when there is none or the charset isn't UTF-8. */
function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['content-type'] ?? '';
  if (!given.includes(';')) return given.trim().toLowerCase() || undefined;
  const [type = '', ...parameters] = given.split(';');
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    if (name?.trim().toLowerCase() === 'charset' && !/^"?utf-?8"?$/i.test(value.trim())) return undefined;
  }
  return type.trim().toLowerCase() || undefined;
}

export const isForm = (request: IncomingMessage): boolean => mediaTypeOf(request) === formType;
/** What no form can send. */
export const isJsonType = (request: IncomingMessage): boolean => mediaTypeOf(request) === 'application/json';

/** Reads the body into `request.body` as what its JSON says; large ones wait for each other. */
export function readJson(rule: BodyRule, queueLargeBody: QueueLargeBody): RequestHandler {
  return async (request, response, next) => {
    const body = await readBody(request, rule);
    if (body.length > largeBodyBytes) await queueLargeBody(response);
    request.body = jsonOf(body);
    next();
  };
}

/**
 * The bytes of a body, inflated. Throws UNSUPPORTED_MEDIA_TYPE for a media type or an encoding, TOO_LARGE, and
 * BAD_USER_INPUT when it breaks off.
 */
export async function readBody(request: IncomingMessage, { accepts, described, bytesMax }: BodyRule): Promise<Buffer> {
  const type = mediaTypeOf(request);
  if (!type || !accepts(type)) throw unsupportedMediaType(described);
  const bytes = await readBytes(request, decoderFor(request), bytesMax);
  if (Buffer.isBuffer(bytes)) return bytes;
  // its sender comes to read the answer only then
  await discardRest(request);
  throw bytes === 'tooLarge' ? tooLarge('The body is too large.') : malformed();
}

function decoderFor({ headers }: IncomingMessage): Transform | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  const decoder = decoders.get(encoding)?.();
  if (!decoder) throw new GatehouseError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  return decoder;
}

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  // RFC 9659 §3: a window of 8 MiB at most; the library takes 128, and that much memory for each body
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

function readBytes(
  request: IncomingMessage,
  decoder: Transform | undefined,
  bytesMax: number,
): Promise<Buffer | 'tooLarge' | 'broken'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const decoded = decoder ? request.pipe(decoder) : request;
    const leave = (why: 'tooLarge' | 'broken') => {
      decoded.off('data', take);
      request.unpipe();
      decoder?.destroy();
      resolve(why);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else leave('tooLarge');
    };
    const breakOff = () => leave('broken');
    decoded.on('data', take).once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', breakOff);
    decoder?.once('error', breakOff);
    if (request.destroyed) breakOff();
  });
}

function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) resolve();
    request.once('end', resolve).once('close', resolve).resume();
  });
}

/** What the JSON of a body says. Throws BAD_USER_INPUT. */
export function jsonOf(body: Buffer): unknown {
  const text = decodeUtf8(body);
  // a small body costs little, however it is nested
  const excess = body.length > tokenBytesMax ? excessOf(body, limits) : undefined;
  if (excess === 'depth') throw badInput({ $: [`The body is nested deeper than ${limits.depthMax} levels.`] });
  if (excess === 'values') throw tooLarge(`The body has more than ${limits.valuesMax} values.`);
  const value = parse(text);
  if (hasRepeatedMember(text, value)) throw badInput({ $: ['A member stands twice in the body.'] });
  return value;
}

/** Twice what the largest bulk has, and far more levels than any body. */
const limits: JsonLimits = { depthMax: 100, valuesMax: 200_000 };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput({ $: ['The body is not valid JSON.'] });
  }
}

/** The text of a body, without its byte order mark. Throws BAD_USER_INPUT for bytes that aren't UTF-8. */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw badInput({ $: ['The body is not valid UTF-8.'] });
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
