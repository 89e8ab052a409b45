/** Request bodies: media type, size, content coding, JSON, and the queue of large ones. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config/config.js';
import {
  badInput,
  clientLeft,
  GatehouseError,
  malformed,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '../errors.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { currentRequest } from '../observability/currentRequest.js';
import type { Log } from '../observability/log.js';
import { throttle } from '../observability/throttle.js';
import { openSlots } from '../slots.js';
import { type ArrivingBodies, type ArrivingBody, freeBodyBytes, openArrivingBodies } from './arrivingBodies.js';
import { type Inflated, inflateInThread, inflateNow, isKnownCoding } from './inflate.js';
import { untilClosed } from './requestContext.js';

interface JsonLimits {
  depthMax: number;
  /** Values are members of objects, items of arrays, and the objects and arrays themselves. */
  valuesMax: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Returns the limit that a JSON text exceeds, if any; the result has no meaning for any other text. It is checked on the bytes
 * before parsing: a text of brackets only would take twenty times its size in memory when parsed, and block the event loop for a
 * second.
 */
export function excessOf(json: Buffer, { depthMax, valuesMax }: JsonLimits): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === comma) values += 1;
    // [ and {, ] and }
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > depthMax) return 'depth';
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (values > valuesMax) return 'values';
  }
  return undefined;
}

/**
 * Whether an object in the text has a name twice, at any depth. Of repeated members, readers take the first, the last or both
 * (RFC 8259 §4), so a proxy may have checked a different request.
 * @param value the parsed text
 */
export const hasRepeatedMember = (text: string, value: unknown): boolean => countNames(text) > countMembers(value);

const colon = 58;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Names are the strings before a colon. The text is well-formed. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let next = endOfString(text, start) + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === colon) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    // a quote behind an odd number of backslashes belongs to the string
    if ((end - first) % 2 === 0) return end;
  }
}

/** Without recursion, since bodies may be nested as deep as they are long. */
function countMembers(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const members = Object.values(one);
    if (!Array.isArray(one)) count += members.length;
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count;
}

/** Larger bodies go through the queue. */
const largeBodyBytes = 256 * 1024;
const waitingMax = 8;
const retryAfterSeconds = 5;

/**
 * Does the work when no other large body is being handled. Its turn ends with the work, even if the client has left, or earlier
 * when the work calls `leave`. Throws UNAVAILABLE when too many wait, and CLIENT_CLOSED_REQUEST.
 */
type QueueLargeBody = (response: ServerResponse, work: (leave: () => void) => Promise<void>) => Promise<void>;

/**
 * A process handles large bodies one after the other. Parsing one blocks the event loop for up to half a second, and other
 * requests run between two of them. The queue also bounds their memory.
 */
export function openLargeBodyQueue(): QueueLargeBody {
  const refusal = () => unavailable('The work on large bodies', undefined, retryAfterSeconds);
  const slots = openSlots({ max: 1, waitingMax, refusal });
  return async (response, work) => {
    const release = await slots.hold({ signal: untilClosed(response) });
    // the next one begins in another turn of the event loop, so that other requests go first
    const leave = () => void setImmediate(release);
    await work(leave).finally(leave);
  };
}

export interface BodyRule {
  /** Whether a media type (lower case, without parameters) is accepted. */
  accepts(mediaType: string): boolean;
  /** The accepted media types, for the error. */
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
/** JSON or a form: the media type chooses the dialect. */
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

/**
 * Charsets in which ASCII has other bytes. Every other label is ignored: neither JSON (RFC 8259 §11) nor forms have this parameter,
 * clients write `us-ascii` or `iso-8859-1` by themselves, and the bytes show whether a body is UTF-8.
 */
const otherUnits = /utf-?(7|16|32)|ucs|^"?unicode"?$/i;

/** The media type without parameters, lower case; undefined when there is none, or its charset can't be read as UTF-8. */
function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  const mediaType = headers['content-type'] ?? '';
  // as most clients write it
  if (mediaType === 'application/json') return mediaType;
  if (!mediaType.includes(';')) return mediaType.trim().toLowerCase() || undefined;
  const [type = '', ...parameters] = mediaType.split(';');
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    if (name?.trim().toLowerCase() === 'charset' && otherUnits.test(value.trim())) return undefined;
  }
  return type.trim().toLowerCase() || undefined;
}

export const isForm = (request: IncomingMessage): boolean => mediaTypeOf(request) === formType;
/** Whether the body is JSON, which no HTML form can send. */
export const isJsonType = (request: IncomingMessage): boolean => mediaTypeOf(request) === 'application/json';

