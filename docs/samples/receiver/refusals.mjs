/**
 * The receiver's rule without a library: refuse access tokens of this `sub` and `profileId` (or this profile, or this person)
 * whose `iat` is not after `event_timestamp`, for an hour.
 */
const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const rules = [`${caep}session-revoked`, `${caep}token-claims-change`];
// no access token of a person lives longer
const keptSeconds = 3_600;

export function openRefusals(now = () => Date.now() / 1_000) {
  /** `sub profileId`, with `*` for any, to the latest moment: tokens until then are void. */
  const voidUntil = new Map();
  const keyOf = (sub, profileId) => JSON.stringify([sub ?? '*', profileId ?? '*']);
  return {
    /** Takes the claims of a verified security event token. The same one twice changes nothing. */
    add({ sub_id: subject, events }) {
      for (const type of rules) {
        const event = events[type];
        if (!event || subject.format !== 'complex') continue;
        const key = keyOf(subject.user?.sub, subject.group?.id);
        voidUntil.set(key, Math.max(voidUntil.get(key) ?? 0, event.event_timestamp));
      }
    },
    /** Whether the claims of a verified access token are void. */
    refuses({ sub, profileId, iat }) {
      const keys = [keyOf(sub, profileId), keyOf(sub), keyOf(undefined, profileId)];
      return keys.some((key) => iat <= (voidUntil.get(key) ?? -1));
    },
    /** Call it now and then, such as each minute. */
    forget() {
      for (const [key, until] of voidUntil) if (until + keptSeconds < now()) voidUntil.delete(key);
    },
  };
}
