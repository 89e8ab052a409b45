/** ID tokens (docs/contract/token-endpoints.md, RFC 8725): what is accepted, and every attack that isn't. */
import { createHmac, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { inspect } from 'node:util';
import { openIdTokenVerifier } from '../../src/auth/idToken.js';
import type { JsonObject } from '../../src/jsonObject.js';
import { explainRefusal } from '../../src/modules/insight/refusalWords.js';
import { signJwt } from '../support/signJwt.js';
import {
  accepted,
  beginEachTrial,
  claims,
  jwksFetches,
  openVerifier,
  refused,
  startSeconds,
  trial,
} from './idTokenTrial.js';
import { makeKey, makeToken, startProvider } from './localProvider.js';

const key = makeKey('first');
const otherKey = makeKey('first');
const rsa = makeKey('rsa', 'RS256');
const rsaPss = { ...rsa, kid: 'pss', alg: 'PS256' as const };
const pssKey = { ...rsa, jwk: { ...rsa.jwk, kid: 'pss', alg: undefined } };
const ed = makeKey('ed', 'EdDSA');

beginEachTrial([key, rsa, ed, pssKey]);

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

describe('a good ID token', () => {
  it.each([key, rsa, rsaPss, ed])('of $alg is accepted, with its issuer and claims', async (signer) => {
    const verified = await trial.verifier.verify(makeToken(signer, claims({ email: 'a@example.org' })));
    expect(verified.sub).toBe('user-1');
    expect(verified.issuer.idpname).toBe('local');
    expect(verified.claims.email).toBe('a@example.org');
  });

  it('may name several audiences, when ours is among them', () =>
    accepted(makeToken(key, claims({ aud: ['other', 'gatehouse'] }))));

  it('may be for any of several configured audiences', async () => {
    trial.verifier = openVerifier({ audience: ['web', 'gatehouse'] });
    await accepted(makeToken(key, claims()));
    await refused(makeToken(key, claims({ aud: 'mobile' })));
  });

  it('needs no kid when a key of its algorithm verifies it', () =>
    accepted(makeToken(rsa, claims(), { kid: undefined })));

  it('is found through jwksUri, without discovery', async () => {
    trial.verifier = openVerifier({ jwksUri: `${trial.provider.issuer}/jwks` });
    await accepted(makeToken(key, claims()));
    expect(trial.provider.asked).toEqual(['/jwks']);
  });
});

describe('an algorithm or typ by another name', () => {
  const named = (alg: string) => {
    const input = `${part({ alg, kid: 'ed', typ: 'JWT' })}.${part(claims())}`;
    return `${input}.${sign(null, Buffer.from(input), ed.privateKey).toString('base64url')}`;
  };

  it.each([
    'Ed25519',
    'EdDSA',
    undefined,
  ])('RFC 9864: a key whose alg is %s verifies Ed25519 and EdDSA', async (alg) => {
    trial.provider.keys = [{ ...ed.jwk, alg }];
    for (const name of ['Ed25519', 'EdDSA']) await accepted(named(name));
    expect(await trial.verifier.probe()).toEqual([{ issuer: trial.provider.issuer, ok: true }]);
  });

  it('the issuer’s entry may name Ed25519, and then means only that', async () => {
    trial.provider.keys = [ed.jwk];
    trial.verifier = openVerifier({ algorithms: ['Ed25519'] });
    await accepted(named('Ed25519'));
    await refused(named('EdDSA'));
  });

  it('typ may say that it is an ID token, and no other …+jwt', async () => {
    for (const typ of ['id_token+jwt', 'application/ID_TOKEN+JWT', 'JWT', 'jwt', undefined])
      await accepted(makeToken(key, claims(), { typ }));
    const others = ['at+jwt', 'logout+jwt', 'secevent+jwt', 'dpop+jwt', 'x-id_token+jwt', 'id_token+jwt+jwt'];
    for (const typ of [...others, 'at+jwt;v=1', 'at+jwt ', 'AT+JWT\0'])
      await refused(makeToken(key, claims(), { typ }));
  });
});

describe('a key of the provider that is not used is told with its cause', () => {
  const reasonOf = (token: string) =>
    trial.verifier.verify(token).then(
      () => 'accepted',
      ({ reason }: { reason: string }) => reason,
    );
  const short = makeKey('first', 'RS256', 1024);

  it.each<[string, () => JsonObject, string]>([
    ['another alg', () => ({ ...rsa.jwk, kid: 'first', alg: 'RS512' }), 'has another alg'],
    ['another use', () => ({ ...rsa.jwk, kid: 'first', use: 'enc' }), 'has a use that is not sig'],
    ['other key_ops', () => ({ ...rsa.jwk, kid: 'first', key_ops: ['encrypt'] }), 'has key_ops without verify'],
    ['another kty', () => ({ ...key.jwk, kid: 'first' }), 'has a kty for other algorithms'],
    ['too few bits', () => short.jwk, 'is shorter than 2048 bits'],
    ['no modulus', () => ({ ...rsa.jwk, kid: 'first', n: undefined }), 'has no modulus or exponent'],
  ])('%s', async (_name, jwk, problem) => {
    trial.provider.keys = [jwk()];
    const reason = await reasonOf(makeToken({ ...rsa, kid: 'first' }, claims()));
    expect(reason).toBe(`the provider's key of this id is not used: it ${problem}`);
    expect(explainRefusal('invalidIdToken', reason).text).toContain('publishes a key with the id');
  });

  it('of several keys with the id each cause is told, and that there are too many', async () => {
    const ofId = (more: JsonObject) => ({ ...rsa.jwk, kid: 'first', ...more });
    const token = makeToken({ ...rsa, kid: 'first' }, claims());
    trial.provider.keys = [{ ...key.jwk, kid: 'first' }, ofId({ alg: 'RS512' }), ofId({ alg: 'RS384' })];
    expect(await reasonOf(token)).toBe(
      "the provider's key of this id is not used: it has a kty for other algorithms; another one has another alg",
    );
    trial.clock += 600_000;
    const other = makeKey('first', 'RS256');
    trial.provider.keys = [...Array.from({ length: 8 }, () => other.jwk), ofId({})];
    expect(await reasonOf(makeToken({ ...rsa, kid: 'first' }, claims()))).toContain('is one of more than 8');
  });

  it('members that are null count as absent', async () => {
    trial.provider.keys = [{ ...rsa.jwk, kid: 'first', alg: null, use: null, key_ops: null }];
    expect(await reasonOf(makeToken({ ...rsa, kid: 'first' }, claims()))).toBe('accepted');
  });

  it('a point that is not on the curve', async () => {
    trial.provider.keys = [{ ...key.jwk, y: key.jwk.x }];
    expect(await reasonOf(makeToken(key, claims()))).toBe("the provider's key of this id is not used: it is malformed");
  });

  it('an id that the provider does not publish is told as such, and so is another signature', async () => {
    expect(await reasonOf(makeToken({ ...key, kid: 'nobody' }, claims()))).toBe('the provider has no such key');
    expect(await reasonOf(makeToken(otherKey, claims()))).toBe('signature does not verify');
  });

  it.each<[string, () => JsonObject[], string]>([
    ['another use', () => [{ ...key.jwk, use: 'enc' }], 'one has a use that is not sig'],
    [
      'several causes',
      () => [rsa.jwk, { ...key.jwk, alg: 'ES384' }],
      'one has a kty for other algorithms; another one has another alg',
    ],
  ])('of a token without a key id no key id is told: %s', async (_name, jwks, problem) => {
    trial.provider.keys = jwks();
    const reason = await reasonOf(makeToken(key, claims(), { kid: undefined }));
    expect(reason).toBe(`none of the provider's keys is for a token without a key id: ${problem}`);
    expect(explainRefusal('invalidIdToken', reason).text).toContain('names no key id');
  });

  it('more keys than are tried, for a token without a key id', async () => {
    trial.provider.keys = Array.from({ length: 9 }, (_, index) => makeKey(`k${index}`).jwk);
    const reason = await reasonOf(makeToken(key, claims(), { kid: undefined }));
    expect(explainRefusal('invalidIdToken', reason).text).toContain('more keys than are tried');
  });

  it('however many keys there are, the one that the token names is found', async () => {
    const others = Array.from({ length: 2_000 }, (_, index) => ({ ...otherKey.jwk, kid: `k${index}` }));
    trial.provider.keys = [...others, key.jwk];
    await accepted(makeToken(key, claims()));
  });
});

describe('the time of an ID token', () => {
  it.each([
    ['30 seconds before it was issued', -30, true],
    ['31 seconds before it was issued', -31, false],
    ['930 seconds after it was issued', 930, true],
    ['931 seconds after it was issued', 931, false],
  ])('%s', async (_, seconds, isAccepted) => {
    const token = makeToken(key, claims({ exp: startSeconds + 86_400 }));
    trial.clock = (startSeconds + seconds) * 1000;
    await (isAccepted ? accepted(token) : refused(token));
  });

  it('is over 30 seconds after exp', async () => {
    const token = makeToken(key, claims({ exp: startSeconds + 10 }));
    trial.clock = (startSeconds + 39) * 1000;
    await accepted(token);
    trial.clock = (startSeconds + 40) * 1000;
    await refused(token);
  });

  it('is bounded by iat, however far away exp is', async () => {
    for (const exp of [1e308, startSeconds * 1000]) {
      await accepted(makeToken(key, claims({ exp })));
      await refused(makeToken(key, claims({ exp, iat: startSeconds - 931 })));
    }
  });

  it.each([
    ['exp', {}],
    ['iat', { exp: startSeconds + 86_400 }],
  ])('is told with what is verified: from that second on it is refused, by %s', async (_, more) => {
    const token = makeToken(key, claims(more));
    const { endsAtSeconds } = await trial.verifier.verify(token);
    trial.clock = (endsAtSeconds - 1) * 1_000;
    await accepted(token);
    trial.clock += 1_000;
    await refused(token);
  });

  it('begins with nbf', async () => {
    await accepted(makeToken(key, claims({ nbf: startSeconds + 30 })));
    await refused(makeToken(key, claims({ nbf: startSeconds + 31 })));
    await refused(makeToken(key, claims({ nbf: 'now' })));
  });

  it('follows the issuer’s own maxAgeSeconds', async () => {
    trial.verifier = openVerifier({ maxAgeSeconds: 60 });
    await refused(makeToken(key, claims({ iat: startSeconds - 91 })));
    await accepted(makeToken(key, claims({ iat: startSeconds - 90 })));
  });
});

describe('a claim that is wrong refuses the token', () => {
  const wrongClaims: JsonObject[] = [
    { exp: undefined },
    { exp: String(startSeconds + 900) },
    { exp: -1 },
    { exp: null },
    { iat: undefined },
    { iat: String(startSeconds) },
    { iat: startSeconds * 1000 },
    { iat: startSeconds + 31 },
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
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
    { events: {} },
    { events: null },
    { token_use: 'access' },
    { typ: 'Bearer' },
    { typ: 'DPoP' },
    { azp: 'another' },
    { azp: '' },
    { azp: ['gatehouse'] },
    { azp: null },
    { aud: ['gatehouse', 'another'], azp: 'another' },
  ];

  it.each(wrongClaims.map((wrong) => [inspect(wrong).slice(0, 60), wrong] as const))('%s', async (_, wrong) => {
    await refused(makeToken(key, claims(wrong)));
    expect(trial.provider.asked).toEqual([]);
  });

  it('an authorized party is the audience, or one of those that the issuer’s entry names', async () => {
    await accepted(makeToken(key, claims({ azp: 'gatehouse', token_use: 'id', typ: 'ID' })));
    trial.verifier = openVerifier({ authorizedParties: ['portal', 'app'] });
    await accepted(makeToken(key, claims({ azp: 'app' })));
    await accepted(makeToken(key, claims({})));
    await refused(makeToken(key, claims({ azp: 'gatehouse' })));
    trial.verifier = openVerifier({ audience: ['gatehouse', 'second'] });
    await accepted(makeToken(key, claims({ azp: 'second' })));
  });

  it('the issuer with a trailing slash is another issuer', () =>
    refused(makeToken(key, claims({ iss: `${trial.provider.issuer}/` }))));

  it('a sub of 255 characters is still a sub', async () => {
    const sub = '\u{1f600}'.repeat(255);
    expect((await trial.verifier.verify(makeToken(key, claims({ sub })))).sub).toBe(sub);
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
    expect(trial.provider.asked).toEqual([]);
  });

  it('another key under a known kid, without asking the provider again', async () => {
    await refused(makeToken(otherKey, claims()));
    expect(jwksFetches()).toBe(1);
  });
  it('another key without kid', () => refused(makeToken(otherKey, claims(), { kid: undefined })));
  it('a known kid with another algorithm', () => refused(makeToken({ ...rsa, alg: 'PS256' }, claims())));
  it('a kid of 10 kB, without asking the provider', async () => {
    await refused(makeToken(key, claims(), { kid: 'k'.repeat(10_000) }));
    expect(trial.provider.asked).toEqual([]);
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
  });

  it.each([['exp'], ['b64'], [], 'b64', null])('crit %j', (crit) =>
    refused(makeToken(key, claims(), { crit, b64: true })));

  it.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'rt+jwt', 'logout+jwt', 7])('typ %j', (typ) =>
    refused(makeToken(key, claims(), { typ })));

  it('an algorithm that the issuer’s configuration leaves out', async () => {
    trial.verifier = openVerifier({ algorithms: ['RS256'] });
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

describe('the configuration', () => {
  it.each(['HS256', 'none', 'RSA-OAEP', 'toString'])('takes no algorithm %j', (alg) => {
    expect(() => openVerifier({ algorithms: ['RS256', alg] })).toThrow(alg);
  });

  it('takes an issuer once', () => {
    const issuer = { issuer: 'https://idp.example', audience: 'a', idpname: 'x', subject: 'idpid' as const };
    expect(() => openIdTokenVerifier([issuer, issuer], { log: () => undefined })).toThrow('https://idp.example');
  });

  it('is probed, issuer by issuer, in words that say what to do', async () => {
    expect(await trial.verifier.probe()).toEqual([{ issuer: trial.provider.issuer, ok: true }]);
    trial.provider.keys = [{ ...key.jwk, use: 'enc' }];
    expect(await trial.verifier.probe()).toEqual([
      { issuer: trial.provider.issuer, ok: false, problem: expect.stringContaining('no key') },
    ]);
    // a key that fits by its description, and verifies nothing
    trial.provider.keys = [{ kty: 'EC', crv: 'P-256', kid: 'a', x: 'AA' }];
    expect(await trial.verifier.probe()).toMatchObject([{ ok: false, problem: expect.stringContaining('no key') }]);
    trial.provider.answer = (_, response) => response.writeHead(404).end();
    expect((await trial.verifier.probe())[0]!.problem).toBe(
      `${trial.provider.issuer}/.well-known/openid-configuration answers 404 instead of 200`,
    );
    await trial.provider.close();
    expect((await trial.verifier.probe())[0]!.problem).toContain('ECONNREFUSED');
  });
});

it('a token of our own kind, signed by the provider’s own key but for another use, is refused', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = {
    iss: 'https://gatehouse.example',
    sub: 'u',
    aud: ['GRID', 'IOT'],
    exp: startSeconds + 9,
    iat: startSeconds,
  };
  await refused(signJwt({ typ: 'at+jwt', kid: 'own' }, own, { alg: 'ES256', privateKey }));
  await refused(signJwt({ typ: 'rt+jwt', kid: 'own' }, { ...own }, { alg: 'HS256', privateKey: Buffer.alloc(32) }));
  await refused(makeToken(key, claims(), { typ: 'at+jwt' }));
});