/** Reads the bodies of a server's requests within a common limit of memory. */
export interface BodyReader {
  /**
   * The bytes of a body, inflated. Throws UNSUPPORTED_MEDIA_TYPE for a media type or an encoding, TOO_LARGE,
   * BAD_USER_INPUT when its coding is broken, CLIENT_CLOSED_REQUEST when its sender has gone, and UNAVAILABLE when it
   * arrives too slowly while the memory for bodies is full.
   */
  read(request: IncomingMessage, rule: BodyRule): Promise<Buffer>;
  /** Calls `answer` with the parsed JSON in `request.body`; large bodies are queued. Throws what `read` does. */
  answerJson(rule: BodyRule, answer: (request: Request, response: Response) => Promise<void>): RequestHandler;
}

/** Limit of all arriving bodies together, as a multiple of the largest body. */
const largestTogether = 4;

export function openBodyReader({ graphqlBodyBytesMax }: Pick<Config, 'graphqlBodyBytesMax'>, log: Log): BodyReader {
  const arriving = openArrivingBodies(largestTogether * Math.max(bulkJson.bytesMax, graphqlBodyBytesMax));
  const queueLargeBody = openLargeBodyQueue();
  const warn = throttle((count) => log.warn({ count }, 'request bodies are dropped: too many arrive too slowly'));
  const receive = async (request: IncomingMessage, rule: BodyRule): Promise<Body> => {
    const coding = codingOf(request, rule);
    if (Number(request.headers['content-length']) > rule.bytesMax) {
      if (!isHeldBack(request) && !goesOn()) endAfterRest(request);
      throw refusal('tooLarge');
    }
    const bytes = await receiveBytes(request, rule.bytesMax, arriving);
    if (Buffer.isBuffer(bytes)) return { coding, bytes };
    if (bytes === 'givenUp') warn(1);
    // most senders read the answer only after they have sent the body; where the connection ended before, they would lose it
    await discardRest(request);
    if (request.readableAborted) throw clientLeft();
    throw bytes === 'tooLarge' ? refusal(bytes) : unavailable('The memory for request bodies');
  };
  return {
    read: async (request, rule) => requireInflated(inflateAtOnce(await receive(request, rule), rule.bytesMax)),
    answerJson: (rule, answer) => async (request, response) => {
      let body: Body | undefined = await receive(request, rule);
      const small = inflateAtOnce(body, Math.min(rule.bytesMax, largeBodyBytes));
      if (Buffer.isBuffer(small) || rule.bytesMax <= largeBodyBytes) {
        body = undefined;
        request.body = parseJsonBody(requireInflated(small));
        return answer(request, response);
      }
      const parseWhole = async () => {
        const inflated = inflateWhole(body!, rule.bytesMax);
        // frees the bytes before the answer is read
        body = undefined;
        return parseJsonBody(requireInflated(await inflated));
      };
      await queueLargeBody(response, async (leave) => {
        response.locals.releaseBody = () => {
          request.body = undefined;
          leave();
        };
        request.body = await parseWhole();
        await answer(request, response);
      });
    },
  };
}

/** Frees the body and ends its turn in the queue, before the answer is read. */
export function releaseBody({ locals }: Response): void {
  locals.releaseBody?.();
}

/** A body as it was received. */
interface Body {
  /** Undefined: none. */
  coding: string | undefined;
  bytes: Buffer;
}

/** Inflates a short body in this thread; a long one would block the event loop. */
function inflateAtOnce({ coding, bytes }: Body, bytesMax: number): Inflated {
  if (bytes.length > bytesMax) return 'tooLarge';
  return coding === undefined ? bytes : inflateNow(coding, bytes, bytesMax);
}

const inflateWhole = async ({ coding, bytes }: Body, bytesMax: number): Promise<Inflated> =>
  coding === undefined ? bytes : inflateInThread(coding, bytes, bytesMax);

function requireInflated(inflated: Inflated): Buffer {
  if (Buffer.isBuffer(inflated)) return inflated;
  throw refusal(inflated);
}

const refusal = (why: 'tooLarge' | 'broken'): Error =>
  why === 'tooLarge' ? tooLarge('The body is too large.') : malformed();

/** Undefined: none. Throws UNSUPPORTED_MEDIA_TYPE, for the media type first. */
function codingOf(request: IncomingMessage, { accepts, described }: BodyRule): string | undefined {
  const type = mediaTypeOf(request);
  if (!type || !accepts(type)) throw unsupportedMediaType(described);
  // Node decodes only `chunked` (RFC 9112 §6.1): after another transfer coding the body would arrive encoded
  if (!/^chunked$/i.test(request.headers['transfer-encoding'] ?? 'chunked'))
    throw new GatehouseError('UNSUPPORTED_MEDIA_TYPE', 'The transfer encoding is not supported.');
  const coding = request.headers['content-encoding']?.toLowerCase();
  if (coding === undefined || coding === 'identity') return undefined;
  if (!isKnownCoding(coding))
    throw new GatehouseError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  return coding;
}

