/** What the modules do beside requests: tasks of the schedule, and recorders. */
import type { OpenBackgroundWork, OpenRecorder } from '../services/maintenance/backgroundWork.js';
import type { ScheduledTask } from '../services/maintenance/schedule.js';
import { deliverEvents } from './events/background.js';
import { governanceTasks } from './governance/background.js';
import { observeSignIns, observeUsage, recordRefusals, rehearse } from './insight/background.js';

/** Tasks of the schedule, in their order. */
export const tasks: ScheduledTask[] = [
  ...governanceTasks, //
];

/** Recorders that requests find in their context. */
export const recorders: OpenRecorder[] = [
  recordRefusals, //
  rehearse,
];

/** Work that the service starts and stops. */
export const works: OpenBackgroundWork[] = [
  observeUsage, //
  observeSignIns,
  deliverEvents,
];
