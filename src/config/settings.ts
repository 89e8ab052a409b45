/**
 * Declares the settings of the core: name, default, description and parser. modules/settings.ts lists those of the modules too.
 * Each exists for somebody who changes it: the commit that adds one says who, and when.
 */
import { databaseUrl, replicaUrls } from './databaseUrl.js';
import { endpointEnds } from './endpointEnds.js';
import { idTokenIssuers } from './issuers.js';
import {
  anyOrigins,
  anyText,
  audience,
  audienceResources,
  audiences,
  basePath,
  boolean,
  checked,
  collectorUrl,
  encryptionKeys,
  guid,
  hosts,
  integer,
  issuerUrl,
  list,
  oneOf,
  optional,
  origins,
  proxyUrl,
  ratio,
  setting,
  timeZone,
  trustProxy,
} from './parsers.js';
import { readTrustedDocuments } from './trustedDocuments.js';

/** Settings of the process itself. */
export const serviceSettings = {
  nodeEnv: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'development, test or production. Production refuses defaults that are only suitable for development.',
  ),
  port: setting('PORT', integer(0, 65_535), '4000', 'Port to listen on; 0 takes a free one.'),
  host: setting('HOST', anyText, '127.0.0.1', 'Address to listen on.'),
  basePath: setting('BASE_PATH', basePath, '', 'Prefix of every path.'),
  workers: setting('WORKERS', integer(1, 256), '1', 'Processes that share the port; each has its own connections.'),
  demonstration: setting(
    'DEMONSTRATION',
    oneOf('small', 'large'),
    'small',
    'Size of the demonstration data that a development start writes to an empty database: small, or large (5,208 applications, 50,007 people).',
  ),
  dataDir: setting('DATA_DIR', anyText, '.gatehouse', 'Folder of the embedded database and of development keys.'),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(0, 600_000),
    '0',
    'Milliseconds after SIGTERM in which the service still accepts requests while /readyz fails, so that load balancers notice.',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    integer(0, 600_000),
    '10000',
    'Milliseconds after that delay in which open requests may finish.',
  ),
} as const;

/** Settings of the database and its connections. */
export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    databaseUrl,
    'PostgreSQL to use, one host or several with `target_session_attrs`; not set: an embedded one under `DATA_DIR`.',
    true,
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    databaseUrl,
    'Direct address of the same database, for migrations, if `DATABASE_URL` is that of a transaction pooler.',
    true,
  ),
  databaseReplicaUrls: setting(
    'DATABASE_REPLICA_URLS',
    replicaUrls,
    '',
    'Streaming standbys of the database, one server each, separated by commas: administrative reads use them while they are up to date.',
    true,
  ),
  autoMigrate: setting(
    'AUTO_MIGRATE',
    boolean,
    'yes',
    'yes: a start runs pending migrations, one process at a time; no: a start fails while migrations are pending, and `bin/gatehouse migrate` runs them.',
  ),
  databasePoolMax: setting(
    'DATABASE_POOL_MAX',
    integer(1, 1_000),
    '20',
    'Maximum number of database connections for requests, per process: two fifths are reserved for the token endpoints, and half of the others may read lists.',
  ),
  databaseTimeoutMs: setting(
    'DATABASE_TIMEOUT_MS',
    integer(100, 600_000),
    '5000',
    'Timeout for getting a connection, in milliseconds; then 503.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    integer(0, 3_600_000),
    '10000',
    'Timeout of a statement, in milliseconds; then 503. 0: no limit. Commands have no limit.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    boolean,
    'yes',
    'no: statements are not prepared by name, for transaction poolers that do not support prepared statements.',
  ),
} as const;

