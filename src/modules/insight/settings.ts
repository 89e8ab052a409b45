/** How long is kept what the service records about its requests. */
import { integer, type SettingsOf, setting } from '../../config/parsers.js';

export const insightSettings = {
  usageRetentionDays: setting(
    'USAGE_RETENTION_DAYS',
    integer(0, 3_650),
    '400',
    'Days after the last use for which `bin/gatehouse usage` lists who used an operation; at most 10,000 kinds of requests, the rest together. 0: nothing is stored, and the overview has no sign-ins by the hour.',
  ),
  rehearsalDays: setting(
    'REHEARSAL_DAYS',
    integer(1, 366),
    '14',
    'Days after which a client is ready for the hardened policy, if none of its requests would have been refused in that time; `TOKEN_POLICY=rehearsal` keeps counts for as long ([how](hardening.md)).',
  ),
  refusalRetentionDays: setting(
    'REFUSAL_RETENTION_DAYS',
    integer(0, 3_650),
    '7',
    'Days for which refused token requests are kept for `bin/gatehouse explain`, at most the newest 100,000; 0: none are stored.',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof insightSettings> {}
}
