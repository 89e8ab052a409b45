/**
 * Authenticates clients by secret or assertion. Each request reads the stored hashes and isActive from the database; a secret that
 * was verified before is not hashed again.
 */
import { type ClientAssertion, verifyClientAssertion } from '../../auth/clientKeys.js';
import type { KeyQuery } from '../../auth/providerKeys.js';
import type { Context } from '../../context.js';
import { clientIdLengthMax } from '../../entities/Client.js';
import { isStorable } from '../../entities/valueForms.js';
import { throwUnavailable } from '../../errors.js';
import { note } from '../../observability/currentRequest.js';
import { shared } from '../../sql.js';
import { noteFirstUse, type PresentedProof, verifyProof } from './proofOfPossession.js';
import { TokenRefusal } from './tokenRefusal.js';

/** The client's columns, read at this request; all null for an unknown client. */
export interface StoredClient {
  client_secret: string | null;
  previous_secret: string | null;
  client_is_active: boolean | null;
  /** Whether the stored time of the last use of each secret is due for an update. */
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
  /** Empty when there is an assertion. */
  clientSecret: string;
  /** A JWT by which the client authenticates instead of with a secret (RFC 7523 §2.2). */
  assertion?: string | undefined;
}

/** SQL: the columns of StoredClient from `clients client`. */
export const clientColumns = `client.client_secret, client.is_active as client_is_active, client.allowed_audiences,
  client.revision as client_revision, client.dpop_required, client.policy as client_policy,
  case when client.previous_secret_ends_at > now() then client.previous_secret end as previous_secret,
  ${isOldUse('client.secret_last_used_at')} as client_use_is_old,
  ${isOldUse('client.previous_secret_last_used_at')} as previous_use_is_old`;

/** SQL: `client` is active and still has this credential: a secret's hash, or the revision of its record. */
export const clientStands = (credential: string): string => `client.is_active
      and (client.client_secret = ${credential}
        or (client.previous_secret = ${credential} and client.previous_secret_ends_at > now())
        or ${revisionCredentialColumn} = ${credential})`;

/** SQL: whether the stored last use of this credential, the current or previous secret, is due for an update. */
export const lastUseIsOld = (credential: string): string => `case when client.client_secret = ${credential}
      then ${isOldUse('client.secret_last_used_at')} else ${isOldUse('client.previous_secret_last_used_at')} end`;

/** Clients that authenticate at the same moment share the statement. All columns are null for an unknown client. */
const readClients = (columns: string) =>
  shared(
    { client_id: 'text' },
    ({ rows }) =>
      `select asked.ord, ${columns} from ${rows} left join clients client on client.client_id = asked.client_id`,
  );
const clientStatement = readClients(clientColumns);

/** Returns the client id for the look-up; null without one, or if it is too long or can't be stored, since no client can have it. */
export const searchableClientId = ({ clientId }: { clientId: string | undefined }): string | null =>
  clientId !== undefined && clientId.length <= clientIdLengthMax && isStorable(clientId) ? clientId : null;

/** Reads and authenticates the client. Returns the stored hash that matched. Throws TokenRefusal `invalidClient`. */
export async function requireClient(context: Context, credentials: Credentials): Promise<string> {
  if (credentials.assertion !== undefined) return authenticateEarly(context, credentials);
  const rememberedHash = findRememberedHash(context, credentials);
  if (rememberedHash === undefined) await refuseEarly(context, credentials).catch(checkUnavailable);
  const values = { client_id: searchableClientId(credentials) };
  const stored = await context.sql.batchedRow<StoredClient>(clientStatement, values);
  return requireSecret(context, credentials, stored, rememberedHash);
}

/** Refuses, without a statement, callers that failed too often, and every caller while the comparison queue is full. */
async function refuseEarly({ secrets, failures, address }: Context, { clientId }: Credentials): Promise<void> {
  await failures.assertBelowLimit(clientId, address);
  secrets.assertNotFull();
}

/** Nothing was checked, because the comparison queue is full. */
const checkUnavailable = throwUnavailable('The client check');

/** Returns the stored hash that this process last matched the secret with; the database decides whether it is still the client's. */
export const findRememberedHash = ({ secrets }: Context, { clientId, clientSecret, assertion }: Credentials) =>
  assertion === undefined ? secrets.findRemembered(clientId, clientSecret) : undefined;

/** Notes the client of a request that needs no authentication, if its secret is remembered. Runs no statement. */
export function noteRememberedClient(context: Context, credentials: Credentials): void {
  const hash = findRememberedHash(context, credentials) ?? context.rehearsal?.findProven(credentials);
  if (hash === undefined) return;
  note('clientId', credentials.clientId);
  note('clientCredential', hash);
}

