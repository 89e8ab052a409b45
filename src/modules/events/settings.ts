/** How long events wait, and how many requests their receivers may send. */
import { integer, type SettingsOf, setting } from '../../config/parsers.js';

export const eventSettings = {
  eventsRetentionDays: setting(
    'EVENTS_RETENTION_DAYS',
    integer(1, 365),
    '7',
    'Days for which an event waits for a stream that cannot receive it or is paused; what is then dropped is said ([how](events.md)).',
  ),
} as const;

export const receiverSettings = {
  ssfRateLimit: setting(
    'SSF_RATE_LIMIT',
    integer(0, 1_000_000),
    '600',
    'Requests per minute from one receiver of events to /ssf/streams, /ssf/status and /ssf/verification, before 429; 0: no limit.',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof eventSettings & typeof receiverSettings> {}
}
