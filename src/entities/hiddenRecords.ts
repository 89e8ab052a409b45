/** Records that only SQL reads and writes: no interface has them. */
import { Flag, Guid, Int, JsonValue, Key, Long, Record, Text, ToOne, When } from './fields.js';
import { ReviewItem } from './ReviewItem.js';

/**
 * One row, raised by each administrative change. The number is not sufficient, because after a restore or a fail-over that
 * lost changes two histories reach the same number. A trigger changes the nonce with each number to distinguish them.
 */
@Record({ table: 'catalogue_version', doc: 'One row, raised by each administrative change.' })
export class CatalogueVersion {
  @Key('bigint', 'The version.') version!: string;
  @Guid('Random, new with each version.', { default: 'gen_random_uuid()' }) nonce!: string;
  @Flag('Always true: there is one row.', { unique: true, default: 'true' }) isOnly!: boolean;
}

/** A session of the console. Each request reads the permissions from the profile. */
@Record({
  table: 'console_sessions',
  doc: 'A session of a user who is signed in to the console.',
  index: [['userGuid'], ['endsAt'], ['providerSession']],
})
export class ConsoleSession {
  @Key('bytes', 'SHA-256 of the cookie’s value.') sessionHash!: Buffer;
  @Guid('The user who is signed in.') userGuid!: string;
  @Text('The profile with which the user administers.', { max: 50 }) profileId!: string;
  @Text('The identity provider that authenticated the user.') issuer!: string;
  @Text('SHA-256 of the provider’s session (`sid`); null if the provider did not send it.', { nullable: true })
  providerSession!: string | null;
  @When('When the session began.', { default: 'now()' }) createdAt!: Date;
  @When('When the session was last used, to the minute.', { default: 'now()' }) seenAt!: Date;
  @When('When the provider authenticated the user; null if the provider did not send it.', { nullable: true })
  authenticatedAt!: Date | null;
  @When('When the session ends at the latest.') endsAt!: Date;
}

/** A proposal that was tried and refused. For an hour it counts against the limit of its author. */
@Record({
  table: 'refused_proposals',
  doc: 'A proposal that was refused after its trial; it counts against the limit of its author.',
  index: [['proposedBy'], ['endsAt']],
})
export class RefusedProposal {
  @Key('bigint', 'Number of the refusal.') refusedProposalId!: string;
  @Guid('The user who proposed.') proposedBy!: string;
  @When('When it no longer counts.') endsAt!: Date;
}

/** A decision about an item of an access review, kept also when another one replaced it. A trigger writes it. */
@Record({
  table: 'review_decisions',
  doc: 'A decision about an item of an access review, also one that was replaced.',
  unique: [['item', 'revision']],
})
export class ReviewDecision {
  @Key('bigint', 'Number of the decision.') reviewDecisionId!: string;
  @Long('Number of the item.') reviewItemId!: string;
  @Int('The revision of the item with the decision.') revision!: number;
  @Text('The decision; null: it was taken back.', { max: 10, nullable: true }) decision!: string | null;
  @When('When the grant is to end, with the decision END_AT.', { nullable: true }) until!: Date | null;
  @Text('The note of the decision.', { max: 1000, nullable: true }) note!: string | null;
  @Guid('Guid of the user who decided.') decidedBy!: string;
  @When('When the decision was made.') decidedAt!: Date;

  @ToOne(() => ReviewItem, 'reviewItemId', 'The item.', { onDelete: 'cascade' }) item!: ReviewItem;
}

/** When each housekeeping task was last completed by any process. */
@Record({ table: 'housekeeping_runs', doc: 'When each task of the housekeeping was last done.' })
export class HousekeepingRun {
  @Key('string', 'The task.', { max: 50 }) task!: string;
  @When('When the task was last completed.') finishedAt!: Date;
  @Long('The total number of records that the task has removed.', { default: '0' }) removed!: string;
}

/** A used ID token, kept until it expires. Only the hardened policy writes it. */
@Record({
  table: 'id_token_uses',
  doc: 'An exchange of an ID token for a profile; kept until the token expires.',
  index: [['endsAt']],
})
export class IdTokenUse {
  @Key('string', 'SHA-256 of issuer, token and profile.', { max: 50 }) useHash!: string;
  @When('When the ID token expires.') endsAt!: Date;
}

/** What the hardened policy would have decided about requests of a client. Only modules/insight writes it. */
@Record({
  table: 'policy_verdicts',
  doc: 'Whether the hardened policy would have refused requests that the documented policy answered.',
  unique: [['clientId', 'operation', 'verdict']],
  readWith: 'admin:security',
})
export class PolicyVerdict {
  @Key('bigint', 'Number of the verdict.') policyVerdictId!: string;
  @Text('Id of the client; empty if it is not registered.', { max: 100 }) clientId!: string;
  @Text('Path of the endpoint.', { max: 50 }) operation!: string;
  @Text('Why the requests would have been refused; or `passed` or `notJudged`.', { max: 50 }) verdict!: string;
  @When('Time of the first request.') firstSeenAt!: Date;
  @When('Time of the latest request.') lastSeenAt!: Date;
  @Long('The number of requests.') count!: string;
}

