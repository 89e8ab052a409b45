/** A content coding at work on one answer: what goes in comes out at once, so that a stream stays a stream. */
import { constants, createBrotliCompress, createGzip, createZstdCompress, type ZlibOptions } from 'node:zlib';

/** Those that are made here, the best one first: zstd takes the least time for its size. */
export const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export interface Encoder {
  /** What the chunk became; nothing of it is held back. */
  push(chunk: string | Buffer): Promise<Buffer[]>;
  /** The end of the coding, with a last chunk before it. */
  end(last?: string | Buffer): Promise<Buffer[]>;
  /** Frees its memory; to be called in any case, as often as one likes. */
  close(): void;
}

// windows of half a megabyte, and the qualities that give most for their time: measured in docs/decisions/0029
const gzip: ZlibOptions = { level: 4 };
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 19 };
const zstd = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 19 };

const makers = {
  gzip: () => ({ stream: createGzip(gzip), flush: constants.Z_SYNC_FLUSH }),
  br: () => ({ stream: createBrotliCompress({ params: brotli }), flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => ({ stream: createZstdCompress({ params: zstd }), flush: constants.ZSTD_e_flush }),
};

/** @param closed called once, when it is closed */
export function openEncoder(encoding: Encoding, closed: () => void): Encoder {
  const { stream, flush } = makers[encoding]();
  let made: Buffer[] = [];
  let failure: Error | undefined;
  let isClosed = false;
  stream.on('data', (chunk: Buffer) => made.push(chunk));
  stream.on('error', (error: Error) => {
    failure = error;
  });
  const take = (): Buffer[] => {
    const taken = made;
    made = [];
    return taken;
  };
  /** Resolves with what was made once `step` calls back, and throws what the stream failed with. */
  const after = (step: (done: () => void) => void): Promise<Buffer[]> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        stream.off('close', settle);
        if (failure) reject(failure);
        else resolve(take());
      };
      // a stream that fails calls nobody back, but closes
      stream.once('close', settle);
      step(settle);
    });
  return {
    async push(chunk) {
      stream.write(chunk);
      return after((done) => stream.flush(flush, done));
    },
    end: (last) => after((done) => stream.once('end', done).end(last)),
    close() {
      if (isClosed) return;
      isClosed = true;
      stream.destroy();
      closed();
    },
  };
}
