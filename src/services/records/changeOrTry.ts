/** Makes a change, or tries it and rolls it back (a dry run). */
import type { Permission } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { asReadFailure } from '../../errors.js';
import { transactionSql } from '../execute.js';
import { permit } from '../permit.js';
import { type ChangeOptions, change } from './change.js';

/** Thrown to roll a transaction back. */
class RolledBack {}

/** The same context inside the transaction: its changes join the transaction, and its reads see them. */
export function contextIn(context: Context, em: EntityManager): Context {
  const sql = transactionSql(em);
  return { ...context, changing: em, sql, reads: sql, openReads: () => sql };
}

/**
 * Does the work and keeps it only if `keep` says so for the result; the result is the same either way. If it is certain that
 * the work won't be kept, the work gets a context with `isDryRun`.
 * @param finish makes the result of what the work returned, after all of it was written
 */
export async function changeOrTry<Done, T>(
  context: Context,
  permission: Permission,
  keep: boolean | ((result: T) => boolean),
  work: (context: Context) => Promise<Done>,
  finish: (context: Context, done: Done) => Promise<T>,
  options: Omit<ChangeOptions, 'finish'> = {},
): Promise<T> {
  permit(context, permission);
  const inside = keep ? context : { ...context, isDryRun: true };
  let done: Done;
  let result: T | undefined;
  const keepDone = async (em: EntityManager) => {
    done = await work(contextIn(inside, em));
  };
  const finishOrRollBack = async (em: EntityManager) => {
    result = await finish(contextIn(inside, em), done);
    if (typeof keep === 'boolean' ? !keep : !keep(result)) throw new RolledBack();
  };
  try {
    await change(inside, permission, keepDone, { ...options, finish: finishOrRollBack });
  } catch (error) {
    // commands have their own messages
    const isAnswered = !keep && context.face !== 'cli';
    if (!(error instanceof RolledBack)) throw isAnswered ? asReadFailure(error) : error;
  }
  return result as T;
}

/** Returns the answer of the work without changing anything. The answer must be complete before the rollback. */
export const dryRun = <T>(
  context: Context,
  permission: Permission,
  work: (context: Context) => Promise<T>,
): Promise<T> => changeOrTry(context, permission, false, work, async (_inside, done) => done);
