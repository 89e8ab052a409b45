import * as openid from 'openid-client';

const { GATEHOUSE, KEY_CLIENT_ID, CLIENT_KEY, ID_TOKEN, PROFILE_ID } = process.env;
const jwk = JSON.parse(CLIENT_KEY);
const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
const config = await openid.discovery(
  new URL(GATEHOUSE),
  KEY_CLIENT_ID,
  undefined,
  openid.PrivateKeyJwt({ key, kid: jwk.kid }),
  {
    algorithm: 'oauth2',
    execute: GATEHOUSE.startsWith('http:') ? [openid.allowInsecureRequests] : [], // a first try on your own machine
  },
);
const tokens = await openid.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:token-exchange', {
  subject_token: ID_TOKEN,
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  profileId: PROFILE_ID,
});
const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token);
console.log(renewed.token_type, renewed.expires_in);
await openid.tokenRevocation(config, renewed.refresh_token); // sign-out
