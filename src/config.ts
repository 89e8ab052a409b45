/** Every setting: its name, type, default, one line of doc and rule for production. The only reader of the environment. */
import { readFileSync } from 'node:fs';
import { databaseUrl, replicaUrls } from './config/databaseUrl.js';
import { refusedInProduction } from './config/production.js';
import { OperatorError } from './errors.js';
import {
  basePath,
  collectorUrl,
  encryptionKeys,
  guid,
  hosts,
  idTokenIssuers,
  integer,
  issuerUrl,
  list,
  oneOf,
  origins,
  Refused,
  share,
  text,
  trustProxy,
  yes,
} from './settingTypes.js';

export type { IdTokenIssuer } from './settingTypes.js';

interface Setting<T> {
  env: string;
  doc: string;
  /** As the README's table shows it; undefined: not set. */
  default?: string;
  /** Shown in the table when it isn't a plain value. */
  read(text: string): T;
  secret?: boolean;
}
function setting<T>(env: string, read: (text: string) => T, fallback: string, doc: string, secret = false): Setting<T> {
  return { env, doc, default: fallback, read, secret };
}
function optional<T>(env: string, read: (text: string) => T, doc: string, secret = false): Setting<T | undefined> {
  return { env, doc, read, secret };
}

export const settings = {
  nodeEnv: setting(
    'NODE_ENV',
    text,
    'development',
    '`production` refuses every default that is only fit for development.',
  ),
  port: setting('PORT', integer(0, 65_535), '4000', 'Port to listen on; 0 takes a free one.'),
  host: setting('HOST', text, '127.0.0.1', 'Address to listen on.'),
  basePath: setting('BASE_PATH', basePath, '', 'Prefix of every path.'),
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
    yes,
    'yes',
    'yes: a start runs pending migrations, one process at a time; no: it refuses, and `npx gatehouse migrate` runs them.',
  ),
  databasePoolMax: setting(
    'DATABASE_POOL_MAX',
    integer(1, 1_000),
    '20',
    'Most connections to the database per process.',
  ),
  databaseTimeoutMs: setting(
    'DATABASE_TIMEOUT_MS',
    integer(100, 600_000),
    '5000',
    'Longest wait for a connection, in milliseconds; then 503.',
  ),
  databaseWaitingMax: setting(
    'DATABASE_WAITING_MAX',
    integer(0, 1_000_000),
    '1000',
    'Most requests of a process that wait for a connection; the next is answered 503 at once.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    integer(0, 3_600_000),
    '10000',
    'Longest run of a statement, in milliseconds; then 503. 0: no limit. Commands have none.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    yes,
    'yes',
    'no: statements are not prepared by name, for transaction poolers that know no prepared statements.',
  ),
  issuerUrl: optional(
    'ISSUER_URL',
    issuerUrl,
    '`iss` of the tokens, at most 80 characters; not set: `http://HOST:PORT` and `BASE_PATH`.',
  ),
  idTokenIssuers: optional(
    'ID_TOKEN_ISSUERS',
    idTokenIssuers,
    'JSON: the identity providers whose ID tokens are accepted; not set: a development provider.',
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
    oneOf('at+jwt', 'JWT'),
    'at+jwt',
    '`typ` of access tokens: at+jwt, or JWT for APIs that pin it.',
  ),
  keyEncryptionKeys: optional(
    'KEY_ENCRYPTION_KEY',
    encryptionKeys,
    'Encrypts private keys in the database: 32 bytes in base64; further ones after a comma still decrypt, and a start closes all keys with the first. Not set: one is made in `DATA_DIR`.',
    true,
  ),
  tokenPolicy: setting(
    'TOKEN_POLICY',
    oneOf('documented', 'hardened'),
    'documented',
    'documented: the contract to the letter; hardened: renewal tokens bound to their client.',
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
    'Requests a minute of an address to /token, /revoke, /validate-token and /introspect, before 429; 0: no limit.',
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
  sessionMaxDays: setting(
    'SESSION_MAX_DAYS',
    integer(0, 36_500),
    '0',
    'Days after the exchange at which renewals end; 0: they go on for ever, 30 days at a time.',
  ),
  bcryptCost: setting('BCRYPT_COST', integer(4, 14), '10', 'Cost of hashes of client secrets.'),
  adminAuth: setting(
    'ADMIN_AUTH',
    oneOf('token', 'none'),
    'token',
    'none: no caller of the administration is asked who it is; for closed networks.',
  ),
  adminAuthNoneAccepted: setting('ADMIN_AUTH_NONE_ACCEPTED', yes, 'no', 'yes: production accepts ADMIN_AUTH=none.'),
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
  mappingActiveStates: setting(
    'MAPPING_ACTIVE_STATES',
    list,
    'active',
    'States in which a mapping opens its application, separated by commas.',
  ),
  restStatus: setting(
    'REST_STATUS',
    oneOf('legacy', 'standard'),
    'legacy',
    'legacy: every success is 200; standard: 201 for a new application, 204 for deletes.',
  ),
  graphqlDepthMax: setting(
    'GRAPHQL_DEPTH_MAX',
    integer(1, 100),
    '12',
    'Most levels of a GraphQL query; `nodes`, `edges`, `node` and `pageInfo` are none.',
  ),
  graphqlComplexityMax: setting(
    'GRAPHQL_COMPLEXITY_MAX',
    integer(1, 100_000_000),
    '100000',
    'Most records that a GraphQL query may ask for, by the page sizes that it names.',
  ),
  graphqlAliasesMax: setting('GRAPHQL_ALIASES_MAX', integer(0, 10_000), '50', 'Most aliases of a GraphQL document.'),
  graphqlRootFieldsMax: setting(
    'GRAPHQL_ROOT_FIELDS_MAX',
    integer(1, 1_000),
    '20',
    'Most root fields of a GraphQL operation.',
  ),
  graphqlTokensMax: setting('GRAPHQL_TOKENS_MAX', integer(100, 100_000), '3000', 'Most tokens of a GraphQL document.'),
  graphqlBodyBytesMax: setting(
    'GRAPHQL_BODY_BYTES_MAX',
    integer(1_024, 100_000_000),
    '8388608',
    'Largest body of a GraphQL request, in bytes.',
  ),
  graphqlPageSizeMax: setting(
    'GRAPHQL_PAGE_SIZE_MAX',
    integer(1, 10_000),
    '1000',
    'Largest `first` or `last` of a GraphQL connection.',
  ),
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    oneOf('development', 'yes', 'no'),
    'development',
    'Whether GraphQL tells its schema: yes, no, or development (not in production).',
  ),
  graphiql: setting(
    'GRAPHIQL',
    oneOf('development', 'yes', 'no'),
    'development',
    'Whether a browser finds GraphiQL at /graphql: yes, no, or development (not in production).',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    trustProxy,
    'no',
    'Proxies whose X-Forwarded-For counts: no, a number of hops, or their addresses and nets, `loopback`, `linklocal` and `uniquelocal` among them.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    origins,
    '',
    'Origins whose pages may call the token endpoints and read keys and metadata, separated by commas; *: any. Not set: none.',
  ),
  privateProviderHosts: setting(
    'PRIVATE_PROVIDER_HOSTS',
    hosts,
    '',
    'Hosts of identity providers that have private addresses under names that do not show it, separated by commas.',
  ),
  accessLog: setting(
    'ACCESS_LOG',
    oneOf('failures', 'all', 'no'),
    'failures',
    'Which requests are logged, each in a line of method, route, status, duration and trace id: failures (4xx and 5xx), all or no.',
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
    'Days for which audit events stay; 0: for ever.',
  ),
  workers: setting('WORKERS', integer(1, 256), '1', 'Processes that share the port; each has its own connections.'),
  metricsPort: optional(
    'METRICS_PORT',
    integer(0, 65_535),
    'Port of its own for /metrics (Prometheus), /livez and /readyz; not set: no metrics. 0 takes a free one.',
  ),
  slowStatementMs: setting(
    'SLOW_STATEMENT_MS',
    integer(0, 3_600_000),
    '1000',
    'Statements that take as many milliseconds are logged with the request; 0: none.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorUrl,
    'OpenTelemetry collector that traces are sent to, as JSON over HTTP to `/v1/traces` below it; not set: no traces.',
  ),
  otlpServiceName: setting('OTEL_SERVICE_NAME', text, 'gatehouse', 'Name of the service in traces.'),
  otlpSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share,
    '1',
    'Share of the traces that begin here which are kept, from 0 to 1; the trace of a caller is kept when the caller keeps it.',
  ),
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
  dataDir: setting('DATA_DIR', text, '.gatehouse', 'Folder of the embedded database and of development keys.'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least severity that is logged: trace, debug, info, warn, error or silent.',
  ),
} as const;

