/** Questions about the past: every read of a context is answered as it would have been then. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import type { Sql } from '../../sql.js';
import { inState } from './state.js';

/** The migration that began to keep histories. */
const beginning = 'Migration20261122000206';

/**
 * The context, with reads of the records with a history as they were. Throws BAD_USER_INPUT for a time in the future, or
 * of which there is no history: before it began, or past AUDIT_RETENTION_DAYS.
 * @param asOf ISO 8601; absent: as things are
 */
export async function contextAsOf(context: Context, asOf: string | null | undefined): Promise<Context> {
  if (!asOf) return context;
  await requireHistory(context, asOf);
  return { ...context, reads: readsAsOf(context.reads, asOf) };
}

export async function requireHistory(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  asOf: string,
): Promise<void> {
  const [kept] = await reads.rows<{ since: string; early: boolean; future: boolean }>(
    `select since::text, $1::timestamptz < since as early, $1::timestamptz > now() as future from (
       select greatest(executed_at, case when $2::int > 0 then now() - make_interval(days => $2::int) end) as since
       from migrations where name = '${beginning}') histories`,
    [asOf, config.auditRetentionDays],
  );
  if (kept!.early) throw badInput({ asOf: [`There is no history before ${new Date(kept!.since).toISOString()}.`] });
  if (kept!.future) throw badInput({ asOf: ['The time is in the future.'] });
}

function readsAsOf(reads: Sql, asOf: string): Sql {
  const then = (text: string, values: readonly unknown[]) =>
    inState({ before: `later.occurred_at > $${values.length + 1}::timestamptz` }, text);
  return {
    ...reads,
    rows: (text, values = []) => reads.rows(then(text, values), [...values, asOf]),
    stream: (text, values, batch, form) => reads.stream(then(text, values), [...values, asOf], batch, form),
  };
}
