import * as openid from 'openid-client';

const { GATEHOUSE, CLIENT_ID, CLIENT_SECRET, ID_TOKEN, PROFILE_ID } = process.env;
const config = await openid.discovery(
  new URL(GATEHOUSE),
  CLIENT_ID,
  undefined,
  openid.ClientSecretBasic(CLIENT_SECRET),
  {
    algorithm: 'oauth2',
    execute: GATEHOUSE.startsWith('http:') ? [openid.allowInsecureRequests] : [], // a first try on your own machine
  },
);
const tokens = await openid.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:token-exchange', {
  subject_token: ID_TOKEN,
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  profileId: PROFILE_ID,
  audience: 'GRID',
  scope: 'site:north',
});
const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token);
const { aud, scope } = await openid.tokenIntrospection(config, renewed.access_token);
console.log(tokens.scope, aud, scope);
