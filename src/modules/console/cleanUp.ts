/** Removes sessions of the console that ended. */
import { deleteFrom, type Sweep } from '../../services/maintenance/sweep.js';

export const sessionSweep: Sweep = {
  statement: deleteFrom(
    'console_sessions',
    'session_hash',
    'from console_sessions where ends_at < now() or seen_at < now() - make_interval(mins => $1)',
  ),
  values: (config) => [config.consoleIdleMinutes],
};
