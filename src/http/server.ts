/** A request's itinerary, on one screen: named, routed, answered, and every error told in one way. */
import type { RequestListener } from 'node:http';
import express, { Router } from 'express';
import type { Dependencies } from '../context.js';
import { notFound } from '../errors.js';
import { applicationRoutes } from '../rest/applications.js';
import { docsRoutes } from '../rest/docs.js';
import { metadataPaths, metadataRoutes } from '../rest/metadata.js';
import { tokenPaths, tokenRoutes } from '../rest/token.js';
import { logAccess } from './accessLog.js';
import { allowOrigins } from './cors.js';
import { graphiqlRoutes } from './graphiql.js';
import { graphqlRoutes } from './graphql.js';
import { answerPlainRequests } from './plainRequests.js';
import { renderProblem } from './problem.js';
import { nameRequest } from './requestContext.js';
import { secureHeaders } from './secureHeaders.js';

/** Routers that only some compositions have: the development identity provider. */
export interface FurtherRoutes {
  path: string;
  router: express.RequestHandler;
}

export function createServer(dependencies: Dependencies, further: FurtherRoutes[] = []): RequestListener {
  const { config, log } = dependencies;
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('trust proxy', config.trustProxy);
  server.set('query parser', 'simple');
  server.use(nameRequest, logAccess(config.accessLog, log), secureHeaders(dependencies.issuerUrl));
  const open = [...tokenPaths.map((path) => config.basePath + path), ...metadataPaths(dependencies)];
  server.use(allowOrigins(config, new Set(open)));
  server.use(metadataRoutes(dependencies));

  const routes = Router({ caseSensitive: true });
  routes.use(tokenRoutes(dependencies));
  routes.use(applicationRoutes(dependencies));
  routes.use(docsRoutes(dependencies));
  routes.use(graphiqlRoutes(dependencies));
  routes.use(graphqlRoutes(dependencies));
  for (const { path, router } of further) routes.use(path, router);
  server.use(config.basePath || '/', routes);

  server.use((request) => {
    throw notFound(`${request.method} ${request.path}`);
  });
  server.use(renderProblem(log));
  return answerPlainRequests(dependencies, server.get('trust proxy fn'), server);
}
