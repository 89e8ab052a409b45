/** The routes of the modules. */

import type { OpenConsoleRoutes, OpenRoutes } from '../http/openRoutes.js';
import { consoleRoutes } from './console/routes.js';
import { eventRoutes, wellKnownRoutes } from './events/routes.js';
import { exportedLists } from './exports.js';
import { evidenceRoutes } from './governance/routes.js';
import { scimRoutes } from './scim/routes.js';

/** Not below BASE_PATH. */
export const rootRoutes: OpenRoutes[] = [
  wellKnownRoutes, //
];

/** Below /console, for pages of the console only. */
const ofConsole: OpenConsoleRoutes[] = [
  evidenceRoutes, //
];

export const routes: OpenRoutes[] = [
  scimRoutes, //
  eventRoutes,
  consoleRoutes(ofConsole, exportedLists),
];