/** Returns the stored hash that the secret matches. A client without a remembered hash is read and checked now. */
export async function authenticateEarly(context: Context, credentials: Credentials): Promise<string> {
  const { assertion } = credentials;
  if (assertion !== undefined)
    return authenticateByAssertion(context, searchableClientId(credentials) ?? '', assertion);
  const rememberedHash = findRememberedHash(context, credentials);
  if (rememberedHash === undefined) return requireClient(context, credentials);
  note('clientCredential', rememberedHash);
  return rememberedHash;
}

/**
 * Returns the stored hash that matched, or for an assertion the current revision credential. Throws TokenRefusal
 * `invalidClient`, after the same time for an unknown or inactive client as for a wrong secret.
 * @param rememberedHash the result of authenticateEarly or findRememberedHash
 */
export async function requireSecret(
  context: Context,
  credentials: Credentials,
  stored: StoredClient | undefined,
  rememberedHash?: string,
): Promise<string> {
  const { clientId, assertion } = credentials;
  if (assertion !== undefined) {
    const isUnchanged = stored?.client_is_active && revisionCredential(stored.client_revision!) === rememberedHash;
    return isUnchanged ? rememberedHash! : authenticateByAssertionAgain(context, clientId, assertion);
  }
  const hash =
    findStanding(context, credentials, stored, rememberedHash) ??
    (await findMatchingHash(context, credentials, stored));
  if (!hash) throw invalidClient(stored);
  note('isClientProven', true);
  if (wasLongAgo(stored, hash)) noteUse(context, credentials, hash);
  return hash;
}

function invalidClient(stored: StoredClient | undefined): TokenRefusal {
  const failure = stored?.client_is_active
    ? 'wrong secret'
    : stored?.client_secret
      ? 'inactive client'
      : 'unknown client';
  note('clientFailure', failure);
  return new TokenRefusal('invalidClient', failure);
}

/** Returns the remembered hash if the client still has it. */
function findStanding(
  context: Context,
  credentials: Credentials,
  stored: StoredClient | undefined,
  rememberedHash: string | undefined,
): string | undefined {
  if (!stored?.client_is_active) return undefined;
  const hash = rememberedHash ?? findRememberedHash(context, credentials);
  return hash === stored.client_secret || hash === stored.previous_secret ? hash : undefined;
}

/**
 * Replaces the hash of the current or the previous secret. If another process was faster, its hash stays; if a change or an
 * import has locked the record, nothing is written.
 */
const replaceHash = `with free as (select client_id from clients where client_id = $1 for no key update skip locked)
  update clients set
    client_secret = case when client_secret = $2 then $3 else client_secret end,
    previous_secret = case when previous_secret = $2 then $3 else previous_secret end
  where client_id in (select client_id from free) and (client_secret = $2 or previous_secret = $2)
  returning client_id`;
const unknownClient = { client_secret: null, previous_secret: null };

/** Compares the secret with both stored hashes. Counts the attempt first; only a failure stays counted. */
async function findMatchingHash(
  context: Context,
  { clientId, clientSecret }: Credentials,
  stored: StoredClient | undefined,
): Promise<string | undefined> {
  const { secrets, failures, sql, address } = context;
  secrets.forget(clientId, clientSecret);
  const { client_secret: current, previous_secret: previous } = stored?.client_is_active ? stored : unknownClient;
  let end = async (_hasFailed: boolean) => {};
  const admit = async () => {
    end = await failures.begin(clientId, address);
  };
  // both hashes are always compared, so that the time doesn't show which clients rotate their secret
  const hashes = [current ?? undefined, previous ?? undefined];
  const check = secrets.checkEither(clientId, clientSecret, hashes, admit);
  const { hash, rehash } = await check.catch(async (error) => {
    await end(false);
    return checkUnavailable(error);
  });
  await end(hash === undefined);
  if (hash === undefined || !rehash) return hash;
  const replaced = await sql.rows(replaceHash, [clientId, hash, rehash]);
  if (replaced.length === 0) return hash;
  secrets.remember(clientId, clientSecret, rehash);
  return rehash;
}

/** Whether the last use is due for an update. A hash that equals neither stored one has just replaced one of them. */
const wasLongAgo = (stored: StoredClient | undefined, hash: string): boolean | null | undefined =>
  (hash === stored?.client_secret && stored.client_use_is_old) ||
  (hash === stored?.previous_secret && stored.previous_use_is_old) ||
  (hash !== stored?.client_secret && hash !== stored?.previous_secret);

/** Notes the use of a secret. @param hash the stored hash that it matched */
export function noteUse({ clientUses }: Context, { clientId, assertion }: Credentials, hash: string): void {
  if (assertion === undefined) clientUses.note(clientId, hash);
}

