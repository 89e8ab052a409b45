/** ID tokens of the console's own client sign in to the console, and are good for nothing else; nor are others there. */
import { IdTokenInvalid } from '../../src/auth/idToken.js';
import { accepted, beginEachTrial, claims, openVerifier, refused, trial } from './idTokenTrial.js';
import { makeKey, makeToken } from './localProvider.js';

const key = makeKey('first');
beginEachTrial([key]);
beforeEach(() => {
  trial.verifier = openVerifier({ console: { clientId: 'console' } });
});

const atCallback = (token: string) => trial.verifier.verify(token, 'console');
const refusedThere = (token: string) => expect(atCallback(token)).rejects.toBeInstanceOf(IdTokenInvalid);

it('each is taken where it belongs', async () => {
  await accepted(makeToken(key, claims()));
  await expect(atCallback(makeToken(key, claims({ aud: 'console' })))).resolves.toMatchObject({ sub: 'user-1' });
});

it.each([
  ['the console alone', { aud: 'console' }],
  ['the console among others', { aud: ['gatehouse', 'console'] }],
  ['the console by azp', { azp: 'console' }],
])('one for %s is not exchanged', async (_case, more) => {
  await refused(makeToken(key, claims(more)));
});

it.each([
  ['for who exchanges', {}],
  ['issued to another party', { aud: ['console', 'other'], azp: 'other' }],
  ['that is too old', { aud: 'console', iat: 1, exp: 4_000_000_000 }],
  ['that is a logout token', { aud: 'console', events: {} }],
])('one %s signs nobody in', async (_case, more) => {
  await refusedThere(makeToken(key, claims(more)));
});

it('nobody signs in by an issuer that is none of the console', async () => {
  trial.verifier = openVerifier();
  await refusedThere(makeToken(key, claims()));
  await refusedThere(makeToken(key, claims({ aud: 'console' })));
});
