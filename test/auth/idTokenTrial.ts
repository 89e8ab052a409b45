/** For each test a provider of its own on this machine, and a verifier that believes it; what becomes of a token there. */

import {
  IdentityProviderUnavailable,
  IdTokenInvalid,
  type IdTokenVerifier,
  openIdTokenVerifier,
} from '../../src/auth/idToken.js';
import type { IdTokenIssuer } from '../../src/config/config.js';
import type { JsonObject } from '../../src/jsonObject.js';
import { type LocalProvider, type ProviderKey, startProvider } from './localProvider.js';

/** When each test begins, in seconds since 1970. */
export const startSeconds = 1_800_000_000;

interface Trial {
  provider: LocalProvider;
  verifier: IdTokenVerifier;
  /** Milliseconds since 1970. */
  clock: number;
  /** What the verifier logged. */
  events: object[];
}

/** The trial of the test that is running. */
export const trial = {} as Trial;

export function beginEachTrial(keys: readonly ProviderKey[]): void {
  beforeEach(async () => {
    Object.assign(trial, { provider: await startProvider([...keys]), clock: startSeconds * 1_000, events: [] });
    trial.verifier = openVerifier();
  });
  afterEach(() => trial.provider.close());
}

export function openVerifier(overrides: Partial<IdTokenIssuer> = {}): IdTokenVerifier {
  const { provider, events } = trial;
  const issuer = { issuer: provider.issuer, audience: 'gatehouse', idpname: 'local', subject: 'userGuid' as const };
  const options = {
    log: (details: object, message: string) => events.push({ ...details, message }),
    now: () => trial.clock,
    timeoutMs: 1_500,
  };
  return openIdTokenVerifier([{ ...issuer, ...overrides }], options);
}

export function claims(overrides: JsonObject = {}): JsonObject {
  return {
    iss: trial.provider.issuer,
    aud: 'gatehouse',
    sub: 'user-1',
    iat: startSeconds,
    exp: startSeconds + 900,
    ...overrides,
  };
}

export const refused = (token: string) => expect(trial.verifier.verify(token)).rejects.toBeInstanceOf(IdTokenInvalid);
export const unjudged = (token: string) =>
  expect(trial.verifier.verify(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
export const accepted = (token: string) =>
  expect(trial.verifier.verify(token)).resolves.toMatchObject({ sub: 'user-1' });
export const jwksFetches = () => trial.provider.asked.filter((path) => path === '/jwks').length;
