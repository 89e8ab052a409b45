/** The way of a GraphQL request: method, caller, media type, size, JSON, then the GraphQL face; errors in GraphQL's shape. */
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { methodNotAllowed, unauthenticated } from '../errors.js';
import { type AnswerGraphql, type GraphqlAnswer, openGraphql, refuse } from '../graphql/server.js';
import { identify } from '../services/caller.js';
import { type BodyRule, readJson } from './body.js';
import { limitRequests } from './limitRequests.js';
import { fromBodyParser } from './problem.js';
import { contextOf } from './requestContext.js';

/** Not text/plain: a form of another site could send that. */
const isJson = (type: string): boolean => type === 'application/json' || /^application\/[^/\s;]+\+json$/.test(type);

export function graphqlRoutes(dependencies: Dependencies): Router {
  const { config } = dependencies;
  const rule: BodyRule = {
    accepts: isJson,
    described: 'JSON (application/json)',
    bytesMax: config.graphqlBodyBytesMax,
  };
  let opened: Promise<AnswerGraphql> | undefined;
  const answer = async (request: Request, response: Response) => {
    opened ??= openGraphql(dependencies);
    const face = await opened;
    const context = contextOf(dependencies, request, response, response.locals.caller as Caller);
    const { method, headers, originalUrl, body } = request;
    const question = originalUrl.indexOf('?');
    const search = question < 0 ? '' : originalUrl.slice(question);
    send(response, await face(context, { method: method as 'GET' | 'POST', headers, search, body }));
  };
  const requireCaller = async (request: Request, response: Response, next: () => void) => {
    const caller = await identify(dependencies, request.headersDistinct.authorization);
    if (caller.kind === 'anonymous') throw unauthenticated('no access token');
    response.locals.caller = caller;
    next();
  };
  const limit = limitRequests(dependencies.adminRequests);
  const router = Router({ caseSensitive: true });
  router
    .route('/graphql')
    .get(...limit, requireCaller, answer)
    .post(...limit, requireCaller, ...readJson(rule), answer)
    .all(() => {
      throw methodNotAllowed('GET, POST');
    });
  const tell: ErrorRequestHandler = (error, _request, response, _next) => {
    const { traceId } = response.locals as { traceId: string };
    send(response, refuse({ log: dependencies.log, traceId }, fromBodyParser(error) ?? error));
  };
  router.use('/graphql', tell);
  return router;
}

function send(response: Response, { status, headers, body }: GraphqlAnswer): void {
  response.status(status);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
  response.end(body);
}
