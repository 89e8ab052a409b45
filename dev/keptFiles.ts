/** Files of a data directory: secrets that the first start creates, and the issuer of the service that used it last. */
import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../src/config/config.js';

/** Reads the file, and creates it if missing. If several processes create it at the same time, all read the same text. */
export function keepSecret(file: string, make: () => string): string {
  const secret = readIfThere(file);
  if (secret !== undefined) return secret;
  // written to a temporary file first, so that no process reads half of it
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, make(), { mode: 0o600, flag: 'wx', flush: true });
  try {
    giveToOwner(draft);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file that root creates in another user's folder gets that user as owner, so that the user can start without root later. */
export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}

/** The key that development encrypts signing keys with. */
export function encryptionKeyIn(dataDir: string): Buffer {
  const text = keepSecret(join(dataDir, 'key-encryption-key'), () => `${randomBytes(32).toString('base64')}\n`);
  return Buffer.from(text.trim(), 'base64');
}

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

const fileIn = (dataDir: string): string => join(dataDir, 'address');

/**
 * Stores the issuer, so that commands work without PORT or ISSUER_URL. Only for the embedded database: another one
 * may be shared by services with different data directories.
 */
export function keepIssuer({ databaseUrl, dataDir }: Place, issuerUrl: string): void {
  if (databaseUrl) return;
  writeFileSync(fileIn(dataDir), `${issuerUrl}\n`);
  giveToOwner(fileIn(dataDir));
}

/** Returns the issuer of the service that used the data directory last; undefined if none has run. */
export const findIssuer = ({ databaseUrl, dataDir }: Place): string | undefined =>
  databaseUrl ? undefined : readIfThere(fileIn(dataDir))?.trim() || undefined;
