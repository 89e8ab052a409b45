/** Every setting: name, default, description, and how its text is read. */
import { databaseUrl, replicaUrls } from './databaseUrl.js';
import { endpointEnds } from './endpointEnds.js';
import { idTokenIssuers } from './issuers.js';
import type { Limits } from './limits.js';
import {
  anyOrigins,
  audience,
  audienceResources,
  audiences,
  basePath,
  boolean,
  collectorUrl,
  cookieName,
  encryptionKeys,
  guid,
  hosts,
  integer,
  issuerUrl,
  list,
  oneOf,
  optional,
  origins,
  ratio,
  setting,
  text,
  trustProxy,
} from './parsers.js';
import { readTrustedDocuments } from './trustedDocuments.js';

/** Settings of the process itself. */
const serviceSettings = {
  nodeEnv: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'development, test or production, which refuses every default that is only fit for development.',
  ),
  port: setting('PORT', integer(0, 65_535), '4000', 'Port to listen on; 0 takes a free one.'),
  host: setting('HOST', text, '127.0.0.1', 'Address to listen on.'),
  basePath: setting('BASE_PATH', basePath, '', 'Prefix of every path.'),
  workers: setting('WORKERS', integer(1, 256), '1', 'Processes that share the port; each has its own connections.'),
  demonstration: setting(
    'DEMONSTRATION',
    oneOf('small', 'large'),
    'small',
    'Size of the demonstration that a development start puts into an empty database: small, or large (5,208 applications, 50,007 people).',
  ),
  dataDir: setting('DATA_DIR', text, '.gatehouse', 'Folder of the embedded database and of development keys.'),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(0, 600_000),
    '0',
    'After SIGTERM, milliseconds in which it still takes requests while /readyz says no, for load balancers to notice.',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    integer(0, 600_000),
    '10000',
    'After that, most milliseconds for requests under way to end.',
  ),
} as const;

/** Settings of the database and its connections. */
const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    databaseUrl,
    'PostgreSQL to use, one host or several with `target_session_attrs`; not set: an embedded one under `DATA_DIR`.',
    true,
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    databaseUrl,
    'The same database past a transaction pooler, for migrations.',
    true,
  ),
  databaseReplicaUrls: setting(
    'DATABASE_REPLICA_URLS',
    replicaUrls,
    '',
    'Streaming standbys of the database, separated by commas, one server each: administrative reads go there while they have the last change.',
    true,
  ),
  autoMigrate: setting(
    'AUTO_MIGRATE',
    boolean,
    'yes',
    'yes: a start runs pending migrations, one process at a time; no: it refuses, and `npx gatehouse migrate` runs them.',
  ),
  databasePoolMax: setting(
    'DATABASE_POOL_MAX',
    integer(1, 1_000),
    '20',
    'Most connections to the database per process, for requests: two fifths are for the token endpoints, and half of the others read lists.',
  ),
  databaseTimeoutMs: setting(
    'DATABASE_TIMEOUT_MS',
    integer(100, 600_000),
    '5000',
    'Longest wait for a connection, in milliseconds; then 503.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    integer(0, 3_600_000),
    '10000',
    'Longest run of a statement, in milliseconds; then 503. 0: no limit. Commands have none.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    boolean,
    'yes',
    'no: statements are not prepared by name, for transaction poolers that know no prepared statements.',
  ),
} as const;

