/** Clients without a shared secret (`private_key_jwt`, RFC 7523): judged by the keys that the database has of them now. */
import { type ClientAssertion, verifyClientAssertion, type WantedAssertionKey } from '../../auth/clientAssertion.js';
import { IdentityProviderUnavailable } from '../../auth/providerKeys.js';
import type { Context } from '../../context.js';
import { unavailable } from '../../errors.js';
import { noteClientFailure, noteProvenClient } from '../../observability/currentRequest.js';
import type { SharedStatement } from '../../sql.js';
import { isOldUse } from './clientUses.js';
import { noteFirstUse } from './singleUse.js';
import { TokenRefusal } from './tokenRefusal.js';

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
export const revisionCredential = (revision: number): string => `revision ${revision}`;

/**
 * Gives what the client was judged by. A signature costs little, so a good assertion is taken however many bad ones came for the
 * same client; those are counted, and over the limit 429. Throws TokenRefusal `invalidClient`, and UNAVAILABLE when its keys can't
 * be fetched.
 */
export async function authenticateByAssertion(context: Context, clientId: string, assertion: string): Promise<string> {
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
export async function authenticateByAssertionAgain(context: Context, clientId: string, assertion: string) {
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
