/** An answer of many chunks, written as they come and are read: held nowhere, and given up when nobody listens. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoder, Encoding } from './encoder.js';
import { type Encodings, encodedBytesMin } from './encodings.js';

/** What of an answer may wait to be read: one that ends within it gives up what it holds, however slowly it is read. */
const unreadBytesMax = 1024 * 1024;

export type Chunks = AsyncGenerator<string | Buffer, void>;

/** Sees what is sent, and may keep it. */
export interface ChunkObserver {
  /** The chunk as bytes. */
  plain(chunk: string | Buffer): Buffer;
  /** What became of it in the coding. */
  coded(piece: Buffer): void;
  /** All was sent. @param encoding of the coded pieces */
  complete(encoding: Encoding | undefined): void;
  /** Nothing more comes, whether it was all or not. */
  close(): void;
}

/**
 * Answers 200. The first chunk is there before the status is sent, so that whoever calls can tell an early failure; a later
 * one is thrown too, and has the connection destroyed. `chunks` are closed in any case.
 * @param encodings absent: the answer goes as it is
 * @param observer sees all bytes of a GET
 */
export async function sendChunks(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: Chunks,
  encodings?: Encodings,
  observer?: ChunkObserver,
): Promise<void> {
  const encoding = encodings?.choose(request, response);
  const isHead = request.method === 'HEAD';
  let encoder: Encoder | undefined;
  const writeCoded = (piece: Buffer) => {
    observer?.coded(piece);
    response.write(piece);
  };
  try {
    const first = encoding && !isHead ? await gather(chunks) : await chunks.next();
    response.statusCode = 200;
    if (isHead) return void response.end();
    if (encoding && !first.done && Buffer.byteLength(first.value) >= encodedBytesMin)
      encoder = encodings!.open(encoding);
    if (encoder) response.setHeader('content-encoding', encoding!);
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
      const bytes = observer?.plain(chunk.value) ?? chunk.value;
      const pieces = encoder ? await encoder.push(bytes) : undefined;
      if (response.closed) return;
      if (!pieces) response.write(bytes);
      for (const piece of pieces ?? []) writeCoded(piece);
      if (response.writableLength > unreadBytesMax) await drained(response);
    }
    for (const piece of (await encoder?.end()) ?? []) writeCoded(piece);
    response.end();
    observer?.complete(encoder && encoding);
  } finally {
    encoder?.close();
    observer?.close();
    // also when the client went away: whoever makes the chunks stops, and gives back what it holds
    await chunks.return();
  }
}

/** The first chunk, with those after it while they are too short together to gain by a coding. */
async function gather(chunks: Chunks): Promise<IteratorResult<string | Buffer, void>> {
  const first = await chunks.next();
  if (first.done) return first;
  let { value } = first;
  while (value.length < encodedBytesMin) {
    const next = await chunks.next();
    if (next.done) break;
    value = Buffer.concat([Buffer.from(value), Buffer.from(next.value)]);
  }
  return { done: false, value };
}

/** Resolves when all is read, or the client has gone: one who reads too slowly is cut off by the server. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    if (response.closed) go();
    else response.once('drain', go).once('close', go);
  });
}
