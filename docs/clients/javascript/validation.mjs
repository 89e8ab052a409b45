const { GATEHOUSE, ACCESS_TOKEN } = process.env;
const answer = await fetch(`${GATEHOUSE}/validate-token`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ token: ACCESS_TOKEN }),
});
const { is_valid, claims } = await answer.json();
console.log(answer.status, is_valid, typeof claims.profileId);
