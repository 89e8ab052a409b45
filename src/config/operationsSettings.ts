/** Settings of those who run the service: what it tells, and what it clears away. */
import { endpointEnds } from './endpointEnds.js';
import { collectorUrl, integer, oneOf, ratio, text } from './parsers.js';
import { optional, setting } from './setting.js';

export const operationsSettings = {
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
