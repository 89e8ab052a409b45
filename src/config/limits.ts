/** Defines limits that are derived from settings or fixed. Tests start a service with other limits. */

export interface Limits {
  /** Levels of a GraphQL query; `nodes`, `edges`, `node` and `pageInfo` don't count. */
  readonly graphqlDepthMax: number;
  /** Aliases of a GraphQL document. */
  readonly graphqlAliasesMax: number;
  /** Root fields of a GraphQL operation. */
  readonly graphqlRootFieldsMax: number;
  /** Tokens of a GraphQL document. */
  readonly graphqlTokensMax: number;
  /** Largest body of a GraphQL request, in bytes. Callers without admin:write may send 262144. */
  readonly graphqlBodyBytesMax: number;
  /** Largest `first` or `last` of a GraphQL connection. */
  readonly graphqlPageSizeMax: number;
  /** Statements that take this many milliseconds are logged with their request. */
  readonly slowStatementMs: number;
  /** Connections reserved for the token endpoints. */
  readonly databaseTokenPoolMax: number;
  /** Maximum number of lists that a process reads at once, each on one of the other connections. */
  readonly databaseStreamsMax: number;
  /** Maximum number of requests that wait for a connection, for the token endpoints and for the others separately. */
  readonly databaseWaitingMax: number;
  /** Seconds between two searches for scheduled changes that are due; 0: never. */
  readonly scheduleSeconds: number;
}

export function limitsFor({ databasePoolMax }: { databasePoolMax: number }): Limits {
  // eight are enough for a core, and at most half of a small pool
  const databaseTokenPoolMax = Math.max(
    1,
    Math.min(Math.floor(databasePoolMax / 2), Math.max(8, Math.floor((databasePoolMax * 2) / 5))),
  );
  return {
    graphqlDepthMax: 12,
    graphqlAliasesMax: 50,
    graphqlRootFieldsMax: 20,
    graphqlTokensMax: 3_000,
    graphqlBodyBytesMax: 8 * 1024 * 1024,
    graphqlPageSizeMax: 1_000,
    slowStatementMs: 1_000,
    databaseTokenPoolMax,
    databaseStreamsMax: Math.max(1, Math.floor((databasePoolMax - databaseTokenPoolMax) / 2)),
    databaseWaitingMax: 50 * databasePoolMax,
    scheduleSeconds: 20,
  };
}
