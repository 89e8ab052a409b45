/** APIs that verify access tokens by standard libraries, unmodified, under steady requests: a key rotation costs no refusal. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import { rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { elapse } from '../support/until.js';
import { startGuardedApi } from './guardedApi.js';

type Algorithm = 'RS256' | 'ES256';
/** Throws when the library refuses the token. */
type Verify = (token: string) => Promise<unknown>;

/** Issues access tokens of RFC 9068 to one user, as often as it is asked. */
async function openIssuing(app: TestApp): Promise<() => Promise<string>> {
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  return async () => {
    const body = new URLSearchParams({
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      client_id: clientId,
      client_secret: clientSecret,
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await app.post('/token', body.toString(), form)).json.access_token;
  };
}

async function startApi(options: object): Promise<Verify> {
  const call = await startGuardedApi(options);
  return async (token) => {
    const response = await call(token);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
}

/** @param cooldownDuration milliseconds after a look at the keys in which jose doesn't look again; 30,000 when not told */
async function openLibraries(app: TestApp, alg: Algorithm, cooldownDuration = 30_000) {
  const { issuerUrl: issuer } = app.running.dependencies;
  const jwksUri = `${app.url}/.well-known/jwks.json`;
  const remote = createRemoteJWKSet(new URL(jwksUri), { cooldownDuration });
  // requires jose by CommonJS, which the test runner only gives when jose is loaded already
  const { default: jwksRsa } = await import('jwks-rsa');
  const client = jwksRsa({ jwksUri, cache: true });
  const apis = [
    await startApi({ issuerBaseURL: issuer, audience: 'GRID', tokenSigningAlg: alg, cooldownDuration }),
    await startApi({ issuer, jwksUri, audience: 'IOT', tokenSigningAlg: alg, strict: true, cooldownDuration }),
  ];
  const verifiers: Record<string, Verify> = {
    jose: (token) => jwtVerify(token, remote, { issuer, audience: 'GRID', typ: 'at+jwt', algorithms: [alg] }),
    'jwks-rsa and jsonwebtoken': async (token) => {
      const key = await client.getSigningKey(decodeProtectedHeader(token).kid);
      jsonwebtoken.verify(token, key.getPublicKey(), { issuer, audience: 'IOT', algorithms: [alg] });
    },
    'express-oauth2-jwt-bearer by discovery': apis[0]!,
    'express-oauth2-jwt-bearer, strict': apis[1]!,
  };
  return verifiers;
}

interface Judged {
  library: string;
  kid: string;
  /** Undefined: verified. */
  refusal?: string;
}

/** Rotates so many times under steady requests; all that the libraries judged, and the keys in their order. */
async function rotateUnderRequests(app: TestApp, alg: Algorithm, verifiers: Record<string, Verify>, rotations: number) {
  const issue = await openIssuing(app);
  const tokens = [await issue()];
  const judged: Judged[] = [];
  let isEnded = false;
  /** One caller of one API: the newest token and an older one, in turn. */
  const call = async (library: string, verify: Verify) => {
    for (let count = 0; !isEnded; count++) {
      const token = count % 2 ? tokens.at(-1)! : tokens[count % tokens.length]!;
      const kid = decodeProtectedHeader(token).kid!;
      await verify(token).then(
        () => judged.push({ library, kid }),
        (error: unknown) => judged.push({ library, kid, refusal: String(error) }),
      );
      await elapse(5);
    }
  };
  const callers = Object.entries(verifiers).flatMap(([library, verify]) => [
    call(library, verify),
    call(library, verify),
  ]);
  const isJudgedByAll = (kid: string) =>
    Object.keys(verifiers).every(
      (library) => judged.filter((each) => each.library === library && each.kid === kid).length >= 20,
    );
  const kids = [decodeProtectedHeader(tokens[0]!).kid!];
  const { sql, encryptionKeys } = app.context;
  for (let rotation = 0; rotation <= rotations; rotation++) {
    // as another process does it, in the midst of requests
    if (rotation > 0) kids.push(await rotateSigningKey({ sql, encryptionKeys, signingAlg: alg }));
    while (!isJudgedByAll(kids.at(-1)!)) tokens.push(await issue());
  }
  isEnded = true;
  await Promise.all(callers);
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(new Set(kids));
  return { tokens, kids, refused: judged.filter(({ refusal }) => refusal !== undefined) };
}

describe.each<Algorithm>(['RS256', 'ES256'])('%s', (alg) => {
  let app: TestApp;
  const open = async (cooldownDuration?: number) => {
    // which jose is asked to require here
    app = await startTestApp({ SIGNING_ALG: alg, ACCESS_TOKEN_TYP: 'at+jwt' });
    return openLibraries(app, alg, cooldownDuration);
  };

  it('every library goes on through a live rotation without one false refusal', async () => {
    const verifiers = await open();
    const { tokens, refused } = await rotateUnderRequests(app, alg, verifiers, 1);
    expect(refused).toEqual([]);
    for (const verify of Object.values(verifiers))
      for (const token of [tokens[0]!, tokens.at(-1)!]) await verify(token);
    // and it is no accident: they do refuse
    const [head, body] = tokens[0]!.split('.');
    const forged = `${head}.${body}.${tokens.at(-1)!.split('.')[2]}`;
    for (const verify of Object.values(verifiers)) await expect(verify(forged)).rejects.toThrow();
  });

  it('rotations one right after the other cost no refusal where the pause since the last look at the keys is over', async () => {
    const verifiers = await open(1);
    const { kids, refused } = await rotateUnderRequests(app, alg, verifiers, 3);
    expect([kids.length, refused]).toEqual([4, []]);
  });

  it('within that pause of 30 s only tokens of a key that was not published before it are refused, and no others', async () => {
    const verifiers = await open();
    const { kids, refused } = await rotateUnderRequests(app, alg, verifiers, 2);
    for (const { library, kid, refusal } of refused) {
      expect([library, kid]).toEqual([expect.not.stringContaining('jwks-rsa'), kids[2]]);
      expect(refusal).toContain('no applicable key');
    }
    // as docs/run/keys.md says of a second rotation
    expect(refused).not.toEqual([]);
  });
});
