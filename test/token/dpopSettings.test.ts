/** Proofs of a key under the settings that change them: nonces, and the address by which callers know the service. */
import * as openid from 'openid-client';
import { startTestApp, type TestApp } from '../support/app.js';
import { type ProofParts, proofFor } from '../support/dpopProofs.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

let app: TestApp;
afterEach(() => app.close());

it('DPOP_NONCE=yes asks for a nonce, which libraries then send by themselves, at /token and at the administration', async () => {
  app = await startTestApp({ DPOP_NONCE: 'yes' });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const form = () =>
    new URLSearchParams({
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      client_id: clientId,
      client_secret: clientSecret,
    });
  const ask = async (claims: object = {}) =>
    fetch(`${app.url}/token`, {
      method: 'POST',
      headers: { dpop: await proofFor(`${app.url}/token`, 'POST', { claims }) },
      body: form(),
    });
  const first = await ask();
  const nonce = first.headers.get('dpop-nonce')!;
  expect([first.status, await first.json()]).toMatchObject([400, { error: 'use_dpop_nonce' }]);
  expect((await ask({ nonce: 'another' })).status).toBe(400);
  const issued = await ask({ nonce });
  const { access_token } = (await issued.json()) as { access_token: string };
  expect([issued.status, issued.headers.get('dpop-nonce')]).toEqual([200, expect.any(String)]);
  const configuration = await openid.discovery(
    new URL(app.url),
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
    {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    },
  );
  const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair());
  const subject = {
    subject_token: app.idToken({ sub: userGuid }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId,
  };
  const tokens = await openid.genericGrantRequest(configuration, tokenExchange, subject, { DPoP });
  const body = JSON.stringify({ query: '{ viewer { profileId } }' });
  const answer = await openid.fetchProtectedResource(
    configuration,
    tokens.access_token,
    new URL(`${app.url}/graphql`),
    'POST',
    body,
    new Headers({ 'content-type': 'application/json' }),
    { DPoP },
  );
  expect(answer.status).toBe(200);
  const unknown = await fetch(`${app.url}/graphql?query={__typename}`, {
    headers: {
      authorization: `DPoP ${access_token}`,
      dpop: await proofFor(`${app.url}/graphql`, 'GET', { accessToken: access_token }),
    },
  });
  expect([unknown.status, unknown.headers.get('www-authenticate'), unknown.headers.get('dpop-nonce')]).toEqual([
    401,
    expect.stringContaining('use_dpop_nonce'),
    expect.any(String),
  ]);
});

it('a refusal of DPOP_NONCE=yes has the nonce once at every door: two would be no nonce', async () => {
  app = await startTestApp({ DPOP_NONCE: 'yes' });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const asked = (address: string, method: string, more: ProofParts = {}) => proofFor(address, method, more);
  const form = () =>
    new URLSearchParams({
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      client_id: clientId,
      client_secret: clientSecret,
    });
  const exchange = async (claims: object) =>
    fetch(`${app.url}/token`, {
      method: 'POST',
      headers: { dpop: await asked(`${app.url}/token`, 'POST', { claims }) },
      body: form(),
    });
  const nonce = (await exchange({})).headers.get('dpop-nonce')!;
  const { access_token: accessToken } = (await (await exchange({ nonce })).json()) as { access_token: string };
  const api = 'https://api.example/orders';
  const forwarded = {
    'x-forwarded-method': 'GET',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example',
    'x-forwarded-uri': '/orders',
  };
  const doors = [
    ['/verify', 'GET', api, forwarded],
    ['/access/v1/evaluation', 'POST', `${app.url}/access/v1/evaluation`, { 'content-type': 'application/json' }],
    ['/api/applications', 'GET', `${app.url}/api/applications`, { 'api-version': '1.0' }],
  ] as const;
  for (const [path, method, address, headers] of doors) {
    const dpop = await asked(address, method, { accessToken });
    const answer = await fetch(app.url + path, {
      method,
      headers: { ...headers, authorization: `DPoP ${accessToken}`, dpop },
      ...(method === 'POST' && { body: '{}' }),
    });
    expect([path, answer.status, answer.headers.get('dpop-nonce')]).toEqual([path, 401, nonce]);
  }
  const dpop = await asked(api, 'GET', { accessToken, claims: { nonce } });
  const headers = { ...forwarded, authorization: `DPoP ${accessToken}`, dpop };
  expect((await fetch(`${app.url}/verify`, { headers })).status).toBe(204);
});

it('htu is the public address: ISSUER_URL, with what stands below BASE_PATH', async () => {
  app = await startTestApp({ ISSUER_URL: 'https://auth.example/base', BASE_PATH: '/base' });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const ask = async (htu: string) =>
    (
      await fetch(`${app.url}/base/token`, {
        method: 'POST',
        headers: { dpop: await proofFor(htu, 'POST') },
        body: new URLSearchParams({
          ...exchangeBody(app.idToken({ sub: userGuid })),
          profileId,
          client_id: clientId,
          client_secret: clientSecret,
        }),
      })
    ).status;
  expect([await ask('https://auth.example/base/token'), await ask(`${app.url}/base/token`)]).toEqual([200, 400]);
});
