/** Answers GraphQL requests. The only file that imports Apollo. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type OperationDefinitionNode,
} from 'graphql';
import { hasPermission } from '../../auth/caller.js';
import type { Config } from '../../config/config.js';
import type { FindDocument } from '../../config/trustedDocuments.js';
import type { Context, Dependencies } from '../../context.js';
import { AnswerBytes } from '../../engine/answerBytes.js';
import type { AnswerLookup } from '../../engine/answerCache.js';
import { openQueryIdentifier } from '../../engine/cacheable.js';
import { isJsonObject } from '../../jsonObject.js';
import { note } from '../../observability/currentRequest.js';
import { lookUpAnswer } from '../../services/read/lookUpAnswer.js';
import { type GraphContext, graphContext } from '../resolving/loaders.js';
import { openSchema } from '../schema.js';
import {
  asGraphqlError,
  type GraphqlRequest,
  openDocumentCheck,
  openDocumentStore,
  openPersistedQueries,
  withListedDocument,
} from './documents.js';
import { boundErrors, failureOf, formatError, isAnswered } from './errors.js';
import { openExecutor } from './execution.js';
import { documentCharactersMax, exceeded } from './limits.js';

export interface GraphqlAnswer {
  status: number;
  headers: Iterable<[string, string]>;
  body: string | Buffer;
  /** Whether the answer contains only what a query may read. */
  isReadable?: boolean;
  /** The cache lookup of a query whose answer may be cached. */
  lookup?: AnswerLookup | undefined;
}
/** @param find the documents that are executed; undefined: any */
export type AnswerGraphql = (context: Context, request: GraphqlRequest, find?: FindDocument) => Promise<GraphqlAnswer>;

/** Whether a setting turns a feature on; `development` means everywhere except in production. */
export const isOn = (setting: 'development' | 'yes' | 'no', { production }: Config): boolean =>
  setting === 'yes' || (setting === 'development' && !production);

/** Returns a context that reads from a replica for queries; mutations read where they wrote. */
function contextFor(context: GraphContext, { operation }: OperationDefinitionNode): GraphContext {
  if (operation !== 'query') return context;
  const reads = context.openReads();
  return { ...context, reads, sql: reads };
}

/** Mutations that return a change set or a review, which queries can read too, and no secret. */
const readable = new Set(['applyChanges', 'undoChangeSet', 'finishReview']);
const isReadable = ({ operation, selectionSet }: OperationDefinitionNode): boolean =>
  operation === 'query' ||
  selectionSet.selections.every((each) => each.kind === 'Field' && readable.has(each.name.value));

/** Callers without admin:read get errors for single fields, so their answers are not cached. */
const mayCache = ({ answers, caller }: Context, { operation }: OperationDefinitionNode): boolean =>
  answers !== undefined && operation === 'query' && hasPermission(caller, 'admin:read');

/** Why an operation can't be executed. For a missing operation, Apollo reports OPERATION_RESOLUTION_FAILURE. */
function operationError(
  operation: OperationDefinitionNode | undefined,
  operationName: string | undefined,
): { errors: GraphQLError[] } {
  if (operation) {
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
    return { errors: [new GraphQLError('Subscriptions are not supported.', { nodes: operation, extensions })] };
  }
  const problem =
    typeof operationName === 'string' ? 'no operation of that name' : 'several operations: operationName must name one';
  return { errors: [new GraphQLError(`The document has ${problem}.`)] };
}

/** The request header that adds the cost of the operation to the answer, with the value `1`. */
export const costHeader = 'x-gatehouse-cost';

interface RequestState {
  context: Context;
  tellsCost: boolean;
  isOfQuery: boolean;
  isReadable: boolean;
  /** Whether the answer has both data and errors. */
  isPartial: boolean;
  lookup: AnswerLookup | undefined;
  answer: AnswerBytes;
  written?: Buffer;
}

