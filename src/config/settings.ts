/** The settings of all purposes. */
import { administrationSettings } from './administrationSettings.js';
import { consoleSettings } from './consoleSettings.js';
import { databaseSettings } from './databaseSettings.js';
import { networkSettings } from './networkSettings.js';
import { operationsSettings } from './operationsSettings.js';
import { serviceSettings } from './serviceSettings.js';
import { tokenSettings } from './tokenSettings.js';

/** By purpose, in the order of docs/settings.md. */
export const purposes = {
  'The service': serviceSettings,
  Database: databaseSettings,
  Tokens: tokenSettings,
  Network: networkSettings,
  Administration: administrationSettings,
  'The console': consoleSettings,
  Operations: operationsSettings,
};

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...tokenSettings,
  ...networkSettings,
  ...administrationSettings,
  ...consoleSettings,
  ...operationsSettings,
} as const;

type Values = { [name in keyof typeof settings]: ReturnType<(typeof settings)[name]['read']> };
export type Config = Readonly<Values> & { readonly production: boolean };
