/** What `doctor` checks of the modules in the database. */
import type { Check } from '../cli/finding.js';
import { checkStreams } from './events/checkStreams.js';

export const checks: Check[] = [
  checkStreams, //
];
