/** Client authentication: secrets, assertions, and when each was used last. */
import { type ClientAssertion, verifyClientAssertion, type WantedAssertionKey } from '../../auth/clientKeys.js';
import { SecretCheckOverloaded } from '../../auth/clientSecret.js';
import { IdentityProviderUnavailable } from '../../auth/providerKeys.js';
import type { ClientUses, Context } from '../../context.js';
import { clientIdLengthMax } from '../../entities/Client.js';
import { isStorable } from '../../entities/storableText.js';
import { unavailable } from '../../errors.js';
import {
  noteClient,
  noteClientCredential,
  noteClientFailure,
  noteProvenClient,
} from '../../observability/currentRequest.js';
import type { Log } from '../../observability/log.js';
import type { SharedStatement, Sql } from '../../sql.js';
import { startPeriodicWork } from '../recorders.js';
import { noteFirstUse } from './proofOfPossession.js';
import { TokenRefusal } from './tokenRefusal.js';

/**
 * The last use of each of a client's secrets and of its keys, to the minute. Uses are gathered and written by a statement a second, so
 * that no answer waits for one, and a client whose record a change or an import holds is left for its next use.
 */

const writeIntervalMs = 1_000;
/** Of one statement; the rest comes with a later use. */
const usesMax = 10_000;

/** SQL: whether the last use in the column is to be written anew. */
const isOldUse = (column: string): string => `coalesce(${column} < now() - interval '1 minute', true)`;

/** SQL: what the client is judged by whose keys verified its assertion; it stands where a secret's hash would. */
const ofRevision = (client: string): string => `'revision ' || ${client}.revision`;

const writeUses = `with used as (
    select client.client_id, bool_or(client.client_secret = asked.credential) as current,
      bool_or(client.previous_secret = asked.credential) as previous,
      bool_or(${ofRevision('client')} = asked.credential) as keys
    from unnest($1::text[], $2::text[]) asked (client_id, credential) join clients client using (client_id)
    group by client.client_id
  ), free as (
    select client_id from clients where client_id in (select client_id from used) for no key update skip locked
  )
  update clients client set
    secret_last_used_at = case when used.current and ${isOldUse('client.secret_last_used_at')}
      then now() else client.secret_last_used_at end,
    previous_secret_last_used_at = case when used.previous and ${isOldUse('client.previous_secret_last_used_at')}
      then now() else client.previous_secret_last_used_at end,
    keys_last_used_at = case when used.keys and ${isOldUse('client.keys_last_used_at')}
      then now() else client.keys_last_used_at end
  from used join free using (client_id)
  where client.client_id = used.client_id
    and ((used.current and ${isOldUse('client.secret_last_used_at')})
      or (used.previous and ${isOldUse('client.previous_secret_last_used_at')})
      or (used.keys and ${isOldUse('client.keys_last_used_at')}))`;

/** @param sql connections that no request waits for */
export function openClientUses({ sql, log }: { sql: Sql; log: Log }): ClientUses & { close(): Promise<void> } {
  let uses = new Map<string, [clientId: string, credential: string]>();

  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take() {
      const taken = [...uses.values()];
      uses = new Map();
      return taken;
    },
    async work(written) {
      await sql.rows(writeUses, [written.map(([clientId]) => clientId), written.map(([, credential]) => credential)]);
    },
    log,
    failure: 'uses of credentials not noted',
  });

  return {
    note(clientId, credential) {
      if (uses.size < usesMax) uses.set(JSON.stringify([clientId, credential]), [clientId, credential]);
    },
    close: writes.close,
  };
}

/** Clients without a shared secret (`private_key_jwt`, RFC 7523): judged by the keys that the database has of them now. */

interface StoredKeys {
  is_active: boolean | null;
  revision: number;
  jwks: string | null;
  jwks_uri: string | null;
  /** Whether their last use is to be written anew. */
  use_is_old: boolean;
}

const keyColumns = `client.is_active, client.revision, client.jwks, client.jwks_uri,
  ${isOldUse('client.keys_last_used_at')} as use_is_old`;
