/** Answers in the coding that their reader prefers (COMPRESSION): how many are made at a time, and what is left as it is. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Encoding, preferredEncoding } from './acceptEncoding.js';
import { type Encoder, openEncoder } from './encoder.js';

/** Shorter answers gain nothing. */
export const encodedBytesMin = 1_024;

/**
 * Of a process. One has less than a megabyte, and is held for as long as its answer is being read; further answers go as
 * they are.
 */
const encodersMax = 16;

export interface Encodings {
  /**
   * The coding for an answer to the request; undefined: as it is. Says in `Vary` that it depends on the request.
   * @param available those that there are; absent: all that can be made
   */
  choose<Available extends Encoding = Encoding>(
    request: IncomingMessage,
    response: ServerResponse,
    available?: readonly Available[],
  ): Available | undefined;
  /** Undefined where as many are at work as there may be. To be closed. */
  open(encoding: Encoding): Encoder | undefined;
  /** Sends a whole body in the coding that the request prefers; headers are set, the status too. */
  send(request: IncomingMessage, response: ServerResponse, body: string | Buffer, codings?: Codings): Promise<void>;
}

/** Codings of a body that is sent again. */
export interface Codings {
  find(encoding: Encoding): Buffer | undefined;
  keep(encoding: Encoding, bytes: Buffer): void;
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
      const known = encoding && codings?.find(encoding);
      const encoded = known ?? (encoding && isLong ? await encode(encoding, body) : undefined);
      if (encoded && !known) codings?.keep(encoding!, encoded);
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
