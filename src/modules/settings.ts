/** Every setting by its purpose, in the order of docs/settings.md. */
import type { Setting } from '../config/parsers.js';
import {
  administrationSettings,
  databaseSettings,
  networkSettings,
  operationsSettings,
  serviceSettings,
  tokenSettings,
} from '../config/settings.js';
import { consoleSettings } from './console/settings.js';
import { doorSettings } from './door/settings.js';
import { eventSettings, receiverSettings } from './events/settings.js';
import { governanceSettings } from './governance/settings.js';
import { insightSettings } from './insight/settings.js';
import { scimSettings } from './scim/settings.js';

const administration = {
  ...administrationSettings,
  ...governanceSettings,
};
const network = {
  ...networkSettings,
  ...scimSettings,
  ...receiverSettings,
};
const operations = {
  ...operationsSettings,
  ...insightSettings,
  ...eventSettings,
};
const tokens = {
  ...tokenSettings,
  ...doorSettings,
};

export const purposes = {
  'The service': serviceSettings,
  Database: databaseSettings,
  Tokens: tokens,
  Network: network,
  Administration: administration,
  'The console': consoleSettings,
  Operations: operations,
};

/** By the names that they have in the code. */
export const settings: Readonly<Record<string, Setting<unknown>>> = Object.assign({}, ...Object.values(purposes));
