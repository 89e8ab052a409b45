/** The recorders of requests: who uses which operation, what was refused, and what the hardened policy would refuse. */

import type { OpenBackgroundWork, OpenRecorder } from '../../services/maintenance/backgroundWork.js';
import { openRefusalRecorder } from './refusalRecorder.js';
import { openRehearsal } from './rehearsalRecorder.js';
import { countSignIns, openSignInHours } from './signInHours.js';
import { countUsage, openUsageRecorder } from './usage.js';

export const observeUsage: OpenBackgroundWork = ({ config, log, clock }, { sql }) => {
  if (config.usageRetentionDays === 0) return undefined;
  const usage = openUsageRecorder({ sql, log, clock, retentionDays: config.usageRetentionDays });
  return { requestEnded: countUsage(usage), stop: usage.close };
};

export const observeSignIns: OpenBackgroundWork = ({ config, log, clock }, { sql }) => {
  if (config.usageRetentionDays === 0) return undefined;
  const hours = openSignInHours({ sql, log, clock });
  return { requestEnded: countSignIns(hours), stop: hours.close };
};

export const recordRefusals: OpenRecorder = ({ config, ...parts }) => {
  const refusalRecorder = openRefusalRecorder({ ...parts, retentionDays: config.refusalRetentionDays });
  return { recorder: { refusalRecorder }, close: refusalRecorder.close };
};

export const rehearse: OpenRecorder = (parts) => {
  const rehearsal = openRehearsal(parts);
  return rehearsal && { recorder: { rehearsal }, close: rehearsal.close };
};
