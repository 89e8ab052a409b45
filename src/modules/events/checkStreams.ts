/** Checks each event stream for `doctor`. */
import { isSealedWith } from '../../auth/keyRing.js';
import { type Check, failed, passed, warned } from '../../cli/finding.js';
import { adviceOn, adviceOnBarred } from './listStreams.js';
import { isBarred } from './waiting.js';

interface Row {
  guid: string;
  name: string;
  kind: string;
  status: string;
  status_reason: string | null;
  failures: number;
  last_status: number | null;
  last_problem: string | null;
  gap_from: string | null;
  gap_until: string | null;
  is_gap_untold: boolean;
  isBarred: boolean;
  sealed: Buffer | null;
}

/** A finding for each stream; none without streams. */
export const checkStreams: Check = async ({ sql, encryptionKeys }) => {
  const rows = await sql.rows<Row>(
    `select event_stream_guid::text as guid, name, kind, status, status_reason, failures, last_status, last_problem, gap_from, gap_until,
       is_gap_untold, ${isBarred} as "isBarred", secret_ciphertext as sealed
     from event_streams stream order by name`,
  );
  return rows.map((row) => {
    const named = `${row.name} (${row.kind}, ${row.guid})`;
    const fault = (text: string) => failed('stream', `${named} ${text}`);
    if (row.sealed && !encryptionKeys.some((key) => isSealedWith(row.sealed!, key)))
      return fault('has a secret that KEY_ENCRYPTION_KEY does not open: rotate it with bin/gatehouse stream rotate');
    if (row.isBarred) return fault(`waits. ${adviceOnBarred}`);
    if (row.status !== 'enabled')
      return warned('stream', `${named} is ${row.status}${row.status_reason ? `: ${row.status_reason}` : ''}`);
    const advice = adviceOn({ failures: row.failures, lastStatus: row.last_status, lastProblem: row.last_problem });
    if (advice !== null) return fault(`${row.last_problem}. ${advice}`);
    if (row.is_gap_untold) return fault(`lost events from ${row.gap_from} to ${row.gap_until}: replay them`);
    return passed('stream', `${named} has received everything`);
  });
};