/** Many who are authenticated at the same moment share it; all null for an unknown client. */
const keysStatement: SharedStatement = {
  one: `select ${keyColumns} from (values (1)) one left join clients client on client.client_id = $1`,
  many: `select asked.ord, ${keyColumns} from unnest($1::text[]) with ordinality asked(client_id, ord)
    left join clients client on client.client_id = asked.client_id`,
};

/** Stands where a secret's hash would: it is good as long as the record is as it was. SQL: `clientStands`. */
const revisionCredential = (revision: number): string => `revision ${revision}`;

/**
 * Gives what the client was judged by. A signature costs little, so a good assertion is taken however many bad ones came for the
 * same client; those are counted, and over the limit 429. Throws TokenRefusal `invalidClient`, and UNAVAILABLE when its keys can't
 * be fetched.
 */
async function authenticateByAssertion(context: Context, clientId: string, assertion: string): Promise<string> {
  const { failures, address } = context;
  try {
    const { stored, judged } = await verify(context, clientId, assertion);
    const { jti, expiresAt } = judged;
    const isFirst = await noteFirstUse(context.sql, {
      kind: 'assertion',
      name: [clientId, jti],
      endsAtSeconds: expiresAt,
    });
    if (!isFirst) throw invalidAssertion('the assertion was used before');
    noteProvenClient();
    const credential = revisionCredential(stored.revision);
    if (stored.use_is_old) context.clientUses.note(clientId, credential);
    return credential;
  } catch (error) {
    if (error instanceof TokenRefusal) await failures.count(clientId, address);
    throw error;
  }
}

/** The same of an assertion that was taken in this request already: its record has changed since. */
async function authenticateByAssertionAgain(context: Context, clientId: string, assertion: string) {
  return revisionCredential((await verify(context, clientId, assertion)).stored.revision);
}

async function verify(
  context: Context,
  clientId: string,
  assertion: string,
): Promise<{ stored: StoredKeys; judged: ClientAssertion }> {
  const stored = await context.sql.batchedRow<StoredKeys>(keysStatement, [clientId]);
  if (!stored.is_active) {
    const failure = stored.is_active === false ? 'inactive client' : 'unknown client';
    noteClientFailure(failure);
    throw new TokenRefusal('invalidClient', failure);
  }
  let judged = await verifyByKeys(context, clientId, assertion, stored, false);
  // an address may have newer keys
  if ('invalid' in judged && stored.jwks_uri !== null && judged.isForKeys)
    judged = await verifyByKeys(context, clientId, assertion, stored, true);
  if ('invalid' in judged) throw invalidAssertion(judged.invalid);
  return { stored, judged };
}

async function verifyByKeys(
  { issuerUrl, clock, clientKeys }: Context,
  clientId: string,
  assertion: string,
  { jwks, jwks_uri: jwksUri }: StoredKeys,
  isStale: boolean,
): Promise<ClientAssertion | { invalid: string; isForKeys: boolean }> {
  // libraries send the issuer, or still the address of the endpoint
  const audiences = ['', '/token', '/profiles', '/revoke', '/introspect'].map((path) => issuerUrl + path);
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
  let isForKeys = false;
  const findKeys = async (wanted: WantedAssertionKey) => {
    isForKeys = true;
    return clientKeys.findKeys({ jwks, jwksUri }, wanted, isStale).catch((error: unknown) => {
      if (error instanceof IdentityProviderUnavailable)
        throw unavailable('The key set of the client', error, error.retryAfterSeconds);
      throw error;
    });
  };
  const judged = await verifyClientAssertion(assertion, { clientId, audiences, nowSeconds }, findKeys);
  return 'invalid' in judged ? { ...judged, isForKeys } : judged;
}

function invalidAssertion(detail: string): TokenRefusal {
  noteClientFailure('wrong assertion');
  return new TokenRefusal('invalidClient', `wrong assertion: ${detail}`);
}

/**
 * Whether a client is who it says. The stored hashes and isActive come from the database at every request; a secret
 * that was verified before costs no hash again.
 */

