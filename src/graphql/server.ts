/** The GraphQL face as a function from a request to an answer. The only file that knows Apollo. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, GraphQLError, type OperationDefinitionNode, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import type { Context, Dependencies } from '../context.js';
import { toGatehouseError } from '../errors.js';
import { errorBody, tellError } from './errors.js';
import { openExecutor, requireStorableTexts } from './execution.js';
import { writeJson } from './jsonText.js';
import { openDocumentStore, openPersistedQueries } from './keptDocuments.js';
import { documentCharactersMax, exceeded, requireWithinLimits } from './limits.js';
import { type GraphContext, graphContext } from './loaders.js';
import { openSchema } from './schema.js';

export interface GraphqlRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** With its question mark. */
  search: string;
  body: unknown;
}
export interface GraphqlAnswer {
  status: number;
  headers: Iterable<[string, string]>;
  body: string | Buffer;
}
export type AnswerGraphql = (context: Context, request: GraphqlRequest) => Promise<GraphqlAnswer>;

/** Whether a feature is on by its setting; `development` is all but production. */
export const isOn = (setting: 'development' | 'yes' | 'no', { production }: Config): boolean =>
  setting === 'yes' || (setting === 'development' && !production);

/** What a mutation answers is read where it changed it. */
const contextFor = (context: GraphContext, { operation }: OperationDefinitionNode): GraphContext =>
  operation === 'query' ? { ...context, reads: context.openReads() } : context;

/** Why an operation can't be executed; Apollo makes one that isn't there OPERATION_RESOLUTION_FAILURE. */
function unanswerable(
  operation: OperationDefinitionNode | undefined,
  operationName: string | undefined,
): { errors: GraphQLError[] } {
  if (operation) {
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
    return { errors: [new GraphQLError('There are no subscriptions.', { nodes: operation, extensions })] };
  }
  const told =
    typeof operationName === 'string'
      ? 'no operation of that name'
      : 'several operations: operationName must say which';
  return { errors: [new GraphQLError(`The document has ${told}.`)] };
}

/** Of the texts that were judged and found good, together. */
const judgedCharactersMax = 2_000_000;

interface UnderWay {
  context: Context;
  written?: Buffer;
}

export async function openGraphql({ config, log }: Dependencies): Promise<AnswerGraphql> {
  const schema = openSchema();
  const execute = openExecutor(schema, config);
  const requests = new AsyncLocalStorage<UnderWay>();
  const quiet = () => undefined;
  const server = new ApolloServer<GraphContext>({
    gateway: {
      load: async () => ({
        executor: async ({ context, document, operation, request }) =>
          (operation && schema.getRootType(operation.operation)
            ? await execute(contextFor(context as GraphContext, operation), {
                document,
                operation,
                variables: request.variables,
              })
            : unanswerable(operation, request.operationName)) as never,
      }),
      onSchemaLoadOrUpdate: (told) => {
        told({ apiSchema: schema, coreSupergraphSdl: '' });
        return quiet;
      },
      stop: async () => undefined,
    },
    introspection: isOn(config.graphqlIntrospection, config),
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    documentStore: openDocumentStore(),
    cache: openPersistedQueries(),
    parseOptions: { maxTokens: config.graphqlTokensMax },
    validationOptions: { hideSuggestions: true },
    stringifyResult: (answer) => {
      const written = writeJson(answer);
      if (typeof written === 'string') return written;
      // Apollo passes on texts alone
      requests.getStore()!.written = written;
      return '';
    },
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) =>
      tellError(requests.getStore()?.context ?? { log, traceId: '' }, formatted, error),
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    plugins: [ApolloServerPluginCacheControlDisabled(), statusOfErrors],
    nodeEnv: '',
  });
  await server.start();
  const judge = openJudge(config);
  return async (context, request) => {
    try {
      judge(request);
    } catch (error) {
      return refuse(context, error);
    }
    const underWay: UnderWay = { context };
    const answer = await requests.run(underWay, () =>
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
    return { status: answer.status ?? 200, headers: answer.headers, body: underWay.written ?? textOf(answer) };
  };
}

/** Gives an error of ours the status that HTTP callers look at: 503 when the database is away. */
const statusOfErrors = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response }: { response: { body: unknown; http: { status?: number } } }) => {
      const { singleResult } = response.body as { singleResult?: { errors?: { extensions?: { code?: string } }[] } };
      const codes = singleResult?.errors?.map(({ extensions }) => extensions?.code) ?? [];
      if (codes.includes('UNAVAILABLE')) response.http.status = 503;
    },
  }),
};

/**
 * Judges a document that comes as text, before Apollo's validation reads it. What depends on variables is judged again at
 * each execution. Throws TOO_LARGE or BAD_USER_INPUT.
 */
function openJudge(config: Config): (request: GraphqlRequest) => void {
  const schema = openSchema();
  const judged = new LRUCache<string, true>({ maxSize: judgedCharactersMax });
  return (request) => {
    const query = sentQuery(request);
    if (query === undefined || judged.get(query)) return;
    if (query.length > documentCharactersMax)
      throw exceeded('characters', documentCharactersMax, `has ${query.length} characters`);
    const document = findDocument(query, config.graphqlTokensMax);
    if (!document) return; // told by Apollo
    requireStorableTexts(document);
    requireWithinLimits(schema, config, document, undefined, undefined);
    judged.set(query, true, { size: query.length });
  };
}

function sentQuery({ method, body, search }: GraphqlRequest): string | undefined {
  const query =
    method === 'GET' ? new URLSearchParams(search).get('query') : (body as { query?: unknown } | null)?.query;
  return typeof query === 'string' && query !== '' ? query : undefined;
}

function findDocument(query: string, maxTokens: number): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    if (/more (than|that) \d+ tokens/.test((error as Error).message))
      throw exceeded('tokens', maxTokens, 'has too many tokens');
    return undefined;
  }
}

/** The answer to a request that GraphQL never sees. */
export function refuse(context: Pick<Context, 'log' | 'traceId'>, error: unknown): GraphqlAnswer {
  const told = toGatehouseError(error);
  const status = told.code === 'TOO_LARGE' && told.more.extra ? 400 : told.status;
  const headers = new Map([
    ['content-type', 'application/json; charset=utf-8'],
    ...Object.entries(told.more.headers ?? {}),
  ]);
  return { status, headers, body: errorBody(context, told) };
}

function headerMap({ headers }: GraphqlRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  return map;
}

/** No operation is answered in parts: there is no @defer. */
function textOf({ body }: HTTPGraphQLResponse): string {
  if (body.kind !== 'complete') throw new Error('an answer in parts');
  return body.string;
}
