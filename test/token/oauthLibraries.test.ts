/** Standard OAuth libraries, unmodified, work against the service: through a whole life of tokens. */
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

let app: TestApp;
let client: { clientId: string; clientSecret: string };
let exchange: () => Record<string, string>;
beforeAll(async () => {
  // validateJwtAccessToken of oauth4webapi accepts no other
  app = await startTestApp({ ACCESS_TOKEN_TYP: 'at+jwt' });
  client = await newClient(app.context, 'a secret: with + and %');
  const holder = await newHolder(app.context);
  exchange = () => ({
    subject_token: app.idToken({ sub: holder.userGuid }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: holder.profileId,
  });
});
afterAll(() => app.close());
const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const insecure = { [oauth.allowInsecureRequests]: true };

it.each([
  ['client_secret_basic', () => oauth.ClientSecretBasic(client.clientSecret)],
  ['client_secret_post', () => oauth.ClientSecretPost(client.clientSecret)],
])('oauth4webapi with %s', async (_name, method) => {
  const issuer = new URL(app.url);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const who = { client_id: client.clientId };
  const request = await oauth.genericTokenEndpointRequest(server, who, method(), grant, exchange(), insecure);
  const issued = await oauth.processGenericTokenEndpointResponse(server, who, request);
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    who,
    await oauth.refreshTokenGrantRequest(server, who, method(), issued.refresh_token!, insecure),
  );
  const introspected = await oauth.processIntrospectionResponse(
    server,
    who,
    await oauth.introspectionRequest(server, who, method(), renewed.access_token, insecure),
  );
  expect(introspected).toMatchObject({ active: true, client_id: client.clientId });
  const api = new Request('http://api.test/', { headers: { authorization: `Bearer ${renewed.access_token}` } });
  const claims = await oauth.validateJwtAccessToken(server, api, 'GRID', insecure);
  expect(claims.client_id).toBe(client.clientId);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, who, method(), renewed.refresh_token!, insecure),
  );
  const again = await oauth.refreshTokenGrantRequest(server, who, method(), renewed.refresh_token!, insecure);
  await expect(oauth.processRefreshTokenResponse(server, who, again)).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('openid-client', async () => {
  const configuration = await openid.discovery(
    new URL(app.url),
    client.clientId,
    undefined,
    openid.ClientSecretBasic(client.clientSecret),
    {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    },
  );
  const issued = await openid.genericGrantRequest(configuration, grant, exchange());
  const renewed = await openid.refreshTokenGrant(configuration, issued.refresh_token!);
  expect(await openid.tokenIntrospection(configuration, renewed.access_token)).toMatchObject({ active: true });
  await openid.tokenRevocation(configuration, renewed.refresh_token!);
  await expect(openid.refreshTokenGrant(configuration, renewed.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});
