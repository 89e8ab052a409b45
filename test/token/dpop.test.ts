/** Tokens bound to a key (RFC 9449): with standard libraries, at the token endpoints and at the administration. */
import { calculateJwkThumbprint, decodeJwt, type JWK } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { now, own, type Pair, type ProofParts, pair, proofFor } from '../support/dpopProofs.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

interface Client {
  clientId: string;
  clientSecret: string;
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const insecure = { [oauth.allowInsecureRequests]: true };
const otherPair = pair();
const jktOf = ({ publicKey }: Pair) => calculateJwkThumbprint(publicKey.export({ format: 'jwk' }) as JWK);

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let client: Client;
  let holder: { userGuid: string; profileId: string };
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy });
    client = await newClient(app.context);
    holder = await newHolder(app.context);
  });
  afterAll(() => app.close());

  const as = ({ clientId, clientSecret }: Client) => ({ client_id: clientId, client_secret: clientSecret });
  async function send(path: string, form: object, proof?: string): Promise<Answer> {
    const headers = proof === undefined ? {} : { dpop: proof };
    const body = new URLSearchParams({ ...form });
    return readAnswer(await fetch(app.url + path, { method: 'POST', headers, body }));
  }
  const proof = (parts: ProofParts = {}) => proofFor(parts.url ?? `${app.url}/token`, 'POST', parts);
  const exchange = async (given?: string, who = client): Promise<Answer> =>
    send(
      '/token',
      { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId, ...as(who) },
      given,
    );
  const renew = async (token: string, given?: string, who = client): Promise<Answer> =>
    send('/token', { ...renewalBody(token), ...as(who) }, given);
  const refused = ({ status, json }: Answer, error: string) => expect([status, json.error]).toEqual([400, error]);

  it('oauth4webapi, unmodified: exchange, renewal, and a call of the administration', async () => {
    const issuer = new URL(app.url);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    expect(server.dpop_signing_alg_values_supported).toContain('ES256');
    const who: oauth.Client = { client_id: client.clientId };
    const method = oauth.ClientSecretPost(client.clientSecret);
    const DPoP = oauth.DPoP(who, await oauth.generateKeyPair('ES256'));
    const options = { DPoP, ...insecure };
    const subject = {
      subject_token: app.idToken({ sub: holder.userGuid }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      profileId: holder.profileId,
    };
    const answer = await oauth.genericTokenEndpointRequest(server, who, method, tokenExchange, subject, options);
    const issued = await oauth.processGenericTokenEndpointResponse(server, who, answer);
    expect(issued.token_type).toBe('dpop');
    const renewal = await oauth.refreshTokenGrantRequest(server, who, method, issued.refresh_token!, options);
    const renewed = await oauth.processRefreshTokenResponse(server, who, renewal);
    const url = new URL(`${app.url}/graphql?query=${encodeURIComponent('{viewer{profileId}}')}`);
    const called = await oauth.protectedResourceRequest(
      renewed.access_token,
      'GET',
      url,
      new Headers({ 'content-type': 'application/json' }),
      null,
      options,
    );
    expect(await called.json()).toEqual({ data: { viewer: { profileId: holder.profileId } } });
  });

  it('openid-client, unmodified: exchange, renewal, and a call of the administration', async () => {
    const configuration = await openid.discovery(
      new URL(app.url),
      client.clientId,
      undefined,
      openid.ClientSecretPost(client.clientSecret),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair());
    const subject = {
      subject_token: app.idToken({ sub: holder.userGuid }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      profileId: holder.profileId,
    };
    const issued = await openid.genericGrantRequest(configuration, tokenExchange, subject, { DPoP });
    const renewed = await openid.refreshTokenGrant(configuration, issued.refresh_token!, undefined, { DPoP });
    const body = JSON.stringify({ query: '{ viewer { profileId } }' });
    const answer = await openid.fetchProtectedResource(
      configuration,
      renewed.access_token,
      new URL(`${app.url}/graphql`),
      'POST',
      body,
      new Headers({ 'content-type': 'application/json' }),
      { DPoP },
    );
    expect(await answer.json()).toEqual({ data: { viewer: { profileId: holder.profileId } } });
  });

  it('the access token says its key, and so do /validate-token and /introspect of both tokens', async () => {
    const { json } = await exchange(await proof());
    const cnf = { jkt: await jktOf(own) };
    expect([json.token_type, decodeJwt(json.access_token).cnf]).toEqual(['DPoP', cnf]);
    const validated = await app.post('/validate-token', { token: json.access_token, ...as(client) });
    expect(validated.json.claims.cnf).toEqual(cnf);
    expect((await send('/introspect', { token: json.access_token, ...as(client) })).json).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf,
    });
    expect((await send('/introspect', { token: json.refresh_token, ...as(client) })).json).toMatchObject({ cnf });
  });

  it('a bound renewal token is good with its key alone, and a refusal uses nothing up', async () => {
    const { refresh_token } = (await exchange(await proof())).json;
    refused(await renew(refresh_token), 'invalid_dpop_proof');
    refused(await renew(refresh_token, await proof({ key: otherPair })), 'invalid_grant');
    refused(await renew(refresh_token, 'no proof'), 'invalid_dpop_proof');
    const renewed = await renew(refresh_token, await proof());
    expect([renewed.status, renewed.json.token_type]).toEqual([200, 'DPoP']);
    refused(await renew(renewed.json.refresh_token, await proof({ key: otherPair })), 'invalid_grant');
  });

  it('a renewal with a proof binds a token that was bound to none', async () => {
    const { refresh_token } = (await exchange()).json;
    const bound = (await renew(refresh_token, await proof())).json;
    expect(bound.token_type).toBe('DPoP');
    refused(await renew(bound.refresh_token), 'invalid_dpop_proof');
  });

  it('the documented dialect takes proofs too, and asks for them by the record', async () => {
    const ask = async (body: object, given?: string) =>
      app.post('/token', { profileId: holder.profileId, ...as(client), ...body }, given ? { dpop: given } : {});
    const issued = await ask(exchangeBody(app.idToken({ sub: holder.userGuid })), await proof());
    expect(issued.json.token_type).toBe('DPoP');
    const unproven = await ask(renewalBody(issued.json.refresh_token));
    expect([unproven.status, unproven.json]).toEqual([400, { error: 'invalid_dpop_proof' }]);
    const stolen = await ask(renewalBody(issued.json.refresh_token), await proof({ key: otherPair }));
    expect([stolen.status, stolen.text]).toEqual([401, '']);
    expect((await ask(renewalBody(issued.json.refresh_token), await proof())).status).toBe(200);
  });

  it.each([
    ['another address', { url: 'https://another.example/token' }],
    ['another method', { claims: { htm: 'GET' } }],
    ['an old time', { claims: { iat: now() - 120 } }],
    ['a time ahead', { claims: { iat: now() + 120 } }],
    ['no jti', { claims: { jti: undefined } }],
    ['another typ', { header: { typ: 'JWT' } }],
    ['a private key in it', { header: { jwk: own.privateKey.export({ format: 'jwk' }) } }],
    ['the key of somebody else in it', { header: { jwk: otherPair.publicKey.export({ format: 'jwk' }) } }],
  ])('a proof with %s is none, at exchange and renewal', async (_what, parts) => {
    const { refresh_token } = (await exchange(await proof())).json;
    refused(await exchange(await proof(parts)), 'invalid_dpop_proof');
    refused(await renew(refresh_token, await proof(parts)), 'invalid_dpop_proof');
    expect((await renew(refresh_token, await proof())).status).toBe(200);
  });

  it('two headers are no proof', async () => {
    refused(await exchange(`${await proof()}, ${await proof()}`), 'invalid_dpop_proof');
  });

  it('a proof of a client that could not be authenticated leaves nothing', async () => {
    const count = async () =>
      (await app.context.sql.rows<{ n: number }>('select count(*)::int as n from single_uses'))[0]!.n;
    const before = await count();
    await exchange(await proof(), { ...client, clientSecret: 'wrong' });
    expect(await count()).toBe(before);
  });

  it('a client that was deactivated learns nothing about its proof, in both dialects and for every grant', async () => {
    const gone = await newClient(app.context);
    const { refresh_token } = (await exchange(await proof(), gone)).json;
    await app.context.sql.rows('update clients set is_active = false where client_id = $1', [gone.clientId]);
    const body = { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId, ...as(gone) };
    for (const bad of ['no proof', await proof({ url: `${app.url}/other` })]) {
      const { status, json } = await exchange(bad, gone);
      expect([status, json.error]).toEqual([401, 'invalid_client']);
      expect((await renew(refresh_token, bad, gone)).json.error).toBe('invalid_client');
      const profiles = { id_token: app.idToken({ sub: holder.userGuid }), ...as(gone) };
      expect((await send('/profiles', profiles, bad)).json.error).toBe('invalid_client');
      for (const asked of [body, { ...renewalBody(refresh_token), profileId: holder.profileId, ...as(gone) }])
        expect((await app.post('/token', asked, { dpop: bad })).json).toEqual({ error: 'Invalid client credentials' });
    }
  });

  it('a proof is good once, however many processes are asked at the same moment', async () => {
    const other = await startTestApp({ TOKEN_POLICY: policy, DATABASE_URL: app.database.url, ISSUER_URL: app.url });
    const given = await proof();
    const body = () =>
      new URLSearchParams({
        ...exchangeBody(app.idToken({ sub: holder.userGuid })),
        profileId: holder.profileId,
        ...as(client),
      });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        fetch(`${index % 2 ? app.url : other.url}/token`, { method: 'POST', headers: { dpop: given }, body: body() }),
      ),
    );
    const errors = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { error?: string }).error),
    );
    const statuses = answers.map(({ status }, index) => (errors[index] === 'invalid_dpop_proof' ? 'replayed' : status));
    expect(statuses.filter((status) => status !== 'replayed')).toHaveLength(1);
    await other.close();
  });

  it('a client with dpopRequired gets no token without a proof, in both dialects', async () => {
    const strict = await newClient(app.context, undefined, { dpop_required: true });
    refused(await exchange(undefined, strict), 'invalid_dpop_proof');
    const body = { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId, ...as(strict) };
    expect((await app.post('/token', body)).json).toEqual({ error: 'invalid_dpop_proof' });
    const { refresh_token } = (await exchange(await proof(), strict)).json;
    expect((await renew(refresh_token, await proof(), strict)).status).toBe(200);
  });

  it('dpopRequired that is set later asks for a proof at the next renewal', async () => {
    const later = await newClient(app.context);
    const { refresh_token } = (await exchange(undefined, later)).json;
    await app.context.sql.rows('update clients set dpop_required = true where client_id = $1', [later.clientId]);
    refused(await renew(refresh_token, undefined, later), 'invalid_dpop_proof');
    expect((await renew(refresh_token, await proof(), later)).status).toBe(200);
  });

  it('a lost answer of a bound renewal is given again to its key alone', async () => {
    const { refresh_token } = (await exchange(await proof())).json;
    const ask = async (given: string) =>
      readAnswer(
        await fetch(`${app.url}/token`, {
          method: 'POST',
          headers: { dpop: given, 'idempotency-key': 'a-key-for-this-renewal' },
          body: new URLSearchParams({ ...renewalBody(refresh_token), ...as(client) }),
        }),
      );
    const first = await ask(await proof());
    expect((await ask(await proof())).json.refresh_token).toBe(first.json.refresh_token);
    refused(await ask(await proof({ key: otherPair })), 'invalid_grant');
    expect((await renew(first.json.refresh_token, await proof())).status).toBe(200);
  });

  describe('at the administration', () => {
    const path = '/api/applications';
    const call = (authorization: string, given?: string) =>
      fetch(app.url + path, { headers: { authorization, 'api-version': '1.0', ...(given && { dpop: given }) } });
    const challenge = (answer: Response) => [answer.status, answer.headers.get('www-authenticate')?.split(',')[0]];
    let accessToken: string;
    beforeEach(async () => {
      accessToken = (await exchange(await proof())).json.access_token;
    });
    const apiProof = (parts: ProofParts = {}) => proofFor(app.url + path, 'GET', { accessToken, ...parts });

    it('a bound token is taken with a proof of its key', async () => {
      // known, but no administrator
      expect((await call(`DPoP ${accessToken}`, await apiProof())).status).toBe(403);
    });

    it('never as a Bearer token, and no other token with DPoP', async () => {
      expect(challenge(await call(`Bearer ${accessToken}`, await apiProof()))).toEqual([
        401,
        'DPoP error="invalid_token"',
      ]);
      const free = (await exchange()).json.access_token;
      const given = await apiProof({ accessToken: free });
      expect(challenge(await call(`DPoP ${free}`, given))).toEqual([401, 'DPoP error="invalid_token"']);
    });

    it.each([
      ['no proof', async () => undefined, 'invalid_dpop_proof'],
      ['a proof for another address', () => apiProof({ claims: { htu: `${app.url}/graphql` } }), 'invalid_dpop_proof'],
      ['a proof for another method', () => apiProof({ claims: { htm: 'POST' } }), 'invalid_dpop_proof'],
      ['a proof without ath', () => apiProof({ accessToken: '' }), 'invalid_dpop_proof'],
      ['a proof for another token', () => apiProof({ accessToken: 'another' }), 'invalid_dpop_proof'],
      ['a proof of another key', () => apiProof({ key: otherPair }), 'invalid_token'],
    ])('%s is refused', async (_what, given, error) => {
      const answer = await call(`DPoP ${accessToken}`, await given());
      expect(challenge(answer)).toEqual([401, `DPoP error="${error}"`]);
      expect(answer.headers.get('www-authenticate')).toContain('algs="ES256 ');
    });

    it('a proof is good once', async () => {
      const given = await apiProof();
      expect((await call(`DPoP ${accessToken}`, given)).status).toBe(403);
      expect(challenge(await call(`DPoP ${accessToken}`, given))).toEqual([401, 'DPoP error="invalid_dpop_proof"']);
    });
  });
});
