/** Creates, changes and removes event streams, tests them, and repeats their events. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { openStreamSecret, sealStreamSecret } from '../../auth/keyRing.js';
import { hasCredentials, isLocalHost, isPublicAddress } from '../../config/parsers.js';
import type { Context, EntityManager } from '../../context.js';
import { EventStream } from '../../entities/EventStream.js';
import { badInput, conflict, type Problems } from '../../errors.js';
import { execute, transactionSql } from '../../services/execute.js';
import { endOfPrevious } from '../../services/people/previousSecret.js';
import { permit, requireFreshSignIn } from '../../services/permit.js';
import { change, requireRecord, runIn, unknownReference, writeAudit } from '../../services/records/change.js';
import { checkInput, inputFields, readGuid, readMoment } from '../../services/records/input.js';
import { ensureEventKey } from './eventKeys.js';
import { type StreamKind, typesOf } from './eventTypes.js';
import { insertEvents } from './publish.js';

export interface StreamInput {
  name: string;
  kind: StreamKind;
  address?: string | null;
  audience?: string | null;
  events?: readonly string[] | null;
  profileIds?: readonly string[] | null;
  applicationGuids?: readonly string[] | null;
  status?: string;
  statusReason?: string | null;
  clientId?: string | null;
  description?: string | null;
  /** Sent with each push. */
  authorizationHeader?: string | null;
}

/** Who asks: a receiver hears of no status that it set itself. */
type Author = 'administrator' | 'receiver';

interface StreamWithSecret {
  stream: EventStream;
  /** The secret of a webhook in clear text, returned only once; null for other kinds. */
  secret: string | null;
}

const textFields = inputFields(EventStream, { mode: 'create' });
const changedFields = textFields.filter(({ name }) => name !== 'kind').map((field) => ({ ...field, required: false }));
const kinds: readonly string[] = ['webhook', 'push', 'poll'];
export const streamStatuses = ['enabled', 'paused', 'disabled'] as const;
const listsMax = 200;
const authorizationMax = 2_000;
/** A week. */
const keepPreviousHoursMax = 168;
/** More would make each turn of the delivery slow. */
const streamsMax = 1_000;

/** Standard Webhooks: 24 to 64 bytes in base64 behind this prefix. */
const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Streams that a receiver may make. */
const streamsOfOneMax = 20;

/** Throws BAD_USER_INPUT, NOT_FOUND for an unknown client, CONFLICT beyond 1,000 streams, or 20 of a receiver, REAUTHENTICATE. */
export async function createEventStream(
  context: Context,
  input: StreamInput,
  by: Author = 'administrator',
): Promise<StreamWithSecret> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const values = readInput(context, input, { isNew: true, by });
  const eventStreamGuid = randomUUID();
  const secret = values.kind === 'webhook' ? makeSecret() : null;
  const kept = secret ?? input.authorizationHeader;
  const stream = await change(context, 'admin:security', async (em) => {
    await requireClient(em, values.clientId);
    // one at a time, so that the limits hold
    await execute(em, "select pg_advisory_xact_lock(hashtext('gatehouse event streams'))", []);
    const [before] = await execute<{ count: number; own: number; last: string }>(
      em,
      `select count(*)::int as count, (count(*) filter (where client_id = $1))::int as own,
         (select coalesce(max(published_event_id), 0)::text from published_events) as last from event_streams`,
      [values.clientId ?? null],
    );
    if (by === 'receiver' && before!.own >= streamsOfOneMax)
      throw conflict(`A receiver has at most ${streamsOfOneMax} streams.`);
    if (before!.count >= streamsMax) throw conflict(`There are ${streamsMax} streams already.`);
    if (values.kind !== 'webhook') await ensureEventKey(context, transactionSql(em));
    await audit(em, 'create', eventStreamGuid);
    return em.create(
      EventStream,
      {
        ...values,
        eventStreamGuid,
        deliveredEventId: before!.last,
        sharedAfterId: '0',
        secretCiphertext: kept ? sealStreamSecret(kept, eventStreamGuid, context.encryptionKeys[0]!) : null,
      } as never,
      { partial: true },
    );
  });
  return { stream, secret };
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT, REAUTHENTICATE for another address or authorization header. */
export async function updateEventStream(
  context: Context,
  eventStreamGuid: string,
  input: Partial<StreamInput>,
  ifRevision?: number | null,
  by: Author = 'administrator',
): Promise<EventStream> {
  permit(context, 'admin:security');
  return changeStream(context, eventStreamGuid, ifRevision, async (em, stream) => {
    const given = new Set(Object.keys(input));
    const values = readInput(context, { ...currentInput(stream), ...input }, { isNew: false, by, given });
    const { authorizationHeader } = input;
    const goesElsewhere = values.address !== undefined && values.address !== stream.address;
    if (goesElsewhere || authorizationHeader) requireFreshSignIn(context);
    if (goesElsewhere && authorizationHeader === undefined) refuseToPassOn(stream, values.address);
    if (input.clientId !== undefined) await requireClient(em, values.clientId);
    const changed: Partial<EventStream> = Object.fromEntries(
      Object.entries(values).filter(([name]) => name in input || name === 'statusReason'),
    );
    // a reason belongs to the status with which it was said
    if (input.status !== undefined && input.statusReason === undefined) changed.statusReason = null;
    else if (input.statusReason === undefined) delete changed.statusReason;
    if (authorizationHeader !== undefined)
      changed.secretCiphertext = authorizationHeader
        ? sealStreamSecret(authorizationHeader, eventStreamGuid, context.encryptionKeys[0]!)
        : null;
    const { status = stream.status } = changed;
    if (status !== stream.status) await noteStatus(em, stream, { status, reason: changed.statusReason ?? null, by });
    if (goesElsewhere || authorizationHeader !== undefined || status !== stream.status)
      await execute(em, 'update event_streams set failures = 0, next_attempt_at = null where event_stream_guid = $1', [
        eventStreamGuid,
      ]);
    return changed;
  });
}

