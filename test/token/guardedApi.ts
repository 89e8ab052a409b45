/** An API that a standard library guards. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { closeAtEnd } from '../support/lifetimes.js';

/** An API on a port of its own that express-oauth2-jwt-bearer guards. Gives what calls it with a token. */
export async function startGuardedApi(options: object): Promise<(token: string) => Promise<Response>> {
  const { auth } = await import('express-oauth2-jwt-bearer');
  const api = express();
  api.get('/', auth(options), (request, response) => void response.json(request.auth!.payload));
  const tell: ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(error.status).send(String(error));
  const server = api.use(tell).listen(0, '127.0.0.1');
  closeAtEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return (token) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
}
