import express from 'express';
import { auth, InsufficientScopeError } from 'express-oauth2-jwt-bearer';

const { GATEHOUSE, ISSUER, ACCESS_TOKEN, WILDCARD_TOKEN } = process.env; // with site:north, and with site:*
const app = express();
app.use(
  auth({ issuer: ISSUER, jwksUri: `${GATEHOUSE}/.well-known/jwks.json`, audience: 'GRID', tokenSigningAlg: 'ES256' }),
);
const covers = (scopes, scope) => scopes.includes(scope) || scopes.includes(`${scope.split(':', 1)[0]}:*`);
const requireScope = (scope) => (request, _response, next) => {
  const { scopes } = request.auth.payload;
  const isCovered = Array.isArray(scopes) && covers(scopes, scope);
  next(isCovered ? undefined : new InsufficientScopeError([scope]));
};
app.get('/measurements', requireScope('site:north'), (request, response) =>
  response.json({ user: request.auth.payload.sub }),
);
app.get('/secrets', requireScope('site:south'), (_request, response) => response.json({}));
// without it Express prints a stack trace for each refused request
app.use((error, _request, response, next) => {
  if (error.status === undefined) return next(error);
  response
    .set(error.headers ?? {})
    .status(error.status)
    .end();
});
const server = app.listen(0);

const { port } = server.address();
const get = (path, token) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
console.log((await get('/measurements', ACCESS_TOKEN)).status, (await get('/secrets', ACCESS_TOKEN)).status);
console.log((await get('/measurements', WILDCARD_TOKEN)).status, (await get('/secrets', WILDCARD_TOKEN)).status);
server.close();
