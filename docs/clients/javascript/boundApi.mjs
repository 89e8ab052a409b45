import * as oauth from 'oauth4webapi';

const { GATEHOUSE, ISSUER, CLIENT_ID, CLIENT_SECRET, ID_TOKEN, PROFILE_ID } = process.env;
const insecure = { [oauth.allowInsecureRequests]: GATEHOUSE.startsWith('http:') };
const server = { issuer: ISSUER, jwks_uri: `${GATEHOUSE}/.well-known/jwks.json`, token_endpoint: `${GATEHOUSE}/token` };
const answer = (request) =>
  oauth
    .validateJwtAccessToken(server, request, 'GRID', { requireDPoP: true, ...insecure })
    .then((claims) => (claims.scopes.includes('site:north') ? 200 : 403))
    .catch(() => 401);

// a client of this API
const client = { client_id: CLIENT_ID };
const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
const exchange = await oauth.genericTokenEndpointRequest(
  server,
  client,
  oauth.ClientSecretBasic(CLIENT_SECRET),
  'urn:ietf:params:oauth:grant-type:token-exchange',
  {
    subject_token: ID_TOKEN,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: PROFILE_ID,
    audience: 'GRID',
  },
  { DPoP, ...insecure },
);
const { access_token } = await oauth.processGenericTokenEndpointResponse(server, client, exchange);
const show = (headers) => answer(new Request('https://grid.example/measurements', { headers }));
let good;
await oauth.protectedResourceRequest(
  access_token,
  'GET',
  new URL('https://grid.example/measurements'),
  new Headers(),
  null,
  {
    DPoP,
    [oauth.customFetch]: async (_url, { headers }) => {
      good = await show(headers);
      return new Response();
    },
  },
);
console.log(good, await show({ authorization: `Bearer ${access_token}` }));
