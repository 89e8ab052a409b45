/** A receiver of events: a webhook, or an API that hears what access tokens lost (SSF, by push or poll). */
import { graphOnly, visible } from './description.js';
import { Bytes, Flag, Int, JsonValue, Key, Long, Record, Revision, Text, When } from './fields.js';

@Record({
  table: 'event_streams',
  doc: 'A receiver of events: a webhook, or a stream of the Shared Signals Framework.',
  readWith: 'admin:security',
})
export class EventStream {
  @Key('uuid', 'Guid of the stream.', { faces: visible }) eventStreamGuid!: string;
  @Text('Display name.', { max: 100, create: 'required', faces: visible }) name!: string;
  @Text(
    '`webhook`: Standard Webhooks; `push`: security event tokens by RFC 8935; `poll`: security event tokens that the receiver fetches (RFC 8936).',
    { max: 20, create: 'required', faces: visible },
  )
  kind!: string;
  @Text('The URL that events are sent to; null for `poll`.', {
    max: 2_000,
    nullable: true,
    create: 'optional',
    faces: visible,
  })
  address!: string | null;
  @Text('`aud` of the security event tokens; null for webhooks.', {
    max: 500,
    nullable: true,
    create: 'optional',
    faces: visible,
  })
  audience!: string | null;
  @JsonValue('The wanted types of events; null: all of its kind.', { nullable: true }) events!: object | null;
  @JsonValue('Ids of profiles: the stream gets only what concerns them; null: no limit.', { nullable: true })
  profileIds!: object | null;
  @JsonValue('Guids of applications: the stream gets only what concerns them; null: no limit.', { nullable: true })
  applicationGuids!: object | null;
  @Text('`enabled`; `paused`: events wait; `disabled`: events are not kept.', {
    max: 20,
    default: "'enabled'",
    create: 'optional',
    faces: visible,
  })
  status!: string;
  @Text('Why the stream has its status; null if nobody said it.', {
    max: 300,
    nullable: true,
    create: 'optional',
    faces: visible,
  })
  statusReason!: string | null;
  @Text('Id of the client that manages the stream and polls it; null: only administrators manage it.', {
    max: 100,
    nullable: true,
    create: 'optional',
    faces: visible,
  })
  clientId!: string | null;
  @Text('What the receiver says about the stream.', { max: 300, nullable: true, create: 'optional', faces: graphOnly })
  description!: string | null;
  @Bytes('The secret that signs webhooks, or the authorization header of a push, encrypted.', { nullable: true })
  secretCiphertext!: Buffer | null;
  @Bytes('The previous secret, encrypted.', { nullable: true }) previousSecretCiphertext!: Buffer | null;
  @When('Until when webhooks are also signed with the previous secret.', { nullable: true, faces: visible })
  previousSecretEndsAt!: Date | null;
  @When('When the stream was created. It gets events from then on.', { default: 'now()', faces: visible })
  createdAt!: Date;
  @Revision() revision!: number;

  // what deliveries write, by statements: no change of the stream
  @Long('Number of the last event that it has, or does not want.', { default: '0' }) deliveredEventId!: string;
  @JsonValue('Numbers of later events that a receiver has acknowledged already.', { default: "'[]'" })
  acknowledged!: object;
  @Long('Events for all streams up to this number are not for it: a repetition has them.', { default: '0' })
  sharedAfterId!: string;
  @Int('Failures since the last success.', { default: '0', faces: visible }) failures!: number;
  @When('When a failed delivery is tried again; null: at once.', { nullable: true, faces: visible })
  nextAttemptAt!: Date | null;
  @When('When the receiver last acknowledged an event.', { nullable: true, faces: visible })
  lastDeliveredAt!: Date | null;
  @When('When a delivery last failed.', { nullable: true, faces: visible }) lastFailedAt!: Date | null;
  @Int('Status of the answer to the last failed delivery; null: there was no answer.', {
    nullable: true,
    faces: visible,
  })
  lastStatus!: number | null;
  @Text('The problem of the last failed delivery.', { max: 300, nullable: true, faces: visible })
  lastProblem!: string | null;
  @When('Time of the first event that was dropped, because it could not be delivered in time; null: none was.', {
    nullable: true,
    faces: visible,
  })
  gapFrom!: Date | null;
  @When('Time of the last event that was dropped.', { nullable: true, faces: visible }) gapUntil!: Date | null;
  @Flag('Whether the receiver does not know of the gap yet.', { default: 'false' }) isGapUntold!: boolean;
  @When('Since when events are being repeated; null: none are.', { nullable: true, faces: visible })
  replayFrom!: Date | null;
  @JsonValue('How far the repetition is.', { nullable: true }) replayAt!: object | null;
}
