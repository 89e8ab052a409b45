/** A provider that is away or misbehaves: nothing is judged by what it says, and it is left in peace for a while. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { IdentityProviderUnavailable, openIdTokenVerifier } from '../../src/auth/idToken.js';
import { openProviderMetadata } from '../../src/auth/providerSignIn.js';
import {
  accepted,
  beginEachTrial,
  claims,
  openVerifier,
  refused,
  startSeconds,
  trial,
  unjudged,
} from './idTokenTrial.js';
import { type LocalProvider, makeKey, makeToken } from './localProvider.js';

const key = makeKey('first');
const otherKey = makeKey('first');

beginEachTrial([key]);

const misbehaviours: [string, NonNullable<LocalProvider['answer']>][] = [
  ['hangs up', (_, response) => response.destroy()],
  ['never answers', () => undefined],
  ['never ends', (_, response) => response.write('{')],
  ['answers 500', (_, response) => response.writeHead(500).end('{"keys":[]}')],
  ['redirects', (path, response) => response.writeHead(302, { location: `${path}?again` }).end()],
  ['answers with something else than JSON', (_, response) => response.end('<html>')],
  ['answers with a list', (_, response) => response.end('[]')],
  [
    'answers without keys',
    (_, response) => response.end(`{"issuer":"${trial.provider.issuer}","jwks_uri":"${trial.provider.issuer}/jwks"}`),
  ],
  [
    'publishes no key',
    (_, response) =>
      response.end(`{"issuer":"${trial.provider.issuer}","jwks_uri":"${trial.provider.issuer}/jwks","keys":[]}`),
  ],
  [
    'names another issuer',
    (_, response) =>
      response.end(`{"issuer":"${trial.provider.issuer}/","jwks_uri":"${trial.provider.issuer}/jwks","keys":[]}`),
  ],
  [
    'has a file as jwks_uri',
    (_, response) => response.end(`{"issuer":"${trial.provider.issuer}","jwks_uri":"file:///etc/passwd"}`),
  ],
  [
    'answers with more than a megabyte',
    (_, response) =>
      response.end(
        `{"issuer":"${trial.provider.issuer}","jwks_uri":"${trial.provider.issuer}/jwks","keys":[],"x":"${'x'.repeat(2 ** 20)}"}`,
      ),
  ],
];

it.each(misbehaviours)('%s: nothing is judged, and it is asked again only after a pause', async (_, answer) => {
  trial.provider.answer = answer;
  await unjudged(makeToken(key, claims()));
  const asked = trial.provider.asked.length;
  await unjudged(makeToken(key, claims()));
  expect(trial.provider.asked.length).toBe(asked);
  expect(asked).toBeLessThanOrEqual(2);
  trial.provider.answer = undefined;
  trial.clock += 5_000;
  await accepted(makeToken(key, claims()));
});

const encodings: [string, (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  // without the header of zlib
  ['Deflate', deflateRawSync],
  ['br', brotliCompressSync],
];

it.each(
  encodings,
)('documents that come compressed by %s are read, though nobody asked for that', async (encoding, compress) => {
  const { issuer, keys } = trial.provider;
  trial.provider.answer = (path, response) =>
    response
      .writeHead(200, { 'content-encoding': encoding })
      .end(compress(Buffer.from(JSON.stringify(path === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }))));
  await accepted(makeToken(key, claims()));
});

const tooMuch = Buffer.from(`{"keys":[],"x":"${'x'.repeat(2 ** 20)}"}`);

it.each<[string, string, Buffer, string]>([
  ['of more than a megabyte when it is decoded', 'gzip', gzipSync(tooMuch), 'more than 1048576 bytes'],
  ['that is not in its encoding', 'gzip', Buffer.from('{"keys":[]}'), 'broken content encoding'],
  ['of more than a megabyte in raw deflate', 'deflate', deflateRawSync(tooMuch), 'more than 1048576 bytes'],
  ['without bytes, in deflate', 'deflate', Buffer.alloc(0), 'broken content encoding'],
  ['that ends too early', 'gzip', gzipSync('{"keys":[]}').subarray(0, 15), 'broken content encoding'],
  ['that is not in its encoding, br', 'br', Buffer.from('{"keys":[]}'), 'broken content encoding'],
  ['in an unknown encoding', 'compress', Buffer.from('{}'), 'content encoding "compress", which is not supported'],
])('a document %s is refused in words that say so', async (_name, encoding, bytes, words) => {
  trial.provider.answer = (_path, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  const [probe] = await trial.verifier.probe();
  expect(probe).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
  await unjudged(makeToken(key, claims()));
});

it.each<[string, NonNullable<LocalProvider['answer']>]>([
  ['fail', (_path, response) => response.destroy()],
  ['are no key set', (_path, response) => response.end('{}')],
])('the query of the address of keys that %s is neither in the log nor in what doctor says', async (_what, answer) => {
  trial.provider.answer = answer;
  trial.verifier = openVerifier({ jwksUri: `${trial.provider.issuer}/keys?token=canary` });
  await unjudged(makeToken(key, claims()));
  expect(trial.provider.asked).toEqual(['/keys?token=canary']);
  const said = JSON.stringify([trial.events, await trial.verifier.probe()]);
  expect(said).toContain(`${trial.provider.issuer}/keys `);
  expect(said).not.toContain('canary');
});

it('documents may begin with a byte order mark', async () => {
  const { issuer, keys } = trial.provider;
  trial.provider.answer = (path, response) =>
    response.end(`\ufeff${JSON.stringify(path === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` })}`);
  await accepted(makeToken(key, claims()));
});

it('can not send us from https to plain http', async () => {
  const issuer = 'https://idp.example';
  const asked: unknown[] = [];
  const answer = async (address: unknown) => {
    asked.push(address);
    return Response.json({ issuer, jwks_uri: `${trial.provider.issuer}/jwks`, keys: [key.jwk] });
  };
  const entry = { issuer, audience: 'gatehouse', idpname: 'local', subject: 'idpid' as const };
  trial.verifier = openIdTokenVerifier([entry], {
    log: () => undefined,
    fetch: answer as typeof fetch,
    now: () => trial.clock,
  });
  await unjudged(makeToken(key, claims({ iss: issuer })));
  expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`]);
});

it('tells when to come again and why, also in the pause, and its log tells no token', async () => {
  trial.provider.answer = (_, response) => response.writeHead(503).end();
  const token = makeToken(key, claims());
  await expect(trial.verifier.verify(token)).rejects.toMatchObject({
    retryAfterSeconds: 5,
    issuer: trial.provider.issuer,
  });
  trial.clock += 3_500;
  await expect(trial.verifier.verify(token)).rejects.toMatchObject({
    retryAfterSeconds: 2,
    cause: { message: expect.stringContaining('answers 503') },
  });
  expect(trial.events).toMatchObject([
    { message: 'identity provider unavailable', problem: expect.stringContaining('answers 503') },
  ]);
  expect(JSON.stringify(trial.events)).not.toContain(token.split('.')[2]);
});

it('at which people sign in is asked where it does so again only after a pause, and what it said serves on', async () => {
  const issuer = 'https://idp.example';
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
  let clock = 0;
  let asked = 0;
  let isAway = true;
  const fetch = async () => {
    asked += 1;
    return isAway ? new Response(null, { status: 500 }) : Response.json({ issuer, ...endpoints });
  };
  const read = openProviderMetadata({ issuer, fetch, timeoutMs: 300, log: () => undefined, now: () => clock });
  for (let time = 0; time < 3; time++) await expect(read()).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  expect(asked).toBe(1);
  isAway = false;
  clock += 5_000;
  expect(await read()).toMatchObject(endpoints);
  isAway = true;
  clock += 600_000;
  for (let time = 0; time < 3; time++) expect(await read()).toMatchObject(endpoints);
  expect(asked).toBe(3);
});

it('leaves the cached keys in service for as long as it is away', async () => {
  await accepted(makeToken(key, claims()));
  trial.provider.answer = (_, response) => response.destroy();
  for (const seconds of [301, 601, 3_600, 86_400]) {
    const at = startSeconds + seconds;
    trial.clock = at * 1000;
    await accepted(makeToken(key, claims({ iat: at, exp: at + 900 })));
    await refused(makeToken(otherKey, claims({ iat: at, exp: at + 900 })));
  }
});

it('publishes no key any more: nothing is judged by those that were known, until it publishes one again', async () => {
  await accepted(makeToken(key, claims()));
  trial.provider.keys = [];
  await unjudged(makeToken(makeKey('another'), claims()));
  await unjudged(makeToken(key, claims()));
  trial.provider.keys = [key.jwk];
  trial.clock += 5_000;
  await accepted(makeToken(key, claims()));
});

it('leaves a token of an unknown kid unjudged, first and during the pause', async () => {
  await accepted(makeToken(key, claims()));
  trial.provider.answer = (_, response) => response.destroy();
  const next = makeKey('second');
  await unjudged(makeToken(next, claims()));
  const asked = trial.provider.asked.length;
  await unjudged(makeToken(next, claims()));
  expect(trial.provider.asked.length).toBe(asked);
  trial.provider.answer = undefined;
  trial.provider.keys = [next.jwk];
  trial.clock += 5_000;
  await accepted(makeToken(next, claims()));
});

it('does not keep refused tokens from being refused', async () => {
  trial.provider.answer = (_, response) => response.destroy();
  await refused(makeToken(key, claims({ aud: 'other' })));
  expect(trial.provider.asked).toEqual([]);
});