/** Whether the body comes only after 100 Continue (RFC 9110 §10.1.1), as node judges it. */
export const isHeldBack = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersionMinor > 0 && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);

/** Whether the connection goes on after the answer: node then discards the rest of the body. */
function goesOn(): boolean {
  const response = currentRequest()?.response;
  return response?.shouldKeepAlive === true && !response.hasHeader('connection');
}

/** How long a connection that ends after its answer waits for further bytes of a refused body. */
const restIdleMs = 1_000;

/** Sends the answer at once, and ends the connection when the body ends too: an earlier end would cut the answer off (RFC 9112 §9.6). */
function endAfterRest(request: IncomingMessage): void {
  const response = currentRequest()?.response;
  if (!response) return;
  const end = response.end.bind(response);
  const endLater = (body?: string | Buffer, encoding: BufferEncoding = 'utf8') => {
    response.write(body ?? '', encoding);
    const idle = setTimeout(end, restIdleMs).unref();
    request.on('data', () => idle.refresh());
    void discardRest(request).then(() => {
      clearTimeout(idle);
      end();
    });
    return response;
  };
  response.end = endLater as typeof response.end;
}

type Received = Buffer | 'tooLarge' | 'left' | 'givenUp';

/** Receives the bytes into one buffer, so that many small chunks cost no more than a few large ones. */
function receiveBytes(request: IncomingMessage, bytesMax: number, arriving: ArrivingBodies): Promise<Received> {
  return new Promise((resolve) => {
    const expected = Number(request.headers['content-length'] ?? bytesMax);
    if (expected > bytesMax) return resolve('tooLarge');
    let buffered: Buffer = noBytes;
    let length = 0;
    let counted: ArrivingBody | undefined;
    const end = (outcome: Received) => {
      request.off('data', take);
      counted?.leave();
      buffered = noBytes;
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      const before = length;
      length += chunk.length;
      if (length > bytesMax) return end('tooLarge');
      if (before === 0) buffered = chunk;
      else {
        if (length > buffered.length)
          buffered = grow(buffered, before, Math.min(Math.max(length, 2 * buffered.length), expected));
        chunk.copy(buffered, before);
      }
      if (buffered.length <= freeBodyBytes) return;
      counted ??= arriving.enter(bytesMax, () => end('givenUp'));
      counted.hold(length, buffered.length);
    };
    request
      .on('data', take)
      .on('end', () => end(buffered.length === length ? buffered : buffered.subarray(0, length)))
      .on('error', () => end('left'));
    if (request.destroyed) end('left');
  });
}

const noBytes = Buffer.alloc(0);

/** Not from Node's pool, because a slice would keep the whole pool in memory. */
function grow(bytes: Buffer, used: number, capacity: number): Buffer {
  const grown = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(grown, 0, 0, used);
  return grown;
}

function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) resolve();
    request.once('end', resolve).once('close', resolve).resume();
  });
}

/** Parses the JSON of a body. Throws BAD_USER_INPUT and TOO_LARGE. */
export function parseJsonBody(body: Buffer): unknown {
  const text = decodeUtf8(body);
  // a small body costs little at any depth
  const excess = body.length > tokenBytesMax ? excessOf(body, limits) : undefined;
  if (excess === 'depth') throw badInput({ $: [`The body is nested deeper than ${limits.depthMax} levels.`] });
  if (excess === 'values') throw tooLarge(`The body has more than ${limits.valuesMax} values.`);
  const value = parse(text);
  if (hasRepeatedMember(text, value)) throw badInput({ $: ['A member occurs twice in the body.'] });
  return value;
}

/** Twice the values of the largest bulk, and far more levels than any body has. */
const limits: JsonLimits = { depthMax: 100, valuesMax: 200_000 };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput({ $: ['The body is not valid JSON.'] });
  }
}

/** The same for a body that must be a JSON object. */
export function jsonObjectOf(body: Buffer): JsonObject {
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw badInput({ $: ['The body must be a JSON object.'] });
  return value;
}

/** The text of a body, without its byte order mark. Throws BAD_USER_INPUT for bytes that aren't UTF-8. */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw badInput({ $: ['The body is not valid UTF-8.'] });
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
