/** The issuer of the service that used a data directory last: its commands may be started without its PORT or ISSUER_URL. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { giveToOwner, readIfThere } from './keptSecret.js';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

const fileIn = (dataDir: string): string => join(dataDir, 'address');

/** Only of the embedded database: any number of services may share another one, wherever their data directories are. */
export function keepAddress({ databaseUrl, dataDir }: Place, issuerUrl: string): void {
  if (databaseUrl) return;
  writeFileSync(fileIn(dataDir), `${issuerUrl}\n`);
  giveToOwner(fileIn(dataDir));
}

/** Undefined where no service has been. */
export const findAddress = ({ databaseUrl, dataDir }: Place): string | undefined =>
  databaseUrl ? undefined : readIfThere(fileIn(dataDir))?.trim() || undefined;
