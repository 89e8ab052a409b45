/** Writes an event as its stream gets it: a signed webhook (Standard Webhooks), or a security event token (RFC 8417). */
import { constants, createHmac, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { encodeJson } from '../../auth/jwt.js';
import type { KeyRing } from '../../auth/keyRing.js';
import { uriOf } from './eventTypes.js';

/** An event that waits for a stream. */
export interface WaitingEvent {
  id: string;
  event_guid: string;
  type: string;
  occurred_at: string;
  user_guid: string | null;
  profile_id: string | null;
  session_guid: string | null;
  data: Record<string, unknown>;
  trace_id: string | null;
  event_stream_guid: string | null;
}

interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Standard Webhooks, “Webhook structure” and “Signature scheme”. @param secrets `whsec_…`, each signs */
export function webhookOf(event: WaitingEvent, secrets: readonly string[]): Message {
  const { event_guid: id, type, occurred_at: timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

interface Audience {
  issuerUrl: string;
  eventStreamGuid: string;
  audience: string;
}

/** The claims of the security event token (SSF 1.0 §4, CAEP 1.0). It has neither `sub` nor `exp`. */
export function eventClaims(event: WaitingEvent, { issuerUrl, eventStreamGuid, audience }: Audience) {
  const { event_guid: jti, type, occurred_at, user_guid, profile_id, session_guid, data, trace_id } = event;
  const isOfStream = user_guid === null && profile_id === null;
  const opaque = (id: string) => ({ format: 'opaque', id });
  const subject = {
    format: 'complex',
    ...(user_guid !== null && { user: { format: 'iss_sub', iss: issuerUrl, sub: user_guid } }),
    ...(session_guid !== null && { session: opaque(session_guid) }),
    ...(profile_id !== null && { group: opaque(profile_id) }),
  };
  const time = { event_timestamp: Math.floor(Date.parse(occurred_at) / 1_000) };
  return {
    iss: issuerUrl,
    jti,
    iat: Math.floor(Date.now() / 1_000),
    aud: audience,
    ...(trace_id !== null && { txn: trace_id }),
    sub_id: isOfStream ? opaque(eventStreamGuid) : subject,
    events: { [uriOf(type)]: isOfStream ? data : { ...time, ...data } },
  };
}

const signAsync = promisify(sign);

/** Signs in a thread of its own: RSA takes as long as a renewal. Throws if there is no key. */
export async function signSet(claims: object, ring: KeyRing): Promise<string> {
  const { events: key } = ring;
  if (!key) throw new Error('there is no key for security event tokens');
  const header = encodeJson({ alg: 'RS256', typ: 'secevent+jwt', kid: key.kid });
  const signingInput = `${header}.${encodeJson(claims as Record<string, unknown>)}`;
  const options = { key: key.privateKey, padding: constants.RSA_PKCS1_PADDING };
  const signature = await signAsync('sha256', Buffer.from(signingInput, 'latin1'), options);
  return `${signingInput}.${signature.toString('base64url')}`;
}

/** RFC 8935 §2.1. */
export const pushOf = (set: string, authorization: string | undefined): Message => ({
  headers: {
    'content-type': 'application/secevent+jwt',
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
  },
  body: set,
});