/** The header is a secret of the receiver at the address for which it was entered. */
function refuseToPassOn({ kind, address, secretCiphertext }: EventStream, next: string | null | undefined): void {
  if (kind !== 'push' || !secretCiphertext || URL.parse(next ?? '')?.origin === URL.parse(address ?? '')?.origin)
    return;
  throw badInput({
    authorizationHeader: [
      'The authorizationHeader field is required, or null: the stored one is not sent to another host.',
    ],
  });
}

/** A stream that was disabled holds nothing back; the receiver of security event tokens hears of a change that it did not ask for (SSF 1.0 §8.1.5). */
async function noteStatus(
  em: EntityManager,
  stream: EventStream,
  { status, reason, by }: { status: string; reason: string | null; by: Author },
): Promise<void> {
  const { eventStreamGuid, kind } = stream;
  if (stream.status === 'disabled')
    await execute(
      em,
      `update event_streams set delivered_event_id = greatest(delivered_event_id, (select coalesce(max(published_event_id), 0) from published_events)),
         acknowledged = '[]' where event_stream_guid = $1`,
      [eventStreamGuid],
    );
  if (kind === 'webhook' || by === 'receiver') return;
  await insertEvents(
    transactionSql(em),
    [ownEvent('stream-updated', { status, ...(reason && { reason }) })],
    eventStreamGuid,
  );
}

/** An event of the stream itself. */
export const ownEvent = (type: string, data: object, event_guid: string = randomUUID()) => ({
  event_guid,
  type,
  occurred_at: new Date().toISOString(),
  user_guid: null,
  profile_id: null,
  session_guid: null,
  data,
  trace_id: null,
  profile_ids: null,
  application_guids: null,
});

/** Throws NOT_FOUND, REAUTHENTICATE. */
export async function deleteEventStream(
  context: Context,
  eventStreamGuid: string,
  ifRevision?: number | null,
): Promise<string> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  return change(context, 'admin:security', async (em) => {
    const stream = await requireStream(em, eventStreamGuid, ifRevision);
    await audit(em, 'delete', stream.eventStreamGuid);
    em.remove(stream);
    await em.flush();
    for (const table of ['published_events', 'event_deliveries'])
      await execute(em, `delete from ${table} where event_stream_guid = $1`, [stream.eventStreamGuid]);
    // without a stream nobody looks for what is old
    for (const table of ['published_events', 'event_causes'])
      await execute(em, `delete from ${table} where not exists (select from event_streams)`, []);
    return stream.eventStreamGuid;
  });
}

/**
 * Gives a webhook a new secret. Until the previous one ends, each event is signed with both. Throws NOT_FOUND, BAD_USER_INPUT for
 * another kind, whose authorization header `updateEventStream` replaces, REAUTHENTICATE.
 */
export async function rotateEventStreamSecret(
  context: Context,
  eventStreamGuid: string,
  keepPreviousHours = 24,
  ifRevision?: number | null,
): Promise<StreamWithSecret> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const endsAt = endOfPrevious(context, keepPreviousHours, keepPreviousHoursMax);
  const secret = makeSecret();
  const stream = await changeStream(context, eventStreamGuid, ifRevision, async (_em, before) => {
    if (before.kind !== 'webhook')
      throw badInput({
        eventStreamGuid: ['Only webhooks have a secret: change the authorizationHeader of the stream.'],
      });
    return {
      secretCiphertext: sealStreamSecret(secret, before.eventStreamGuid, context.encryptionKeys[0]!),
      previousSecretCiphertext: endsAt && before.secretCiphertext,
      previousSecretEndsAt: endsAt,
    };
  });
  return { stream, secret };
}

