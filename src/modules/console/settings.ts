/** The settings of the console, the web pages of the administration. */
import { boolean, integer, type SettingsOf, setting } from '../../config/parsers.js';

export const consoleSettings = {
  console: setting('CONSOLE', boolean, 'yes', 'Whether browsers find the console at /console: yes or no.'),
  consoleIdleMinutes: setting(
    'CONSOLE_IDLE_MINUTES',
    integer(1, 1_440),
    '30',
    'Minutes without a request after which a user of the console has to sign in again.',
  ),
  consoleMaxHours: setting(
    'CONSOLE_MAX_HOURS',
    integer(1, 168),
    '12',
    'Hours after which a user of the console has to sign in again in any case.',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof consoleSettings> {}
}
