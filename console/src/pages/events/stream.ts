/** A stream as the page reads it. */
import type { EventStreamsQuery } from '../../operations/generated/graph';

export type Stream = NonNullable<EventStreamsQuery['eventStreams']>['nodes'][number];
