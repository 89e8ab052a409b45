import { randomUUID } from 'node:crypto';
import * as oauth from 'oauth4webapi';

const { GATEHOUSE, KEY_CLIENT_ID, CLIENT_KEY, ID_TOKEN, PROFILE_ID } = process.env;
const insecure = { [oauth.allowInsecureRequests]: GATEHOUSE.startsWith('http:') };
const issuer = new URL(GATEHOUSE);
const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
const server = await oauth.processDiscoveryResponse(issuer, discovery);
const client = { client_id: KEY_CLIENT_ID };
const jwk = JSON.parse(CLIENT_KEY);
const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
const authentication = oauth.PrivateKeyJwt({ key, kid: jwk.kid });
const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
const exchange = (scope) =>
  oauth.genericTokenEndpointRequest(
    server,
    client,
    authentication,
    'urn:ietf:params:oauth:grant-type:token-exchange',
    {
      subject_token: ID_TOKEN,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      profileId: PROFILE_ID,
      audience: 'GRID',
      scope,
    },
    { DPoP, ...insecure },
  );
const tokens = await oauth.processGenericTokenEndpointResponse(server, client, await exchange('site:north'));
const refused = await oauth
  .processGenericTokenEndpointResponse(server, client, await exchange('site:moon'))
  .catch((error) => error.error);
const options = { DPoP, headers: { 'idempotency-key': randomUUID() }, ...insecure };
const renew = () => oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, options);
const lost = await (await renew()).json(); // discarded
const renewed = await oauth.processRefreshTokenResponse(server, client, await renew());
console.log(renewed.token_type, tokens.scope, refused, renewed.refresh_token === lost.refresh_token);