/** Settings of tokens: who issues them, how they are signed, how long they live. */
export const tokenSettings = {
  issuerUrl: optional(
    'ISSUER_URL',
    issuerUrl,
    '`iss` of the tokens, at most 80 characters; not set: `http://HOST:PORT` and `BASE_PATH`. Commands on the embedded database use the issuer of the service that was started there last, regardless of their PORT.',
  ),
  idTokenIssuers: optional(
    'ID_TOKEN_ISSUERS',
    idTokenIssuers,
    'JSON: the identity providers whose ID tokens are accepted and that sign users in to the console ([how](identity-providers.md)); not set: a development provider.',
    true,
  ),
  signingAlg: setting(
    'SIGNING_ALG',
    oneOf('ES256', 'RS256', 'PS256', 'EdDSA'),
    'ES256',
    'Algorithm of access tokens: ES256, RS256, PS256 or EdDSA.',
  ),
  keyRotationDays: setting(
    'KEY_ROTATION_DAYS',
    integer(0, 3_650),
    '90',
    'Days after which the signing key rotates automatically; 0: only `keys rotate` rotates it.',
  ),
  accessTokenTyp: setting(
    'ACCESS_TOKEN_TYP',
    oneOf('auto', 'at+jwt', 'JWT'),
    'auto',
    '`typ` of access tokens: auto (at+jwt for tokens of the hardened policy, JWT for all others), at+jwt, or JWT.',
  ),
  keyEncryptionKeys: optional(
    'KEY_ENCRYPTION_KEY',
    encryptionKeys,
    'Encrypts private keys in the database: 32 bytes in base64; further ones, separated by commas, still decrypt, and a start encrypts all keys with the first. Not set: one is created in `DATA_DIR`.',
    true,
  ),
  tokenPolicy: setting(
    'TOKEN_POLICY',
    oneOf('documented', 'rehearsal', 'hardened'),
    'documented',
    'documented: the contract to the letter; hardened: renewal tokens are bound to their client, and an ID token is exchanged once for each profile; rehearsal: answers as documented, and counts for each client what hardened would refuse. Production requires that it is set.',
  ),
  sessionMaxDays: setting(
    'SESSION_MAX_DAYS',
    integer(0, 36_500),
    '0',
    'Days after the exchange when a session ends; 0: it can be renewed without limit, for 30 days each time.',
  ),
  renewalRecoverySeconds: setting(
    'RENEWAL_RECOVERY_SECONDS',
    integer(0, 60),
    '0',
    'Hardened policy, forms: seconds in which a client that repeats a renewal without an Idempotency-Key gets the answer again. A thief who has the used token and the client’s secret gets it in that time, too. 0: never.',
  ),
  audiences: setting(
    'AUDIENCES',
    audiences,
    'GRID,IOT',
    'Audiences of access tokens, separated by commas: `aud` of an exchange that requests none, in this order ([how to change it](run/keys.md#audiences)).',
  ),
  adminAudience: optional(
    'ADMIN_AUDIENCE',
    audience,
    'Audience that /api and /graphql require of a token; not one of `AUDIENCES`; forms request it with `audience`, and `admin-token` has it. Not set: every access token of this service is accepted.',
  ),
  audienceResources: setting(
    'AUDIENCE_RESOURCES',
    audienceResources,
    '{}',
    'JSON: the audience that each `resource` of a form stands for (RFC 8707), such as {"https://grid.example/":"GRID"}; any other is an audience itself.',
  ),
  dpopNonce: setting(
    'DPOP_NONCE',
    boolean,
    'no',
    'yes: DPoP proofs need a nonce of this service (RFC 9449 §8), so that they cannot be made long before their use.',
  ),
  bcryptCost: setting('BCRYPT_COST', integer(4, 14), '10', 'Cost of hashes of client secrets.'),
} as const;

/** Settings of callers: how they are identified, and how many requests they may send. */
export const networkSettings = {
  compression: setting(
    'COMPRESSION',
    boolean,
    'yes',
    'yes: lists, GraphQL queries, /openapi.json and the console’s files of a kilobyte or more are compressed if the client accepts zstd, br or gzip, but never answers that may contain a token or secret. no: nothing is compressed.',
  ),
  clientFailureLimit: setting(
    'CLIENT_FAILURE_LIMIT',
    integer(0, 1_000_000),
    '30',
    'Failed client authentications per minute, for each client and each address, before 429; 0: no limit.',
  ),
  tokenRateLimit: setting(
    'TOKEN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests per minute from one address to /token, /revoke, /validate-token, /profiles, /introspect, /backchannel-logout, the AuthZEN endpoints and sign-ins to the console, plus requests that /verify refuses, before 429; 0: no limit.',
  ),
  adminRateLimit: setting(
    'ADMIN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests per minute from one address to /api and /graphql, before 429; 0: no limit.',
  ),
  limiterStore: setting(
    'LIMITER_STORE',
    oneOf('memory', 'database'),
    'memory',
    'Where failures and requests are counted for their limits: memory, separately in each process; database, together for all processes.',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    integer(1, 1_000_000),
    '10000',
    'Maximum number of client connections per process; further ones are closed at once.',
  ),
  readerBytesPerSecondMin: setting(
    'READER_BYTES_PER_SECOND_MIN',
    integer(0, 1_000_000_000),
    '32768',
    'Average rate at which a client must read its answer, in bytes per second; a slower client loses its connection. 0: no minimum.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    trustProxy,
    'no',
    'Proxies whose X-Forwarded-For is trusted: no, a number of hops, or addresses and networks, including `loopback`, `linklocal` and `uniquelocal`; at most half of all addresses.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    anyOrigins,
    '',
    'Origins whose pages may call the token endpoints and read keys and metadata, separated by commas; *: any. Not set: none.',
  ),
  privateProviderHosts: setting(
    'PRIVATE_PROVIDER_HOSTS',
    hosts,
    '',
    'Hosts of identity providers that have private addresses although their names do not show it, separated by commas.',
  ),
  httpsProxy: optional(
    'HTTPS_PROXY',
    proxyUrl,
    'HTTP proxy through which https addresses of identity providers and of clients’ keys are reached, such as http://proxy.example:3128.',
    true,
  ),
  noProxy: setting(
    'NO_PROXY',
    hosts,
    '',
    'Hosts that are reached without the proxy, separated by commas: names with their subdomains, addresses, networks such as 10.0.0.0/8, or *.',
  ),
} as const;

