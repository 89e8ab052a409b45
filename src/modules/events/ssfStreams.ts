/** What a receiver does with its own streams (Shared Signals Framework 1.0 §8.1): the management API as services. */
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { badInput, GatehouseError, notFound } from '../../errors.js';
import { isJsonObject, type JsonObject } from '../../jsonObject.js';
import { asService } from '../../services/permit.js';
import { bell } from './dispatcher.js';
import { deliveredTypes, supportedUris, uriOf } from './eventTypes.js';
import { insertEvents } from './publish.js';
import {
  createEventStream,
  deleteEventStream,
  ownEvent,
  type StreamInput,
  streamStatuses,
  updateEventStream,
} from './streams.js';

export const methods = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' } as const;
const stateMax = 1_000;
const descriptionMax = 300;
const verificationSeconds = 5;

export interface Receiver {
  context: Context;
  clientId: string;
}

/** The service acts for the client, whose right an administrator gave; the note of the change set says for whom. */
const acting = ({ context, clientId }: Receiver): Context => ({
  ...asService(context, undefined, context.config.systemUserGuid),
  isApproved: true,
  note: `by the client ${clientId}`.slice(0, 1_000),
});

interface StreamRow {
  guid: string;
  kind: 'push' | 'poll';
  address: string | null;
  audience: string;
  events: string[] | null;
  description: string | null;
  status: string;
  status_reason: string | null;
}
const columns = `event_stream_guid::text as guid, kind, address, audience, events, description, status, status_reason`;

const readOwn = ({ context, clientId }: Receiver): Promise<StreamRow[]> =>
  context.sql.rows<StreamRow>(`select ${columns} from event_streams where client_id = $1 order by created_at`, [
    clientId,
  ]);

/** Throws NOT_FOUND for a stream of another receiver, as for one that does not exist. */
export async function requireOwn({ context, clientId }: Receiver, streamId: unknown): Promise<StreamRow> {
  const [stream] =
    typeof streamId === 'string' && isGuid(streamId)
      ? await context.sql.rows<StreamRow>(
          `select ${columns} from event_streams where client_id = $1 and event_stream_guid = $2::uuid`,
          [clientId, streamId],
        )
      : [];
  if (!stream) throw notFound('The stream');
  return stream;
}

const pollAddress = ({ issuerUrl }: Context, guid: string): string => `${issuerUrl}/ssf/poll/${guid}`;

/** The configuration of a stream (§8.1.1). The authorization header is never shown. */
function configurationOf(context: Context, stream: StreamRow): JsonObject {
  const { guid, kind, address, audience, events, description } = stream;
  return {
    stream_id: guid,
    iss: context.issuerUrl,
    aud: audience,
    events_supported: supportedUris,
    events_requested: events ?? supportedUris,
    events_delivered: deliveredTypes(kind, events).map(uriOf),
    delivery: { method: methods[kind], endpoint_url: address ?? pollAddress(context, guid) },
    min_verification_interval: verificationSeconds,
    ...(description !== null && { description }),
  };
}

export async function createStream(receiver: Receiver, body: unknown): Promise<JsonObject> {
  const { context, clientId } = receiver;
  const members = requireMembers(body);
  const { kind, address, authorizationHeader } = readDelivery(members.delivery);
  const input: StreamInput = {
    name: clientId,
    kind,
    address,
    audience: clientId,
    clientId,
    events: readRequested(members.events_requested),
    description: readDescription(members.description),
    ...(authorizationHeader !== undefined && { authorizationHeader }),
  };
  const { stream } = await createEventStream(acting(receiver), input, 'receiver').catch(asProblemOfDelivery);
  bell.emit('stream');
  return configurationOf(context, await requireOwn(receiver, stream.eventStreamGuid));
}

/** With a stream id that stream, without one all of the receiver (§8.1.1.2). */
export async function readConfiguration(receiver: Receiver, streamId: unknown): Promise<JsonObject | JsonObject[]> {
  if (streamId === undefined)
    return (await readOwn(receiver)).map((stream) => configurationOf(receiver.context, stream));
  return configurationOf(receiver.context, await requireOwn(receiver, streamId));
}

/** @param isWhole the request replaces the stream: what it does not have is removed (§8.1.1.4) */
export async function changeStream(receiver: Receiver, body: unknown, isWhole: boolean): Promise<JsonObject> {
  const { context } = receiver;
  const members = requireMembers(body);
  const stream = await requireOwn(receiver, requireStreamId(members));
  const before = configurationOf(context, stream);
  for (const name of ['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval'])
    if (isSet(members[name]) && JSON.stringify(members[name]) !== JSON.stringify(before[name]))
      throw badInput({ [name]: ['It is supplied by the transmitter, and has another value.'] });
  const input: Partial<StreamInput> = {};
  if (isSet(members.delivery) || isWhole) {
    const { kind, address, authorizationHeader } = readDelivery(members.delivery, pollAddress(context, stream.guid));
    if (kind !== stream.kind) throw badInput({ 'delivery.method': ['The method of a stream cannot be changed.'] });
    if (kind === 'push') {
      input.address = address;
      if (authorizationHeader !== undefined || isWhole) input.authorizationHeader = authorizationHeader ?? null;
    }
  }
  if (members.events_requested !== undefined || isWhole) input.events = readRequested(members.events_requested);
  if (members.description !== undefined || isWhole) input.description = readDescription(members.description);
  await updateEventStream(acting(receiver), stream.guid, input, null, 'receiver').catch(asProblemOfDelivery);
  bell.emit('stream');
  return configurationOf(context, await requireOwn(receiver, stream.guid));
}