/** The session of an identity provider from which a token comes. The token ends with that session. */
@Record({
  table: 'provider_sessions',
  doc: 'Which session of an identity provider a token record comes from. Renewals never write it.',
  index: [['sessionHash']],
})
export class ProviderSession {
  @Key('uuid', 'Guid of the token record.') tokenGuid!: string;
  @Text('SHA-256 of issuer and sid.', { max: 50 }) sessionHash!: string;
}

/** A sign-out at an identity provider. ID tokens from before it are refused. */
@Record({
  table: 'provider_sign_outs',
  doc: 'A sign-out of a session or user by an identity provider; kept until earlier ID tokens are too old to be accepted.',
  index: [['endsAt']],
})
export class ProviderSignOut {
  @Key('string', 'SHA-256 of issuer and sid, or of issuer and sub.', { max: 50 }) nameHash!: string;
  @When('ID tokens that the provider issued until this time are refused.') issuedUntil!: Date;
  @When('When all of these ID tokens have become too old.') endsAt!: Date;
}

/** Counts of failures and requests that processes share (LIMITER_STORE); written only by auth/limiter. */
@Record({ table: 'rate_limits', doc: 'Counts of failures that processes share.' })
export class RateLimit {
  @Key('string', 'What is counted.', { max: 255 }) key!: string;
  @Int('The count.', { default: '0' }) points!: number;
  @Long('When the count ends, in milliseconds since 1970.', { nullable: true }) expire!: string | null;
}

/** A refused token request and its cause. Only modules/insight writes it. */
@Record({
  table: 'refused_requests',
  doc: 'A token request that was refused, and why.',
  index: [['traceId']],
  readWith: 'admin:security',
})
export class RefusedRequest {
  @Key('bigint', 'Number of the refusal.') refusedRequestId!: string;
  @Text('Trace id of the request; the caller may have chosen it.', { max: 32 }) traceId!: string;
  @When('When the request was refused.') occurredAt!: Date;
  @Text('Path of the endpoint.', { max: 50, nullable: true }) endpoint!: string | null;
  @Text('The requested grant.', { max: 50, nullable: true }) grant!: string | null;
  @Text('The client id as sent.', { max: 100, nullable: true }) clientId!: string | null;
  @Text('The check that refused the request.', { max: 50 }) reason!: string;
  @Text('The cause.', { max: 500 }) detail!: string;
  @Guid('Guid of the record of the renewal token.', { nullable: true }) tokenGuid!: string | null;
}

/** A used `jti` of a client assertion, a DPoP proof or a logout token, which may be used only once. */
@Record({
  table: 'single_uses',
  doc: 'A value that may be used once and was used; kept until it expires.',
  index: [['endsAt']],
})
export class SingleUse {
  @Key('string', 'SHA-256 of kind, issuer and `jti`.', { max: 50 }) useHash!: string;
  @When('When it expires.') endsAt!: Date;
}

/** Changes of a dry run, stored so that every process can compute their effect again for its lists. */
@Record({
  table: 'tried_changes',
  doc: 'Changes of a dry run whose effect is being read.',
  index: [['actor', 'endsAt'], ['endsAt']],
})
export class TriedChanges {
  @Key('string', 'The id of the effect.', { max: 36 }) effectId!: string;
  @Guid('The caller who tried them.') actor!: string;
  @JsonValue('The changes, as `applyChanges` takes them.') changes!: object;
  @When('When they are forgotten.') endsAt!: Date;
}

/** Which caller uses which operation, since when and how often. Only modules/insight writes it. */
@Record({
  table: 'usages',
  doc: 'Who uses which operation how, since when and how often.',
  unique: [['clientId', 'caller', 'operation', 'option', 'mediaType', 'product']],
  readWith: 'admin:security',
})
export class Usage {
  @Key('bigint', 'Number of the usage.') usageId!: string;
  @Text('The client id as sent; empty if no such client is registered.', { max: 100 }) clientId!: string;
  @Text('Guid of the user who called the administration interface, or empty.', { max: 50 }) caller!: string;
  @Text('Method and path; `others` stands for all requests that are not listed separately.', { max: 100 })
  operation!: string;
  @Text('The grant, the options of a list, or the name of a query; or empty.', { max: 100 }) option!: string;
  @Text('Media type of the request, or empty.', { max: 100 }) mediaType!: string;
  @Text('The first product in the User-Agent header, or empty.', { max: 100 }) product!: string;
  @When('Time of the first request.') firstSeenAt!: Date;
  @When('Time of the latest request.') lastSeenAt!: Date;
  @Long('The number of requests.') count!: string;
  @Long('The number of these requests that a brown-out refused.') brownouts!: string;
}

