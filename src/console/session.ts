/** Who is signed in to the console, by the cookie of a request. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { GatehouseError } from '../errors.js';
import { findSessionCaller } from '../services/console/sessions.js';
import { systemCaller } from '../services/tokens/identifyCaller.js';
import type { Cookie } from './cookies.js';

const signedOut = (detail: string) => new GatehouseError('UNAUTHENTICATED', 'Nobody is signed in.', { detail });

/** As a new secret is written: 32 bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

/** The secret of a session that the request may have. */
export function findSecret(cookie: Cookie, request: IncomingMessage): string | undefined {
  const value = cookie.read(request);
  return value !== undefined && secretForm.test(value) ? value : undefined;
}

/** Who is signed in, judged by what the database says now; with ADMIN_AUTH=none everybody. Throws UNAUTHENTICATED. */
export async function identifySession(
  dependencies: Dependencies,
  cookie: Cookie,
  request: IncomingMessage,
): Promise<Caller> {
  const { config, signIns } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  const secret = findSecret(cookie, request);
  if (secret === undefined) throw signedOut('no cookie of a session');
  const issuers = signIns.map(({ issuer }) => issuer);
  const caller = await findSessionCaller(dependencies, secret, issuers);
  if (!caller) throw signedOut('the session is over, or its person may not administer any more');
  return caller;
}
