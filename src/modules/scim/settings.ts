/** The settings of SCIM. */
import { integer, type SettingsOf, setting } from '../../config/parsers.js';

export const scimSettings = {
  scimRateLimit: setting(
    'SCIM_RATE_LIMIT',
    integer(0, 1_000_000),
    '3000',
    'Requests per minute from one connector to /scim/v2, before 429; 0: no limit.',
  ),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof scimSettings> {}
}
