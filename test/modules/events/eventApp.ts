/** A service whose streams may reach receivers on loopback, and what tests ask of its graph. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { until } from '../../support/until.js';
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

/** Applies the changes in one change set. */
export const apply = async (graph: TestGraph, ...changes: object[]): Promise<string> =>
  (
    await graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
      changes,
    })
  ).applyChanges.changeSetGuid;

/** Runs the work, and only then are the events of all its change sets made, at once. */
export const together = (graph: TestGraph, work: () => Promise<unknown>): Promise<unknown> =>
  graph.app.context.sql.transaction(async (own) => {
    await own.rows('select from event_readings for update');
    await work();
  });

/** Sends the stream once more what happened since. */
export async function replay(graph: TestGraph, eventStreamGuid: string, since: string): Promise<void> {
  await graph.data(
    'mutation ($guid: UUID!, $since: DateTime!) { replayEvents(eventStreamGuid: $guid, since: $since) { replayFrom } }',
    { guid: eventStreamGuid, since },
  );
  await until(async () => (await readStream(graph, eventStreamGuid)).replayFrom === null);
}

/** Until the events of all causes are made, and nothing waits for the streams. */
export async function settled(graph: TestGraph, ...streams: string[]): Promise<void> {
  await until(async () => {
    const [open] = await graph.app.context.sql.rows<{ open: boolean }>(
      `select exists (select from event_causes cause, event_readings reading
         where (cause.transaction_id, cause.event_cause_id) > (reading.transaction_id, reading.event_cause_id)) as open`,
    );
    const states = await Promise.all(streams.map((guid) => readStream(graph, guid)));
    return !open!.open && states.every(({ waiting }) => waiting === 0);
  });
}

/** SQL: the connections with the lock of those that deliver: one, or none for a moment. */
export const delivering = `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
  and (classid::bigint << 32 | objid::bigint) = hashtext('gatehouse events')
  and database = (select oid from pg_database where datname = current_database())`;