/**
 * Verifies the proof of a token request and returns the key's thumbprint; undefined without a proof. Call it after `authenticateEarly`,
 * since each proof leaves a record. Throws TokenRefusal `invalidProof` or `nonceWanted`, or before them `invalidClient` if the
 * remembered secret is no longer the client's.
 */
export async function requireProof(
  context: Context,
  { proof, ...credentials }: Credentials & { proof?: PresentedProof | undefined },
): Promise<string | undefined> {
  if (!proof) return undefined;
  const verdict = await verifyProof(context, proof);
  if ('jkt' in verdict) return verdict.jkt;
  // an assertion was checked by this request
  if (credentials.assertion === undefined) await requireClient(context, credentials);
  throw new TokenRefusal(verdict.isNonceWanted ? 'nonceWanted' : 'invalidProof', verdict.invalid);
}

interface StoredKeys {
  is_active: boolean | null;
  revision: number;
  jwks: string | null;
  jwks_uri: string | null;
  /** Whether the stored time of the keys' last use is due for an update. */
  use_is_old: boolean;
}

const keyColumns = `client.is_active, client.revision, client.jwks, client.jwks_uri,
  ${isOldUse('client.keys_last_used_at')} as use_is_old`;
const keysStatement = readClients(keyColumns);

/** Stands for a secret's hash; valid until the record changes. In SQL: `revisionCredentialColumn`. */
const revisionCredential = (revision: number): string => `revision ${revision}`;

/**
 * Returns the revision credential. Checking a signature costs little, so a good assertion is accepted even after many bad ones
 * for the same client; bad ones are counted, and over the limit they get 429. Throws TokenRefusal `invalidClient`, and
 * UNAVAILABLE when the client's keys can't be fetched.
 */
async function authenticateByAssertion(context: Context, clientId: string, assertion: string): Promise<string> {
  const { failures, address } = context;
  try {
    const { stored, claims } = await verify(context, clientId, assertion);
    const use = { kind: 'assertion', name: [clientId, claims.jti], endsAtSeconds: claims.expiresAt } as const;
    if (!(await noteFirstUse(context.sql, use))) throw invalidAssertion('the assertion was used before');
    note('isClientProven', true);
    const credential = revisionCredential(stored.revision);
    if (stored.use_is_old) context.clientUses.note(clientId, credential);
    return credential;
  } catch (error) {
    if (error instanceof TokenRefusal) await failures.count(clientId, address);
    throw error;
  }
}

/** Authenticates again with the assertion that this request already used, because the client's record has changed since. */
async function authenticateByAssertionAgain(context: Context, clientId: string, assertion: string) {
  return revisionCredential((await verify(context, clientId, assertion)).stored.revision);
}

async function verify(
  context: Context,
  clientId: string,
  assertion: string,
): Promise<{ stored: StoredKeys; claims: ClientAssertion }> {
  const stored = await context.sql.batchedRow<StoredKeys>(keysStatement, { client_id: clientId });
  if (!stored.is_active) {
    const failure = stored.is_active === false ? 'inactive client' : 'unknown client';
    note('clientFailure', failure);
    throw new TokenRefusal('invalidClient', failure);
  }
  let verdict = await verifyByKeys(context, clientId, assertion, stored, false);
  // an address may have newer keys
  if ('invalid' in verdict && stored.jwks_uri !== null && verdict.isForKeys)
    verdict = await verifyByKeys(context, clientId, assertion, stored, true);
  if ('invalid' in verdict) throw invalidAssertion(verdict.invalid);
  return { stored, claims: verdict };
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
  let asked: KeyQuery | undefined;
  const findKeys = async (query: KeyQuery) => {
    asked = query;
    return clientKeys.findKeys({ jwks, jwksUri }, query, isStale).catch(throwUnavailable('The key set of the client'));
  };
  const verdict = await verifyClientAssertion(assertion, { clientId, audiences, nowSeconds }, findKeys);
  if (!('invalid' in verdict)) return verdict;
  const misfit = asked && (await clientKeys.findMisfit({ jwks, jwksUri }, asked));
  return { invalid: misfit ?? verdict.invalid, isForKeys: asked !== undefined };
}

function invalidAssertion(detail: string): TokenRefusal {
  note('clientFailure', 'wrong assertion');
  return new TokenRefusal('invalidClient', `wrong assertion: ${detail}`);
}

/** SQL: whether the last use in the column is due for an update. */
export function isOldUse(column: string): string {
  return `coalesce(${column} < now() - interval '1 minute', true)`;
}

/** SQL: the credential of a `client` whose keys verified its assertion; it stands for a secret's hash. */
export const revisionCredentialColumn = "'revision ' || client.revision";
