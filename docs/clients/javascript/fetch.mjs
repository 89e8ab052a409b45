const { GATEHOUSE, CLIENT_ID, CLIENT_SECRET, ID_TOKEN, PROFILE_ID } = process.env;
const ask = (fields) =>
  fetch(`${GATEHOUSE}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ profileId: PROFILE_ID, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...fields }),
  });
const answer = await ask({ grant_type: 'urn:service:authz:exchange', id_token: ID_TOKEN });
const { refresh_token } = await answer.json();
const renewed = await ask({ grant_type: 'refresh_token', refresh_token });
const again = await ask({ grant_type: 'refresh_token', refresh_token }); // a renewal token works once
console.log(answer.status, renewed.status, again.status);
