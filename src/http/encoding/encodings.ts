/** Content codings of answers, and answers that are sent in chunks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip, createZstdCompress, type ZlibOptions } from 'node:zlib';

/** The supported codings, the best one first: zstd takes the least time for its size. */
export const encodings = ['zstd', 'br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

type Encoder = ReturnType<typeof openEncoder>;

// windows of half a megabyte, and the qualities that give most for their time: measured in docs/decisions/0029
const gzip: ZlibOptions = { level: 4 };
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 19 };
const zstd = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 19 };

const makers = {
  gzip: () => ({ stream: createGzip(gzip), flush: constants.Z_SYNC_FLUSH }),
  br: () => ({ stream: createBrotliCompress({ params: brotli }), flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => ({ stream: createZstdCompress({ params: zstd }), flush: constants.ZSTD_e_flush }),
};

/** @param closed called once, when the encoder is closed */
export function openEncoder(encoding: Encoding, closed: () => void) {
  const { stream, flush } = makers[encoding]();
  let output: Buffer[] = [];
  let failure: Error | undefined;
  let isClosed = false;
  stream.on('data', (chunk: Buffer) => output.push(chunk));
  stream.on('error', (error: Error) => {
    failure = error;
  });
  const take = (): Buffer[] => {
    const chunks = output;
    output = [];
    return chunks;
  };
  /** Resolves with the output when `step` calls back, and rejects with the stream's error. */
  const after = (step: (done: () => void) => void): Promise<Buffer[]> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        stream.off('close', settle);
        if (failure) reject(failure);
        else resolve(take());
      };
      // a stream that fails doesn't call back, but closes
      stream.once('close', settle);
      step(settle);
    });
  return {
    /** Encodes a chunk completely; nothing is held back. */
    async push(chunk: string | Buffer): Promise<Buffer[]> {
      stream.write(chunk);
      return after((done) => stream.flush(flush, done));
    },
    /** Ends the coding, after an optional last chunk. */
    end: (last?: string | Buffer): Promise<Buffer[]> => after((done) => stream.once('end', done).end(last)),
    /** Frees the memory. Must be called, and may be called repeatedly. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      stream.destroy();
      closed();
    },
  };
}

/** Members of Accept-Encoding that are read; further ones are ignored. */
const membersMax = 32;
/** RFC 9110 §12.4.2: zero to one, with three digits at most. */
const weightForm = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Shorter answers are not encoded. */
const encodedBytesMin = 1_024;

/**
 * Open encoders in a process. One takes less than a megabyte while its answer is being read; further answers are sent without a
 * coding.
 */
const encodersMax = 16;

export interface Encodings {
  /**
   * The coding for an answer to the request; undefined: none. Adds `Vary`.
   * @param available the codings to choose from; absent: all
   */
  choose<Available extends Encoding = Encoding>(
    request: IncomingMessage,
    response: ServerResponse,
    available?: readonly Available[],
  ): Available | undefined;
  /** Opens an encoder, which must be closed; undefined when too many are open. */
  open(encoding: Encoding): Encoder | undefined;
  /** Sends a whole body in the coding that the request prefers. Status and headers must be set before. */
  send(request: IncomingMessage, response: ServerResponse, body: string | Buffer, codings?: Codings): Promise<void>;
}

/** The cached codings of a body that is sent repeatedly. */
interface Codings {
  findCoding(encoding: Encoding): Buffer | undefined;
  addCoding(encoding: Encoding, bytes: Buffer): void;
}

export function openEncodings({ compression }: { compression: boolean }): Encodings {
  let open = 0;
  const encodings: Encodings = {
    choose(request, response, available) {
      if (!compression) return undefined;
      vary(response);
      return preferredEncoding(request.headers['accept-encoding'], available);
    },
    open(encoding) {
      if (open >= encodersMax) return undefined;
      open += 1;
      return openEncoder(encoding, () => {
        open -= 1;
      });
    },
    async send(request, response, body, codings) {
      const encoding = encodings.choose(request, response);
      const isLong = Buffer.byteLength(body) >= encodedBytesMin;
      const cached = encoding && codings?.findCoding(encoding);
      const encoded = cached ?? (encoding && isLong ? await encode(encoding, body) : undefined);
      if (encoded && !cached) codings?.addCoding(encoding!, encoded);
      if (encoded) response.setHeader('content-encoding', encoding!);
      const bytes = encoded ?? (typeof body === 'string' ? Buffer.from(body) : body);
      response.setHeader('content-length', bytes.length);
      response.end(request.method === 'HEAD' ? undefined : bytes);
    },
  };
  async function encode(encoding: Encoding, body: string | Buffer): Promise<Buffer | undefined> {
    const encoder = encodings.open(encoding);
    if (!encoder) return undefined;
    try {
      return Buffer.concat(await encoder.end(body));
    } finally {
      encoder.close();
    }
  }
  return encodings;
}

/** RFC 9110 §12.5.5: a cache keeps the answers to each Accept-Encoding apart. */
function vary(response: ServerResponse): void {
  const before = response.getHeader('vary');
  const names = String(before ?? '').toLowerCase();
  if (names.includes('accept-encoding')) return;
  response.setHeader('vary', before ? `${before}, Accept-Encoding` : 'Accept-Encoding');
}

/** The coding that the header prefers; undefined: the answer is sent without one. */
export function preferredEncoding<Available extends Encoding>(
  header: string | undefined,
  available: readonly Available[] = encodings as readonly Encoding[] as readonly Available[],
): Available | undefined {
  if (!header) return undefined;
  const weights = weightsOf(header);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = available.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (best === undefined || weightOf(best) === 0) return undefined;
  // identity is preferred only if it is named; otherwise it is merely allowed
  return (weights.get('identity') ?? 0) > weightOf(best) ? undefined : best;
}

/** Weights by codings in lower case. Malformed members are ignored. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',', membersMax)) {
    const [coding, weight, ...others] = member.split(';', 3).map((part) => part.trim()) as [string, ...string[]];
    const quality = weight === undefined ? '1' : weightForm.exec(weight)?.[1];
    if (coding === '' || quality === undefined || others.length > 0) continue;
    // RFC 9110 §8.4.1.3: an old name of gzip
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(quality));
  }
  return weights;
}

/** Bytes of an answer that may wait to be read. A shorter answer frees its resources even if it is read slowly. */
const unreadBytesMax = 1024 * 1024;

export type Chunks = AsyncGenerator<string | Buffer, void>;

/** Receives a copy of what is sent, for a cache. */
export interface ChunkObserver {
  /** The chunk as bytes. */
  plain(chunk: string | Buffer): Buffer;
  /** A piece of the encoded answer. */
  coded(piece: Buffer): void;
  /** Everything was sent. @param encoding the coding of the pieces */
  complete(encoding: Encoding | undefined): void;
  /** The answer has ended, complete or not. */
  close(): void;
}

/**
 * Answers 200. The first chunk is read before the status is sent, so that an early failure gets its own status; a later one is
 * thrown too, and ends the connection. `chunks` are closed in any case.
 * @param encodings absent: no coding
 * @param observer receives all bytes of a GET
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
    // also when the client left: the generator stops and frees its resources
    await chunks.return();
  }
}

/** The first chunk, joined with the following ones until they are worth encoding. */
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

/** Resolves when everything is read or the client has left; the server cuts off clients that read too slowly. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    if (response.closed) go();
    else response.once('drain', go).once('close', go);
  });
}
