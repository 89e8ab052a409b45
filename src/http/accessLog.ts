/** A line for each request that ACCESS_LOG asks for. Nothing else of a request is ever logged than what stands here. */
import type { Config } from '../config/config.js';
import { currentRequest, endpointOf } from '../observability/currentRequest.js';
import type { Log } from '../observability/log.js';

/** Logs the request that is being answered, when it has ended. */
export function openAccessLog(wanted: Config['accessLog'], log: Log): () => void {
  if (wanted === 'no') return () => undefined;
  return () => {
    const current = currentRequest()!;
    const { request, response, traceId, startedAt } = current;
    response.once('close', () => {
      const { statusCode: status } = response;
      // an answer that broke off is a failure, whatever its status was to be
      const isComplete = response.writableFinished;
      if (wanted === 'failures' && status < 400 && isComplete) return;
      const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
      const route = endpointOf(current) ?? '-';
      const { method } = request;
      log.info({ traceId, method, route, status, durationMs, ...(!isComplete && { aborted: true }) }, 'request');
    });
  };
}
