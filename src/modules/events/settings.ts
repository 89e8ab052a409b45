/** How long events wait. */
import { integer, type SettingsOf, setting } from '../../config/parsers.js';

export const eventSettings = {
  eventsRetentionDays: setting(
    'EVENTS_RETENTION_DAYS',
    integer(1, 365),
    '7',
    'Days for which an event waits for a stream that cannot receive it or is paused; what is then dropped is said ([how](events.md)).',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof eventSettings> {}
}
