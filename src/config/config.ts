/** The settings as values. `loadConfig.ts` reads them. */
import { readFileSync } from 'node:fs';
import { projectFile } from '../places.js';
import type { Limits } from './limits.js';
import type { SettingsOf } from './parsers.js';
import type {
  administrationSettings,
  databaseSettings,
  networkSettings,
  operationsSettings,
  serviceSettings,
  tokenSettings,
} from './settings.js';

export type { ConsoleClient } from './consoleClient.js';
export type { IdTokenIssuer } from './issuers.js';

/** A module adds its settings where it declares them, as `modules/scim/settings.ts` does. */
export interface Config
  extends SettingsOf<typeof serviceSettings>,
    SettingsOf<typeof databaseSettings>,
    SettingsOf<typeof tokenSettings>,
    SettingsOf<typeof networkSettings>,
    SettingsOf<typeof administrationSettings>,
    SettingsOf<typeof operationsSettings>,
    Limits {
  readonly production: boolean;
}

/** Brackets an IPv6 address. */
export const hostIn = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the address that this service listens on; the default issuer. */
export const ownAddress = ({ host, port, basePath }: Pick<Config, 'host' | 'port' | 'basePath'>): string =>
  `http://${hostIn(host)}:${port}${basePath}`;

/** The version in package.json. */
export const version: string = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version;
