/**
 * Whether a client is who it says. The stored hashes and isActive come from the database at every request; a secret
 * that was verified before costs no hash again.
 */
import { SecretCheckOverloaded } from '../auth/clientSecret.js';
import type { Context } from '../context.js';
import { unavailable } from '../errors.js';
import { TokenRefusal } from './tokenRefusal.js';

/** What the database has of a client at this request; all null for an unknown one. */
export interface StoredClient {
  client_secret: string | null;
  previous_secret: string | null;
  client_is_active: boolean | null;
  client_use_is_old: boolean | null;
}

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** SQL: the columns of StoredClient from `clients client`. The last use is written at most once a minute. */
export const clientColumns = `client.client_secret, client.is_active as client_is_active,
  case when client.previous_secret_ends_at > now() then client.previous_secret end as previous_secret,
  coalesce(greatest(client.secret_last_used_at, client.previous_secret_last_used_at) < now() - interval '1 minute', true) as client_use_is_old`;

const clientStatement = `select ${clientColumns} from clients client where client_id = $1`;
export const clientIdMax = 100;

/** Longer or unstorable ids are just unknown clients. */
export const searchableClientId = ({ clientId }: Credentials): string | null =>
  clientId.length <= 2 * clientIdMax && !clientId.includes('\0') && clientId.isWellFormed() ? clientId : null;

/** Reads the client and checks it; gives the stored hash that matched. Throws TokenRefusal `invalidClient`. */
export async function requireClient(context: Context, credentials: Credentials): Promise<string> {
  await refuseEarly(context, credentials);
  const [stored] = await context.sql.rows<StoredClient>(clientStatement, [searchableClientId(credentials)]);
  return requireSecret(context, credentials, stored);
}

/** Not even a statement for those who fail too often, or when nothing could be compared. */
async function refuseEarly(context: Context, { clientId, clientSecret }: Credentials): Promise<void> {
  const { secrets, failures, address } = context;
  if (secrets.findRemembered(clientId, clientSecret) !== undefined) return;
  await failures.refuseOver(clientId, address);
  await judge(async () => secrets.requireRoom());
}

/** The stored hash that the secret is known to match; a client that isn't remembered is read and checked now. */
export async function presumeClient(context: Context, credentials: Credentials): Promise<string> {
  const { clientId, clientSecret } = credentials;
  return context.secrets.findRemembered(clientId, clientSecret) ?? (await requireClient(context, credentials));
}

/** Gives the stored hash that matched. Throws TokenRefusal `invalidClient`, after the same time for an unknown or inactive client as for a wrong secret. */
export async function requireSecret(
  context: Context,
  credentials: Credentials,
  stored: StoredClient | undefined,
): Promise<string> {
  const hash = findRemembered(context, credentials, stored) ?? (await findMatchingHash(context, credentials, stored));
  if (!hash) throw new TokenRefusal('invalidClient', 'unknown or inactive client, or wrong secret');
  await noteUse(context, credentials, stored, hash);
  return hash;
}

function findRemembered(
  { secrets }: Context,
  { clientId, clientSecret }: Credentials,
  stored: StoredClient | undefined,
): string | undefined {
  const hash = stored?.client_is_active ? secrets.findRemembered(clientId, clientSecret) : undefined;
  return hash === stored?.client_secret || hash === stored?.previous_secret ? hash : undefined;
}

/** The previous secret's hash too: it may serve for long. Where another process was faster, that one's hash stands. */
const replaceHash = `update clients set
    client_secret = case when client_secret = $2 then $3 else client_secret end,
    previous_secret = case when previous_secret = $2 then $3 else previous_secret end
  where client_id = $1 and (client_secret = $2 or previous_secret = $2)`;
const unknownClient = { client_secret: null, previous_secret: null };

/** The attempt is counted before any hash is computed, and taken back when it succeeds. */
async function findMatchingHash(
  context: Context,
  { clientId, clientSecret }: Credentials,
  stored: StoredClient | undefined,
): Promise<string | undefined> {
  const { secrets, failures, sql, address } = context;
  secrets.forget(clientId, clientSecret);
  const { client_secret: current, previous_secret: previous } = stored?.client_is_active ? stored : unknownClient;
  let isCounted = false;
  const admit = async () => {
    if (!isCounted) await failures.count(clientId, address);
    isCounted = true;
  };
  for (const hash of previous === null ? [current] : [current, previous]) {
    const { ok, rehash } = await judge(() => secrets.check(clientId, clientSecret, hash ?? undefined, admit));
    if (!ok || hash === null) continue;
    if (isCounted) await failures.forgive(clientId, address);
    if (!rehash) return hash;
    await sql.rows(replaceHash, [clientId, hash, rehash]);
    return rehash;
  }
  return undefined;
}

/** A comparison that found no place in the queue judged nothing. */
async function judge<T>(check: () => Promise<T>): Promise<T> {
  return check().catch((error: unknown) => {
    if (error instanceof SecretCheckOverloaded) throw unavailable('The client check', error, error.retryAfterSeconds);
    throw error;
  });
}

/** Best effort: what was judged or renewed already stays so when this can't be written. */
export async function noteUse(
  { sql, log, traceId }: Context,
  { clientId }: Credentials,
  stored: StoredClient | undefined,
  hash: string,
): Promise<void> {
  if (!stored?.client_use_is_old) return;
  const statement = `update clients set
       secret_last_used_at = case when client_secret = $2 then now() else secret_last_used_at end,
       previous_secret_last_used_at = case when previous_secret = $2 then now() else previous_secret_last_used_at end
     where client_id = $1`;
  await sql
    .rows(statement, [clientId, hash])
    .catch((error: unknown) => log.warn({ traceId, error }, 'use of a secret not noted'));
}
