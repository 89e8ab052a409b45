/** Client secrets in an import file: given in clear or as another system's bcrypt hash, stored as a hash. */
import { generateSecret, normalizeHash, SecretUnusable } from '../../auth/clientSecret.js';
import type { Context } from '../../context.js';
import type { Faults } from './findings.js';
import type { ImportRow } from './readRows.js';
import type { Query } from './statements.js';

/** Number of hashes that are computed at the same time. */
const atOnce = 2;

/** The hashes that the clients have, by their ids. */
type StoredHashes = Map<string, string>;

/**
 * Replaces `clientSecret` or `clientSecretHash` by the hash to store; a secret that is stored already keeps its hash. Hashing
 * takes time, so it runs before the transaction. Returns the stored hashes that it read.
 */
export async function readSecrets(context: Context, rows: ImportRow[], faults: Faults): Promise<StoredHashes> {
  const hashes = await storedHashes(context.sql.rows, rows);
  const waiting = rows.values();
  const work = async (): Promise<void> => {
    for (const row of waiting) await readSecret(context, row, hashes.get(String(row.values.clientId)), faults);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return hashes;
}

/** Runs in the transaction, because another process may have stored the same secret with another hash. */
export async function keepNewerSecrets(context: Context, query: Query, rows: ImportRow[], seen: StoredHashes) {
  const hashes = await storedHashes(query, rows);
  for (const { values, extras } of rows) {
    const clientId = String(values.clientId);
    const hash = hashes.get(clientId);
    const secret = extras.clientSecret;
    if (hash === undefined || hash === seen.get(clientId) || typeof secret !== 'string') continue;
    values.clientSecret = await hashOf(context, clientId, secret, hash);
  }
}

async function storedHashes(query: Query, rows: ImportRow[]): Promise<StoredHashes> {
  const clientIds = rows.map(({ values }) => values.clientId).filter((clientId) => clientId !== undefined);
  if (clientIds.length === 0) return new Map();
  const clients = await query<{ client_id: string; client_secret: string }>(
    'select client_id, client_secret from clients where client_id = any($1)',
    [clientIds],
  );
  return new Map(clients.map((client) => [client.client_id, client.client_secret]));
}

async function readSecret(context: Context, row: ImportRow, stored: string | undefined, faults: Faults) {
  const { clientSecret, clientSecretHash } = row.extras;
  const name = clientSecret === undefined ? 'clientSecretHash' : 'clientSecret';
  const secret = row.extras[name];
  if (secret === undefined && stored === undefined && hasKeys(row)) {
    // the client authenticates with its keys: nobody knows this secret
    row.values.clientSecret = await context.secrets.hash(generateSecret());
    return;
  }
  if (secret === undefined) return;
  const path = `${row.path}.${name}`;
  const clientId = String(row.values.clientId);
  if (clientSecret !== undefined && clientSecretHash !== undefined)
    faults.add(`${row.path}.clientSecretHash`, 'cannot be combined with clientSecret');
  else if (typeof secret !== 'string') faults.add(path, 'must be a string');
  else
    await hashOrRefuse(path, faults, async () => {
      row.values.clientSecret =
        name === 'clientSecretHash' ? normalizeHash(secret) : await hashOf(context, clientId, secret, stored);
    });
}

const hasKeys = ({ values }: ImportRow): boolean =>
  typeof values.jwks === 'string' || typeof values.jwksUri === 'string';

async function hashOf({ secrets }: Context, clientId: string, secret: string, stored: string | undefined) {
  const isStored = stored !== undefined && (await secrets.check(clientId, secret, stored)).ok;
  return isStored ? stored : secrets.hash(secret);
}

async function hashOrRefuse(path: string, faults: Faults, hash: () => Promise<void>): Promise<void> {
  try {
    await hash();
  } catch (error) {
    if (!(error instanceof SecretUnusable)) throw error;
    faults.add(path, error.message);
  }
}
