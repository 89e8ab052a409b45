/** Settings of the console, the web pages of the administration. */
import { boolean, integer } from './parsers.js';
import { setting } from './setting.js';

export const consoleSettings = {
  console: setting('CONSOLE', boolean, 'yes', 'Whether browsers find the console at /console: yes or no.'),
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    integer(1, 1_440),
    '30',
    'Minutes without a request after which who is signed in to the console has to sign in again.',
  ),
  consoleMaxHours: setting(
    'CONSOLE_MAX_HOURS',
    integer(1, 168),
    '12',
    'Hours after signing in to the console at which it asks again in any case.',
  ),
} as const;
