/** A list as one JSON array: written as its rows come, held nowhere, and never closed when something fails in the middle; or as it was cached. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { version as codeVersion } from '../../config/config.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { type ChunkObserver, type Chunks, sendChunks } from '../../http/encoding/sendChunks.js';
import type { AnswerLookup } from '../../services/answerCache/answerLookup.js';
import type { JsonBatches } from '../../services/restLists/listRecords.js';
import { cacheCoding } from './cachedList.js';

/** Of a cached list: shorter ones are sent whole. */
const pieceBytes = 1024 * 1024;

/**
 * Answers 200 with the array. The first rows are there before the status is sent, so that an early failure is answered with
 * one of its own; a later one is thrown, and the error's renderer destroys the connection.
 */
export function sendList(
  request: Request,
  response: Response,
  batches: JsonBatches,
  encodings?: Encodings,
  observer?: ChunkObserver,
): Promise<void> {
  response.type('application/json');
  return sendChunks(request, response, jsonArray(batches), encodings, observer);
}

async function* jsonArray(batches: JsonBatches): Chunks {
  let before = '[';
  for await (const batch of batches) {
    if (Array.isArray(batch)) yield before + batch.join(',');
    else {
      // in the place of its comma
      batch.write(before, 'latin1');
      yield batch;
    }
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Sends the list that was found, in pieces as its client reads; a coding that it lacks is made meanwhile, and cached. */
export async function sendCached(
  request: Request,
  response: Response,
  asked: AnswerLookup,
  encodings: Encodings,
): Promise<void> {
  const { headers, body } = asked.found!;
  response.set({ ...headers }).type('application/json');
  if (request.method === 'HEAD') return sendChunks(request, response, pieces(body), encodings);
  if (body.length <= pieceBytes) return encodings.send(request, response, body, asked);
  const encoding = encodings.choose(request, response);
  const made = encoding ? asked.findCoding(encoding) : body;
  if (!made) return sendChunks(request, response, pieces(body), encodings, cacheCoding(asked));
  if (encoding) response.set('content-encoding', encoding);
  response.set('content-length', String(made.length));
  return sendChunks(request, response, pieces(made));
}

async function* pieces(body: Buffer): Chunks {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

/** Weak, since `lastLoginDate` of a user in a list may change without a new version. */
export function etagOf(version: string, ...parts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([codeVersion, version, ...parts]));
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

/** Sets the validators of a list; true, with 304 sent, when the client has it already (RFC 9110 §13.1.2). */
export function isKnown(request: Request, response: Response, encodings: Encodings, etag: string): boolean {
  response.set({ etag, 'cache-control': 'private, no-cache', vary: 'authorization' });
  const given = request.get('if-none-match')?.trim();
  const tags: readonly string[] = given?.match(/"[^"]{0,16384}"/g) ?? [];
  const isKnown = given === '*' || tags.includes(etag.slice(2));
  if (!isKnown) return false;
  // the `Vary` of a 200 (RFC 9110 §15.4.5)
  encodings.choose(request, response);
  response.status(304).end();
  return true;
}
