/** What the clean-up removes for the modules. */
import type { Sweep } from '../services/maintenance/sweep.js';
import { triedChangesSweep } from './changes/cleanUp.js';
import { sessionSweep } from './console/cleanUp.js';
import { eventSweeps } from './events/cleanUp.js';
import { governanceSweeps } from './governance/cleanUp.js';
import { insightSweeps } from './insight/cleanUp.js';

export const sweeps: Sweep[] = [
  triedChangesSweep, //
  ...insightSweeps,
  sessionSweep,
  ...governanceSweeps,
  ...eventSweeps,
];
