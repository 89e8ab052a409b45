/** What proposals and grants that end need: applies what is due, and removes what has ended. */
import type { ScheduledTask } from '../../services/maintenance/schedule.js';
import { removeEndedGrants } from './endedGrants.js';
import { applyDueProposals } from './proposals/dueProposals.js';

export const governanceTasks: ScheduledTask[] = [
  { name: 'proposals', run: (context, signal) => applyDueProposals(context, signal) },
  // afterwards: an extension of the same moment counts
  { name: 'ended grants', run: removeEndedGrants },
];
