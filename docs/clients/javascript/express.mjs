import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const { GATEHOUSE, ISSUER, ACCESS_TOKEN, WILDCARD_TOKEN } = process.env; // with site:north, and with site:*
const keys = createRemoteJWKSet(new URL(`${GATEHOUSE}/.well-known/jwks.json`));
const expected = { issuer: ISSUER, audience: 'GRID', algorithms: ['ES256'] };
// jose's other errors say that it has no keys to check with
const isAboutToken = ({ code = '' }) => /^ERR_(JW[ST]_|JWKS_NO_|JWKS_MULTIPLE_|JOSE_ALG_|JOSE_NOT_)/.test(code);

const app = express();
app.use(async (request, response, next) => {
  const refuse = (cause) => response.status(401).set('WWW-Authenticate', `Bearer${cause}`).end();
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) return refuse('');
  try {
    request.claims = (await jwtVerify(token, keys, expected)).payload;
  } catch (error) {
    if (isAboutToken(error)) return refuse(' error="invalid_token"');
    // the token may be good: a 401 would have its holder throw it away
    return response.status(503).set('Retry-After', '5').end();
  }
  // a token that is bound to a key needs a proof of it
  return request.claims.cnf ? refuse(' error="invalid_token"') : next();
});
const requireScope = (scope) => (request, response, next) => {
  const { scopes } = request.claims;
  const covering = [scope, `${scope.split(':', 1)[0]}:*`];
  if (Array.isArray(scopes) && covering.some((each) => scopes.includes(each))) return next();
  response.status(403).set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`).end();
};
app.get('/measurements', requireScope('site:north'), (request, response) =>
  response.json({ user: request.claims.sub }),
);
app.get('/secrets', requireScope('site:south'), (_request, response) => response.json({}));
const server = app.listen(0);

const { port } = server.address();
const get = (path, token) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
console.log((await get('/measurements', ACCESS_TOKEN)).status, (await get('/secrets', ACCESS_TOKEN)).status);
console.log((await get('/measurements', WILDCARD_TOKEN)).status, (await get('/secrets', WILDCARD_TOKEN)).status);
console.log((await get('/measurements', `${ACCESS_TOKEN}x`)).status);
server.close();