/** @param writesBytes false for tests, which compare the answers */
export async function openGraphql(
  { config, log }: Dependencies,
  { writesBytes } = { writesBytes: true },
): Promise<AnswerGraphql> {
  const schema = openSchema();
  const showsSchema = isOn(config.graphqlIntrospection, config);
  const checkDocument = openDocumentCheck(schema, config, showsSchema);
  const execute = openExecutor(schema, config, writesBytes);
  const identify = openQueryIdentifier(schema);
  const requests = new AsyncLocalStorage<RequestState>();
  const ignore = () => undefined;
  const answerTo = async (
    context: GraphContext,
    document: DocumentNode,
    operation: OperationDefinitionNode | undefined,
    { variables, operationName }: { variables?: Record<string, unknown>; operationName?: string },
  ): Promise<ExecutionResult> => {
    if (operation) note('operationType', operation.operation);
    const errors = checkDocument(document);
    if (errors.length > 0) return { errors };
    if (!operation || !schema.getRootType(operation.operation)) return operationError(operation, operationName);
    const state = requests.getStore()!;
    state.isOfQuery = operation.operation === 'query';
    state.isReadable = isReadable(operation);
    const { answer, tellsCost } = state;
    const isCacheable = !tellsCost && mayCache(context, operation);
    const identity = isCacheable ? identify(document, { operationName, variables }) : undefined;
    try {
      state.lookup = identity && (await lookUpAnswer(context, identity));
    } catch (error) {
      // a database that is unavailable is not queried a second time
      return { errors: [asGraphqlError(error)] };
    }
    // the cached bytes are sent in place of this
    if (state.lookup?.found) return { data: {} };
    return execute(contextFor(context, operation), { document, operation, variables, tellsCost }, answer);
  };
  const server = new ApolloServer<GraphContext>({
    gateway: {
      load: async () => ({
        executor: async ({ context, document, operation, request }) =>
          (await answerTo(context as GraphContext, document, operation, request)) as never,
      }),
      onSchemaLoadOrUpdate: (loaded) => {
        loaded({ apiSchema: schema, coreSupergraphSdl: '' });
        return ignore;
      },
      stop: async () => undefined,
    },
    introspection: showsSchema,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    documentStore: openDocumentStore(),
    cache: openPersistedQueries(),
    parseOptions: { maxTokens: config.graphqlTokensMax },
    // the executor validates every document once, with its own messages
    dangerouslyDisableValidation: true,
    stringifyResult: (answer) => {
      const state = requests.getStore()!;
      if (state.lookup?.found) state.written = state.lookup.found.body;
      if (state.written) return '';
      if ((answer as SingleResult).errors) state.lookup = undefined;
      const written = state.answer.write(answer);
      if (typeof written === 'string') return written;
      // Apollo passes on only texts
      state.written = written;
      return '';
    },
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) =>
      formatError(requests.getStore()?.context ?? { log, traceId: '', config }, formatted, error),
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    plugins: [ApolloServerPluginCacheControlDisabled(), statusByErrors(() => requests.getStore()!)],
    nodeEnv: '',
  });
  await server.start();
  return async (context, graphqlRequest, find) => {
    let request = withoutEmpty(graphqlRequest);
    try {
      requireShortDocument(request);
      if (find) request = withListedDocument(request, find);
    } catch (error) {
      return answerRefused(context, error);
    }
    const state: RequestState = {
      context,
      tellsCost: request.headers[costHeader] === '1',
      isOfQuery: false,
      isReadable: false,
      isPartial: false,
      lookup: undefined,
      answer: new AnswerBytes(),
    };
    const answer = await requests.run(state, () =>
      server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method,
          headers: headerMap(request),
          search: request.search,
          body: request.body,
        },
        context: async () => graphContext(context),
      }),
    );
    const { isReadable, lookup, written } = state;
    const body = written ?? Buffer.from(textOf(answer));
    const status = answer.status ?? 200;
    if (lookup && !lookup.found && status === 200) void lookup.store(body);
    const { headers } = answer;
    if (status >= 400) headers.set('content-type', `${responseType}; charset=utf-8`);
    const isPartial = state.isPartial && headers.get('content-type')!.startsWith(responseType);
    return { status: isPartial ? partialSuccess : status, headers, body, isReadable, lookup };
  };
}

