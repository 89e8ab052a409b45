/** APIs that verify access tokens by standard libraries, unmodified, under steady requests: a key rotation costs no refusal. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import { rotateSigningKey } from '../../src/services/signingKeys.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

type Algorithm = 'RS256' | 'ES256';
/** Throws when the library refuses the token. */
type Verify = (token: string) => Promise<unknown>;

/** Issues access tokens of RFC 9068 to one user, as often as it is asked. */
async function openIssuing(app: TestApp): Promise<() => Promise<string>> {
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  return async () => {
    const body = new URLSearchParams({
      grant_type: 'urn:service:authz:exchange',
      id_token: app.idToken({ sub: userGuid }),
      profileId,
      client_id: clientId,
      client_secret: clientSecret,
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await app.post('/token', body.toString(), form)).json.access_token;
  };
}

/** An API on a port of its own that express-oauth2-jwt-bearer guards. */
async function startApi(options: object): Promise<{ verify: Verify; close(): void }> {
  const { auth } = await import('express-oauth2-jwt-bearer');
  const api = express();
  api.get('/', auth(options), (request, response) => void response.json(request.auth!.payload));
  const tell: ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(error.status).send(String(error));
  const server = api.use(tell).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const verify: Verify = async (token) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
  return { verify, close: () => void server.close() };
}

async function openLibraries(app: TestApp, alg: Algorithm) {
  const { issuerUrl: issuer } = app.running.dependencies;
  const jwksUri = `${app.url}/.well-known/jwks.json`;
  const remote = createRemoteJWKSet(new URL(jwksUri));
  // requires jose by CommonJS, which the test runner only gives when jose is loaded already
  const { default: jwksRsa } = await import('jwks-rsa');
  const client = jwksRsa({ jwksUri, cache: true });
  const apis = [
    await startApi({ issuerBaseURL: issuer, audience: 'GRID', tokenSigningAlg: alg }),
    await startApi({ issuer, jwksUri, audience: 'IOT', tokenSigningAlg: alg, strict: true }),
  ];
  const verifiers: Record<string, Verify> = {
    jose: (token) => jwtVerify(token, remote, { issuer, audience: 'GRID', typ: 'at+jwt', algorithms: [alg] }),
    'jwks-rsa and jsonwebtoken': async (token) => {
      const key = await client.getSigningKey(decodeProtectedHeader(token).kid);
      jsonwebtoken.verify(token, key.getPublicKey(), { issuer, audience: 'IOT', algorithms: [alg] });
    },
    'express-oauth2-jwt-bearer by discovery': apis[0]!.verify,
    'express-oauth2-jwt-bearer, strict': apis[1]!.verify,
  };
  const close = () => {
    for (const api of apis) api.close();
  };
  return { verifiers, close };
}

it.each<Algorithm>([
  'RS256',
  'ES256',
])('%s: every library goes on through a live rotation without one false refusal', async (alg) => {
  const app = await startTestApp({ SIGNING_ALG: alg });
  const { verifiers, close } = await openLibraries(app, alg);
  try {
    const issue = await openIssuing(app);
    const tokens = [await issue()];
    const verified: { library: string; kid: string }[] = [];
    const refusals: string[] = [];
    let isEnded = false;
    /** One caller of one API: the newest token and an older one, in turn. */
    const call = async (library: string, verify: Verify) => {
      for (let count = 0; !isEnded; count++) {
        const token = count % 2 ? tokens.at(-1)! : tokens[count % tokens.length]!;
        const kid = decodeProtectedHeader(token).kid!;
        await verify(token).then(
          () => verified.push({ library, kid }),
          (error: unknown) => refusals.push(`${library}: ${error}`),
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const callers = Object.entries(verifiers).flatMap(([library, verify]) => [
      call(library, verify),
      call(library, verify),
    ]);
    const isSeenByAll = (kid: string) =>
      Object.keys(verifiers).every(
        (library) => verified.filter((each) => each.library === library && each.kid === kid).length >= 20,
      );
    const goOn = async (kid: string) => {
      while (!isSeenByAll(kid) && refusals.length === 0) tokens.push(await issue());
    };
    const first = decodeProtectedHeader(tokens[0]!).kid!;
    await goOn(first);
    // as another process does it, in the midst of requests
    const { sql, encryptionKeys } = app.context;
    const second = await rotateSigningKey({ sql, encryptionKeys, signingAlg: alg });
    await goOn(second);
    isEnded = true;
    await Promise.all(callers);
    expect(refusals).toEqual([]);
    expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(new Set([first, second]));
    for (const verify of Object.values(verifiers))
      for (const token of [tokens[0]!, tokens.at(-1)!]) await verify(token);
    // and it is no accident: they do refuse
    const [head, body] = tokens[0]!.split('.');
    const forged = `${head}.${body}.${tokens.at(-1)!.split('.')[2]}`;
    for (const verify of Object.values(verifiers)) await expect(verify(forged)).rejects.toThrow();
  } finally {
    close();
    await app.close();
  }
});
