/** A service whose streams may reach receivers on loopback, and what tests ask of its graph. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import type { Received } from './receiver.js';

export const startEventApp = (settings: Record<string, string> = {}): Promise<TestGraph> =>
  startTestGraph({ PRIVATE_PROVIDER_HOSTS: '127.0.0.1', ...settings });

interface Made {
  guid: string;
  secret: string;
}

const create = `mutation ($input: CreateEventStreamInput!) {
  createEventStream(input: $input) { secret eventStream { eventStreamGuid } }
}`;

export async function newStream(graph: TestGraph, input: object): Promise<Made> {
  const { createEventStream } = await graph.data(create, { input: { name: 'Test', ...input } });
  return { guid: createEventStream.eventStream.eventStreamGuid, secret: createEventStream.secret };
}

export const newWebhook = (graph: TestGraph, address: string, more: object = {}): Promise<Made> =>
  newStream(graph, { kind: 'webhook', address, ...more });
export const newPush = (graph: TestGraph, address: string, more: object = {}): Promise<Made> =>
  newStream(graph, { kind: 'push', address, audience: 'https://api.example', ...more });

export const updateStream = (graph: TestGraph, eventStreamGuid: string, input: object) =>
  graph.data(
    'mutation ($guid: UUID!, $input: UpdateEventStreamInput!) { updateEventStream(eventStreamGuid: $guid, input: $input) { status statusReason revision } }',
    { guid: eventStreamGuid, input },
  );

export const readStream = async (graph: TestGraph, guid: string) =>
  (
    await graph.data(
      `query ($guid: UUID!) { eventStream(eventStreamGuid: $guid) {
        name kind address audience status statusReason events profileIds applicationGuids waiting oldestWaitingAt failures
        lastDeliveredAt lastFailedAt lastStatus lastProblem advice gapFrom gapUntil replayFrom nextAttemptAt revision
        deliveries { eventGuid type status problem milliseconds sentAt } } }`,
      { guid },
    )
  ).eventStream;

export const bodiesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body));
