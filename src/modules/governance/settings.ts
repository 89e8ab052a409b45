/** The setting of proposals. */
import { integer, type SettingsOf, setting } from '../../config/parsers.js';

export const governanceSettings = {
  proposalDays: setting('PROPOSAL_DAYS', integer(1, 365), '30', 'Days after which an open proposal expires.'),
} as const;

declare module '../../config/config.js' {
  interface Config extends SettingsOf<typeof governanceSettings> {}
}
