/** What event streams do beside requests: the delivery, its metrics, and the task that notices streams of another process. */
import { providerNetworkOf } from '../../auth/egressProxy.js';
import { type CurrentRequest, endpointOf } from '../../observability/currentRequest.js';
import { type Metrics, openCounter, showFigures } from '../../observability/metrics.js';
import type { OpenBackgroundWork } from '../../services/maintenance/backgroundWork.js';
import type { ScheduledTask } from '../../services/maintenance/schedule.js';
import type { Sql } from '../../sql.js';
import { type DispatcherOptions, startDispatcher } from './dispatcher.js';
import { isSent } from './waiting.js';

export const deliverEvents: OpenBackgroundWork = (dependencies, { sql, metrics }) => {
  const { config } = dependencies;
  const network = providerNetworkOf(config);
  const counted = metrics && countDeliveries(metrics);
  const dispatcher = startDispatcher({ ...dependencies, sql, network, ...(counted && { counted }) });
  if (metrics) showWaiting(metrics, sql, dispatcher.knowsStreams);
  const task: ScheduledTask = {
    name: 'events',
    due: 'exists (select from event_streams)',
    run: async () => dispatcher.awake(),
  };
  return {
    task,
    /** Looks at once after a request that may have changed something. */
    requestEnded: (ended) => {
      if (mayHaveChanged(ended)) dispatcher.noticed();
    },
    stop: dispatcher.stop,
  };
};

const reads: ReadonlySet<string | undefined> = new Set([
  '/validate-token',
  '/introspect',
  '/profiles',
  '/verify',
  '/access/v1/evaluation',
  '/access/v1/evaluations',
]);

function mayHaveChanged(ended: CurrentRequest): boolean {
  const { request, response, operationType } = ended;
  if (request.method === 'GET' || request.method === 'HEAD' || operationType === 'query') return false;
  const endpoint = endpointOf(ended);
  // a renewal ends no session; a refused one may be a used token
  if (endpoint === '/token') return response.statusCode >= 400;
  return !reads.has(endpoint);
}

function countDeliveries(metrics: Metrics): DispatcherOptions['counted'] {
  const counters = {
    delivered: openCounter(metrics, {
      name: 'gatehouse_events_delivered_total',
      help: 'Events that receivers of event streams acknowledged.',
    }),
    failed: openCounter(metrics, {
      name: 'gatehouse_event_failures_total',
      help: 'Deliveries of events that failed and are repeated.',
    }),
  };
  return (outcome, count) => counters[outcome](count);
}

const waiting = `select count(*)::float8 as count, extract(epoch from now() - min(published_at))::float8 as age
  from event_streams stream join published_events event on event.published_event_id > stream.delivered_event_id
    and (event.event_stream_guid = stream.event_stream_guid or event.event_stream_guid is null and event.published_event_id > stream.shared_after_id)
  where ${isSent}`;

function showWaiting(metrics: Metrics, sql: Sql, knowsStreams: () => boolean): void {
  const read = async (column: 'count' | 'age'): Promise<number> => {
    if (!knowsStreams()) return 0;
    const [row] = await sql.rows<{ count: number; age: number | null }>(waiting);
    return row![column] ?? 0;
  };
  showFigures(metrics, [
    {
      name: 'gatehouse_events_waiting',
      help: 'Events that wait for enabled event streams, some of which their receivers may not want.',
      aggregator: 'max',
      read: () => read('count'),
    },
    {
      name: 'gatehouse_events_oldest_waiting_seconds',
      help: 'Time for which the oldest of them has waited.',
      aggregator: 'max',
      read: () => read('age'),
    },
  ]);
}
