/** Cookies, pending sign-ins and sessions of the console. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../auth/caller.js';
import type { ProviderSignIn, SignInChecks } from '../../auth/providerSignIn.js';
import type { Dependencies } from '../../context.js';
import { GatehouseError } from '../../errors.js';
import { systemCaller } from '../../services/tokens/caller.js';
import { findSessionCaller } from './sessions.js';

interface Cookies {
  session: Cookie;
  flow: Cookie;
}

export interface Cookie {
  read(request: IncomingMessage): string | undefined;
  write(response: ServerResponse, value: string, maxAgeSeconds: number): void;
  clear(response: ServerResponse): void;
}

/** @param issuerUrl as browsers see it: over plain http they accept Secure cookies only from their own machine */
export function openCookies(issuerUrl: string): Cookies {
  const { protocol, hostname } = new URL(issuerUrl);
  const isSecure = protocol === 'https:' || /^(127\.0\.0\.1|\[::1\]|(.{1,200}\.)?localhost)$/.test(hostname);
  // RFC 6265bis §4.1.3.2: only this host can set a cookie with this name, and only over https
  const name = (own: string): string => (isSecure ? `__Host-${own}` : own);
  return {
    session: openCookie(name('gatehouse'), `SameSite=Strict${isSecure ? '; Secure' : ''}`),
    // the browser returns from the provider's site
    flow: openCookie(name('gatehouse-flow'), `SameSite=Lax${isSecure ? '; Secure' : ''}`),
  };
}

function openCookie(name: string, attributes: string): Cookie {
  const write = (response: ServerResponse, value: string, maxAgeSeconds: number): void => {
    response.appendHeader('set-cookie', `${name}=${value}; Path=/; HttpOnly; ${attributes}; Max-Age=${maxAgeSeconds}`);
  };
  return {
    read: ({ headers }) => {
      for (const pair of (headers.cookie ?? '').split(';')) {
        const at = pair.indexOf('=');
        if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
      }
      return undefined;
    },
    write,
    clear: (response) => write(response, '', 0),
  };
}

/** The challenge names a scheme that no browser has a dialog for (docs/decisions/0052-challenge-of-the-documented-dialect.md). */
const signedOut = (detail: string) =>
  new GatehouseError('UNAUTHENTICATED', 'Nobody is signed in.', {
    detail,
    headers: { 'www-authenticate': 'Session realm="gatehouse"' },
  });

/** The form of a session secret: 32 bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

/** Returns the session secret of the request, if it has one. */
export function findSecret(cookie: Cookie, request: IncomingMessage): string | undefined {
  const value = cookie.read(request);
  return value !== undefined && secretForm.test(value) ? value : undefined;
}

export interface Sessions {
  dependencies: Dependencies;
  /** The identity providers that sign people in. */
  signIns: readonly ProviderSignIn[];
  cookies: Cookies;
}

/** Returns the person who is signed in, checked against the current database state. With ADMIN_AUTH=none every caller is. Throws UNAUTHENTICATED. */
export async function identifySession(
  { dependencies, signIns, cookies }: Sessions,
  request: IncomingMessage,
): Promise<Caller> {
  const { config } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  const secret = findSecret(cookies.session, request);
  if (secret === undefined) throw signedOut('no cookie of a session');
  const issuers = signIns.map(({ issuer }) => issuer);
  const caller = await findSessionCaller(dependencies, secret, issuers);
  if (!caller) throw signedOut('the session has ended, or its user no longer has administration permissions');
  return caller;
}

/**
 * A pending sign-in, stored in a cookie for ten minutes, until the browser returns from the provider. The cookie has a MAC,
 * because otherwise anybody could make one and cause requests to the provider with our credentials. All processes with this
 * KEY_ENCRYPTION_KEY accept it.
 */
export interface Flow extends SignInChecks {
  issuer: string;
  /** Path of the console to open after the sign-in; it is checked again then. */
  to: string;
  /** Whether the person had to sign in again. */
  isAgain: boolean;
  /** The session that the sign-in replaces: SHA-256 of its secret, in hex. */
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

/** Undefined if there is no sign-in, the MAC is wrong, or it has expired. */
export function findFlow(
  { encryptionKeys, clock }: Keys,
  cookie: Cookie,
  request: IncomingMessage,
): KeptFlow | undefined {
  const [text = '', mac = ''] = (cookie.read(request) ?? '').split('.');
  const macBytes = Buffer.from(mac, 'base64url');
  const isOurs = encryptionKeys.some((key) => {
    const own = macOf(key, text);
    return own.length === macBytes.length && timingSafeEqual(own, macBytes);
  });
  if (!isOurs) return undefined;
  const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as KeptFlow;
  return flow.endsAt > clock.now().getTime() / 1_000 ? flow : undefined;
}

/** RFC 5869 §2.3, without extraction (§3.3): derives a key for this use only. */
function macOf(encryptionKey: Buffer, text: string): Buffer {
  const key = createHmac('sha256', encryptionKey).update('gatehouse console sign-in\x01').digest();
  return createHmac('sha256', key).update(text).digest();
}
