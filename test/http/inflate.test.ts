/** Request bodies in a content coding: what they declare costs nothing that they don't use, and changes nothing that they say. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants, createZstdCompress, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { inflateInThread, inflateNow } from '../../src/http/inflate.js';

const bytesMax = 64 * 1024;

/** As encoders do that don't know how long the content becomes, and so declare the whole window. */
function zstdStream(content: Buffer, windowLog: number): Promise<Buffer> {
  const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
  stream.write(content.subarray(0, 1));
  stream.flush(() => stream.end(content.subarray(1)));
  return buffer(stream);
}

const brotli = (content: Buffer, windowLog: number): Buffer =>
  brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_LGWIN]: windowLog, [constants.BROTLI_PARAM_QUALITY]: 4 },
  });

/** Its end repeats its beginning, so that it looks back as far as it can. */
function contentOf(length: number): Buffer {
  const content = randomBytes(length);
  content.copy(content, Math.max(0, length - 2_000), 0, Math.min(1_000, length));
  return length < 5_000 ? content : content.fill('text '.repeat(200), 2_000, length - 2_000);
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const codings: [string, string, (content: Buffer) => Buffer | Promise<Buffer>][] = [
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['zstd of a known size', 'zstd', zstdCompressSync],
  ...numbers(10, 23).map((log): (typeof codings)[number] => [
    `zstd for a window of 2^${log}`,
    'zstd',
    (content) => zstdStream(content, log),
  ]),
  ...numbers(10, 24).map((log): (typeof codings)[number] => [
    `br for a window of 2^${log}`,
    'br',
    (content) => brotli(content, log),
  ]),
];

describe.each([
  ['at once', async (...body: Parameters<typeof inflateNow>) => inflateNow(...body)],
  ['in a thread', inflateInThread],
])('%s', (_how, inflate) => {
  it.each(
    codings,
  )('%s gives what was compressed, up to the largest body and no further', async (_name, coding, compress) => {
    for (const length of [0, 1, 5_000, bytesMax - 1, bytesMax]) {
      const content = contentOf(length);
      const compressed = await compress(content);
      const sent = Buffer.from(compressed);
      expect(content.equals((await inflate(coding, compressed, bytesMax)) as Buffer)).toBe(true);
      // what arrived may be read a second time
      expect(sent.equals(compressed)).toBe(true);
    }
    for (const length of [bytesMax + 1, 3 * bytesMax, 1_000_000])
      expect(await inflate(coding, await compress(contentOf(length)), bytesMax)).toBe('tooLarge');
  });

  it.each(codings)('%s that breaks off, or is none, is broken', async (_name, coding, compress) => {
    const compressed = await compress(contentOf(5_000));
    for (const length of [1, 5, 9, compressed.length - 5])
      expect(await inflate(coding, compressed.subarray(0, length), bytesMax)).toBe('broken');
    expect(await inflate(coding, Buffer.from('{"no":"such bytes"}'), bytesMax)).toBe('broken');
  });
});

/** The most that V8 was told of memory outside its heap while the frame was decoded. */
it.each([
  ['zstd', Buffer.from('28b52ffd006803000041', 'hex')],
  // of one segment, which is its window
  ['zstd', Buffer.from('28b52ffda0000080000b000041', 'hex')],
])('a few bytes of %s that declare megabytes cost no such memory', (coding, bytes) => {
  expect(bytes.length).toBeLessThan(16);
  const started = process.memoryUsage().rss;
  for (let count = 0; count < 200; count++) inflateNow(coding, bytes, bytesMax);
  expect(process.memoryUsage().rss - started).toBeLessThan(8 * 1024 * 1024);
});

it('a brotli bomb is ended when it has given as much as a body may have, and a little of what it declares', () => {
  const bomb = brotli(Buffer.alloc(32 * 1024 * 1024), 24);
  expect(inflateNow('br', bomb, bytesMax)).toBe('tooLarge');
});
