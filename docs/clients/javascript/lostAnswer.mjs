import { randomUUID } from 'node:crypto';
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
});

let losses = 1;
async function renew(refreshToken) {
  const key = randomUUID(); // store it beside the token, so that it survives a crash
  config[openid.customFetch] = async (url, options) => {
    const response = await fetch(url, { ...options, headers: { ...options.headers, 'idempotency-key': key } });
    if (losses-- > 0) throw new TypeError('the network is gone');
    return response;
  };
  for (let attempt = 1; ; attempt++)
    try {
      return [attempt, await openid.refreshTokenGrant(config, refreshToken)];
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 5) throw error; // a refusal: do not repeat
    }
}
const [attempts, renewed] = await renew(tokens.refresh_token);
const [, again] = await renew(renewed.refresh_token);
console.log(attempts, again.token_type);