type Values = { [name in keyof typeof settings]: ReturnType<(typeof settings)[name]['read']> };
type MayBeUnset =
  | 'databaseUrl'
  | 'databaseDirectUrl'
  | 'issuerUrl'
  | 'idTokenIssuers'
  | 'keyEncryptionKeys'
  | 'metricsPort'
  | 'otlpEndpoint';
export type Config = Readonly<Omit<Values, MayBeUnset> & { [name in MayBeUnset]: Values[name] | undefined }> & {
  readonly production: boolean;
};

/** The setting that a fault begins with. */
const nameIn = (fault: string): string | undefined => /^[A-Z_]+/.exec(fault)?.[0];

/** Reads all settings. Throws one OperatorError that names every bad one. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, { env, read, default: fallback }] of Object.entries(settings) as [string, Setting<unknown>][]) {
    // an empty variable counts as not set, as in compose files
    const given = environment[env] || fallback;
    try {
      values[name] = given === undefined ? undefined : read(given);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      faults.push(`${env} must be ${error.message}.`);
    }
  }
  const config = { ...values, production: values.nodeEnv === 'production' } as Config;
  if (config.production) {
    const told = new Set(faults.map(nameIn));
    faults.push(...refusedInProduction(config).filter((refusal) => !told.has(nameIn(refusal))));
  }
  if (faults.length > 0) throw new OperatorError(`Bad settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  return config;
}

/** The settings as a Markdown table, for the README. */
export function settingsTable(): string {
  const rows = (Object.values(settings) as Setting<unknown>[]).map(
    ({ env, default: fallback, doc }) => `| \`${env}\` | ${fallback ? `\`${fallback}\`` : ''} | ${doc} |`,
  );
  return ['| setting | default | |', '|---|---|---|', ...rows].join('\n');
}

/** The version in package.json, found from the compiled file's place. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
