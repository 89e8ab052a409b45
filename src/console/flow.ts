/**
 * A sign-in that is under way, as the browser keeps it until it comes back from the provider: ten minutes. The cookie has a MAC,
 * or anybody could make one and have the provider asked with our credentials. All processes with this KEY_ENCRYPTION_KEY take it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SignInChecks } from '../auth/providerSignIn.js';
import type { Dependencies } from '../context.js';
import type { Cookie } from './cookies.js';

export interface Flow extends SignInChecks {
  issuer: string;
  /** Path of the console to which it leads; judged again when it does. */
  to: string;
  /** Whether the person was to prove anew who it is. */
  isAgain: boolean;
  /** The session that ends with it: SHA-256 of its secret, in hex. */
  replaces?: string;
}

interface KeptFlow extends Flow {
  /** Seconds since 1970. */
  endsAt: number;
}

type Keys = Pick<Dependencies, 'encryptionKeys' | 'clock'>;

const flowSeconds = 600;

export function keepFlow({ encryptionKeys, clock }: Keys, cookie: Cookie, response: ServerResponse, flow: Flow): void {
  const endsAt = Math.floor(clock.now().getTime() / 1_000) + flowSeconds;
  const text = Buffer.from(JSON.stringify({ ...flow, endsAt } satisfies KeptFlow)).toString('base64url');
  cookie.write(response, `${text}.${macOf(encryptionKeys[0]!, text).toString('base64url')}`, flowSeconds);
}

/** Undefined where there is none, none of ours, or one that is over. */
export function findFlow(
  { encryptionKeys, clock }: Keys,
  cookie: Cookie,
  request: IncomingMessage,
): KeptFlow | undefined {
  const [text = '', mac = ''] = (cookie.read(request) ?? '').split('.');
  const given = Buffer.from(mac, 'base64url');
  const isOurs = encryptionKeys.some((key) => {
    const own = macOf(key, text);
    return own.length === given.length && timingSafeEqual(own, given);
  });
  if (!isOurs) return undefined;
  const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as KeptFlow;
  return flow.endsAt > clock.now().getTime() / 1_000 ? flow : undefined;
}

/** RFC 5869 §2.3, of a key that needs no extraction (§3.3): a key for this use alone. */
function macOf(encryptionKey: Buffer, text: string): Buffer {
  const key = createHmac('sha256', encryptionKey).update('gatehouse console sign-in\x01').digest();
  return createHmac('sha256', key).update(text).digest();
}
