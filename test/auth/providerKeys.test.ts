/** Tokens of an unknown `kid`: a provider's rotation is found at once, and strangers can't make us hammer the provider. */
import { IdTokenInvalid, type IdTokenVerifier, openIdTokenVerifier } from '../../src/auth/idToken.js';
import { type LocalProvider, makeKey, makeToken, type ProviderKey, startProvider } from './localProvider.js';

const first = makeKey('first');
const second = makeKey('second');
const third = makeKey('third');
const stranger = makeKey('stranger');
const start = 1_800_000_000_000;

let provider: LocalProvider;
let clock: number;
let verifier: IdTokenVerifier;

beforeEach(async () => {
  provider = await startProvider([first]);
  clock = start;
  const issuer = { issuer: provider.issuer, audience: 'gatehouse', idpname: 'local', subject: 'userGuid' as const };
  verifier = openIdTokenVerifier([issuer], { log: () => undefined, now: () => clock });
});
afterEach(() => provider.close());

function token(key: ProviderKey, header: { kid?: string | undefined } = {}): string {
  const iat = Math.floor(clock / 1_000);
  return makeToken(key, { iss: provider.issuer, aud: 'gatehouse', sub: 'user-1', iat, exp: iat + 900 }, header);
}

const accepted = (key: ProviderKey) => expect(verifier.verify(token(key))).resolves.toMatchObject({ sub: 'user-1' });
const refused = (key: ProviderKey, header = {}) =>
  expect(verifier.verify(token(key, header))).rejects.toBeInstanceOf(IdTokenInvalid);
const fetches = () => provider.asked.filter((path) => path === '/jwks').length;

it.each([
  ['an unknown kid', { kid: 'forged' }],
  ['a token without kid', { kid: undefined }],
])('a rotation right after %s of a stranger is followed at once', async (_, header) => {
  await accepted(first);
  await refused(stranger, header);
  provider.keys = [second.jwk];
  await accepted(second);
  await refused(stranger, header);
  provider.keys = [third.jwk];
  await accepted(third);
});

it('strangers cause ten fetches a minute at most, and under their flood a rotation is found within six seconds', async () => {
  await accepted(first);
  provider.keys = [first.jwk, second.jwk];
  for (let sent = 0; sent < 600; sent++) {
    clock += 100;
    await refused(stranger, { kid: `forged-${sent}` });
  }
  expect(fetches()).toBeLessThanOrEqual(1 + 5 + 10);
  provider.keys = [third.jwk];
  for (let sent = 0; sent < 60; sent++) {
    clock += 100;
    await refused(stranger, { kid: `later-${sent}` });
  }
  await accepted(third);
  expect(fetches()).toBeLessThanOrEqual(1 + 5 + 11);
});

it('a clock that is put back stops no fetch', async () => {
  await accepted(first);
  for (let sent = 0; sent < 10; sent++) await refused(stranger);
  clock -= 60_000;
  provider.keys = [second.jwk];
  await accepted(second);
});

it('unknown kids that come at the same moment share a fetch', async () => {
  await accepted(first);
  await Promise.all(Array.from({ length: 200 }, (_, index) => refused(stranger, { kid: `forged-${index}` })));
  expect(fetches()).toBeLessThanOrEqual(3);
});

it('a rotation that a fetch under way can not know of any more is found too', async () => {
  await accepted(first);
  const old = JSON.stringify({ keys: [first.jwk] });
  const asked = Promise.withResolvers<void>();
  let answerOld: () => void = () => undefined;
  provider.answer = (path, response) => {
    if (path !== '/jwks') return response.end(`{"issuer":"${provider.issuer}","jwks_uri":"${provider.issuer}/jwks"}`);
    answerOld = () => response.end(old);
    return asked.resolve();
  };
  const forged = refused(stranger);
  await asked.promise;
  provider.answer = undefined;
  provider.keys = [second.jwk];
  const genuine = accepted(second);
  answerOld();
  await Promise.all([forged, genuine]);
});
