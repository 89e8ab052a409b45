import * as oauth from 'oauth4webapi';

const { GATEHOUSE, CLIENT_ID, CLIENT_SECRET, ID_TOKEN, PROFILE_ID } = process.env;
const options = { [oauth.allowInsecureRequests]: GATEHOUSE.startsWith('http:') };
const issuer = new URL(GATEHOUSE);
const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
const server = await oauth.processDiscoveryResponse(issuer, discovery);
const client = { client_id: CLIENT_ID };
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET);
const exchange = await oauth.genericTokenEndpointRequest(
  server,
  client,
  authentication,
  'urn:ietf:params:oauth:grant-type:token-exchange',
  { subject_token: ID_TOKEN, subject_token_type: 'urn:ietf:params:oauth:token-type:id_token', profileId: PROFILE_ID },
  options,
);
const tokens = await oauth.processGenericTokenEndpointResponse(server, client, exchange);
const renewal = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, options);
const renewed = await oauth.processRefreshTokenResponse(server, client, renewal);
console.log(renewed.token_type, renewed.expires_in);
