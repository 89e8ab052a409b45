/** Removes changes that were tried for a review and not made. */
import { type Sweep, sweepEnded } from '../../services/maintenance/sweep.js';

export const triedChangesSweep: Sweep = {
  statement: sweepEnded('tried_changes', 'effect_id'),
  values: () => [],
};
