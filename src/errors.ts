/** Every error that Gatehouse tells a caller: its code, status, public text and, for the log alone, its private detail. */

/** Faults of an input, keyed by the path of the field, such as `[2].accessScopeGuid`. */
export type Problems = Record<string, string[]>;

export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'REAUTHENTICATE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'GONE'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'METHOD_NOT_ALLOWED'
  | 'TOO_MANY_REQUESTS'
  | 'CLIENT_CLOSED_REQUEST'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** One for each kind of failure, in every face. */
export const statuses: { readonly [code in ErrorCode]: number } = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  REAUTHENTICATE: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

export class GatehouseError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    /** Public text. */
    message: string,
    readonly more: {
      problems?: Problems;
      /** Answer headers, such as Retry-After. */
      headers?: Record<string, string>;
      /** Members beside the standard ones of a problem body. */
      extra?: Record<string, unknown>;
      /** For the log alone. */
      detail?: string;
      /** A limit of the caller's own, which may be met many times a second: no failure of the service. */
      isOwnLimit?: true;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'GatehouseError';
    this.status = statuses[code];
  }
}

/** @param isWhole false: the input may have more faults than these */
export const badInput = (problems: Problems, isWhole = true) =>
  new GatehouseError('BAD_USER_INPUT', 'One or more validation errors occurred.', {
    problems,
    ...(!isWhole && { extra: { moreProblems: true } }),
  });
/** A request that is wrong before it means anything: its path, its coding, its end. */
export const malformed = () => new GatehouseError('BAD_USER_INPUT', 'The request is malformed.');
/** Nobody said who calls, or with a token that is no good (RFC 6750 §3.1). */
export const unauthenticated = (detail: string, challenge = 'Bearer', headers: Record<string, string> = {}) =>
  new GatehouseError('UNAUTHENTICATED', 'A valid access token is required.', {
    detail,
    headers: { 'www-authenticate': challenge, ...headers },
  });
export const forbidden = (permission: string) =>
  new GatehouseError('FORBIDDEN', `This needs the scope ${permission}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${permission}"` },
  });
/** The token is good, and gives less than the request needs (RFC 6750 §3.1). @param detail for the log */
export const insufficientScope = (detail: string, challenge: string) =>
  new GatehouseError('FORBIDDEN', 'The access token does not give what this request needs.', {
    detail,
    headers: { 'www-authenticate': challenge },
  });
/** Who is signed in has to prove anew who that is (RFC 9470 in spirit): it was long ago, and this is dangerous. */
export const reauthenticate = () =>
  new GatehouseError('REAUTHENTICATE', 'This needs a person who signed in a few minutes ago: sign in again.');
export const notFound = (what: string) => new GatehouseError('NOT_FOUND', `${what} was not found.`);
export const conflict = (message: string) => new GatehouseError('CONFLICT', message);
/** A brown-out: the operation is about to end. */
export const gone = () =>
  new GatehouseError(
    'GONE',
    'This operation will end, and is switched off for some minutes to tell: see the header Link.',
  );
export const tooLarge = (message: string, headers = {}) => new GatehouseError('TOO_LARGE', message, { headers });
export const unsupportedMediaType = (accepted: string) =>
  new GatehouseError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted} in UTF-8.`);
export const methodNotAllowed = (allow: string) =>
  new GatehouseError('METHOD_NOT_ALLOWED', `Allowed here: ${allow}.`, { headers: { allow } });
export const tooManyRequests = (counted: 'failures' | 'requests', retryAfterSeconds: number) =>
  new GatehouseError('TOO_MANY_REQUESTS', `Too many ${counted}; try again later.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
export const unavailable = (what: string, cause?: unknown, retryAfterSeconds = 5, consequence = 'nothing was judged') =>
  new GatehouseError('UNAVAILABLE', `${what} is not available at the moment; ${consequence}.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

/** A request that only reads took its time of the database: it is too dear, or the database is too slow now. */
export const readTookTooLong = (timeoutMs: number) =>
  new GatehouseError(
    'UNAVAILABLE',
    `This read took more than ${timeoutMs / 1_000} s of database time. Narrow its filter, ask for fewer levels or a smaller page.`,
    { headers: { 'retry-after': '5' }, extra: { limit: 'database seconds', max: timeoutMs / 1_000 } },
  );

/** Why work ends that was done for a client that has gone; nobody reads it. The status is the one that proxies log for it. */
export const clientLeft = () => new GatehouseError('CLIENT_CLOSED_REQUEST', 'The client closed the request.');

/** A refusal of a start or of a command, in words for the operator. */
export class OperatorError extends Error {}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: connection, log-in, resources, prerequisite state, operator intervention, system, read-only, deadlock, serialization
const unavailableSqlStates = /^(08|28|3D|53|55|57|58|XX|25006|40001|40P01)/;
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  // no file descriptor is left for a connection
  'EMFILE',
  'ENFILE',
  'NO_HOST',
  // https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
// pg and the pool tell these by message alone
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|not queryable|Query read timeout|Connection ended|does not support SSL connections/i;

/** The errors behind an error, itself first. */
function* causesOf(error: unknown) {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 5; depth++) {
    const known = cause as { code?: unknown; message?: unknown; cause?: unknown; isOfOne?: unknown };
    yield known;
    cause = known.cause;
  }
}

/** Whether an error says that the database can't be used now, rather than that a statement is wrong. */
function isDatabaseAway(error: unknown): boolean {
  for (const { code, message } of causesOf(error)) {
    if (typeof code === 'string' && (unavailableSqlStates.test(code) || unavailableSystemCodes.has(code))) return true;
    if (typeof message === 'string' && unavailableMessages.test(message)) return true;
  }
  return false;
}

/** Whether other requests of the same caller are in the way. */
const isOfOne = (error: unknown): boolean => [...causesOf(error)].some((cause) => cause.isOfOne === true);

const databaseAway = (error: unknown, consequence: string): GatehouseError =>
  isOfOne(error)
    ? new GatehouseError(
        'UNAVAILABLE',
        `Other requests of this caller have its whole share of the database; ${consequence}. Try again when they are answered.`,
        { headers: { 'retry-after': '5' }, detail: 'share of the database', isOwnLimit: true, cause: error },
      )
    : unavailable('The database', error, 5, consequence);

/** The same error, or that the database is away, of what only reads. */
export const asReadFailure = (error: unknown): unknown =>
  !(error instanceof GatehouseError) && isDatabaseAway(error) ? databaseAway(error, 'nothing was changed') : error;

/** What a caller learns of any error: its own, a 503 for a database that is away, or else a generic 500. */
export function toGatehouseError(error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error;
  // an answer that is lost may have been that of a COMMIT
  if (isDatabaseAway(error)) return databaseAway(error, 'whether anything was changed is not known');
  return new GatehouseError('INTERNAL', 'An unexpected error occurred.', { cause: error });
}
