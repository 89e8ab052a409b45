/** Manages event streams, and shows what each of them has received. */
import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, Mutation, Resolver, Root } from 'type-graphql';
import { EventStream } from '../../entities/EventStream.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { type GraphContext, Load, type Loader } from '../../graphql/resolving/loaders.js';
import { IfRevisionArg } from '../../graphql/schema/arguments.js';
import {
  ArgOf,
  Computed,
  ComputedOrNull,
  Member,
  MemberOrNull,
  Needs,
  Requires,
  Result,
  requirePresent,
} from '../../graphql/schema/operations.js';
import { mayRead } from '../../services/read/projection.js';
import { under } from '../../services/records/problemPaths.js';
import { changeOf, type TokenCounts, type TokenItem } from '../changes/effectSides.js';
import { TokenDelta } from '../changes/resolvers/effect.js';
import { bell } from './dispatcher.js';
import { tokenTypes, webhookTypes } from './eventTypes.js';
import {
  adviceOn,
  adviceOnBarred,
  type ChangedProfile,
  type Delivery,
  listDeliveries,
  listHearers,
  readStates,
} from './listStreams.js';
import {
  createEventStream,
  deleteEventStream,
  replayEvents,
  rotateEventStreamSecret,
  type StreamInput,
  sendTestEvent,
  updateEventStream,
} from './streams.js';

const typesDoc = `The wanted types of events; null: all of its kind. Of webhooks: ${Object.keys(webhookTypes).join(', ')}; of the others: ${Object.keys(tokenTypes).join(', ')}.`;
const profilesDoc = 'Ids of profiles: the stream gets only what concerns them; null: no limit.';
const applicationsDoc = 'Guids of applications: the stream gets only what concerns them; null: no limit.';
const addressDoc = 'The URL that events are sent to; absent for `poll`.';
const audienceDoc = '`aud` of the security event tokens; absent for webhooks.';
const headerDoc = 'The header `Authorization` of each push; it is stored encrypted and never shown. Null: none.';
const clientDoc = 'Id of the client that manages the stream and polls it; required for `poll`.';

@InputType({ description: 'The fields of a new event stream.' })
class CreateEventStreamInput {
  @Member(String, 'Display name.') name!: string;
  @Member(String, '`webhook`, `push` or `poll`.') kind!: string;
  @MemberOrNull(String, addressDoc) address?: string | null;
  @MemberOrNull(String, audienceDoc) audience?: string | null;
  @MemberOrNull([String], typesDoc) events?: string[] | null;
  @MemberOrNull([ID], profilesDoc) profileIds?: string[] | null;
  @MemberOrNull([Uuid], applicationsDoc) applicationGuids?: string[] | null;
  @MemberOrNull(String, headerDoc) authorizationHeader?: string | null;
  @MemberOrNull(ID, clientDoc) clientId?: string | null;
  @MemberOrNull(String, 'What the stream is for.') description?: string | null;
}

@InputType({ description: 'The fields to change. An absent field stays as it is; null removes the value.' })
class UpdateEventStreamInput {
  @Field(() => String, { nullable: true, description: 'Display name.' }) name?: string;
  @MemberOrNull(String, addressDoc) address?: string | null;
  @MemberOrNull(String, audienceDoc) audience?: string | null;
  @MemberOrNull([String], typesDoc) events?: string[] | null;
  @MemberOrNull([ID], profilesDoc) profileIds?: string[] | null;
  @MemberOrNull([Uuid], applicationsDoc) applicationGuids?: string[] | null;
  @MemberOrNull(String, headerDoc) authorizationHeader?: string | null;
  @MemberOrNull(ID, clientDoc) clientId?: string | null;
  @MemberOrNull(String, 'What the stream is for.') description?: string | null;
  @Field(() => String, {
    nullable: true,
    description: '`enabled`; `paused`: events wait; `disabled`: events are not kept.',
  })
  status?: string;
  @MemberOrNull(String, 'Why the stream gets its status.') statusReason?: string | null;
}

@Result('An event stream, and the secret of a webhook, which is shown only once.')
class EventStreamWithSecret {
  // nullable, so that the secret is answered where reading the stream fails
  @MemberOrNull(EventStream, 'The stream.') eventStream!: EventStream | null;
  @MemberOrNull(String, 'The secret in plain text, with which webhooks are signed; null for other kinds.')
  secret!: string | null;
}