export async function removeStream(receiver: Receiver, streamId: unknown): Promise<void> {
  const { guid } = await requireOwn(receiver, streamId);
  await deleteEventStream(acting(receiver), guid);
  bell.emit('stream');
}

const statusOf = ({ guid, status, status_reason: reason }: StreamRow): JsonObject => ({
  stream_id: guid,
  status,
  ...(reason !== null && { reason }),
});

export const readStatus = async (receiver: Receiver, streamId: unknown): Promise<JsonObject> =>
  statusOf(await requireOwn(receiver, streamId));

export async function changeStatus(receiver: Receiver, body: unknown): Promise<JsonObject> {
  const members = requireMembers(body);
  const { guid } = await requireOwn(receiver, requireStreamId(members));
  const { status, reason = null } = members;
  if (!streamStatuses.includes(status as never))
    throw badInput({ status: [`It must be ${streamStatuses.join(', ')}.`] });
  if (reason !== null && typeof reason !== 'string') throw badInput({ reason: ['It must be a string.'] });
  const input = { status: status as string, statusReason: reason === null ? null : shorten(reason, descriptionMax) };
  await updateEventStream(acting(receiver), guid, input, null, 'receiver');
  bell.emit('stream');
  return statusOf(await requireOwn(receiver, guid));
}

/** Sends a verification event that repeats `state` (§8.1.4.2). Throws 429 within five seconds of the last one. */
export async function verifyStream(receiver: Receiver, body: unknown): Promise<void> {
  const members = requireMembers(body);
  const { guid, status } = await requireOwn(receiver, requireStreamId(members));
  const { state } = members;
  if (isSet(state) && (typeof state !== 'string' || state.length > stateMax || state.includes('\0')))
    throw badInput({ state: [`It must be a string of at most ${stateMax} characters.`] });
  if (status === 'disabled') throw badInput({ stream_id: ['The stream is disabled.'] });
  await receiver.context.sql.transaction(async (sql) => {
    const recent = await sql.rows(
      `select 1 from published_events where event_stream_guid = $1::uuid and type = 'verification'
         and published_at > now() - make_interval(secs => $2::int)`,
      [guid, verificationSeconds],
    );
    if (recent.length > 0)
      throw new GatehouseError('TOO_MANY_REQUESTS', 'A verification was requested just now.', {
        headers: { 'retry-after': String(verificationSeconds) },
      });
    await insertEvents(sql, [ownEvent('verification', isSet(state) ? { state } : {})], guid);
    await sql.rows('update event_streams set next_attempt_at = null where event_stream_guid = $1::uuid', [guid]);
  });
  bell.emit('stream');
}

/** Typed receivers write what is unset as null. */
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function requireMembers(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw badInput({ $: ['An object is expected.'] });
  return body;
}

function requireStreamId({ stream_id: streamId }: JsonObject): unknown {
  if (typeof streamId !== 'string') throw badInput({ stream_id: ['It is required.'] });
  return streamId;
}

/** §8.1.1.1: without `delivery` the method is poll. @param ownAddress the address of a poll that exists */
function readDelivery(delivery: unknown, ownAddress?: string) {
  if (!isSet(delivery)) return { kind: 'poll' as const, address: null };
  if (!isJsonObject(delivery)) throw badInput({ delivery: ['An object is expected.'] });
  const { method, endpoint_url: address, authorization_header: header } = delivery;
  if (method === methods.poll) {
    if (isSet(address) && address !== '' && address !== ownAddress)
      throw badInput({ 'delivery.endpoint_url': ['It is supplied by the transmitter for polls.'] });
    return { kind: 'poll' as const, address: null };
  }
  if (method !== methods.push)
    throw badInput({ 'delivery.method': [`It must be ${methods.push} or ${methods.poll}.`] });
  if (typeof address !== 'string') throw badInput({ 'delivery.endpoint_url': ['It is required.'] });
  if (isSet(header) && typeof header !== 'string')
    throw badInput({ 'delivery.authorization_header': ['It must be a string.'] });
  return { kind: 'push' as const, address, authorizationHeader: header as string | null | undefined };
}

/** Types that are unknown here are ignored (§8.1.1). Null: all. */
function readRequested(requested: unknown): string[] | null {
  if (!isSet(requested)) return null;
  if (!Array.isArray(requested) || requested.length > 200 || !requested.every((uri) => typeof uri === 'string'))
    throw badInput({ events_requested: ['A list of at most 200 URIs is expected.'] });
  return requested.filter((uri) => uri.length <= 300 && !uri.includes('\0'));
}

function readDescription(description: unknown): string | null {
  if (!isSet(description)) return null;
  if (typeof description !== 'string' || description.includes('\0'))
    throw badInput({ description: ['It must be a string.'] });
  return description === '' ? null : shorten(description, descriptionMax);
}

const shorten = (text: string, max: number): string => [...text].slice(0, max).join('').toWellFormed();

/** Names the members as the receiver wrote them. */
function asProblemOfDelivery(error: unknown): never {
  if (!(error instanceof GatehouseError) || !error.more.problems) throw error;
  const names: Record<string, string> = {
    address: 'delivery.endpoint_url',
    authorizationHeader: 'delivery.authorization_header',
    events: 'events_requested',
  };
  const problems = Object.entries(error.more.problems).map(([name, texts]) => [
    names[name] ?? name,
    texts.map((text) => text.replace(`The ${name} field`, 'It')),
  ]);
  throw new GatehouseError(error.code, error.message, { ...error.more, problems: Object.fromEntries(problems) });
}
