/** Formats errors for GraphQL callers: code, trace id and problems by input path, without internal details. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Context } from '../../context.js';
import { startOf } from '../../entities/valueForms.js';
import { badInput, GatehouseError, type Problems, toGatehouseError } from '../../errors.js';
import { requestStatuses, statusByCode } from '../schema/errorTypes.js';
import { exceeded } from './limits.js';

const messageMax = 500;
const locationsMax = 10;
const problemsMax = 50;
/** The maximum size of all errors of an answer. */
const errorBytesMax = 60_000;

/** Returns the error for the caller. Errors that the caller didn't cause are logged. */
export function formatError(
  { log, traceId, config }: Pick<Context, 'log' | 'traceId' | 'config'>,
  { message, locations, path, extensions }: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const place = { ...(locations && { locations: locations.slice(0, locationsMax) }), ...(path && { path }) };
  const refused = codeOfStatus(error);
  const code = refused ?? extensions?.code;
  if (code === 'GRAPHQL_PARSE_FAILED' && !hasTooManyTokens(message))
    return { message: syntaxFault(error as GraphQLError), ...place, extensions: { code, traceId } };
  const cause = causeOf(error);
  if (!cause && !hasTooManyTokens(message) && (refused || String(code) in requestStatuses)) {
    const problems = extensions?.problems;
    return {
      message: cut(message),
      ...place,
      extensions: { code, ...(problems !== undefined && { problems }), traceId },
    };
  }
  const problemError =
    cause ?? (hasTooManyTokens(message) ? tooManyTokens(config.graphqlTokensMax) : fromExecution(error));
  if (problemError.status >= 500 && !problemError.more.isOwnLimit)
    log.error({ traceId, path: path?.join('.'), error: problemError.more.cause ?? problemError }, problemError.message);
  else if (problemError.more.detail) log.info({ traceId, detail: problemError.more.detail }, problemError.message);
  const { problems, extra } = problemError.more;
  const text = problemError.code === 'INTERNAL' ? 'Internal server error' : cut(placed(problemError.message, path));
  const formatted = {
    message: text,
    ...place,
    extensions: { code: problemError.code, ...bounded(problems), ...extra, traceId },
  };
  if (problemError.more.headers) headersOf.set(formatted, problemError.more.headers);
  return formatted;
}

/** For a field, the message names the field instead of `This read`. */
const placed = (message: string, path: readonly (string | number)[] | undefined): string =>
  path
    ? message.replace(/^This read /, `Reading \`${path.filter((part) => typeof part === 'string').join('.')}\` `)
    : message;

/** Headers of an answer that contains only the error. */
const headersOf = new WeakMap<GraphQLFormattedError, Readonly<Record<string, string>>>();

/** The status and headers of an answer with errors and without data. A failure of the service has priority over faults of the request. */
export function failureOf(errors: readonly GraphQLFormattedError[]): {
  status: number;
  headers: Readonly<Record<string, string>>;
} {
  const decisive = errors.find((error) => statusOf(error) >= 500) ?? errors[0]!;
  return { status: statusOf(decisive), headers: headersOf.get(decisive) ?? {} };
}

/** A document or answer beyond a limit is a validation error; the error of a body that is too large names no limit. */
function statusOf({ extensions: { code, limit } = {} }: GraphQLFormattedError): number {
  if (code === 'TOO_LARGE' && limit !== undefined) return 400;
  return statusByCode[String(code)] ?? 500;
}

const codesOfStatuses: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  405: 'METHOD_NOT_ALLOWED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The code of what Apollo refuses by a status, such as a mutation by GET. */
function codeOfStatus(error: unknown): string | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const { code = 'BAD_REQUEST', http } = error.extensions as { code?: string; http?: { status?: number } };
  return code === 'BAD_REQUEST' ? codesOfStatuses[http?.status ?? 0] : undefined;
}

/** Our own error, which a GraphQL library wrapped. */
function causeOf(error: unknown): GatehouseError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    if (cause instanceof GatehouseError) return cause;
    cause = cause instanceof GraphQLError ? cause.originalError : cause.cause;
  }
  return undefined;
}

/** An error of the execution: thrown by a resolver, or reported by GraphQL about an argument. */
function fromExecution(error: unknown): GatehouseError {
  if (!(error instanceof GraphQLError)) return toGatehouseError(error);
  if (error.originalError && !(error.originalError instanceof GraphQLError))
    return toGatehouseError(error.originalError);
  // the schema's name of the argument comes first; what follows may repeat the value
  const [beginning, argument] = error.message.split('"', 2);
  if (beginning !== 'Argument ' || argument === undefined) return toGatehouseError(error);
  return badInput({ [argument]: [`The ${argument} field has a value of the wrong type.`] });
}

const hasTooManyTokens = (message: string): boolean => message.startsWith('Syntax Error: Document contains more th');
const tooManyTokens = (max: number): GatehouseError => exceeded('tokens', max, 'has too many tokens');

/** Where the document is not valid GraphQL, and the kind of the token. The parser's own message would repeat the token. */
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

/** Returns the first problems, up to the maximum that is reported. */
function bounded(problems: Problems | undefined): { problems?: Problems; moreProblems?: true } {
  const all = Object.entries(problems ?? {});
  if (!problems || all.length <= problemsMax) return problems ? { problems } : {};
  return { problems: Object.fromEntries(all.slice(0, problemsMax)), moreProblems: true };
}

const cut = (message: string): string => (message.length > messageMax ? `${startOf(message, messageMax)}…` : message);

/** The first errors, as many as an answer holds, and the number of errors that are left out. */
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

/**
 * Whether a root field was answered: with a value, or with null that no error explains. A mutation is answered too where an
 * error lies below it: the change was made, and a client that takes a 4xx or 5xx for a failure would make it again.
 */
export const isAnswered = (data: unknown, errors: readonly GraphQLFormattedError[], isOfQuery: boolean): boolean =>
  Object.entries(data ?? {}).some(
    ([key, value]) =>
      value !== null || !errors.some(({ path }) => path?.[0] === key && (isOfQuery || path.length === 1)),
  );