/** What the database has of a client at this request; all null for an unknown one. */
export interface StoredClient {
  client_secret: string | null;
  previous_secret: string | null;
  client_is_active: boolean | null;
  /** Whether the last use of each is to be written anew. */
  client_use_is_old: boolean | null;
  previous_use_is_old: boolean | null;
  allowed_audiences: string | null;
  client_revision: number | null;
  dpop_required: boolean | null;
  /** Client.policy. */
  client_policy: string | null;
}

export interface Credentials {
  clientId: string;
  /** Empty beside an assertion. */
  clientSecret: string;
  /** A JWT by which the client proves itself in place of its secret (RFC 7523 §2.2). */
  assertion?: string | undefined;
}

/** SQL: the columns of StoredClient from `clients client`. */
export const clientColumns = `client.client_secret, client.is_active as client_is_active, client.allowed_audiences,
  client.revision as client_revision, client.dpop_required, client.policy as client_policy,
  case when client.previous_secret_ends_at > now() then client.previous_secret end as previous_secret,
  ${isOldUse('client.secret_last_used_at')} as client_use_is_old,
  ${isOldUse('client.previous_secret_last_used_at')} as previous_use_is_old`;

/** SQL: `client` is active, and what it was judged by is still its own: a hash of a secret, or its record as it was. */
export const clientStands = (known: string): string => `client.is_active
      and (client.client_secret = ${known}
        or (client.previous_secret = ${known} and client.previous_secret_ends_at > now())
        or ${ofRevision('client')} = ${known})`;

/** SQL: whether the last use of what the client was judged by, its secret or the one before, was long ago. */
export const lastUseIsOld = (known: string): string => `case when client.client_secret = ${known}
      then ${isOldUse('client.secret_last_used_at')} else ${isOldUse('client.previous_secret_last_used_at')} end`;

/** Many who are authenticated at the same moment share it. */
const clientStatement: SharedStatement = {
  one: `select ${clientColumns} from (values (1)) one left join clients client on client.client_id = $1`,
  many: `select asked.ord, ${clientColumns} from unnest($1::text[]) with ordinality asked(client_id, ord)
    left join clients client on client.client_id = asked.client_id`,
};

/** Longer or unstorable ids are just unknown clients. */
export const searchableClientId = ({ clientId }: Pick<Credentials, 'clientId'>): string | null =>
  clientId.length <= clientIdLengthMax && isStorable(clientId) ? clientId : null;

/** Reads the client and checks it; gives the stored hash that matched. Throws TokenRefusal `invalidClient`. */
export async function requireClient(context: Context, credentials: Credentials): Promise<string> {
  if (credentials.assertion !== undefined) return authenticateEarly(context, credentials);
  const known = findKnown(context, credentials);
  if (known === undefined) await refuseEarly(context, credentials);
  const stored = await context.sql.batchedRow<StoredClient>(clientStatement, [searchableClientId(credentials)]);
  return requireSecret(context, credentials, stored, known);
}

/** Not even a statement for those who fail too often, or when nothing could be compared. */
async function refuseEarly({ secrets, failures, address }: Context, { clientId }: Credentials): Promise<void> {
  await failures.assertBelowLimit(clientId, address);
  await mapOverload(async () => secrets.assertNotFull());
}

/** The stored hash that the secret succeeded against last in this process; the database says whether it still stands. */
export const findKnown = ({ secrets }: Context, { clientId, clientSecret, assertion }: Credentials) =>
  assertion === undefined ? secrets.findRemembered(clientId, clientSecret) : undefined;

/** Notes the client of a request that need not prove itself, where its secret succeeded before: it costs no statement. */
export function noteWhereKnown(context: Context, credentials: Credentials): void {
  const known = findKnown(context, credentials) ?? context.rehearsal?.findProven(credentials);
  if (known === undefined) return;
  noteClient(credentials.clientId);
  noteClientCredential(known);
}

/** The stored hash that the secret is known to match; a client that isn't remembered is read and checked now. */
export async function authenticateEarly(context: Context, credentials: Credentials): Promise<string> {
  const { assertion } = credentials;
  if (assertion !== undefined)
    return authenticateByAssertion(context, searchableClientId(credentials) ?? '', assertion);
  const known = findKnown(context, credentials);
  if (known === undefined) return requireClient(context, credentials);
  noteClientCredential(known);
  return known;
}