/** The media type of answers in the GraphQL over HTTP draft: it tells a client that an error comes from this service. */
const responseType = 'application/graphql-response+json';
/** The draft's status for an answer with data and errors, only for answers of that type. */
const partialSuccess = 294;

interface SentResponse {
  body: unknown;
  http: { status?: number; headers: Map<string, string> };
}
interface SingleResult {
  data?: unknown;
  errors?: GraphQLFormattedError[];
  extensions?: object;
}

/** Sets the status by the errors, and limits the errors of an answer. */
const statusByErrors = (current: () => RequestState) => ({
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body, http } }: { response: SentResponse }) => {
      const { singleResult } = body as { singleResult?: SingleResult };
      if (!singleResult?.errors) return;
      const all = singleResult.errors;
      const { errors, leftOut } = boundErrors(all);
      singleResult.errors = errors;
      if (leftOut > 0) singleResult.extensions = { ...singleResult.extensions, moreErrors: leftOut };
      const state = current();
      state.isPartial = isAnswered(singleResult.data, all, state.isOfQuery);
      if (state.isPartial) return;
      // nothing was answered, so there is no data beside a 4xx or 5xx
      delete singleResult.data;
      const { status, headers } = failureOf(all);
      http.status = status;
      for (const [name, value] of Object.entries(headers)) http.headers.set(name, value);
    },
  }),
});

/** An optional parameter that is empty is the same as none (GraphQL over HTTP); in a query string, `null` is the text of JSON's null. */
function withoutEmpty(request: GraphqlRequest): GraphqlRequest {
  const { method, search, body } = request;
  if (method !== 'GET') {
    const isNameless = isJsonObject(body) && body.operationName === '';
    return isNameless ? { ...request, body: { ...body, operationName: null } } : request;
  }
  if (!/[?&](?:operationName|variables|extensions)(?:=(?:null)?)?(?:&|$)/.test(search)) return request;
  const parameters = new URLSearchParams(search);
  for (const name of ['operationName', 'variables', 'extensions']) parameters.delete(name, '');
  for (const name of ['variables', 'extensions']) parameters.delete(name, 'null');
  return { ...request, search: `?${parameters}` };
}

/** Throws TOO_LARGE for a document with too many characters, before it is parsed. */
function requireShortDocument({ method, body, search }: GraphqlRequest): void {
  const query =
    method === 'GET' ? new URLSearchParams(search).get('query') : (body as { query?: unknown } | null)?.query;
  if (typeof query === 'string' && query.length > documentCharactersMax)
    throw exceeded('characters', documentCharactersMax, `has ${query.length} characters`);
}

/** The answer to a request that GraphQL never sees. */
export function answerRefused(context: Pick<Context, 'log' | 'traceId' | 'config'>, error: unknown): GraphqlAnswer {
  const refused = error instanceof GraphQLError ? error.toJSON() : { message: '' };
  const errors = [formatError(context, refused, error)];
  const { status, headers } = failureOf(errors);
  return {
    status,
    headers: Object.entries({ ...headers, 'content-type': `${responseType}; charset=utf-8` }),
    body: `${JSON.stringify({ errors })}\n`,
  };
}

function headerMap({ headers }: GraphqlRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  return map;
}

/** The text of an answer. There are no answers in parts, because @defer is not supported. */
function textOf({ body }: HTTPGraphQLResponse): string {
  if (body.kind !== 'complete') throw new Error('an answer in parts');
  return body.string;
}
