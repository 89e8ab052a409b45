/** Which policy a request is judged by: the service's (TOKEN_POLICY), or the hardened one of a client whose record says so. */
import type { Config } from '../../config/config.js';

/** The value of `Client.policy` and of TOKEN_POLICY. */
export const hardened = 'hardened';

/**
 * Whether a request is judged as hardened.
 * @param policies of the records of the clients that it is about: who asks, and whose the token is; null: the service's
 */
export const isHardened = (
  { tokenPolicy }: Pick<Config, 'tokenPolicy'>,
  ...policies: readonly (string | null | undefined)[]
): boolean => tokenPolicy === hardened || policies.includes(hardened);

/**
 * Whether requests are answered as documented and judged as hardened too. What that policy would know is gathered: which
 * client a record is of, and which ID tokens were exchanged.
 */
export const isRehearsal = ({ tokenPolicy }: Pick<Config, 'tokenPolicy'>): boolean => tokenPolicy === 'rehearsal';

/** SQL: whether one of these clients is hardened. @param clientIds expressions of text; null is nobody */
export const isOneHardened = (...clientIds: readonly string[]): string =>
  `exists (select from clients strict where strict.client_id in (${clientIds.join(', ')}) and strict.policy = '${hardened}')`;
