/** Routes a request from its arrival to its answer or error. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import { builtFolder } from '../console/builtFiles.js';
import { openConsole } from '../console/routes.js';
import type { Dependencies } from '../context.js';
import { notFound } from '../errors.js';
import { readInput } from '../graphql/execution/readInput.js';
import { costHeader } from '../graphql/execution/server.js';
import { announceEnds } from '../http/announcedEnds.js';
import { openBodyReader } from '../http/body.js';
import { openEncodings } from '../http/encoding/encodings.js';
import { type CorsRule, openCors, secureHeaders } from '../http/headers.js';
import { renderProblem } from '../http/problem.js';
import { type Trust, trustWithPorts, warnOfForwarding } from '../http/requestContext.js';
import { eventRoutes, wellKnownRoutes } from '../modules/events/routes.js';
import { applicationRoutes } from '../rest/applications/routes.js';
import { docsRoutes } from '../rest/docs/openapi.js';
import { scimRoutes } from '../rest/scim/routes.js';
import { answerTokenRequests } from '../rest/token/endpoints.js';
import { metadataPaths, metadataRoutes } from '../rest/token/metadata.js';
import { graphiqlRoutes, type SignIn } from './graphiqlRoute.js';
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

/** What only a development start has. */
interface Development {
  path: string;
  router: RequestHandler;
  signIn: SignIn;
}

/** @param consoleFolder the folder of the console's built files */
export function createServer(
  dependencies: Dependencies,
  development?: Development,
  consoleFolder = builtFolder,
): RequestListener {
  const { config, log } = dependencies;
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('trust proxy', config.trustProxy);
  const trust = trustWithPorts(server.get('trust proxy fn') as Trust);
  server.set('trust proxy', trust);
  server.set('query parser', 'simple');
  server.use(secureHeaders(dependencies.issuerUrl));
  const allow = (rule: CorsRule, paths: string[]) => rule.origins.length > 0 && server.use(allowOrigins(rule, paths));
  allow({ origins: config.corsOrigins, methods: 'GET, HEAD, POST' }, metadataPaths(dependencies));
  const graphCors = { origins: config.adminCorsOrigins, methods: 'GET, POST', headers: [costHeader] };
  allow(graphCors, [`${config.basePath}/graphql`]);
  server.use(metadataRoutes(dependencies));
  server.use(wellKnownRoutes(dependencies));

  const routes = Router({ caseSensitive: true });
  const bodies = openBodyReader(config, log);
  const encodings = openEncodings(config);
  routes.use(applicationRoutes(dependencies, bodies, encodings));
  routes.use(scimRoutes(dependencies, bodies));
  routes.use(eventRoutes(dependencies, bodies));
  routes.use(docsRoutes(dependencies, encodings));
  routes.use(graphiqlRoutes(dependencies, development?.signIn));
  const ownConsole = openConsole(dependencies, consoleFolder, { bodies, encodings, readInput });
  routes.use(graphqlRoutes(dependencies, { bodies, encodings }, ownConsole));
  if (ownConsole) routes.use(ownConsole.pages);
  if (development) routes.use(development.path, development.router);
  server.use(config.basePath || '/', routes);

  server.use(() => {
    throw notFound('The path');
  });
  server.use(renderProblem(log));
  const forTokens = { ...dependencies, sql: dependencies.tokenSql };
  const answer = answerTokenRequests(forTokens, bodies, trust, onePerTurn(server));
  return warnOfForwarding(config, log, announceEnds(config, answer));
}

function allowOrigins(rule: CorsRule, paths: string[]): RequestHandler {
  const isPreflight = openCors(rule);
  const open = new Set(paths);
  return (request, response, next) => {
    if (open.has(request.path) && isPreflight(request, response)) response.status(204).end();
    else next();
  };
}
