/** Answers in the coding that their reader prefers (COMPRESSION; RFC 9110 §12.5.3): which one, how many are made at a time, and what is left as it is. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Encoder, type Encoding, encodings, openEncoder } from './encoder.js';

/** Members that are read; who sends more is not understood past them. */
const membersMax = 32;
/** RFC 9110 §12.4.2: zero to one, with three digits at most. */
const weightForm = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

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
      const known = encoding && codings?.findCoding(encoding);
      const encoded = known ?? (encoding && isLong ? await encode(encoding, body) : undefined);
      if (encoded && !known) codings?.addCoding(encoding!, encoded);
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

/** The coding that the header prefers of those given; undefined: the answer goes as it is. */
export function preferredEncoding<Available extends Encoding>(
  header: string | undefined,
  available: readonly Available[] = encodings as readonly Encoding[] as readonly Available[],
): Available | undefined {
  if (!header) return undefined;
  const weights = weightsOf(header);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = available.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (best === undefined || weightOf(best) === 0) return undefined;
  // only who names it prefers it: without its name it is merely allowed
  return (weights.get('identity') ?? 0) > weightOf(best) ? undefined : best;
}

/** Weights by codings, in lower case. A member that is malformed says nothing. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',', membersMax)) {
    const [coding, weight, ...others] = member.split(';', 3).map((part) => part.trim()) as [string, ...string[]];
    const given = weight === undefined ? '1' : weightForm.exec(weight)?.[1];
    if (coding === '' || given === undefined || others.length > 0) continue;
    // RFC 9110 §8.4.1.3: an old name of the same
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(given));
  }
  return weights;
}
