/** A list as one JSON array, written as its rows come: held nowhere, and never closed when something fails in the middle. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { version as codeVersion } from '../../config/config.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { type ChunkObserver, sendChunks } from '../../http/encoding/sendChunks.js';
import type { JsonBatches } from '../../services/restLists/listRecords.js';

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

async function* jsonArray(batches: JsonBatches): AsyncGenerator<string, void> {
  let before = '[';
  for await (const batch of batches) {
    yield before + batch.join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Weak, since `lastLoginDate` of a user in a list may change without a new version. */
export function etagOf(version: string, ...parts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([codeVersion, version, ...parts]));
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

/** Sets the validators of a list; true, with 304 sent, when the client has it already (RFC 9110 §13.1.2). */
export function isKnown(request: Request, response: Response, etag: string): boolean {
  response.set({ etag, 'cache-control': 'private, no-cache', vary: 'authorization' });
  const given = request.get('if-none-match')?.trim();
  const tags: readonly string[] = given?.match(/"[^"]{0,16384}"/g) ?? [];
  const isKnown = given === '*' || tags.includes(etag.slice(2));
  if (isKnown) response.status(304).end();
  return isKnown;
}
