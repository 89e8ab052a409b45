/** A dry run: the same code in the same transaction, rolled back. */
import type { Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { asReadFailure } from '../../errors.js';
import { permit } from '../permit.js';
import { type ChangeOptions, change } from '../records/transaction.js';
import { transactionSql } from '../sql/transactionSql.js';

/** Carries the result out of a transaction that is rolled back. */
class RolledBack<T> {
  constructor(readonly result: T) {}
}

/** The same context, taking part in the transaction: its changes join it, and its reads see them. */
function contextIn(context: Context, em: NonNullable<Context['changing']>): Context {
  const sql = transactionSql(em);
  return { ...context, changing: em, sql, reads: sql, openReads: () => sql };
}

/**
 * Does the work, and keeps it only when `keep` says so, which is asked about the result, too; the result is the same. What is
 * never kept is said before: the work may be told by `isDryRun`.
 */
export async function changeOrTry<T>(
  context: Context,
  permission: Permission,
  keep: boolean | ((result: T) => boolean),
  work: (context: Context) => Promise<void>,
  finish: (context: Context) => Promise<T>,
  options: Omit<ChangeOptions, 'finish'> = {},
): Promise<T> {
  permit(context, permission);
  let result: T | undefined;
  try {
    const inside = keep ? context : { ...context, isDryRun: true };
    await change(context, permission, (em) => work(contextIn(inside, em)), {
      ...options,
      finish: async (em) => {
        result = await finish(contextIn(inside, em));
        if (typeof keep === 'boolean' ? !keep : !keep(result)) throw new RolledBack(result);
      },
    });
  } catch (error) {
    // commands have words of their own
    const isAnswered = !keep && context.face !== 'cli';
    if (!(error instanceof RolledBack)) throw isAnswered ? asReadFailure(error) : error;
  }
  return result as T;
}

/** What the work would answer, with nothing changed. What it gives must be read already. */
export async function dryRun<T>(
  context: Context,
  permission: Permission,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  await changeOrTry(
    context,
    permission,
    false,
    async (inside) => {
      result = await work(inside);
    },
    async () => undefined,
  );
  return result as T;
}
