/** Every setting that the pages of docs/run name, with a value that is not the default where there is one: any two of them work together. */

export const settingsTogether: Record<string, string> = {
  ADMIN_AUDIENCE: 'administration',
  ADMIN_RATE_LIMIT: '100000',
  ANSWERS_REMEMBERED_MB: '8',
  AUDIENCES: 'GRID,IOT,BILLING',
  AUDIT_RETENTION_DAYS: '365',
  AUTO_MIGRATE: 'no',
  COMPRESSION: 'no',
  CONNECTIONS_MAX: '5000',
  DATABASE_POOL_MAX: '5',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
  DATABASE_TIMEOUT_MS: '6000',
  ENDPOINT_ENDS: JSON.stringify([{ path: '/api/applications', deprecatedAt: '2026-12-01T00:00:00Z' }]),
  HOST: '127.0.0.1',
  HOUSEKEEPING_MINUTES: '1',
  KEY_ROTATION_DAYS: '30',
  LIMITER_STORE: 'database',
  // nobody listens there
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  READER_BYTES_PER_SECOND_MIN: '16384',
  REFUSAL_RETENTION_DAYS: '3',
  SESSION_MAX_DAYS: '90',
  SHUTDOWN_DELAY_MS: '100',
  SHUTDOWN_GRACE_MS: '2000',
  SIGNING_ALG: 'EdDSA',
  TOKEN_POLICY: 'rehearsal',
  TOKEN_RATE_LIMIT: '100000',
  TOKEN_RETENTION_DAYS: '3',
  TRUST_PROXY: 'loopback',
  USAGE_RETENTION_DAYS: '30',
  WORKERS: '2',
};

/** Settings for which each test has values of its own. */
export const ownSettings = [
  'ADMIN_AUTH',
  // their changes are made without a second person
  'APPROVALS',
  'DATABASE_DIRECT_URL',
  'DATABASE_NAMED_STATEMENTS',
  'DATABASE_REPLICA_URLS',
  'DATABASE_URL',
  'ID_TOKEN_ISSUERS',
  'ISSUER_URL',
  'KEY_ENCRYPTION_KEY',
  'METRICS_PORT',
  'NODE_ENV',
  'PRIVATE_PROVIDER_HOSTS',
];
