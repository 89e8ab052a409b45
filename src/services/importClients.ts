/** Client secrets in an import file: given in clear or as another system's bcrypt hash, stored as a hash. */
import { normalizeHash, SecretUnusable } from '../auth/clientSecret.js';
import type { Context } from '../context.js';
import type { Faults } from './importFaults.js';
import type { ImportRow } from './importRows.js';

/** As many hashes are made at the same time. */
const atOnce = 2;

/** Replaces `clientSecret` or `clientSecretHash` by the hash to store; a secret that is stored already keeps its hash. */
export async function readSecrets(context: Context, rows: ImportRow[], faults: Faults): Promise<void> {
  const hashes = await storedHashes(context, rows);
  const waiting = rows.values();
  const work = async (): Promise<void> => {
    for (const row of waiting) await readSecret(context, row, hashes.get(String(row.values.clientId)), faults);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function storedHashes({ sql }: Context, rows: ImportRow[]): Promise<Map<string, string>> {
  const clientIds = rows.map(({ values }) => values.clientId).filter((clientId) => clientId !== undefined);
  if (clientIds.length === 0) return new Map();
  const found = await sql.rows<{ client_id: string; client_secret: string }>(
    'select client_id, client_secret from clients where client_id = any($1)',
    [clientIds],
  );
  return new Map(found.map((client) => [client.client_id, client.client_secret]));
}

async function readSecret(context: Context, row: ImportRow, stored: string | undefined, faults: Faults) {
  const { clientSecret, clientSecretHash } = row.extras;
  const name = clientSecret === undefined ? 'clientSecretHash' : 'clientSecret';
  const given = row.extras[name];
  if (given === undefined) return;
  const path = `${row.path}.${name}`;
  if (clientSecret !== undefined && clientSecretHash !== undefined)
    faults.add(`${row.path}.clientSecretHash`, 'must not be given beside clientSecret');
  else if (typeof given !== 'string') faults.add(path, 'must be a string');
  else
    await hashOrRefuse(path, faults, async () => {
      row.values.clientSecret =
        name === 'clientSecretHash' ? normalizeHash(given) : await hashOf(context, row, given, stored);
    });
}

async function hashOf({ secrets }: Context, row: ImportRow, secret: string, stored: string | undefined) {
  const isStored = stored !== undefined && (await secrets.check(String(row.values.clientId), secret, stored)).ok;
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
