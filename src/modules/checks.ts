/** What `doctor` checks of the modules in the database. */
import type { Check, SignInCheck } from '../cli/finding.js';
import { checkAdministrators } from './console/checkAdministrators.js';
import { checkSignIns } from './console/checkSignIns.js';
import { checkStreams } from './events/checkStreams.js';
import { checkPolicy } from './insight/checkPolicy.js';

export const checks: Check[] = [
  checkPolicy, //
  checkStreams,
  checkAdministrators,
];

/** What `doctor` checks of the identity providers. */
export const signInChecks: SignInCheck[] = [
  checkSignIns, //
];
