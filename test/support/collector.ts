/** A collector of OpenTelemetry traces on 127.0.0.1, as JSON over HTTP brings them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAtEnd } from './lifetimes.js';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 2: server, 3: client. */
  kind: number;
  /** 2: an error. */
  status: number;
  attributes: Record<string, unknown>;
}

export interface Collector {
  url: string;
  /** All that came so far, as it came. */
  received(): string;
  spans(): Span[];
  /** The attributes of who sent them. */
  resources(): Record<string, unknown>[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP as it comes
type Json = any;

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url === '/v1/traces') bodies.push(body);
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const groups = (): Json[] => bodies.flatMap((body) => JSON.parse(body).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => bodies.join('\n'),
    spans: () =>
      groups().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: Json) => spans.map(readSpan) as Span[])),
    resources: () => groups().map(({ resource }) => plain(resource.attributes)),
    close: closeAtEnd(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }),
  };
}

function readSpan({ traceId, spanId, parentSpanId, name, kind, status, attributes }: Json): Span {
  return { traceId, spanId, parentSpanId, name, kind, status: status?.code ?? 0, attributes: plain(attributes) };
}

const plain = (attributes: Json[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