/** Settings of tokens: who issues them, how they are signed, how long they live. */
const tokenSettings = {
  issuerUrl: optional(
    'ISSUER_URL',
    issuerUrl,
    '`iss` of the tokens, at most 80 characters; not set: `http://HOST:PORT` and `BASE_PATH`. Commands on the embedded database take that of the service that was started there last, whatever their PORT is.',
  ),
  idTokenIssuers: optional(
    'ID_TOKEN_ISSUERS',
    idTokenIssuers,
    'JSON: the identity providers whose ID tokens are accepted, and by which people sign in to the console ([how](identity-providers.md)); not set: a development provider.',
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
    'Days after which the next signing key takes over by itself; 0: `keys rotate` alone does it.',
  ),
  accessTokenTyp: setting(
    'ACCESS_TOKEN_TYP',
    oneOf('auto', 'at+jwt', 'JWT'),
    'auto',
    '`typ` of access tokens: auto (JWT with the documented eight claims, at+jwt where those of RFC 9068 are there), at+jwt, or JWT.',
  ),
  keyEncryptionKeys: optional(
    'KEY_ENCRYPTION_KEY',
    encryptionKeys,
    'Encrypts private keys in the database: 32 bytes in base64; further ones after a comma still decrypt, and a start closes all keys with the first. Not set: one is made in `DATA_DIR`.',
    true,
  ),
  tokenPolicy: setting(
    'TOKEN_POLICY',
    oneOf('documented', 'rehearsal', 'hardened'),
    'documented',
    'documented: the contract to the letter; hardened: renewal tokens bound to their client, ID tokens exchanged once for each profile; rehearsal: answers as documented, and counts for each client what hardened would refuse.',
  ),
  sessionMaxDays: setting(
    'SESSION_MAX_DAYS',
    integer(0, 36_500),
    '0',
    'Days after the exchange at which renewals end; 0: they go on for ever, 30 days at a time.',
  ),
  renewalRecoverySeconds: setting(
    'RENEWAL_RECOVERY_SECONDS',
    integer(0, 60),
    '0',
    'Hardened, in forms: seconds in which a renewal without an Idempotency-Key is answered again to its client; a thief who has the used token and the secret too is then answered as well. 0: never.',
  ),
  audiences: setting(
    'AUDIENCES',
    audiences,
    'GRID,IOT',
    'Audiences that access tokens may have, with commas between: `aud` of an exchange that asks for none, in this order ([a change of it](operations.md#audiences)).',
  ),
  adminAudience: optional(
    'ADMIN_AUDIENCE',
    audience,
    'Audience that /api and /graphql ask of a token; none of `AUDIENCES`; forms ask for it by `audience`, and `admin-token` has it. Not set: every access token of ours is taken.',
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
    'yes: proofs of DPoP need a nonce of ours (RFC 9449 §8), so none can be made long before it is used.',
  ),
  verify: setting(
    'VERIFY',
    boolean,
    'yes',
    'yes: reverse proxies may ask `/verify` whether a token opens a request ([how](apis.md)); no: there is no such path.',
  ),
  verifyCookie: optional(
    'VERIFY_COOKIE',
    cookieName,
    'Name of a cookie that /verify takes the token from where no Authorization header came; give it HttpOnly, Secure and SameSite. Not set: none.',
  ),
  bcryptCost: setting('BCRYPT_COST', integer(4, 14), '10', 'Cost of hashes of client secrets.'),
} as const;

/** Settings of callers: who they are taken for, and how often they may come. */
const networkSettings = {
  compression: setting(
    'COMPRESSION',
    boolean,
    'yes',
    'no: answers are not compressed. yes: lists, queries of GraphQL, /openapi.json and the console’s files are, from a kilobyte on, where the client accepts zstd, br or gzip; never what may hold a token or secret.',
  ),
  clientFailureLimit: setting(
    'CLIENT_FAILURE_LIMIT',
    integer(0, 1_000_000),
    '30',
    'Failures of client authentication a minute, per client and per address, before 429; 0: no limit.',
  ),
  tokenRateLimit: setting(
    'TOKEN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests a minute of an address to /token, /revoke, /validate-token, /profiles, /introspect, /backchannel-logout and the AuthZEN endpoints, and those that /verify refuses, before 429; 0: no limit.',
  ),
  adminRateLimit: setting(
    'ADMIN_RATE_LIMIT',
    integer(0, 1_000_000),
    '0',
    'Requests a minute of an address to /api and /graphql, before 429; 0: no limit.',
  ),
  limiterStore: setting(
    'LIMITER_STORE',
    oneOf('memory', 'database'),
    'memory',
    'Where failures and requests are counted for their limits: memory, each process for itself; database, all processes together.',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    integer(1, 1_000_000),
    '10000',
    'Most connections of clients to a process; the next is closed at once.',
  ),
  readerBytesPerSecondMin: setting(
    'READER_BYTES_PER_SECOND_MIN',
    integer(0, 1_000_000_000),
    '32768',
    'What a client must take of an answer that waits for it, in bytes a second on average; a slower one loses its connection. 0: no minimum.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    trustProxy,
    'no',
    'Proxies whose X-Forwarded-For counts: no, a number of hops, or their addresses and nets, `loopback`, `linklocal` and `uniquelocal` among them.',
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
    'Hosts of identity providers that have private addresses under names that do not show it, separated by commas.',
  ),
} as const;

