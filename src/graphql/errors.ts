/** What a GraphQL caller is told of an error: a code, a trace id, problems by input path, and nothing of our insides. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Context } from '../context.js';
import { GatehouseError, toGatehouseError } from '../errors.js';

/** Codes of Apollo for requests that never came to be executed; their texts tell the caller what is wrong. */
const requestCodes = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);
const messageMax = 500;

/** The error that the caller sees. What the caller didn't cause is written to the log. */
export function tellError(
  { log, traceId }: Pick<Context, 'log' | 'traceId'>,
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const { locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  const code = isBadRequest(error) ? 'BAD_REQUEST' : formatted.extensions?.code;
  const told = causeOf(error);
  if (!told && typeof code === 'string' && requestCodes.has(code))
    return { message: withoutValues(formatted.message), ...place, extensions: { code, traceId } };
  const known = told ?? fromExecution(error);
  if (known.status >= 500)
    log.error({ traceId, path: path?.join('.'), error: known.more.cause ?? known }, known.message);
  else if (known.more.detail) log.info({ traceId, detail: known.more.detail }, known.message);
  const { problems, extra } = known.more;
  const message = known.code === 'INTERNAL' ? 'Internal server error' : cut(known.message);
  return { message, ...place, extensions: { code: known.code, ...(problems && { problems }), ...extra, traceId } };
}

/** What Apollo refuses with a status alone, such as a persisted query under the hash of another. */
const isBadRequest = (error: unknown): boolean =>
  error instanceof GraphQLError &&
  error.extensions.code === undefined &&
  (error.extensions.http as { status?: number } | undefined)?.status === 400;

/** Our own error behind the one that a GraphQL library made of it. */
function causeOf(error: unknown): GatehouseError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (cause instanceof GatehouseError) return cause;
    cause = cause instanceof GraphQLError ? cause.originalError : cause.cause;
  }
  return undefined;
}

/** An error of the execution: what a resolver threw, or what GraphQL itself says of an argument. */
function fromExecution(error: unknown): GatehouseError {
  if (!(error instanceof GraphQLError)) return toGatehouseError(error);
  if (error.originalError && !(error.originalError instanceof GraphQLError))
    return toGatehouseError(error.originalError);
  if (/^(Argument|Variable) "/.test(error.message))
    return new GatehouseError('BAD_USER_INPUT', withoutValues(error.message));
  return toGatehouseError(error);
}

/**
 * What GraphQL says, without the value that it repeats: it may be a secret in the wrong place. Suggestions would tell the
 * schema to those who may not read it; long texts are cut.
 */
export function withoutValues(message: string): string {
  return cut(
    message
      .replace(/ ?Did you mean [^?]+\?/g, '')
      .replace(/^Value ".*" does not exist/s, 'The value does not exist')
      .replace(/( cannot represent (?:a |an )?[^:]+): .*$/s, '$1.')
      .replace(/^(Expected value of type "[^"]+"), found .*$/s, '$1.')
      .replace(/( has invalid value) .*$/s, '$1.')
      .replace(/((?:found|Unexpected) (?:Block)?String) ".*$/s, '$1.')
      .replace(/; found .*$/s, '.'),
  );
}

const cut = (message: string): string => (message.length > messageMax ? `${message.slice(0, messageMax)}…` : message);

/** A GraphQL answer that holds nothing but an error, for requests refused before GraphQL sees them. */
export function errorBody(context: Pick<Context, 'log' | 'traceId'>, error: unknown): string {
  return `${JSON.stringify({ errors: [tellError(context, { message: '' }, error)] })}\n`;
}
