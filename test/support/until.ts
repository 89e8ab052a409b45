/** Waiting: for what a service does, by asking it, so that a slow machine only takes longer; or, seldom, for time itself to pass. */
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../src/sql.js';

/** Only what hangs takes as long. */
export const hangMs = 300_000;
const pollMs = 10;

/** Asks until the answer is true, or a value, and returns it. */
export async function until<Answer>(
  probe: () => Answer | Promise<Answer>,
): Promise<Exclude<Answer, false | null | undefined>> {
  const end = Date.now() + hangMs;
  for (;;) {
    const answer = await probe();
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as Exclude<Answer, false | null | undefined>;
    if (Date.now() > end) throw new Error(`after ${hangMs} ms still not so: ${probe}`);
    await setTimeout(pollMs);
  }
}

/** Whether so many statements in the database of `sql` wait for a lock. */
async function isBlocked(sql: Pick<Sql, 'rows'>, statements = 1): Promise<boolean> {
  const waiting = await sql.rows(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length >= statements;
}
export const untilBlocked = (sql: Pick<Sql, 'rows'>, statements = 1) => until(() => isBlocked(sql, statements));

/** Until the work is done, well or badly, or so many statements wait for a lock. */
export async function untilBlockedOrDone(
  sql: Pick<Sql, 'rows'>,
  work: Promise<unknown>,
  statements = 1,
): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  await until(async () => isDone || (await isBlocked(sql, statements)));
}

/**
 * Lets time pass. For time that is the subject (an idle limit, a process that stands still) and for what must not
 * happen in it; a test that waits for something to happen asks for it with `until`.
 */
export const elapse = (milliseconds: number): Promise<void> => setTimeout(milliseconds);
