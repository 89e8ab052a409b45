/** Routes a request from its arrival to its answer or error. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../context.js';
import { notFound } from '../errors.js';
import { costHeader } from '../graphql/execution/server.js';
import { announceEnds } from '../http/announcedEnds.js';
import { openBodyReader } from '../http/body.js';
import { openEncodings } from '../http/encoding/encodings.js';
import { type CorsRule, openCors, secureHeaders } from '../http/headers.js';
import type { OpenRoutes } from '../http/openRoutes.js';
import { renderProblem } from '../http/problem.js';
import { type Trust, trustWithPorts, warnOfForwarding } from '../http/requestContext.js';
import { endpoints } from '../modules/endpoints.js';
import { publications } from '../modules/metadata.js';
import { descriptions } from '../modules/openapi.js';
import { routes as moduleRoutes, rootRoutes } from '../modules/routes.js';
import type { Log } from '../observability/log.js';
import { applicationRoutes } from '../rest/applications/routes.js';
import { docsRoutes } from '../rest/docs/openapi.js';
import { answerTokenRequests } from '../rest/token/endpoints.js';
import { metadataPaths, metadataRoutes } from '../rest/token/metadata.js';
import { type DevelopmentSignIn, graphiqlRoutes } from './graphiqlRoute.js';
import { graphqlRoutes } from './graphqlRoute.js';

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  /** The scope in which log and traces find the request. `bind` would keep the request in memory (docs/decisions/0016). */
  scope: AsyncResource;
}

/**
 * Begins simultaneous requests one per turn of the event loop, so that a hundred lists opened at once don't delay the token
 * endpoints, which don't wait here.
 */
export function onePerTurn(answer: RequestListener): RequestListener {
  const waiting: Waiting[] = [];
  const beginNext = () => {
    const { request, response, scope } = waiting.shift()!;
    if (waiting.length > 0) setImmediate(beginNext);
    scope.runInAsyncScope(answer, undefined, request, response);
  };
  return (request, response) => {
    waiting.push({ request, response, scope: new AsyncResource('WaitingRequest') });
    if (waiting.length === 1) setImmediate(beginNext);
  };
}

/** A fault that one request meets must not end the process, and with it all others: it is logged, and the connection ends. */
export const contain =
  (log: Pick<Log, 'error'>, answer: (...request: Parameters<RequestListener>) => unknown): RequestListener =>
  async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      log.error({ error }, 'a request was not answered');
      response.destroy();
    }
  };

/** What only a development start has. */
interface Development {
  path: string;
  router: RequestHandler;
  signIn: DevelopmentSignIn;
}

/** @param consoleFolder the folder of the console's built files */
export function createServer(
  dependencies: Dependencies,
  development?: Development,
  consoleFolder?: string,
): RequestListener {
  const { config, log } = dependencies;
  const further = Object.assign({}, ...endpoints.map((open) => open(config)));
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('trust proxy', config.trustProxy);
  const trust = trustWithPorts(server.get('trust proxy fn') as Trust);
  server.set('trust proxy', trust);
  server.set('query parser', 'simple');
  server.use(secureHeaders(dependencies.issuerUrl));
  const allow = (rule: CorsRule, paths: string[]) => rule.origins.length > 0 && server.use(allowOrigins(rule, paths));
  allow({ origins: config.corsOrigins, methods: 'GET, HEAD, POST' }, metadataPaths(dependencies, publications));
  const graphCors = { origins: config.adminCorsOrigins, methods: 'GET, POST', headers: [costHeader] };
  allow(graphCors, [`${config.basePath}/graphql`]);
  server.use(metadataRoutes(dependencies, publications));

  const routes = Router({ caseSensitive: true });
  const bodies = openBodyReader(config, log);
  const encodings = openEncodings(config);
  routes.use(applicationRoutes(dependencies, bodies, encodings));
  routes.use(docsRoutes(dependencies, encodings, descriptions));
  routes.use(graphiqlRoutes(dependencies, development?.signIn));
  const graph = graphqlRoutes(dependencies, { bodies, encodings });
  routes.use(graph.routes);
  const tools = { bodies, encodings, graph: graph.steps, consoleFolder };
  const openFrom = (list: readonly OpenRoutes[]) => list.flatMap((open) => open(dependencies, tools) ?? []);
  for (const opened of openFrom(moduleRoutes)) routes.use(opened);
  if (development) routes.use(development.path, development.router);
  for (const opened of openFrom(rootRoutes)) server.use(opened);
  server.use(config.basePath || '/', routes);

  server.use(() => {
    throw notFound('The path');
  });
  server.use(renderProblem(log));
  const forTokens = { ...dependencies, sql: dependencies.tokenSql };
  const answer = answerTokenRequests(forTokens, { bodies, trust, further }, onePerTurn(server));
  return warnOfForwarding(config, log, announceEnds(config, contain(log, answer)));
}

function allowOrigins(rule: CorsRule, paths: string[]): RequestHandler {
  const isPreflight = openCors(rule);
  const open = new Set(paths);
  return (request, response, next) => {
    if (open.has(request.path) && isPreflight(request, response)) response.status(204).end();
    else next();
  };
}
