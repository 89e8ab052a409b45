/** Content codings: which one a request prefers, that a stream stays a stream, and how many are at work. */
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { encodings, openEncoder, openEncodings, preferredEncoding } from '../../src/http/encoding/encodings.js';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['deflate', undefined],
  ['*', 'zstd'],
  ['zstd;q=0, *', 'br'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000', undefined],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br; q=1.000 , gzip ;q=0.999', 'br'],
  ['identity;q=0', undefined],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['br;q=2, gzip;q=0.1', 'gzip'],
  ['br;q=0.1234, gzip;q=0.1', 'gzip'],
  ['br;q=, gzip;q=0.1', 'gzip'],
  ['br;level=3, gzip;q=0.1', 'gzip'],
  ['br;q=1;q=0, gzip;q=0.1', 'gzip'],
  [`${'x,'.repeat(31)}gzip`, 'gzip'],
  [`${'x,'.repeat(32)}gzip`, undefined],
])('Accept-Encoding: %s prefers %s', (header, expected) => {
  expect(preferredEncoding(header)).toBe(expected);
});

it('one of the available codings is chosen', () => {
  expect(preferredEncoding('zstd, gzip;q=0.5, br;q=0.4', ['br', 'gzip'])).toBe('gzip');
  expect(preferredEncoding('zstd', ['br', 'gzip'])).toBeUndefined();
  expect(preferredEncoding('zstd', [])).toBeUndefined();
});

const decoders = { zstd: createZstdDecompress, br: createBrotliDecompress, gzip: createGunzip };

it.each(encodings)('%s: what goes in comes out at once, and all of it says the same', async (encoding) => {
  const encoder = openEncoder(encoding, () => undefined);
  const decoder = decoders[encoding]();
  const read: Buffer[] = [];
  let length = 0;
  let enough: (() => void) | undefined;
  decoder.on('data', (chunk: Buffer) => {
    read.push(chunk);
    length += chunk.length;
    enough?.();
  });
  let given = '';
  for (let count = 0; count < 20; count++) {
    const chunk = `${'a chunk, '.repeat(count * count * 10)}number ${count} ä`;
    given += chunk;
    for (const piece of await encoder.push(chunk)) decoder.write(piece);
    // would wait for ever for what is held back
    while (length < Buffer.byteLength(given))
      await new Promise<void>((resolve) => {
        enough = resolve;
      });
    expect(Buffer.concat(read).toString()).toBe(given);
  }
  for (const piece of await encoder.end('the last')) decoder.write(piece);
  decoder.end();
  await new Promise((resolve) => decoder.once('end', resolve));
  expect(Buffer.concat(read).toString()).toBe(`${given}the last`);
  encoder.close();
});

it.each(encodings)('%s: an encoder that is closed under way answers who waits for it', async (encoding) => {
  const encoder = openEncoder(encoding, () => undefined);
  const under = encoder.push('x'.repeat(1_000_000));
  encoder.close();
  await under;
});

it('so many encoders are at work and no more; one that is closed, once or twice, makes room for one', () => {
  const { open } = openEncodings({ compression: true });
  const first = open('gzip')!;
  const others = Array.from({ length: 20 }, () => open('zstd'));
  expect(others.filter(Boolean)).toHaveLength(15);
  first.close();
  first.close();
  const again = [open('br'), open('br')];
  expect(again.filter(Boolean)).toHaveLength(1);
  for (const encoder of [...others, ...again]) encoder?.close();
});