/** Settings of the administration: REST, GraphQL and who may use them. */
const administrationSettings = {
  adminAuth: setting(
    'ADMIN_AUTH',
    oneOf('token', 'none'),
    'token',
    'none: no caller of the administration is asked who it is; for closed networks.',
  ),
  adminAuthNoneAccepted: setting('ADMIN_AUTH_NONE_ACCEPTED', boolean, 'no', 'yes: production accepts ADMIN_AUTH=none.'),
  systemUserGuid: setting(
    'SYSTEM_USER_GUID',
    guid,
    '00000000-0000-0000-0000-000000000001',
    'Author of changes made by commands and with ADMIN_AUTH=none.',
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
  mappingActiveStates: setting(
    'MAPPING_ACTIVE_STATES',
    list,
    'active',
    'States in which a mapping opens its application, separated by commas.',
  ),
  answersRememberedMb: setting(
    'ANSWERS_REMEMBERED_MB',
    integer(0, 4_096),
    '64',
    'Memory of a process for answers of administrative reads, which are given again while nothing administered has changed, in MB; one has a quarter of it at most. 0: every answer is made anew.',
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
    'Most records that a GraphQL operation may ask for, by the page sizes that it names and the items of a change.',
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
    'JSON file of the only documents that /graphql executes, as GraphQL Code Generator, Relay or Apollo write it; read at the start. GraphiQL is off then. Not set: any document.',
  ),
} as const;

/** Settings of the console, the web pages of the administration. */
const consoleSettings = {
  console: setting('CONSOLE', boolean, 'yes', 'Whether browsers find the console at /console: yes or no.'),
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    integer(1, 1_440),
    '30',
    'Minutes without a request after which who is signed in to the console has to sign in again.',
  ),
  consoleMaxHours: setting(
    'CONSOLE_MAX_HOURS',
    integer(1, 168),
    '12',
    'Hours after signing in to the console at which it asks again in any case.',
  ),
} as const;

/** Settings of those who run the service: what it tells, and what it clears away. */
const operationsSettings = {
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least severity that is logged: trace, debug, info, warn, error or silent.',
  ),
  accessLog: setting(
    'ACCESS_LOG',
    oneOf('failures', 'all', 'no'),
    'failures',
    'Which requests are logged, each in a line of method, route, status, duration and trace id: failures (4xx and 5xx), all or no.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    integer(0, 65_535),
    'Port of its own for /metrics (Prometheus), /livez and /readyz; not set: no metrics. 0 takes a free one.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorUrl,
    'OpenTelemetry collector that traces are sent to, as JSON over HTTP to `/v1/traces` below it; not set: no traces.',
  ),
  otlpServiceName: setting('OTEL_SERVICE_NAME', text, 'gatehouse', 'Name of the service in traces.'),
  otlpSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    ratio,
    '1',
    'Share of the traces that begin here which are kept, from 0 to 1; the trace of a caller is kept when the caller keeps it.',
  ),
  housekeepingMinutes: setting(
    'HOUSEKEEPING_MINUTES',
    integer(0, 10_080),
    '60',
    'Minutes from one clean-up to the next, of all processes together; 0: none.',
  ),
  tokenRetentionDays: setting(
    'TOKEN_RETENTION_DAYS',
    integer(1, 36_500),
    '7',
    'Days for which the record of a renewal token stays after its expiry, revoked or not.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    integer(0, 36_500),
    '0',
    'Days for which audit events, change sets and versions of records stay; 0: for ever. The present version of a record stays in any case.',
  ),
  endpointEnds: setting(
    'ENDPOINT_ENDS',
    endpointEnds,
    '[]',
    'JSON: paths whose end is announced by `Deprecation`, `Sunset` and `Link`, and their brown-outs ([how](operations.md#the-end-of-an-operation)).',
  ),
  usageRetentionDays: setting(
    'USAGE_RETENTION_DAYS',
    integer(0, 3_650),
    '400',
    'Days for which `npx gatehouse usage` says who used which operation, since it was last seen; at most 10,000 kinds of requests, the rest together. 0: nothing is kept.',
  ),
  rehearsalDays: setting(
    'REHEARSAL_DAYS',
    integer(1, 366),
    '14',
    'Days after which a client is ready for the hardened policy, if nothing of it would have been refused meanwhile; `TOKEN_POLICY=rehearsal` counts for so long ([how](hardening.md)).',
  ),
  refusalRetentionDays: setting(
    'REFUSAL_RETENTION_DAYS',
    integer(0, 3_650),
    '7',
    'Days for which refused token requests stay, for `npx gatehouse explain`, the newest 100,000 at most; 0: none is kept.',
  ),
} as const;

/** By purpose, in the order of docs/settings.md. */
export const purposes = {
  'The service': serviceSettings,
  Database: databaseSettings,
  Tokens: tokenSettings,
  Network: networkSettings,
  Administration: administrationSettings,
  'The console': consoleSettings,
  Operations: operationsSettings,
};

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...tokenSettings,
  ...networkSettings,
  ...administrationSettings,
  ...consoleSettings,
  ...operationsSettings,
} as const;

type Values = { [name in keyof typeof settings]: ReturnType<(typeof settings)[name]['read']> };
export type Config = Readonly<Values> & Limits & { readonly production: boolean };
