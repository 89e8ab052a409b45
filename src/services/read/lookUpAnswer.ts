/** Looks up the cached answers of administrative reads. */
import type { Context } from '../../context.js';
import { AnswerLookup } from '../../engine/answerCache.js';
import { permit } from '../permit.js';

/** Looks up a cached answer; undefined: nothing is cached here. Callers with different permissions never share an answer. @param what identifies the answer */
export async function lookUpAnswer(context: Context, what: readonly unknown[]): Promise<AnswerLookup | undefined> {
  permit(context, 'admin:read');
  const { answers, caller, sql } = context;
  if (!answers) return undefined;
  const permissions = caller.kind === 'anonymous' ? [] : [...caller.permissions].sort();
  return AnswerLookup.open(answers, sql, [permissions, what]);
}