/** Settings of the administration: REST, GraphQL and who may use them. */
export const administrationSettings = {
  adminAuth: setting(
    'ADMIN_AUTH',
    oneOf('token', 'none'),
    'token',
    'none: the administration does not authenticate its callers; for closed networks.',
  ),
  adminAuthNoneAccepted: setting('ADMIN_AUTH_NONE_ACCEPTED', boolean, 'no', 'yes: production accepts ADMIN_AUTH=none.'),
  systemUserGuid: setting(
    'SYSTEM_USER_GUID',
    guid,
    '00000000-0000-0000-0000-000000000001',
    'Author of changes made by commands and with ADMIN_AUTH=none.',
  ),
  approvals: setting(
    'APPROVALS',
    oneOf('none', 'security', 'all'),
    'none',
    'Which changes a second person must approve: none; security: those that require admin:security; all. Commands on the server need no approval.',
  ),
  adminReadScopes: setting(
    'ADMIN_READ_SCOPES',
    list,
    '',
    'Further scopes that allow what admin:read does, separated by commas.',
  ),
  adminWriteScopes: setting(
    'ADMIN_WRITE_SCOPES',
    list,
    '',
    'Further scopes that allow what admin:write does, separated by commas.',
  ),
  adminCorsOrigins: setting(
    'ADMIN_CORS_ORIGINS',
    origins,
    '',
    'Origins whose pages may call /graphql, such as an admin UI’s, separated by commas. Not set: none.',
  ),
  timeZone: setting(
    'TIME_ZONE',
    timeZone,
    'UTC',
    'Time zone of a date without a time where something ends, such as `2027-12-31` as `validUntil`: it ends with the last second of that day there. A date in `--since` and `--as-of` of a command is the beginning of that day there. An IANA name, such as Europe/Berlin; times that were stored stay.',
  ),
  mappingActiveStates: setting(
    'MAPPING_ACTIVE_STATES',
    checked(list, (states) => states.length > 0, 'at least one state'),
    'active',
    'States in which a mapping opens its application, separated by commas.',
  ),
  answersRememberedMb: setting(
    'ANSWERS_REMEMBERED_MB',
    integer(0, 4_096),
    '64',
    'Cache for answers of administrative reads, in MB per process; they are reused until administered data changes, and one answer may have a quarter of it. 0: no cache.',
  ),
  restStatus: setting(
    'REST_STATUS',
    oneOf('legacy', 'standard'),
    'legacy',
    'legacy: every success is 200; standard: 201 for a new application, 204 for deletes.',
  ),
  graphqlComplexityMax: setting(
    'GRAPHQL_COMPLEXITY_MAX',
    integer(1, 100_000_000),
    '100000',
    'Maximum number of records that a GraphQL operation may request, by its page sizes and the items of a change.',
  ),
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    oneOf('development', 'yes', 'no'),
    'development',
    'Whether GraphQL answers introspection, and browsers find GraphiQL at /graphql: yes, no, or development (not in production).',
  ),
  graphqlDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    readTrustedDocuments,
    'JSON file of the only documents that /graphql executes, as written by GraphQL Code Generator, Relay or Apollo; it is read at the start and turns GraphiQL off. Not set: any document.',
  ),
} as const;

/** Settings of operations: logs, metrics, traces, and retention. */
export const operationsSettings = {
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Lowest severity that is logged: trace, debug, info, warn, error or silent.',
  ),
  accessLog: setting(
    'ACCESS_LOG',
    oneOf('failures', 'all', 'no'),
    'failures',
    'Which requests are logged, each with method, route, status, duration and trace id: failures (4xx and 5xx), all or no.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    integer(0, 65_535),
    'Separate port for /metrics (Prometheus), /livez and /readyz; not set: no metrics. 0 takes a free one.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorUrl,
    'OpenTelemetry collector that traces are sent to, as JSON over HTTP to `/v1/traces` below it; not set: no traces.',
  ),
  otlpServiceName: setting('OTEL_SERVICE_NAME', anyText, 'gatehouse', 'Name of the service in traces.'),
  otlpSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    ratio,
    '1',
    'Share of new traces that are sampled, from 0 to 1; for a trace that the caller began, the caller decides.',
  ),
  housekeepingMinutes: setting(
    'HOUSEKEEPING_MINUTES',
    integer(0, 10_080),
    '60',
    'Minutes between clean-ups, for all processes together; 0: none.',
  ),
  tokenRetentionDays: setting(
    'TOKEN_RETENTION_DAYS',
    integer(1, 36_500),
    '7',
    'Days for which the record of a renewal token is kept after its expiry, revoked or not.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    integer(0, 36_500),
    '0',
    'Days for which audit events, change sets and versions of records are kept; 0: forever. The current version of a record is always kept.',
  ),
  endpointEnds: setting(
    'ENDPOINT_ENDS',
    endpointEnds,
    '[]',
    'JSON: paths whose end is announced with the headers `Deprecation`, `Sunset` and `Link`, and their brown-outs ([how](run/ends.md)).',
  ),
} as const;
