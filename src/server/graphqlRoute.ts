/** Routes a GraphQL request: method, caller, media type, size, JSON, then execution; errors in GraphQL's shape. */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { type Caller, hasPermission } from '../auth/caller.js';
import type { FindDocument } from '../config/trustedDocuments.js';
import type { Dependencies } from '../context.js';
import { methodNotAllowed, unauthenticated } from '../errors.js';
import { type AnswerGraphql, answerRefused, type GraphqlAnswer, openGraphql } from '../graphql/execution/server.js';
import { schemaText } from '../graphql/schema.js';
import { refuseBrownedOut } from '../http/announcedEnds.js';
import { type BodyReader, isJsonSuffixed } from '../http/body.js';
import type { Encodings } from '../http/encoding/encodings.js';
import type { GraphSteps } from '../http/openRoutes.js';
import { isClientGone, withResourceMetadata } from '../http/problem.js';
import { contextOf, limitRequests, traceIdNow } from '../http/requestContext.js';
import { route } from '../http/routes.js';
import { note } from '../observability/currentRequest.js';
import { permit } from '../services/permit.js';
import { identify } from '../services/tokens/caller.js';
import { identifyPipeline, pipelineProfileHeader } from '../services/tokens/pipelineCaller.js';

/** Excludes text/plain, which a form of another site could send. */
const isJson = (type: string): boolean => type === 'application/json' || isJsonSuffixed(type);

/** The media types of answers, as Apollo writes them. A client that accepts neither gets the first, since Apollo's 406 comes after a change is made. */
const answerTypes = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];

/** Limit for callers that may change nothing, except pipelines: they plan files of a whole catalogue. */
const readBytesMax = 256 * 1024;

/** Returns the routes, and the steps for paths that identify the caller in another way. */
export function graphqlRoutes(
  dependencies: Dependencies,
  { bodies, encodings }: { bodies: BodyReader; encodings: Encodings },
): { routes: Router; steps: GraphSteps } {
  const { config } = dependencies;
  let opened: Promise<AnswerGraphql> | undefined;
  const answerBy = (find?: FindDocument) => async (request: Request, response: Response) => {
    opened ??= openGraphql(dependencies);
    const face = await opened;
    const context = contextOf(dependencies, request, response.locals.caller as Caller);
    const { method, headers, originalUrl, body } = request;
    const question = originalUrl.indexOf('?');
    const search = question < 0 ? '' : originalUrl.slice(question);
    const acceptedHeaders = request.accepts(answerTypes) ? headers : { ...headers, accept: undefined };
    const answer = await face(
      context,
      { method: method as 'GET' | 'POST', headers: acceptedHeaders, search, body },
      find,
    );
    begin(response, answer);
    // the answer to a change may contain a secret next to texts that the caller chose (https://breachattack.com)
    if (answer.isReadable) await encodings.send(request, response, answer.body, answer.lookup);
    else response.end(answer.body);
  };
  const postTo = (answer: ReturnType<typeof answerBy>): RequestHandler => {
    const answerUpTo = (bytesMax: number): RequestHandler =>
      bodies.answerJson({ accepts: isJson, described: 'JSON (application/json)', bytesMax }, answer);
    const answerChange = answerUpTo(config.graphqlBodyBytesMax);
    const answerQuery = answerUpTo(Math.min(config.graphqlBodyBytesMax, readBytesMax));
    return (request, response, next) => {
      const { caller, isPipeline } = response.locals as { caller: Caller; isPipeline?: boolean };
      const isLarge = isPipeline || hasPermission(caller, 'admin:write');
      return (isLarge ? answerChange : answerQuery)(request, response, next);
    };
  };
  const requireCaller = async (request: Request, response: Response, next: () => void) => {
    const isPipeline = request.headers[pipelineProfileHeader] !== undefined;
    const caller = await (isPipeline ? identifyPipeline : identify)(dependencies, request);
    if (caller.kind === 'anonymous') throw unauthenticated('no access token');
    Object.assign(response.locals, { caller, isPipeline });
    note('caller', caller.sub);
    next();
  };
  const limit = limitRequests(dependencies.adminRequests);
  const answer = answerBy(config.graphqlDocuments);
  const refuseBrownouts = refuseBrownedOut(config);
  const router = Router({ caseSensitive: true });
  router
    .route('/graphql')
    .get(...limit, requireCaller, ...refuseBrownouts, answer)
    .post(...limit, requireCaller, ...refuseBrownouts, postTo(answer))
    .all(() => {
      throw methodNotAllowed('GET, POST');
    });
  const sendSchema: RequestHandler = async (request, response) => {
    permit({ caller: response.locals.caller as Caller }, 'admin:read');
    response.set('cache-control', 'no-store').type('application/graphql; charset=utf-8');
    await encodings.send(request, response, schemaText());
  };
  route(router, '/schema.graphql', { get: [...limit, requireCaller, sendSchema] });
  router.use('/schema.graphql', ((error, _request, _response, next) =>
    next(withResourceMetadata(error, dependencies.issuerUrl, 'graphql'))) as ErrorRequestHandler);
  const renderError: ErrorRequestHandler = (error, _request, response, next) => {
    if (isClientGone(error)) return next(error);
    const described = withResourceMetadata(error, dependencies.issuerUrl, 'graphql');
    const answer = answerRefused({ log: dependencies.log, config, traceId: traceIdNow() }, described);
    begin(response, answer);
    response.end(answer.body);
  };
  router.use('/graphql', renderError);
  return { routes: router, steps: { post: (find) => postTo(answerBy(find)), renderError } };
}

/** Sets everything except the body. */
function begin(response: Response, { status, headers }: GraphqlAnswer): void {
  response.status(status);
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader('cache-control', 'no-store');
}
