/** Defines every error that callers get: its code, status and public text, and its private detail for the log. */

/** Faults of an input by the path of the field, such as `[2].accessScopeGuid`. */
export type Problems = Record<string, string[]>;

/** The status of each code. There is one code for each kind of failure, in REST, GraphQL and the token endpoints. */
export const statuses = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  REAUTHENTICATE: 401,
  FORBIDDEN: 403,
  APPROVAL_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof statuses;

/** A challenge whose error is needed here too (RFC 6750 §3.1, RFC 9449 §7.1). */
export interface Challenge {
  header: string;
  error: 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof' | 'use_dpop_nonce';
}

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
      /** Members in addition to the standard ones of a problem body. */
      extra?: Record<string, unknown>;
      /** Only for the log. */
      detail?: string;
      /** The error of its challenge. */
      challenge?: Challenge['error'];
      /** Whether the caller reached its own limit, which may happen many times a second and is no failure of the service. */
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
/** A request that can't be read: its path, its coding, its end. */
export const malformed = () => new GatehouseError('BAD_USER_INPUT', 'The request is malformed.');
/** The request has no valid credentials (RFC 6750 §3.1). */
export const unauthenticated = (
  detail: string,
  challenge: string | Challenge = 'Bearer',
  headers: Record<string, string> = {},
) =>
  new GatehouseError('UNAUTHENTICATED', 'A valid access token is required.', {
    detail,
    ...challenged(challenge, headers),
  });
const challenged = (challenge: string | Challenge, headers: Record<string, string> = {}) =>
  typeof challenge === 'string'
    ? { headers: { 'www-authenticate': challenge, ...headers } }
    : { headers: { 'www-authenticate': challenge.header, ...headers }, challenge: challenge.error };
export const forbidden = (permission: string) =>
  new GatehouseError(
    'FORBIDDEN',
    `The scope ${permission} is required.`,
    challenged({ header: `Bearer error="insufficient_scope", scope="${permission}"`, error: 'insufficient_scope' }),
  );
/** The change must be proposed, and another user must approve it (APPROVALS). */
export const approvalRequired = () =>
  new GatehouseError(
    'APPROVAL_REQUIRED',
    'This change needs the approval of a second person: send it to proposeChanges. Changes of clients cannot be proposed: make them with bin/gatehouse client. Nothing was changed.',
    { extra: { code: 'APPROVAL_REQUIRED' } },
  );
/** The token is valid and gives less than the request needs (RFC 6750 §3.1). @param detail for the log */
export const insufficientScope = (detail: string, challenge: string | Challenge) =>
  new GatehouseError('FORBIDDEN', 'The access token does not permit this request.', {
    detail,
    ...challenged(challenge),
  });
/** The user must authenticate again, because the operation is dangerous and the last authentication is too old (cf. RFC 9470). */
export const reauthenticate = () =>
  new GatehouseError('REAUTHENTICATE', 'This operation requires a sign-in of the last few minutes: sign in again.');
export const notFound = (what: string) => new GatehouseError('NOT_FOUND', `${what} was not found.`);
export const conflict = (message: string) => new GatehouseError('CONFLICT', message);
/** A condition of the request (If-Match, If-None-Match) is false. */
export const preconditionFailed = () =>
  new GatehouseError(
    'PRECONDITION_FAILED',
    'The condition of the request is false: the resource has changed since it was read. Read it again.',
  );
/** A brown-out: the operation is about to end. */
export const gone = () =>
  new GatehouseError(
    'GONE',
    'This operation is deprecated and switched off for some minutes (brown-out): see the header Link.',
  );
export const tooLarge = (message: string) => new GatehouseError('TOO_LARGE', message);
export const unsupportedMediaType = (accepted: string) =>
  new GatehouseError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted} in UTF-8.`);
export const methodNotAllowed = (allow: string) =>
  new GatehouseError('METHOD_NOT_ALLOWED', `Allowed here: ${allow}.`, { headers: { allow } });
export const tooManyRequests = (counted: 'failures' | 'requests', retryAfterSeconds: number) =>
  new GatehouseError('TOO_MANY_REQUESTS', `Too many ${counted}; try again later.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
