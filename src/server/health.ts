/** Health checks: /livez shows that the process runs, /readyz which part fails, if any. Both need no token and come before all routes. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { json, send } from '../http/answer.js';

export interface ReadinessReport {
  /** The result of each check: `ok`, or the problem. */
  checks: Readonly<Record<string, string>>;
  /** The state of the replicas, which doesn't affect readiness. */
  replicas?: string;
}

export interface Health {
  /** Answers the request if it is one of the two paths. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
}

/** @param check must never reject @param basePath the paths are answered with and without it */
export function openHealth(check: () => Promise<ReadinessReport>, basePath: string): Health {
  const answer = new Map<string, (response: ServerResponse) => void>();
  for (const prefix of new Set(['', basePath])) {
    answer.set(`${prefix}/livez`, (response) => send(response, json(200, { status: 'ok' }, notStored)));
    answer.set(`${prefix}/readyz`, (response) => void check().then((report) => sendReadiness(response, report)));
  }
  return {
    answers(request, response) {
      const handler = answer.get(pathOf(request));
      if (!handler) return false;
      if (request.method === 'GET' || request.method === 'HEAD') handler(response);
      else response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return true;
    },
  };
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0]!;

function sendReadiness(response: ServerResponse, report: ReadinessReport): void {
  const isReady = Object.values(report.checks).every((check) => check === 'ok');
  send(response, json(isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', ...report }, notStored));
}

const notStored = { 'cache-control': 'no-store' };

/** The listener of METRICS_PORT: /metrics and the two health checks. */
export function metricsListener(health: Health, metrics: () => Promise<string>, contentType: string): RequestListener {
  let underWay: Promise<string> | undefined;
  /** Simultaneous requests share one collection. */
  const gather = () => {
    underWay ??= metrics().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return (request, response) => {
    if (health.answers(request, response)) return;
    if (pathOf(request) !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    gather().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(503, { 'retry-after': '5' }).end(),
    );
  };
}