@Result('A delivery of an event to its receiver.')
class EventDelivery {
  @Member(Uuid, 'Guid of the event: its `webhook-id` or `jti`.') eventGuid!: string;
  @Member(String, 'Type of the event.') type!: string;
  @Member(DateTime, 'When the event was sent.') sentAt!: string;
  @MemberOrNull(Int, 'Status of the answer; null: there was none.') status!: number | null;
  @MemberOrNull(String, 'The problem; null: the receiver acknowledged the event.') problem!: string | null;
  @Member(Int, 'Duration in milliseconds.') milliseconds!: number;
}

interface StreamKey {
  eventStreamGuid: string;
}
const stateOf = (load: Loader, { eventStreamGuid }: StreamKey) =>
  load.batched(eventStreamGuid, async (guids) => {
    const states = await readStates(load.context, guids);
    return guids.map((guid) => states.get(guid) ?? null);
  });

@Resolver(() => EventStream)
export class EventStreamResolver {
  @ComputedOrNull([String], typesDoc)
  @Needs(EventStream, 'eventStreamGuid')
  async events(@Root() stream: StreamKey, @Load() load: Loader): Promise<string[] | null> {
    return (await stateOf(load, stream))?.events ?? null;
  }

  @ComputedOrNull([ID], profilesDoc)
  @Needs(EventStream, 'eventStreamGuid')
  async profileIds(@Root() stream: StreamKey, @Load() load: Loader): Promise<string[] | null> {
    return (await stateOf(load, stream))?.profileIds ?? null;
  }

  @ComputedOrNull([Uuid], applicationsDoc)
  @Needs(EventStream, 'eventStreamGuid')
  async applicationGuids(@Root() stream: StreamKey, @Load() load: Loader): Promise<string[] | null> {
    return (await stateOf(load, stream))?.applicationGuids ?? null;
  }

  @Computed(Int, 'The number of events that wait, at most 100,000.')
  @Needs(EventStream, 'eventStreamGuid')
  async waiting(@Root() stream: StreamKey, @Load() load: Loader): Promise<number> {
    return (await stateOf(load, stream))?.waiting ?? 0;
  }

  @ComputedOrNull(DateTime, 'Since when the oldest of them waits.')
  @Needs(EventStream, 'eventStreamGuid')
  async oldestWaitingAt(@Root() stream: StreamKey, @Load() load: Loader): Promise<string | null> {
    return (await stateOf(load, stream))?.oldestWaitingAt ?? null;
  }

  @ComputedOrNull(String, 'Why nothing is sent, and how to mend it; null while deliveries succeed.')
  @Needs(EventStream, 'eventStreamGuid', 'failures', 'lastStatus', 'lastProblem')
  async advice(
    @Root() stream: StreamKey & Parameters<typeof adviceOn>[0],
    @Load() load: Loader,
  ): Promise<string | null> {
    return (await stateOf(load, stream))?.isBarred ? adviceOnBarred : adviceOn(stream);
  }

  @Computed([EventDelivery], 'The last 100 deliveries, the newest first.')
  @Needs(EventStream, 'eventStreamGuid')
  deliveries(@Root() { eventStreamGuid }: StreamKey, @Ctx() context: GraphContext): Promise<Delivery[]> {
    return listDeliveries(context, eventStreamGuid);
  }
}

@Resolver(() => TokenDelta)
export class HearingResolver {
  @ComputedOrNull(
    [String],
    'Names of the event streams that hear of it when the change is made; null for callers without admin:security.',
  )
  async eventStreams(@Root() { items }: TokenCounts, @Ctx() context: GraphContext): Promise<string[] | null> {
    return mayRead(context, EventStream) ? listHearers(context, items.map(changedProfile)) : null;
  }
}

/** What people gain or lose of the profile with the profile itself is in no other token. */
function changedProfile({ counted, profile, isLost }: TokenItem): ChangedProfile {
  const { values, applications, before, after } = counted;
  const sides = [changeOf(counted, profile, 'gains'), changeOf(counted, profile, 'loses')];
  return {
    profileId: counted.profiles.values[profile]!,
    isLost,
    hasOtherScopes: sides.some((bits) => !bits.without(applications).isEmpty),
    opens: (applicationIds) => {
      const places = applicationIds.flatMap((id) => values.find(id) ?? []);
      return places.some((place) => before[profile]!.has(place) || after[profile]!.has(place));
    },
  };
}

