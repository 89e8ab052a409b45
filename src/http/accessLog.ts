/** The access log (ACCESS_LOG): a line for each request, with no data of the request except the fields below. */
import type { Config } from '../config/config.js';
import { type CurrentRequest, endpointOf } from '../observability/currentRequest.js';
import type { Log } from '../observability/log.js';

/** Returns a function that logs an ended request; undefined when no requests are logged. */
export function openAccessLog(wanted: Config['accessLog'], log: Log): ((ended: CurrentRequest) => void) | undefined {
  if (wanted === 'no') return undefined;
  return (ended) => {
    const { request, response, traceId, startedAt } = ended;
    const { statusCode: status } = response;
    // an answer that broke off is a failure, whatever its status was to be
    const isComplete = response.writableFinished;
    if (wanted === 'failures' && status < 400 && isComplete) return;
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const route = endpointOf(ended) ?? '-';
    const { method } = request;
    log.info({ traceId, method, route, status, durationMs, ...(!isComplete && { aborted: true }) }, 'request');
  };
}
