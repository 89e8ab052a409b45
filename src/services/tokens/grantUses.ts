/** Notes on which day a user last got tokens for a profile. Uses are collected and written within a second; no answer waits. */
import type { Log } from '../../observability/log.js';
import { type Sql, timeText } from '../../sql.js';
import { startPeriodicWork } from '../recorders.js';

const writeIntervalMs = 1_000;
/** Uses in one statement; the rest is dropped and comes with a later use. */
const usesMax = 10_000;
/** Grants of which this process knows that their day was noted within the hour. */
const notedMax = 20_000;
const hourMs = 3_600_000;

const today = "date_trunc('day', now(), 'UTC')";

/** A link that another transaction has locked is skipped; a use in the next hour is written. */
const writeUses = `with used as (
    select distinct u.user_id, asked.profile_id
    from unnest($1::uuid[], $2::text[]) asked (user_guid, profile_id) join users u using (user_guid)
  ), free as (
    select link.user_profile_id from user_profiles link join used using (user_id, profile_id)
    where coalesce(link.last_used_at < ${today}, true) order by link.user_profile_id for no key update of link skip locked
  )
  update user_profiles link set last_used_at = ${today} from free where link.user_profile_id = free.user_profile_id`;

interface Use {
  userGuid: string;
  profileId: string;
}

/** @param sql background connections, which no request waits for */
export function openGrantUses({ sql, log, clock }: { sql: Sql; log: Log; clock: { now(): Date } }) {
  let uses = new Map<string, Use>();
  let noted = new Set<string>();
  let hour = 0;
  const keyOf = ({ userGuid, profileId }: Use): string => `${userGuid} ${profileId}`;

  const writes = startPeriodicWork<Use>({
    intervalMs: writeIntervalMs,
    take() {
      const batch = [...uses.values()];
      uses = new Map();
      return batch;
    },
    async work(written) {
      await sql.rows(writeUses, [written.map(({ userGuid }) => userGuid), written.map(({ profileId }) => profileId)]);
    },
    giveBack: (use) => void noted.delete(keyOf(use)),
    log,
    failure: 'uses of profiles could not be stored',
  });

  return {
    note(userGuid: string, profileId: string): void {
      const present = Math.floor(clock.now().getTime() / hourMs);
      if (present !== hour || noted.size >= notedMax) noted = new Set();
      hour = present;
      const key = keyOf({ userGuid, profileId });
      if (noted.has(key) || uses.size >= usesMax) return;
      noted.add(key);
      uses.set(key, { userGuid, profileId });
      writes.due();
    },
    close: writes.close,
  };
}

/**
 * Since when uses of grants are stored: none is known that was before. In a database of before the first migrations were joined into
 * one, this one of them began it; in others, the first.
 */
export async function findUsesCountedSince({ sql }: { sql: Sql }): Promise<string> {
  const [row] = await sql.rows<{ since: string }>(
    `select ${timeText(`coalesce(max(executed_at) filter (where name = 'Migration20261123190000'), min(executed_at))`)} as since
     from migrations`,
  );
  return row!.since;
}