@Resolver(() => EventStreamWithSecret)
export class EventStreamWithSecretResolver {
  @FieldResolver()
  async eventStream(@Root() { stream }: { stream: StreamKey }, @Load() load: Loader) {
    return requirePresent(await load.record(EventStream, 'eventStreamGuid', stream.eventStreamGuid));
  }
}

/** Rings when the change is committed. */
async function ringing<T>(work: Promise<T>): Promise<T> {
  const result = await work;
  bell.emit('stream');
  return result;
}

@Resolver()
export class EventStreamChangeResolver {
  @Mutation(() => EventStreamWithSecret, {
    description: 'Creates an event stream. It gets the events of what happens from then on.',
  })
  @Requires('admin:security')
  createEventStream(
    @Arg('input', () => CreateEventStreamInput, { description: 'The fields of the stream.' }) input: StreamInput,
    @Ctx() context: GraphContext,
  ) {
    return ringing(under('input', createEventStream(context, { ...input })));
  }

  @Mutation(() => EventStream, { description: 'Changes an event stream; pauses, disables and enables it.' })
  @Requires('admin:security')
  async updateEventStream(
    @ArgOf(EventStream, 'eventStreamGuid') eventStreamGuid: string,
    @Arg('input', () => UpdateEventStreamInput, { description: 'The fields to change.' }) input: Partial<StreamInput>,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Load() load: Loader,
  ) {
    await ringing(under('input', updateEventStream(load.context, eventStreamGuid, { ...input }, ifRevision)));
    return load.record(EventStream, 'eventStreamGuid', eventStreamGuid);
  }

  @Mutation(() => Uuid, { description: 'Removes an event stream, with what waits for it, and returns its guid.' })
  @Requires('admin:security')
  deleteEventStream(
    @ArgOf(EventStream, 'eventStreamGuid') eventStreamGuid: string,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Ctx() context: GraphContext,
  ) {
    return ringing(deleteEventStream(context, eventStreamGuid, ifRevision));
  }

  @Mutation(() => EventStreamWithSecret, {
    description: 'Rotates the secret of a webhook. Until the previous secret ends, events are signed with both.',
  })
  @Requires('admin:security')
  rotateEventStreamSecret(
    @ArgOf(EventStream, 'eventStreamGuid') eventStreamGuid: string,
    @Arg('keepPreviousHours', () => Int, {
      nullable: true,
      description: 'The number of hours for which events are also signed with the previous secret; absent: 24.',
    })
    keepPreviousHours: number | null | undefined,
    @IfRevisionArg() ifRevision: number | null | undefined,
    @Ctx() context: GraphContext,
  ) {
    return ringing(rotateEventStreamSecret(context, eventStreamGuid, keepPreviousHours ?? 24, ifRevision));
  }

  @Mutation(() => EventStream, {
    description:
      'Sends a test: `stream.test` to a webhook, a verification event to the others. The deliveries of the stream show the answer.',
  })
  @Requires('admin:security')
  async sendTestEvent(@ArgOf(EventStream, 'eventStreamGuid') eventStreamGuid: string, @Load() load: Loader) {
    await ringing(sendTestEvent(load.context, eventStreamGuid));
    return load.record(EventStream, 'eventStreamGuid', eventStreamGuid);
  }

  @Mutation(() => EventStream, {
    description:
      'Sends the events since a time once more, with their ids and in their order, as far back as history reaches. Events that wait are among them.',
  })
  @Requires('admin:security')
  async replayEvents(
    @ArgOf(EventStream, 'eventStreamGuid') eventStreamGuid: string,
    @Arg('since', () => DateTime, { description: 'The time from which on events are repeated.' }) since: string | Date,
    @Load() load: Loader,
  ) {
    const time = since instanceof Date ? since.toISOString() : since;
    await ringing(replayEvents(load.context, eventStreamGuid, time));
    return load.record(EventStream, 'eventStreamGuid', eventStreamGuid);
  }
}
