/** The keys that a provider publishes, and tokens of an unknown `kid`: a rotation is found at once, and strangers can't make us hammer the provider. */
import type { JsonObject } from '../../src/jsonObject.js';
import { elapse, until } from '../support/until.js';
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
import { makeKey, makeToken, type ProviderKey } from './localProvider.js';

const key = makeKey('first');
const weak = makeKey('weak', 'RS256', 1024);
const second = makeKey('second');
const third = makeKey('third');
const stranger = makeKey('stranger');

beginEachTrial([key, weak]);

/** As of the trial's clock. */
function tokenOf(signer: ProviderKey, header: JsonObject = {}): string {
  const iat = Math.floor(trial.clock / 1_000);
  return makeToken(signer, claims({ iat, exp: iat + 900 }), header);
}

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
    trial.provider.keys = [{ ...key.jwk, ...wrong }];
    await refused(makeToken(key, claims()));
    await refused(makeToken(key, claims(), { kid: undefined }));
  });

  it('rotate: a new kid is accepted at once, without restart, time after time', async () => {
    await accepted(makeToken(key, claims()));
    for (const kid of ['second', 'third']) {
      const next = makeKey(kid);
      trial.provider.keys = [next.jwk];
      await accepted(makeToken(next, claims()));
    }
    await refused(makeToken(key, claims()));
    expect(jwksFetches()).toBe(4);
  });

  it('are bounded in number for a token without kid: the first eight of those that fit are tried', async () => {
    const others = Array.from({ length: 8 }, (_none, index) => ({ ...second.jwk, kid: `other-${index}` }));
    trial.provider.keys = [...others, key.jwk];
    await refused(makeToken(key, claims(), { kid: undefined }));
    trial.provider.keys = [...others.slice(1), key.jwk];
    await accepted(makeToken(key, claims(), { kid: undefined }));
  });

  it('rotate for tokens without kid too', async () => {
    await accepted(makeToken(key, claims(), { kid: undefined }));
    const next = makeKey('second');
    trial.provider.keys = [next.jwk];
    await accepted(makeToken(next, claims(), { kid: undefined }));
  });

  it('are fetched once for any number of first tokens', async () => {
    await Promise.all(Array.from({ length: 50 }, () => accepted(makeToken(key, claims()))));
    expect(trial.provider.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are fetched anew after ten minutes, and in the background after five', async () => {
    const token = (at: number) => makeToken(key, claims({ iat: at, exp: at + 900 }));
    await accepted(token(startSeconds));
    trial.clock = (startSeconds + 301) * 1000;
    await accepted(token(startSeconds + 301));
    await until(() => jwksFetches() === 2);
    await elapse(20);
    trial.provider.keys = [second.jwk];
    trial.clock = (startSeconds + 301 + 600) * 1000;
    await refused(token(startSeconds + 901));
  });
});

describe('a key that is not known', () => {
  it.each([
    ['an unknown kid', { kid: 'forged' }],
    ['a token without kid', { kid: undefined }],
  ])('a rotation right after %s of a stranger is followed at once', async (_, header) => {
    await accepted(tokenOf(key));
    await refused(tokenOf(stranger, header));
    trial.provider.keys = [second.jwk];
    await accepted(tokenOf(second));
    await refused(tokenOf(stranger, header));
    trial.provider.keys = [third.jwk];
    await accepted(tokenOf(third));
  });

  it('strangers cause ten fetches a minute at most, and under their flood a rotation is found within six seconds', async () => {
    await accepted(tokenOf(key));
    trial.provider.keys = [key.jwk, second.jwk];
    for (let sent = 0; sent < 600; sent++) {
      trial.clock += 100;
      await refused(tokenOf(stranger, { kid: `forged-${sent}` }));
    }
    expect(jwksFetches()).toBeLessThanOrEqual(1 + 5 + 10);
    trial.provider.keys = [third.jwk];
    for (let sent = 0; sent < 60; sent++) {
      trial.clock += 100;
      await refused(tokenOf(stranger, { kid: `later-${sent}` }));
    }
    await accepted(tokenOf(third));
    expect(jwksFetches()).toBeLessThanOrEqual(1 + 5 + 11);
  });

  it.each([
    'logout',
    'pipeline',
  ] as const)('strangers who send %s tokens leave exchanges fetches of their own', async (purpose) => {
    trial.verifier = openVerifier({ pipelines: {} } as never);
    await accepted(tokenOf(key));
    const iat = Math.floor(trial.clock / 1_000);
    const more = purpose === 'logout' && {
      jti: 'one',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const judge = (signer: ProviderKey, kid: string) =>
      trial.verifier.verify(makeToken(signer, claims({ iat, exp: iat + 900, ...more }), { kid }), purpose);
    for (let sent = 0; sent < 100; sent++)
      await expect(judge(stranger, `forged-${sent}`)).rejects.toMatchObject({ reason: 'the provider has no such key' });
    trial.provider.keys = [second.jwk];
    await accepted(tokenOf(second));
    expect(await judge(second, 'second')).toMatchObject({ sub: 'user-1' });
    trial.provider.keys = [third.jwk];
    await accepted(tokenOf(third));
    expect(jwksFetches()).toBeLessThanOrEqual(1 + 5);
  });

  it('a clock that is put back stops no fetch', async () => {
    await accepted(tokenOf(key));
    for (let sent = 0; sent < 10; sent++) await refused(tokenOf(stranger));
    trial.clock -= 60_000;
    trial.provider.keys = [second.jwk];
    await accepted(tokenOf(second));
  });

  it('unknown kids that come at the same moment share a fetch', async () => {
    await accepted(tokenOf(key));
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => refused(tokenOf(stranger, { kid: `forged-${index}` }))),
    );
    expect(jwksFetches()).toBeLessThanOrEqual(3);
  });

  it('a rotation that a fetch under way can not know of any more is found too', async () => {
    await accepted(tokenOf(key));
    const old = JSON.stringify({ keys: [key.jwk] });
    const asked = Promise.withResolvers<void>();
    let answerOld: () => void = () => undefined;
    trial.provider.answer = (path, response) => {
      if (path !== '/jwks')
        return response.end(`{"issuer":"${trial.provider.issuer}","jwks_uri":"${trial.provider.issuer}/jwks"}`);
      answerOld = () => response.end(old);
      return asked.resolve();
    };
    const forged = refused(tokenOf(stranger));
    await asked.promise;
    trial.provider.answer = undefined;
    trial.provider.keys = [second.jwk];
    const genuine = accepted(tokenOf(second));
    answerOld();
    await Promise.all([forged, genuine]);
  });
});