/** Sends an event that says nothing: `stream.test` to webhooks, a verification event to others. Throws NOT_FOUND, CONFLICT unless the stream is enabled. */
export async function sendTestEvent(context: Context, eventStreamGuid: string): Promise<EventStream> {
  permit(context, 'admin:security');
  return change(context, 'admin:security', async (em) => {
    const stream = await requireStream(em, eventStreamGuid);
    if (stream.status !== 'enabled') throw conflict(`The stream is ${stream.status}: nothing is sent to it.`);
    const event = stream.kind === 'webhook' ? ownEvent('stream.test', {}) : ownEvent('verification', {});
    await insertEvents(transactionSql(em), [event], stream.eventStreamGuid);
    // it is a reason to try at once
    await execute(em, 'update event_streams set next_attempt_at = null where event_stream_guid = $1', [
      stream.eventStreamGuid,
    ]);
    await audit(em, 'test', stream.eventStreamGuid);
    return stream;
  });
}

/**
 * Repeats the events since a time, in their order and with their ids, and then goes on. What history no longer has is not repeated.
 * Throws NOT_FOUND, BAD_USER_INPUT for an invalid time or one in the future.
 */
export async function replayEvents(context: Context, eventStreamGuid: string, since: string): Promise<EventStream> {
  permit(context, 'admin:security');
  const from = new Date(readMoment('since', since, context.config.timeZone));
  if (from > context.clock.now()) throw badInput({ since: ['The time must be in the past.'] });
  return change(context, 'admin:security', async (em) => {
    const stream = await requireStream(em, eventStreamGuid);
    // events that wait are among those that are repeated
    await execute(
      em,
      `update event_streams stream set replay_at = null, failures = 0, next_attempt_at = null, replay_from = least($2::timestamptz, (
         select min(occurred_at) from published_events
         where published_event_id > stream.delivered_event_id and published_event_id > stream.shared_after_id and event_stream_guid is null))
       where event_stream_guid = $1`,
      [stream.eventStreamGuid, from.toISOString()],
    );
    await audit(em, 'replay', stream.eventStreamGuid);
    await em.refresh(stream);
    return stream;
  });
}

const audit = (em: EntityManager, action: string, subjectId: string, detail?: object): Promise<void> =>
  writeAudit(runIn(em), [{ action, subjectType: 'EventStream', subjectId, ...(detail && { detail }) }]);

/** Writes the audit event itself, because streams have no history from which triggers write it. */
const changeStream = (
  context: Context,
  eventStreamGuid: string,
  ifRevision: number | null | undefined,
  valuesFor: (em: EntityManager, stream: EventStream) => Promise<Partial<EventStream>>,
): Promise<EventStream> =>
  change(context, 'admin:security', async (em) => {
    const stream = await requireStream(em, eventStreamGuid, ifRevision);
    const values = await valuesFor(em, stream);
    const fields = (Object.keys(values) as (keyof EventStream)[]).filter(
      (name) => JSON.stringify(values[name] ?? null) !== JSON.stringify(stream[name] ?? null),
    );
    em.assign(stream, values as never);
    // the names of secrets say only that they changed
    const named = fields.map((name) => name.replace(/Ciphertext$/, ''));
    if (fields.length > 0) await audit(em, 'update', stream.eventStreamGuid, { fields: named });
    return stream;
  });

async function requireStream(em: EntityManager, guid: string, ifRevision?: number | null): Promise<EventStream> {
  const read = readGuid(guid);
  if ('problem' in read) throw badInput({ eventStreamGuid: [`The eventStreamGuid ${read.problem}.`] });
  return requireRecord(em, EventStream, { eventStreamGuid: String(read.value) }, 'stream', ifRevision);
}

async function requireClient(em: EntityManager, clientId: string | null | undefined): Promise<void> {
  if (!clientId) return;
  const [client] = await execute<{ may: boolean }>(
    em,
    'select may_receive_events as may from clients where client_id = $1',
    [clientId],
  );
  if (!client) throw unknownReference('clientId', 'client');
  if (!client.may) throw badInput({ clientId: ['The client may not receive events: set mayReceiveEvents.'] });
}

/** What was checked when it was written, without the lists: a receiver may have named types that are unknown here. */
const currentInput = (stream: EventStream): StreamInput =>
  Object.fromEntries(textFields.map(({ name }) => [name, stream[name as keyof EventStream]])) as never;

interface Reading {
  isNew: boolean;
  /** A receiver may name types that are unknown here. */
  by: Author;
  /** The members that the caller sent; absent: all. */
  given?: ReadonlySet<string>;
}

