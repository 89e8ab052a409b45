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
const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
const tokens = await openid.genericGrantRequest(
  config,
  'urn:ietf:params:oauth:grant-type:token-exchange',
  {
    subject_token: ID_TOKEN,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: PROFILE_ID,
  },
  { DPoP },
);
const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP });
const refused = await openid.refreshTokenGrant(config, renewed.refresh_token).catch((error) => error.error);
const query = new URL(`${GATEHOUSE}/graphql?query={viewer{profileId}}`);
const json = new Headers({ 'content-type': 'application/json' });
const viewer = await openid.fetchProtectedResource(config, renewed.access_token, query, 'GET', undefined, json, {
  DPoP,
});
console.log(renewed.token_type, refused, viewer.status);
