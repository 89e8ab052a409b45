import * as openid from 'openid-client';

const { GATEHOUSE, CLIENT_ID, CLIENT_SECRET, ACCESS_TOKEN } = process.env;
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
const { active, scope } = await openid.tokenIntrospection(config, ACCESS_TOKEN);
console.log(active, scope);