/** Throws BAD_USER_INPUT with all problems. */
function readInput(context: Context, input: StreamInput, { isNew, by, given }: Reading): Partial<EventStream> {
  const { events, profileIds, applicationGuids, authorizationHeader, ...others } = input;
  const names = new Set(textFields.map(({ name }) => name));
  const texts = Object.fromEntries(
    Object.entries(others).filter(([name]) => (given ? names.has(name) || given.has(name) : true)),
  );
  const { values, problems: faults = {} } = checkInput(isNew ? textFields : [...changedFields, ...kindField], texts);
  const problems: Problems = { ...faults };
  const refuse = (name: string, why: string) => {
    problems[name] ??= [`The ${name} field ${why}.`];
  };
  const kind = values.kind as StreamKind | undefined;
  if (kind !== undefined && !kinds.includes(kind)) refuse('kind', `must be ${kinds.join(', ')}`);
  if (!isNew && given?.has('kind')) refuse('kind', 'cannot be changed');
  if (values.status !== undefined && !streamStatuses.includes(values.status as never))
    refuse('status', `must be ${streamStatuses.join(', ')}`);
  checkParts(context, { ...values, authorizationHeader }, refuse);
  const lists = {
    events: readList(
      events,
      (each) => by === 'receiver' || !kind || !kinds.includes(kind) || typesOf(kind).includes(each),
      by === 'receiver',
    ),
    profileIds: readList(profileIds, (each) => each.length <= 50),
    applicationGuids: readList(applicationGuids, (each) => !('problem' in readGuid(each))),
  };
  for (const [name, list] of Object.entries(lists))
    if (list === 'unfit')
      refuse(
        name,
        name === 'events' && kind && kinds.includes(kind)
          ? `must be a list of ${typesOf(kind).join(', ')}`
          : `must be a list of at most ${listsMax} fitting values`,
      );
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return { ...values, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) } as never;
}
const kindField = textFields.filter(({ name }) => name === 'kind');

/** What a kind must and must not have. */
function checkParts(
  { config }: Context,
  values: Record<string, unknown>,
  refuse: (name: string, why: string) => void,
): void {
  const { kind, address, audience, clientId, authorizationHeader } = values;
  if (kind === 'poll' ? address : !address)
    refuse('address', kind === 'poll' ? 'must be absent for poll' : 'is required');
  else if (typeof address === 'string') {
    const problem = findAddressProblem(address, config.privateProviderHosts);
    if (problem) refuse('address', problem);
  }
  if (kind === 'webhook' ? audience : !audience)
    refuse('audience', kind === 'webhook' ? 'must be absent for webhook' : 'is required');
  if (kind === 'poll' && !clientId) refuse('clientId', 'is required for poll: that client fetches the events');
  if (kind === 'webhook' && clientId) refuse('clientId', 'must be absent for webhook');
  if (authorizationHeader === undefined || authorizationHeader === null) return;
  if (kind !== 'push') refuse('authorizationHeader', 'must be absent unless the kind is push');
  else if (typeof authorizationHeader !== 'string' || !isHeader(authorizationHeader))
    refuse('authorizationHeader', `must be at most ${authorizationMax} visible ASCII characters and spaces`);
}

const isHeader = (text: string): boolean => /^[ -~]{1,2000}$/.test(text) && text.trim() === text;

/** Why events cannot be sent to the address; undefined: they can, unless its name leads to a private network. */
function findAddressProblem(address: string, privateHosts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url.hostname));
  if (!isFit || hasCredentials(url) || url.hash !== '') return 'must be an https address without user and fragment';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) === 0 ? isLocalHost(host) : !isPublicAddress(host);
  return isPrivate && !privateHosts.includes(url.hostname)
    ? 'must not be in a private network, unless PRIVATE_PROVIDER_HOSTS names its host'
    : undefined;
}

function readList(
  list: unknown,
  isFit: (each: string) => boolean,
  mayBeEmpty = false,
): string[] | null | undefined | 'unfit' {
  if (list === undefined || list === null) return list;
  const fits = (each: unknown) => typeof each === 'string' && each !== '' && isFit(each);
  if (!Array.isArray(list) || (list.length === 0 && !mayBeEmpty) || list.length > listsMax || !list.every(fits))
    return 'unfit';
  return [...new Set(list as string[])];
}

/** The secrets of a stream, the current one first. Throws SigningKeyUnusable. */
export function openSecrets(
  stream: { event_stream_guid: string; secret: Buffer | null; previous: Buffer | null },
  encryptionKeys: readonly Buffer[],
): string[] {
  const { event_stream_guid: guid, secret, previous } = stream;
  return [secret, previous].flatMap((sealed) => (sealed ? openStreamSecret(sealed, guid, encryptionKeys) : []));
}
