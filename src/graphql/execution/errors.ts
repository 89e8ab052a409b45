/** What a GraphQL caller learns of an error: a code, a trace id, problems by input path, and nothing of our insides. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Context } from '../../context.js';
import { badInput, GatehouseError, type Problems, toGatehouseError } from '../../errors.js';
import { exceeded } from './limits.js';

/** Codes of requests that never came to be executed; their texts hold names of the document at most, never a value. */
const requestCodes = new Set([
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);
const messageMax = 500;
const locationsMax = 10;
const problemsMax = 50;
/** Of all errors of an answer together. */
const errorBytesMax = 60_000;

/** The error that the caller sees. What the caller didn't cause is written to the log. */
export function formatError(
  { log, traceId, config }: Pick<Context, 'log' | 'traceId' | 'config'>,
  { message, locations, path, extensions }: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const place = { ...(locations && { locations: locations.slice(0, locationsMax) }), ...(path && { path }) };
  const code = isBadRequest(error) ? 'BAD_REQUEST' : extensions?.code;
  if (code === 'GRAPHQL_PARSE_FAILED' && !hasTooManyTokens(message))
    return { message: syntaxFault(error as GraphQLError), ...place, extensions: { code, traceId } };
  const cause = causeOf(error);
  if (!cause && typeof code === 'string' && requestCodes.has(code)) {
    const problems = extensions?.problems;
    return {
      message: cut(message),
      ...place,
      extensions: { code, ...(problems !== undefined && { problems }), traceId },
    };
  }
  const known = cause ?? (hasTooManyTokens(message) ? tooManyTokens(config.graphqlTokensMax) : fromExecution(error));
  if (known.status >= 500)
    log.error({ traceId, path: path?.join('.'), error: known.more.cause ?? known }, known.message);
  else if (known.more.detail) log.info({ traceId, detail: known.more.detail }, known.message);
  const { problems, extra } = known.more;
  const text = known.code === 'INTERNAL' ? 'Internal server error' : cut(known.message);
  return { message: text, ...place, extensions: { code: known.code, ...bounded(problems), ...extra, traceId } };
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
  // the schema's name of the argument comes first; what follows may repeat the value
  const [beginning, argument] = error.message.split('"', 2);
  if (beginning !== 'Argument ' || argument === undefined) return toGatehouseError(error);
  return badInput({ [argument]: [`The ${argument} field has a value of another type.`] });
}

const hasTooManyTokens = (message: string): boolean => message.startsWith('Syntax Error: Document contains more th');
const tooManyTokens = (max: number): GatehouseError => exceeded('tokens', max, 'has too many tokens');

/** Where a document is no GraphQL, and what kind of token stands there; the parser's own text repeats the token. */
function syntaxFault({ source, positions, locations, message }: GraphQLError): string {
  const { line, column } = locations?.[0] ?? { line: 1, column: 1 };
  const isToken = message.startsWith('Syntax Error: Unexpected ') || message.startsWith('Syntax Error: Expected ');
  const character = source?.body[positions?.[0] ?? 0];
  const what = isToken ? `unexpected ${tokenKind(character)}` : 'malformed text, number or character';
  return `The document is not GraphQL: ${what} at line ${line}, column ${column}.`;
}

function tokenKind(first: string | undefined): string {
  if (first === undefined) return 'end';
  if (first === '"') return 'text';
  if (/[_A-Za-z]/.test(first)) return 'name';
  return /[-0-9]/.test(first) ? 'number' : `"${first}"`;
}

/** As many as are reported. */
function bounded(problems: Problems | undefined): { problems?: Problems; moreProblems?: true } {
  const all = Object.entries(problems ?? {});
  if (!problems || all.length <= problemsMax) return problems ? { problems } : {};
  return { problems: Object.fromEntries(all.slice(0, problemsMax)), moreProblems: true };
}

const cut = (message: string): string => (message.length > messageMax ? `${message.slice(0, messageMax)}…` : message);

/** As many of the errors as an answer holds, the first ones, and how many are left out. */
export function boundErrors(errors: readonly GraphQLFormattedError[]): {
  errors: GraphQLFormattedError[];
  leftOut: number;
} {
  let bytes = 0;
  const fitting = errors.findIndex((error) => {
    bytes += Buffer.byteLength(JSON.stringify(error)) + 1;
    return bytes > errorBytesMax;
  });
  const count = fitting < 0 ? errors.length : Math.max(1, fitting);
  return { errors: errors.slice(0, count), leftOut: errors.length - count };
}

/** A GraphQL answer that holds nothing but an error, for requests refused before GraphQL sees them. */
export function errorBody(context: Pick<Context, 'log' | 'traceId' | 'config'>, error: unknown): string {
  return `${JSON.stringify({ errors: [formatError(context, { message: '' }, error)] })}\n`;
}
