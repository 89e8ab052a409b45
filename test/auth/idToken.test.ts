/** ID tokens (DESIGN §1 "accepted ID tokens", RFC 8725): what is accepted, and every attack that isn't. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import {
  IdentityProviderUnavailable,
  IdTokenInvalid,
  type IdTokenVerifier,
  type IssuerOptions,
  openIdTokenVerifier,
} from '../../src/auth/idToken.js';
import { type JsonObject, signJwt } from '../../src/auth/jwt.js';
import { type LocalProvider, makeKey, makeToken, startProvider } from './localProvider.js';

const key = makeKey('first');
const otherKey = makeKey('first');
const rsa = makeKey('rsa', 'RS256');
const rsaPss = { ...rsa, kid: 'pss', alg: 'PS256' as const };
const pssJwk = { ...rsa.jwk, kid: 'pss', alg: undefined };
const ed = makeKey('ed', 'EdDSA');
const weak = makeKey('weak', 'RS256', 1024);
const NOW = 1_800_000_000;

let provider: LocalProvider;
let clock: number;
let events: object[];
let verifier: IdTokenVerifier;

function open(overrides: Partial<IssuerOptions> = {}): IdTokenVerifier {
  const issuer = { issuer: provider.issuer, audience: 'gatehouse', idpname: 'local', subject: 'userGuid' as const };
  const options = { log: (event: object) => events.push(event), now: () => clock, timeoutMilliseconds: 300 };
  return openIdTokenVerifier([{ ...issuer, ...overrides }], options);
}

function claims(overrides: JsonObject = {}): JsonObject {
  return { iss: provider.issuer, aud: 'gatehouse', sub: 'user-1', iat: NOW, exp: NOW + 900, ...overrides };
}

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

const refused = (token: string) => expect(verifier.verify(token)).rejects.toBeInstanceOf(IdTokenInvalid);
const unjudged = (token: string) => expect(verifier.verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
const accepted = (token: string) => expect(verifier.verify(token)).resolves.toMatchObject({ sub: 'user-1' });
const jwksFetches = () => provider.asked.filter((path) => path === '/jwks').length;

beforeEach(async () => {
  provider = await startProvider([key, rsa, ed, weak]);
  provider.keys.push(pssJwk);
  clock = NOW * 1000;
  events = [];
  verifier = open();
});
afterEach(() => provider.close());

describe('a good ID token', () => {
  it.each([key, rsa, rsaPss, ed])('of $alg is accepted, with its issuer and claims', async (signer) => {
    const verified = await verifier.verify(makeToken(signer, claims({ email: 'a@example.org' })));
    expect(verified.sub).toBe('user-1');
    expect(verified.issuer.idpname).toBe('local');
    expect(verified.claims.email).toBe('a@example.org');
  });

  it('may name several audiences, when ours is among them', () =>
    accepted(makeToken(key, claims({ aud: ['other', 'gatehouse'] }))));

  it('may be for any of several configured audiences', async () => {
    verifier = open({ audience: ['web', 'gatehouse'] });
    await accepted(makeToken(key, claims()));
    await refused(makeToken(key, claims({ aud: 'mobile' })));
  });

  it('needs no kid when a key of its algorithm verifies it', () =>
    accepted(makeToken(rsa, claims(), { kid: undefined })));

  it('is found through jwksUri, without discovery', async () => {
    verifier = open({ jwksUri: `${provider.issuer}/jwks` });
    await accepted(makeToken(key, claims()));
    expect(provider.asked).toEqual(['/jwks']);
  });
});

describe('the time of an ID token', () => {
  it.each([
    ['30 seconds before it was issued', -30, true],
    ['31 seconds before it was issued', -31, false],
    ['930 seconds after it was issued', 930, true],
    ['931 seconds after it was issued', 931, false],
  ])('%s', async (_, seconds, isAccepted) => {
    const token = makeToken(key, claims({ exp: NOW + 86_400 }));
    clock = (NOW + seconds) * 1000;
    await (isAccepted ? accepted(token) : refused(token));
  });

  it('is over 30 seconds after exp', async () => {
    const token = makeToken(key, claims({ exp: NOW + 10 }));
    clock = (NOW + 39) * 1000;
    await accepted(token);
    clock = (NOW + 40) * 1000;
    await refused(token);
  });

  it('is bounded by iat, however far away exp is', async () => {
    for (const exp of [1e308, NOW * 1000]) {
      await accepted(makeToken(key, claims({ exp })));
      await refused(makeToken(key, claims({ exp, iat: NOW - 931 })));
    }
  });

  it('begins with nbf', async () => {
    await accepted(makeToken(key, claims({ nbf: NOW + 30 })));
    await refused(makeToken(key, claims({ nbf: NOW + 31 })));
    await refused(makeToken(key, claims({ nbf: 'now' })));
  });

  it('follows the issuer’s own maxAgeSeconds', async () => {
    verifier = open({ maxAgeSeconds: 60 });
    await refused(makeToken(key, claims({ iat: NOW - 91 })));
    await accepted(makeToken(key, claims({ iat: NOW - 90 })));
  });
});

describe('a claim that is wrong refuses the token', () => {
  const wrongClaims: JsonObject[] = [
    { exp: undefined },
    { exp: String(NOW + 900) },
    { exp: -1 },
    { exp: null },
    { iat: undefined },
    { iat: String(NOW) },
    { iat: NOW * 1000 },
    { iat: NOW + 31 },
    { sub: undefined },
    { sub: '' },
    { sub: 7 },
    { sub: 'x'.repeat(256) },
    { sub: 'a\0b' },
    { sub: '\ud800' },
    { aud: undefined },
    { aud: 'other' },
    { aud: [] },
    { aud: ['other'] },
    { aud: ['gatehouse', 7] },
    { aud: { gatehouse: true } },
    { iss: undefined },
    { iss: 7 },
    { iss: 'https://elsewhere.example' },
  ];

  it.each(wrongClaims.map((wrong) => [inspect(wrong).slice(0, 60), wrong] as const))('%s', async (_, wrong) => {
    await refused(makeToken(key, claims(wrong)));
    expect(provider.asked).toEqual([]);
  });

  it('the issuer with a trailing slash is another issuer', () =>
    refused(makeToken(key, claims({ iss: `${provider.issuer}/` }))));

  it('a sub of 255 characters is still a sub', async () => {
    const sub = '\u{1f600}'.repeat(255);
    expect((await verifier.verify(makeToken(key, claims({ sub })))).sub).toBe(sub);
  });
});

describe('a forged header refuses the token', () => {
  it.each(['none', 'None', 'NONE', ''])('alg %j with or without a signature', async (alg) => {
    const unsigned = `${part({ alg, kid: 'first' })}.${part(claims())}`;
    await refused(`${unsigned}.`);
    await refused(`${unsigned}.${makeToken(key, claims()).split('.')[2]}`);
  });

  it('HS256 under the provider’s public key, as PEM, DER or JWK', async () => {
    const secrets = [
      rsa.publicKey.export({ type: 'spki', format: 'pem' }),
      rsa.publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(rsa.jwk),
    ];
    for (const secret of secrets) {
      const input = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(claims())}`;
      await refused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    }
    expect(provider.asked).toEqual([]);
  });

  it('another key under a known kid', () => refused(makeToken(otherKey, claims())));
  it('another key without kid', () => refused(makeToken(otherKey, claims(), { kid: undefined })));
  it('a known kid with another algorithm', () => refused(makeToken({ ...rsa, alg: 'PS256' }, claims())));
  it('a kid of 10 kB, without asking the provider', async () => {
    await refused(makeToken(key, claims(), { kid: 'k'.repeat(10_000) }));
    expect(provider.asked).toEqual([]);
  });
  it.each([7, null, {}, ['first']])('kid %j', (kid) => refused(makeToken(key, claims(), { kid })));
  it.each(['__proto__', 'constructor', "' OR 1=1 --", '../../etc/passwd'])('kid %j', (kid) =>
    refused(makeToken(otherKey, claims(), { kid })));

  it('an attacker’s key by jku, x5u, jwk or x5c: neither used nor fetched', async () => {
    const attacker = await startProvider([otherKey]);
    const jku = `${attacker.issuer}/jwks`;
    for (const kid of ['first', 'attacker', undefined])
      await refused(makeToken(otherKey, claims(), { kid, jku, x5u: jku, jwk: otherKey.jwk, x5c: ['MIIB'] }));
    expect(attacker.asked).toEqual([]);
    await attacker.close();
  });

  it.each([['exp'], ['b64'], [], 'b64', null])('crit %j', (crit) =>
    refused(makeToken(key, claims(), { crit, b64: true })));

  it.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'rt+jwt', 'logout+jwt', 7])('typ %j', (typ) =>
    refused(makeToken(key, claims(), { typ })));

  it('an algorithm that the issuer’s configuration leaves out', async () => {
    verifier = open({ algorithms: ['RS256'] });
    await refused(makeToken(key, claims()));
    await accepted(makeToken(rsa, claims()));
  });
});

describe('a token that is not a compact JWS is refused', () => {
  it('five parts, two, four, none', async () => {
    const token = makeToken(key, claims());
    for (const wrong of ['', '.', '..', 'x', `${token}.a.b`, `${token}.`, token.slice(0, token.lastIndexOf('.'))])
      await refused(wrong);
    await refused(`${part({ alg: 'RSA-OAEP', enc: 'A256GCM', zip: 'DEF' })}.a.b.c.d`);
  });

  it('over 16 KiB, however good', () => refused(makeToken(key, claims({ name: 'n'.repeat(16_384) }))));

  it('parts that are JSON of another kind, or not UTF-8', async () => {
    const header = part({ alg: 'ES256', kid: 'first' });
    for (const payload of ['null', '[]', '"x"', '', '{', '\ufeff{}']) await refused(`${header}.${part(payload)}.AAAA`);
    await refused(`${header}.${Buffer.from('{"sub":"\xff"}', 'latin1').toString('base64url')}.AAAA`);
  });

  it('every single-character change of a valid token', async () => {
    const token = makeToken(key, claims());
    await accepted(token);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at++) {
      const present = alphabet.indexOf(token[at]!);
      const neighbours = [alphabet[(present + 1) % 64], alphabet[(present + 63) % 64], alphabet[present ^ 1]];
      for (const character of new Set([...neighbours, '=', '+', ' ', '.', '\n', 'é']))
        if (character !== token[at]) await refused(token.slice(0, at) + character + token.slice(at + 1));
      await refused(token.slice(0, at) + token.slice(at + 1));
    }
    expect(jwksFetches()).toBeLessThanOrEqual(1 + 5);
  });

  it('a second spelling of the signature, with padding or other trailing bits', async () => {
    const token = makeToken(key, claims());
    const last = 'AQgw'.indexOf(token.at(-1)!);
    await refused(`${token}=`);
    await refused(`${token}==`);
    await refused(`${token.slice(0, -1)}${'BRhx'[last]}`);
    await refused(` ${token}`);
  });

  it('an ES256 signature in DER', async () => {
    const input = makeToken(key, claims()).split('.').slice(0, 2).join('.');
    await refused(`${input}.${createSign('sha256').update(input).sign(key.privateKey).toString('base64url')}`);
  });
});

describe('keys that a provider publishes', () => {
  it('of fewer than 2048 bits are not used', () => refused(makeToken(weak, claims())));

  it.each([
    { use: 'enc' },
    { alg: 'ES384' },
    { key_ops: ['sign'] },
    { crv: 'P-384' },
    { x: 'AAAA' },
    { kty: 'oct', k: 'AAAA' },
  ])('are not used when they say %j', async (wrong) => {
    provider.keys = [{ ...key.jwk, ...wrong }];
    await refused(makeToken(key, claims()));
    await refused(makeToken(key, claims(), { kid: undefined }));
  });

  it('rotate: a new kid is accepted at once, without restart, time after time', async () => {
    await accepted(makeToken(key, claims()));
    for (const kid of ['second', 'third']) {
      const next = makeKey(kid);
      provider.keys = [next.jwk];
      await accepted(makeToken(next, claims()));
    }
    await refused(makeToken(key, claims()));
    expect(jwksFetches()).toBe(4);
  });

  it('rotate for tokens without kid too', async () => {
    await accepted(makeToken(key, claims(), { kid: undefined }));
    const next = makeKey('second');
    provider.keys = [next.jwk];
    await accepted(makeToken(next, claims(), { kid: undefined }));
  });

  it('are fetched once for any number of first tokens', async () => {
    await Promise.all(Array.from({ length: 50 }, () => accepted(makeToken(key, claims()))));
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are fetched anew after ten minutes, and in the background after five', async () => {
    const token = (at: number) => makeToken(key, claims({ iat: at, exp: at + 900 }));
    await accepted(token(NOW));
    clock = (NOW + 301) * 1000;
    await accepted(token(NOW + 301));
    while (jwksFetches() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    provider.keys = [];
    clock = (NOW + 301 + 600) * 1000;
    await refused(token(NOW + 901));
  });
});

describe('a provider that is away or misbehaves', () => {
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
      (_, response) => response.end(`{"issuer":"${provider.issuer}","jwks_uri":"${provider.issuer}/jwks"}`),
    ],
    [
      'names another issuer',
      (_, response) => response.end(`{"issuer":"${provider.issuer}/","jwks_uri":"${provider.issuer}/jwks","keys":[]}`),
    ],
    [
      'has a file as jwks_uri',
      (_, response) => response.end(`{"issuer":"${provider.issuer}","jwks_uri":"file:///etc/passwd"}`),
    ],
    [
      'answers with more than a megabyte',
      (_, response) =>
        response.end(
          `{"issuer":"${provider.issuer}","jwks_uri":"${provider.issuer}/jwks","keys":[],"x":"${'x'.repeat(2 ** 20)}"}`,
        ),
    ],
  ];

  it.each(misbehaviours)('%s: nothing is judged, and it is asked again only after a pause', async (_, answer) => {
    provider.answer = answer;
    await unjudged(makeToken(key, claims()));
    const asked = provider.asked.length;
    await unjudged(makeToken(key, claims()));
    expect(provider.asked.length).toBe(asked);
    expect(asked).toBeLessThanOrEqual(2);
    provider.answer = undefined;
    clock += 5_000;
    await accepted(makeToken(key, claims()));
  });

  it('can not send us from https to plain http', async () => {
    const issuer = 'https://idp.example';
    const asked: unknown[] = [];
    const answer = async (address: unknown) => {
      asked.push(address);
      return Response.json({ issuer, jwks_uri: `${provider.issuer}/jwks`, keys: [key.jwk] });
    };
    const entry = { issuer, audience: 'gatehouse', idpname: 'local', subject: 'idpid' as const };
    verifier = openIdTokenVerifier([entry], { log: () => undefined, fetch: answer as typeof fetch, now: () => clock });
    await unjudged(makeToken(key, claims({ iss: issuer })));
    expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`]);
  });

  it('tells when to come again, and its log tells no token', async () => {
    provider.answer = (_, response) => response.writeHead(503).end();
    const token = makeToken(key, claims());
    await expect(verifier.verify(token)).rejects.toMatchObject({ retryAfterSeconds: 5, issuer: provider.issuer });
    clock += 3_500;
    await expect(verifier.verify(token)).rejects.toMatchObject({ retryAfterSeconds: 2 });
    expect(events).toMatchObject([
      { event: 'identity provider unavailable', problem: expect.stringContaining('answers 503') },
    ]);
    expect(JSON.stringify(events)).not.toContain(token.split('.')[2]);
  });

  it('leaves the cached keys in service for as long as it is away', async () => {
    await accepted(makeToken(key, claims()));
    provider.answer = (_, response) => response.destroy();
    for (const seconds of [301, 601, 3_600, 86_400]) {
      const at = NOW + seconds;
      clock = at * 1000;
      await accepted(makeToken(key, claims({ iat: at, exp: at + 900 })));
      await refused(makeToken(otherKey, claims({ iat: at, exp: at + 900 })));
    }
  });

  it('leaves a token of an unknown kid unjudged, first and during the pause', async () => {
    await accepted(makeToken(key, claims()));
    provider.answer = (_, response) => response.destroy();
    const next = makeKey('second');
    await unjudged(makeToken(next, claims()));
    const asked = provider.asked.length;
    await unjudged(makeToken(next, claims()));
    expect(provider.asked.length).toBe(asked);
    provider.answer = undefined;
    provider.keys = [next.jwk];
    clock += 5_000;
    await accepted(makeToken(next, claims()));
  });

  it('does not keep refused tokens from being refused', async () => {
    provider.answer = (_, response) => response.destroy();
    await refused(makeToken(key, claims({ aud: 'other' })));
    expect(provider.asked).toEqual([]);
  });
});

describe('the configuration', () => {
  it.each(['HS256', 'none', 'RSA-OAEP', 'toString'])('takes no algorithm %j', (alg) => {
    expect(() => open({ algorithms: ['RS256', alg] })).toThrow(alg);
  });

  it('takes an issuer once', () => {
    const issuer = { issuer: 'https://idp.example', audience: 'a', idpname: 'x', subject: 'idpid' as const };
    expect(() => openIdTokenVerifier([issuer, issuer], { log: () => undefined })).toThrow('https://idp.example');
  });

  it('is probed, issuer by issuer, in words that tell the mend', async () => {
    expect(await verifier.probe()).toEqual([{ issuer: provider.issuer, ok: true }]);
    provider.keys = [{ ...key.jwk, use: 'enc' }];
    expect(await verifier.probe()).toEqual([
      { issuer: provider.issuer, ok: false, problem: expect.stringContaining('no key') },
    ]);
    provider.answer = (_, response) => response.writeHead(404).end();
    expect((await verifier.probe())[0]!.problem).toBe(
      `${provider.issuer}/.well-known/openid-configuration answers 404 instead of 200`,
    );
    await provider.close();
    expect((await verifier.probe())[0]!.problem).toContain('ECONNREFUSED');
  });
});

it('a token of our own kind, signed by the provider’s own key but for another use, is refused', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = { iss: 'https://gatehouse.example', sub: 'u', aud: ['GRID', 'IOT'], exp: NOW + 9, iat: NOW };
  await refused(signJwt({ typ: 'at+jwt', kid: 'own' }, own, { alg: 'ES256', privateKey }));
  await refused(signJwt({ typ: 'rt+jwt', kid: 'own' }, { ...own }, { alg: 'HS256', privateKey: Buffer.alloc(32) }));
  await refused(makeToken(key, claims(), { typ: 'at+jwt' }));
});