/** Sign-ins and refusals of one hour, for the overview. Only modules/insight writes it. */
@Record({ table: 'sign_in_hours', doc: 'The numbers of sign-ins and of refusals of one hour.' })
export class SignInHour {
  @Key('bigint', 'The hour: hours since 1970, UTC.') hour!: string;
  @Long('The number of exchanges of ID tokens and of sign-ins to the console.', { default: '0' }) signIns!: string;
  @Long('The number of token requests and of sign-ins to the console that were refused.', { default: '0' })
  refusals!: string;
}

// ── the queue of events, and what streams have received ──

/** Written by triggers in the transaction of the cause, only while there is a stream. History has what a change set did. */
@Record({
  table: 'event_causes',
  doc: 'What streams may have to hear: a change set, an ended session, a proposal, a review or a key.',
  index: [['transactionId', 'eventCauseId'], ['occurredAt']],
})
export class EventCause {
  @Key('bigint', 'Number of the cause.') eventCauseId!: string;
  // the order of commits: numbers of sequences have another
  @Long('Number of its transaction, beyond those of the clusters before.', { default: 'event_transaction_id()' })
  transactionId!: string;
  @When('When it happened.', { default: 'clock_timestamp()' }) occurredAt!: Date;
  @Text('`change_set`, `session`, or the type of its event.', { max: 30 }) kind!: string;
  @Long('Number of the change set.', { nullable: true }) changeSetId!: string | null;
  @Text('Guid or id of the session, proposal, review or key.', { max: 100, nullable: true }) subjectId!: string | null;
  @Guid('Guid of the user of the session.', { nullable: true }) userGuid!: string | null;
  @Text('Id of the profile of the session.', { max: 50, nullable: true }) profileId!: string | null;
  @Text('Who or what ended the session.', { max: 120, nullable: true }) reason!: string | null;
  @Text('Trace id of the request.', { max: 64, nullable: true }) traceId!: string | null;
  @JsonValue('Guids and counts.', { nullable: true }) detail!: object | null;
}

@Record({ table: 'event_readings', doc: 'One row: up to which cause events were made.' })
export class EventReading {
  @Key('bigint', 'Number of the transaction of the last cause.') transactionId!: string;
  @Long('Number of the last cause.') eventCauseId!: string;
  @Long('`system_identifier` of the cluster that counts the transactions; null: unknown.', { nullable: true })
  clusterId!: string | null;
  @Long('What is added to its numbers: the highest of the clusters from which the database was restored.', {
    default: '0',
  })
  added!: string;
  @Flag('Always true: there is one row.', { unique: true, default: 'true' }) isOnly!: boolean;
}

@Record({
  table: 'published_events',
  doc: 'An event, as streams get it. One process at a time writes them, so their numbers have the order of the commits.',
  index: [['publishedAt'], ['eventStreamGuid']],
})
export class PublishedEvent {
  @Key('bigint', 'Number of the event.') publishedEventId!: string;
  @Guid('`jti` and `webhook-id`: the same at each repetition.') eventGuid!: string;
  @Text('Type of the event, without the prefix of its specification.', { max: 60 }) type!: string;
  @When('When its cause happened.') occurredAt!: Date;
  @When('Since when it can be delivered.', { default: 'now()' }) publishedAt!: Date;
  @Guid('The user whom it is about.', { nullable: true }) userGuid!: string | null;
  @Text('The profile that it is about.', { max: 50, nullable: true }) profileId!: string | null;
  @Guid('The session that it is about.', { nullable: true }) sessionGuid!: string | null;
  @JsonValue('The members of its type.') data!: object;
  @Text('Trace id of the request.', { max: 64, nullable: true }) traceId!: string | null;
  @JsonValue('Ids of the profiles that it concerns; null: no particular ones.', { nullable: true })
  profileIds!: object | null;
  @JsonValue('Guids of the applications that it concerns; null: no particular ones.', { nullable: true })
  applicationGuids!: object | null;
  @Guid('The only stream that gets it; null: each that wants its type.', { nullable: true })
  eventStreamGuid!: string | null;
}

@Record({
  table: 'event_deliveries',
  doc: 'One of the last deliveries of a stream.',
  index: [['eventStreamGuid', 'eventDeliveryId']],
})
export class EventDelivery {
  @Key('bigint', 'Number of the delivery.') eventDeliveryId!: string;
  @Guid('Guid of the stream.') eventStreamGuid!: string;
  @Guid('Guid of the event.') eventGuid!: string;
  @Text('Type of the event.', { max: 60 }) type!: string;
  @When('When the event was sent.') sentAt!: Date;
  @Int('Status of the answer; null: there was none.', { nullable: true }) status!: number | null;
  @Text('The problem; null: it was delivered.', { max: 300, nullable: true }) problem!: string | null;
  @Int('Duration in milliseconds.') milliseconds!: number;
}
