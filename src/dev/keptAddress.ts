/** Stores the issuer of the service that last used a data directory, so that its commands work without PORT or ISSUER_URL. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { giveToOwner, readIfThere } from './keptSecret.js';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

const fileIn = (dataDir: string): string => join(dataDir, 'address');

/** Only for the embedded database. Another database may be shared by services with different data directories. */
export function keepAddress({ databaseUrl, dataDir }: Place, issuerUrl: string): void {
  if (databaseUrl) return;
  writeFileSync(fileIn(dataDir), `${issuerUrl}\n`);
  giveToOwner(fileIn(dataDir));
}

/** Undefined if no service has run. */
export const findAddress = ({ databaseUrl, dataDir }: Place): string | undefined =>
  databaseUrl ? undefined : readIfThere(fileIn(dataDir))?.trim() || undefined;
