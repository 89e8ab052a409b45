/** `console` among the members of ID_TOKEN_ISSUERS: taken when it is right, and else one line says what it must be. */
import { generateKeyPairSync } from 'node:crypto';
import { loadConfig } from '../../src/config/loadConfig.js';

const issuer = { issuer: 'https://idp.example.com', audience: 'portal', idpname: 'staff', subject: 'idpid' };
const load = (console: unknown) => loadConfig({ ID_TOKEN_ISSUERS: JSON.stringify([{ ...issuer, console }]) });
const jwkOf = (key: ReturnType<typeof generateKeyPairSync>) =>
  (key as never as { privateKey: { export(options: object): object } }).privateKey.export({ format: 'jwk' });
const secret = 'a-secret-that-no-message-repeats';

it.each([
  ['a public client', { clientId: 'console' }],
  ['one with a secret', { clientId: 'console', clientSecret: secret, name: 'Staff', scope: 'openid profile' }],
  [
    'one with an RSA key',
    { clientId: 'console', privateKeyJwk: jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 })) },
  ],
  [
    'one with an EC key',
    { clientId: 'console', privateKeyJwk: jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })) },
  ],
  ['one with an Ed25519 key', { clientId: 'console', privateKeyJwk: jwkOf(generateKeyPairSync('ed25519')) }],
])('%s is taken', (_case, console) => {
  expect(load(console).idTokenIssuers![0]!.console).toEqual(console);
});

it.each([
  ['', 'text'],
  ['', []],
  ['', null],
  ['.clientId', {}],
  ['.clientId', { clientId: 7 }],
  ['.clientId', { clientId: 'portal' }],
  ['.clientSecret', { clientId: 'console', clientSecret: '' }],
  ['.privateKeyJwk', { clientId: 'console', privateKeyJwk: { kty: 'oct', k: secret } }],
  ['.privateKeyJwk', { clientId: 'console', privateKeyJwk: 'text' }],
  ['.privateKeyJwk', { clientId: 'console', clientSecret: secret, privateKeyJwk: {} }],
  ['.scope', { clientId: 'console', scope: 'profile' }],
  ['.scope', { clientId: 'console', scope: 'openid  profile' }],
  ['.name', { clientId: 'console', name: '' }],
  ['.other', { clientId: 'console', other: secret }],
])('a fault is told at [0].console%s', (path, console) => {
  const loading = () => load(console);
  expect(loading).toThrow(`ID_TOKEN_ISSUERS has a fault: [0].console${path}: `);
  expect(loading).not.toThrow(secret);
});

it('an audience of several can not be the console either, and nobody but development says where a provider is asked', () => {
  const several = { ...issuer, audience: ['portal', 'console'], console: { clientId: 'console' } };
  expect(() => loadConfig({ ID_TOKEN_ISSUERS: JSON.stringify([several]) })).toThrow('[0].console.clientId');
  const asked = { ...issuer, askedAt: 'http://127.0.0.1:1' };
  expect(() => loadConfig({ ID_TOKEN_ISSUERS: JSON.stringify([asked]) })).toThrow(
    '[0].askedAt: there is no member of this name; the members are issuer, audience',
  );
});
