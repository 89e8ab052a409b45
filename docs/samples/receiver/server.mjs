/** An API with Express that verifies access tokens by the published keys, and refuses within a second what events made void. */
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { openRefusals } from './refusals.mjs';

const { GATEHOUSE, AUDIENCE, API_AUDIENCE = 'GRID', PUSH_AUTHORIZATION, PORT = '8080' } = process.env;
const configuration = await (await fetch(`${GATEHOUSE}/.well-known/ssf-configuration`)).json();
const keys = createRemoteJWKSet(new URL(configuration.jwks_uri));
const { issuer } = configuration;
const refusals = openRefusals();
setInterval(refusals.forget, 60_000).unref();

const app = express();

// RFC 8935: 202 once the event is safe; an error names what is wrong with it
app.post('/events', express.text({ type: 'application/secevent+jwt', limit: '1mb' }), async (request, response) => {
  if (request.get('authorization') !== PUSH_AUTHORIZATION)
    return response.status(401).json({ err: 'authentication_failed', description: 'wrong Authorization' });
  try {
    const options = { issuer, audience: AUDIENCE, typ: 'secevent+jwt', algorithms: ['RS256'] };
    const { payload } = await jwtVerify(request.body, keys, options);
    refusals.add(payload);
    response.status(202).end();
  } catch (error) {
    // an unreachable key set is no fault of the event: 503 lets it come again
    const isOurs = error.code === 'ERR_JWKS_TIMEOUT' || !error.code?.startsWith('ERR_J');
    response.status(isOurs ? 503 : 400).json({ err: 'invalid_request', description: error.code ?? 'unavailable' });
  }
});

app.get('/things', async (request, response) => {
  try {
    const [, token] = /^Bearer (.{1,16384})$/.exec(request.get('authorization') ?? '') ?? [];
    const { payload } = await jwtVerify(token ?? '', keys, { issuer, audience: API_AUDIENCE });
    if (refusals.refuses(payload)) throw new Error('void');
    response.json({ things: [], for: payload.sub });
  } catch {
    response.status(401).set('www-authenticate', 'Bearer error="invalid_token"').end();
  }
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`listens on ${PORT}\n`));
