/** Secrets that development makes at the first start and keeps in a file. */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file's text; made if missing. Of processes that make it at the same moment one wins, and all read the winner's. */
export function keepSecret(file: string, make: () => string): string {
  const kept = readIfThere(file);
  if (kept !== undefined) return kept;
  // written whole beside its place: nobody reads half of it
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The key that development encrypts signing keys with. */
export function developmentEncryptionKey(dataDir: string): Buffer {
  const text = keepSecret(join(dataDir, 'key-encryption-key'), () => `${randomBytes(32).toString('base64')}\n`);
  return Buffer.from(text.trim(), 'base64');
}