/**
 * Gives the stored hash that matched, or for an assertion what stands for its client's record now. Throws TokenRefusal
 * `invalidClient`, after the same time for an unknown or inactive client as for a wrong secret.
 * @param known what authenticateEarly or findKnown gave
 */
export async function requireSecret(
  context: Context,
  credentials: Credentials,
  stored: StoredClient | undefined,
  known?: string,
): Promise<string> {
  const { clientId, assertion } = credentials;
  if (assertion !== undefined) {
    const isAsItWas = stored?.client_is_active && revisionCredential(stored.client_revision!) === known;
    return isAsItWas ? known! : authenticateByAssertionAgain(context, clientId, assertion);
  }
  const hash =
    findStanding(context, credentials, stored, known) ?? (await findMatchingHash(context, credentials, stored));
  if (!hash) throw invalidClient(stored);
  noteProvenClient();
  if (wasLongAgo(stored, hash)) noteUse(context, credentials, hash);
  return hash;
}

function invalidClient(stored: StoredClient | undefined): TokenRefusal {
  const failure = stored?.client_is_active
    ? 'wrong secret'
    : stored?.client_secret
      ? 'inactive client'
      : 'unknown client';
  noteClientFailure(failure);
  return new TokenRefusal('invalidClient', failure);
}

/** The hash that the secret succeeded against before, where it is the client's now. */
function findStanding(
  context: Context,
  credentials: Credentials,
  stored: StoredClient | undefined,
  known: string | undefined,
): string | undefined {
  if (!stored?.client_is_active) return undefined;
  const hash = known ?? findKnown(context, credentials);
  return hash === stored.client_secret || hash === stored.previous_secret ? hash : undefined;
}

/**
 * The previous secret's hash too: it may serve for long. Where another process was faster, that one's hash stands; where
 * a change or an import holds the record, nobody waits for it.
 */
const replaceHash = `with free as (select client_id from clients where client_id = $1 for no key update skip locked)
  update clients set
    client_secret = case when client_secret = $2 then $3 else client_secret end,
    previous_secret = case when previous_secret = $2 then $3 else previous_secret end
  where client_id in (select client_id from free) and (client_secret = $2 or previous_secret = $2)
  returning client_id`;
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
    await failures.count(clientId, address);
    isCounted = true;
  };
  // both places are always compared with: the time doesn't tell who is in rotation
  const hashes = [current ?? undefined, previous ?? undefined];
  const { hash, rehash } = await mapOverload(() => secrets.checkEither(clientId, clientSecret, hashes, admit));
  if (hash === undefined) return undefined;
  if (isCounted) await failures.refund(clientId, address);
  if (!rehash) return hash;
  const replaced = await sql.rows(replaceHash, [clientId, hash, rehash]);
  if (replaced.length === 0) return hash;
  secrets.remember(clientId, clientSecret, rehash);
  return rehash;
}

/** A comparison that found no place in the queue judged nothing. */
async function mapOverload<T>(check: () => Promise<T>): Promise<T> {
  return check().catch((error: unknown) => {
    if (error instanceof SecretCheckOverloaded) throw unavailable('The client check', error, error.retryAfterSeconds);
    throw error;
  });
}

/** Of the last use. A secret whose hash is neither of the stored ones was set or hashed anew in this moment. */
const wasLongAgo = (stored: StoredClient | undefined, hash: string): boolean | null | undefined =>
  (hash === stored?.client_secret && stored.client_use_is_old) ||
  (hash === stored?.previous_secret && stored.previous_use_is_old) ||
  (hash !== stored?.client_secret && hash !== stored?.previous_secret);

/** Of a secret whose last use was long ago. @param hash the stored one that it matched */
export function noteUse({ clientUses }: Context, { clientId, assertion }: Credentials, hash: string): void {
  if (assertion === undefined) clientUses.note(clientId, hash);
}
