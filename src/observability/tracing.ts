/**
 * OpenTelemetry: a span for each request, with a span for each statement and fetch. The only file that uses its libraries, and
 * loaded only if traces are on. Attributes never contain data of callers or records: no path, query or bind value.
 */
import {
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  type CurrentRequest,
  endpointOf,
  type FetchOutcome,
  grantOf,
  methodOf,
  operationOf,
  type RequestTrace,
  type Traceparent,
} from './currentRequest.js';
import type { Log } from './log.js';
import { statementShown } from './statements.js';

interface TracingOptions {
  /** The collector's address, without `/v1/traces`. */
  endpoint: string;
  serviceName: string;
  version: string;
  /** Share of traces that begin here, from 0 to 1. A caller's trace follows the caller's decision. */
  share: number;
  log: Log;
}

export interface Tracing {
  /** Begins the trace of a request; undefined if it is not sampled. */
  begin(caller: Traceparent | undefined): RequestTrace | undefined;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}

// including all attempts
const exportTimeoutMs = 3_000;
const textMax = 2_000;
const closeTimeoutMs = 1_500;

export function openTracing({ endpoint, serviceName, version, share, log }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
    concurrencyLimit: 4,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: logged(exporter, log), exportTimeoutMillis: exportTimeoutMs * 2 }),
    ],
  });
  const tracer = provider.getTracer('gatehouse', version);

  const begin: Tracing['begin'] = (caller) => {
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, caller ? contextOf(caller) : ROOT_CONTEXT);
    if (!span.isRecording()) return undefined;
    const below = trace.setSpan(ROOT_CONTEXT, span);
    return {
      traceId: span.spanContext().traceId,
      statementBegan(text) {
        const shown = statementShown(text, textMax);
        const operation = /^\w{1,20}/.exec(shown)?.[0].toUpperCase() ?? 'SQL';
        const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': shown };
        const child = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes }, below);
        return (error) => endStatement(child, error);
      },
      fetchBegan(url) {
        const attributes = { 'http.request.method': 'GET', ...shownUrl(url) };
        const child = tracer.startSpan('GET', { kind: SpanKind.CLIENT, attributes }, below);
        return (outcome) => endFetch(child, outcome);
      },
      ended: (request) => endRequest(span, request),
    };
  };
  const close = async () => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, closeTimeoutMs).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
  };
  return { begin, close };
}

function contextOf({ traceId, spanId, isSampled, tracestate }: Traceparent) {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  });
}

/** Logs once that the collector fails, and once that it works again. */
function logged(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isAway)
          log.warn({ error: result.error }, 'traces are dropped: the collector does not accept them');
        if (!failed && isAway) log.info('traces are accepted again');
        isAway = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

// https://opentelemetry.io/docs/specs/semconv/http/http-spans
function endRequest(span: Span, request: CurrentRequest): void {
  const { response, operationType } = request;
  const method = methodOf(request);
  const route = endpointOf(request);
  const grant = grantOf(request, route);
  const operation = operationOf(request);
  const isAnswered = response.writableFinished;
  const status = response.statusCode;
  span.updateName(route ? `${method ?? 'HTTP'} ${route}` : (method ?? 'HTTP'));
  span.setAttributes({
    'http.request.method': method ?? '_OTHER',
    'url.scheme': 'http',
    ...(route && { 'http.route': route }),
    ...(response.headersSent && { 'http.response.status_code': status }),
    ...(grant && { 'gatehouse.grant': grant }),
    // https://opentelemetry.io/docs/specs/semconv/graphql/graphql-spans
    ...(operation && { 'graphql.operation.name': operation }),
    ...(operationType && { 'graphql.operation.type': operationType }),
    'gatehouse.statements': request.statements,
  });
  const problem = isAnswered ? (status >= 500 ? String(status) : undefined) : 'aborted';
  if (problem) fail(span, problem);
  span.end();
}

// https://opentelemetry.io/docs/specs/semconv/database/postgresql: only the SQLSTATE of an error is reported
function endStatement(span: Span, error: unknown): void {
  if (error) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    const state = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
    if (state) span.setAttribute('db.response.status_code', state);
    fail(span, state ?? String(name));
  }
  span.end();
}

function endFetch(span: Span, { status, error }: FetchOutcome): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (error instanceof Error) fail(span, error.name);
  else if (status !== undefined && status >= 400) fail(span, String(status));
  span.end();
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const shownUrl = ({ protocol, hostname, port, origin, pathname }: URL) => ({
  'server.address': hostname,
  'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  'url.full': origin + pathname,
});
