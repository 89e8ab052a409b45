/**
 * Inflates request bodies when they are complete, so that a half-sent body costs its bytes but no decoder. A decoder lives only
 * during its call, so that the memory of many decoders never causes a collection in V8.
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

type Options = zlib.ZlibOptions & zlib.ZstdOptions;

interface Decoder {
  /** Synchronous: blocks the event loop. */
  decode(bytes: Buffer, options: Options): Buffer;
  /** Runs in a thread of the pool. */
  decodeInThread(bytes: Buffer, options: Options): Promise<Buffer>;
}

const gzip = { decode: zlib.gunzipSync, decodeInThread: promisify<Buffer, Options, Buffer>(zlib.gunzip) };
const decoders = new Map<string, Decoder>([
  ['gzip', gzip],
  // the same (RFC 9110 §8.4.1.3)
  ['x-gzip', gzip],
  ['deflate', { decode: zlib.inflateSync, decodeInThread: promisify<Buffer, Options, Buffer>(zlib.inflate) }],
  [
    'br',
    { decode: zlib.brotliDecompressSync, decodeInThread: promisify<Buffer, Options, Buffer>(zlib.brotliDecompress) },
  ],
  [
    'zstd',
    { decode: zlib.zstdDecompressSync, decodeInThread: promisify<Buffer, Options, Buffer>(zlib.zstdDecompress) },
  ],
]);

export const isKnownCoding = (coding: string): boolean => decoders.has(coding);

export type Inflated = Buffer | 'tooLarge' | 'broken';

/** Inflates in this thread. @param bytesMax limit of the result */
export function inflateNow(coding: string, bytes: Buffer, bytesMax: number): Inflated {
  try {
    return decoders.get(coding)!.decode(...boundedInput(coding, bytes, bytesMax));
  } catch (error) {
    return faultOf(error);
  }
}

/** The same in a thread of the pool, for bodies that would block the event loop. */
export async function inflateInThread(coding: string, bytes: Buffer, bytesMax: number): Promise<Inflated> {
  try {
    const [input, options] = boundedInput(coding, bytes, bytesMax);
    return await decoders.get(coding)!.decodeInThread(input, { ...options, chunkSize: 256 * 1024 });
  } catch (error) {
    return faultOf(error);
  }
}

const tooLargeCode = 'ERR_BUFFER_TOO_LARGE';
const faultOf = (error: unknown): 'tooLarge' | 'broken' =>
  (error as { code?: unknown }).code === tooLargeCode ? 'tooLarge' : 'broken';

/**
 * A decoder allocates the window that a body declares, and fills it before it returns anything. Encoders that don't know the length
 * of a body declare megabytes for every body. No body refers to bytes before its own beginning, so the declared window is reduced
 * to the limit of the result. Throws for a body that declares a larger result, with the error of a decoder.
 */
function boundedInput(coding: string, bytes: Buffer, maxOutputLength: number): [Buffer, Options] {
  if (coding === 'zstd') return boundedZstd(bytes, { maxOutputLength });
  return [coding === 'br' ? narrowedBrotli(bytes, maxOutputLength) : bytes, { maxOutputLength }];
}

/** RFC 7932 §9.1: a bit 1 and three bits that are not all 0 encode windows of 2^18 to 2^24 bytes, minus 16. */
function narrowedBrotli(bytes: Buffer, bytesMax: number): Buffer {
  const [first = 0] = bytes;
  const isWide = (first & 1) === 1 && (first & 0b1110) !== 0;
  const needed = Math.max(18, Math.ceil(Math.log2(bytesMax + 16)));
  if (!isWide || 17 + ((first >> 1) & 7) <= needed) return bytes;
  const narrowed = Buffer.from(bytes);
  narrowed[0] = (first & 0xf0) | ((needed - 17) << 1) | 1;
  return narrowed;
}

/** RFC 9659 §3: a window of 8 MiB at most. */
const zstdWindowLogOfWeb = 23;
/** RFC 8878 §3.1.1.2.4: a block may have 128 KiB, and no more than the window. */
const zstdWindowLogMin = 17;

/** Changes the window of the first frame; further frames may not declare a larger one. */
function boundedZstd(bytes: Buffer, options: { maxOutputLength: number }): [Buffer, Options] {
  // twice the limit, so that a body over the limit is reported as too large, not as broken
  const log = Math.ceil(Math.log2(options.maxOutputLength)) + 1;
  const windowLogMax = Math.min(zstdWindowLogOfWeb, Math.max(zstdWindowLogMin, log));
  const bounded = { ...options, params: { [zlib.constants.ZSTD_d_windowLogMax]: windowLogMax } };
  // RFC 8878 §3.1.1.1
  const [descriptor = 0, window = 0] = bytes.subarray(4);
  if (bytes.length < 6 || bytes.readUInt32LE() !== 0xfd2fb528) return [bytes, bounded];
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (isSingleSegment) {
    if (zstdContentSize(bytes) > options.maxOutputLength)
      throw Object.assign(new Error('the frame declares more than a body may have'), { code: tooLargeCode });
    return [bytes, bounded];
  }
  const [exponent, mantissa] = [10 + (window >> 3), window & 7];
  const isForWeb = exponent < zstdWindowLogOfWeb || (exponent === zstdWindowLogOfWeb && mantissa === 0);
  if (!isForWeb || exponent < windowLogMax) return [bytes, bounded];
  const narrowed = Buffer.from(bytes);
  narrowed[5] = (windowLogMax - 10) << 3;
  return [narrowed, bounded];
}

/** The content size of a single-segment frame, which is also its window. */
function zstdContentSize(bytes: Buffer): number {
  const descriptor = bytes[4]!;
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const length = 1 << (descriptor >> 6);
  const field = bytes.subarray(at, at + length);
  return field.reduceRight((size, byte) => size * 256 + byte, 0) + (length === 2 ? 256 : 0);
}
