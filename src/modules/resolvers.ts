/** The resolver files of the modules. What they export as `…Resolver` or `…Resolvers` are resolver classes. */

import * as catalogueFile from './catalogueFile/resolvers.js';
import * as access from './changes/resolvers/access.js';
import * as changeSets from './changes/resolvers/changeSets.js';
import * as compare from './changes/resolvers/compare.js';
import * as effect from './changes/resolvers/effect.js';
import * as history from './changes/resolvers/history.js';
import * as outcomes from './changes/resolvers/outcomes.js';
import * as administrationProfiles from './console/resolvers/administrationProfiles.js';
import * as consoleSessions from './console/resolvers/consoleSessions.js';
import * as overview from './console/resolvers/overview.js';
import * as search from './console/resolvers/search.js';
import * as events from './events/resolvers.js';
import * as accessRequests from './governance/resolvers/accessRequests.js';
import * as grantPreview from './governance/resolvers/grantPreview.js';
import * as proposals from './governance/resolvers/proposals.js';
import * as reviews from './governance/resolvers/reviews.js';
import * as waiting from './governance/resolvers/waiting.js';
import * as policyReadiness from './insight/resolvers/policyReadiness.js';
import * as requests from './insight/resolvers/requests.js';
import * as signIns from './insight/resolvers/signIns.js';
import * as connectors from './scim/resolvers.js';

export const resolverFiles: Record<string, unknown>[] = [
  access,
  accessRequests,
  administrationProfiles,
  catalogueFile,
  changeSets,
  compare,
  connectors,
  consoleSessions,
  effect,
  events,
  grantPreview,
  history,
  outcomes,
  overview,
  policyReadiness,
  proposals,
  requests,
  reviews,
  search,
  signIns,
  waiting,
];
