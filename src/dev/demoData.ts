/** Demonstration data: a small city's works, with people, profiles, scopes and the applications that they open. */
import type { DevelopmentUser } from './identityProvider.js';

/** What the first commands of the start screen use. Demonstration values: nothing else may have them. */
export const demonstration = {
  user: 'ada',
  profileId: 'grid-operator',
  clientId: 'demo-client',
  clientSecret: 'demo-secret-for-development-only',
};

/** Whom the development identity provider signs in. */
export const demonstrationUsers: DevelopmentUser[] = [];
