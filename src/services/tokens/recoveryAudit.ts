/**
 * Writes recovered renewals to the audit log, at most one event per client and minute. It collects them and writes in the background,
 * since a recovery itself writes nothing; a process that is killed loses those of its last minute.
 */
import type { Config } from '../../config/config.js';
import type { Context } from '../../context.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { startPeriodicWork } from '../recorders.js';
import { type AuditEntry, announceChange, writeAuditAlone } from '../records/change.js';

interface RecoveryAuditDeps {
  /** Background connections, which no request waits for. */
  sql: Sql;
  config: Pick<Config, 'systemUserGuid'>;
  log: Log;
}

interface Gathered {
  count: number;
  records: Set<string>;
  /** The trace id of the first one. */
  traceId: string;
}

const writeIntervalMs = 60_000;
/** Clients in one run; further ones are counted only by the metric. */
const clientsMax = 1_000;
/** Records named in an event. */
const recordsMax = 20;

export function openRecoveryAudit({
  sql,
  config,
  log,
}: RecoveryAuditDeps): Context['recoveries'] & { close(): Promise<void> } {
  let gathered = new Map<string, Gathered>();
  const work = startPeriodicWork<[string, Gathered]>({
    intervalMs: writeIntervalMs,
    take() {
      const batch = [...gathered];
      gathered = new Map();
      return batch;
    },
    work: (batch) =>
      sql.transaction(async ({ rows }) => {
        const { traceId } = batch[0]![1];
        await announceChange(rows, { actor: config.systemUserGuid, traceId, face: 'rest' });
        await writeAuditAlone(rows, batch.map(recoveryEvent));
      }),
    log,
    failure: 'recovered renewals could not be written to the audit log',
  });
  return {
    note({ clientId, tokenGuid, traceId }) {
      const clientEvents = gathered.get(clientId);
      if (!clientEvents && gathered.size >= clientsMax) return;
      const { count, records } = clientEvents ?? { count: 0, records: new Set() };
      if (records.size < recordsMax) records.add(tokenGuid);
      gathered.set(clientId, { count: count + 1, records, traceId: clientEvents?.traceId ?? traceId });
      work.due();
    },
    close: work.close,
  };
}

const recoveryEvent = ([clientId, { count, records }]: [string, Gathered]): AuditEntry => ({
  action: 'recover',
  subjectType: 'Client',
  subjectId: clientId,
  detail: { count, tokenRecords: [...records] },
});