export const unavailable = (
  what: string,
  cause?: unknown,
  retryAfterSeconds = 5,
  consequence = 'the request was not checked',
) =>
  new GatehouseError('UNAVAILABLE', `${what} is not available at the moment; ${consequence}.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

/** Makes a function for `catch`: an error that says when to retry becomes a 503, and any other error is thrown as it is. */
export const throwUnavailable =
  (what: string) =>
  (error: unknown): never => {
    const { retryAfterSeconds } = error as { retryAfterSeconds?: number };
    throw retryAfterSeconds === undefined ? error : unavailable(what, error, retryAfterSeconds);
  };

/** A reading request used up its database time: it is too expensive, or the database is slow now. */
export const readTookTooLong = (timeoutMs: number) =>
  new GatehouseError(
    'UNAVAILABLE',
    `This read took more than ${timeoutMs / 1_000} s of database time. Narrow its filter, ask for fewer levels or a smaller page.`,
    { headers: { 'retry-after': '5' }, extra: { limit: 'database seconds', max: timeoutMs / 1_000 } },
  );

/** Ends work for a client that has gone. No one receives it; proxies log this status. */
export const clientLeft = () => new GatehouseError('CLIENT_CLOSED_REQUEST', 'The client closed the request.');

/** Why a start or a command is refused, in a sentence for the operator. */
export class OperatorError extends Error {}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: connection, log-in, resources, prerequisite state, operator intervention,
// system, read-only, time limits of transactions, deadlock, serialization, missing permissions
const unavailableSqlStates = /^(08|28|3D|40|53|55|57|58|XX|25006|25P0[34]|42501)/;
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
// pg and the pool report these only by message
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|not queryable|Query read timeout|Connection ended|does not support SSL connections/i;

/** Returns the error and its causes. */
function* causesOf(error: unknown) {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 5; depth++) {
    const thrown = cause as Record<'code' | 'message' | 'cause' | 'isOfOne' | 'isDatabaseAway', unknown>;
    yield thrown;
    cause = thrown.cause;
  }
}

/** Whether the error means that the database can't be used now, not that a statement is wrong. */
function isDatabaseAway(error: unknown): boolean {
  for (const { code, message, isDatabaseAway: isMarked } of causesOf(error)) {
    if (isMarked === true) return true;
    if (typeof code === 'string' && (unavailableSqlStates.test(code) || unavailableSystemCodes.has(code))) return true;
    if (typeof message === 'string' && unavailableMessages.test(message)) return true;
  }
  return false;
}

function databaseAway(error: unknown, consequence: string): GatehouseError {
  const isOfOne = [...causesOf(error)].some((cause) => cause.isOfOne === true);
  if (!isOfOne) return unavailable('The database', error, 5, consequence);
  // by other requests, or by the lists of this one
  const message = `This caller uses its whole share of the database; ${consequence}. Ask for less at once, or try again when its other requests are answered.`;
  const detail = 'share of the database';
  return new GatehouseError('UNAVAILABLE', message, {
    headers: { 'retry-after': '5' },
    detail,
    isOwnLimit: true,
    cause: error,
  });
}

/** Returns the error of a read, or a 503 if the database is away. */
export const asReadFailure = (error: unknown): unknown =>
  !(error instanceof GatehouseError) && isDatabaseAway(error) ? databaseAway(error, 'nothing was changed') : error;

/** Rejects a read with its error, for `catch`. */
export function throwReadFailure(error: unknown): never {
  throw asReadFailure(error);
}

/** Returns the error for the caller: the error itself, a 503 if the database is away, otherwise a generic 500. */
export function toGatehouseError(error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error;
  // the lost answer may have been that of a COMMIT
  if (isDatabaseAway(error)) return databaseAway(error, 'whether anything was changed is not known');
  return new GatehouseError('INTERNAL', 'An unexpected error occurred.', { cause: error });
}

/** What OpenSSL says of a fault of TLS, whose code says little. */
export const opensslWords = (message = ''): string | undefined =>
  /:SSL routines:[^:]{0,100}:([^:]{1,100}):/.exec(message)?.[1];
