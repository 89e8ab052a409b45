/** Callers of the administration for tests: tokens with any scopes, all of one session of the operator. */
import type { Context } from '../../src/context.js';
import { type Holding, issueAccessToken } from '../../src/services/tokens/claims.js';
import { recordOperatorToken } from '../../src/services/tokens/operatorTokens.js';

const hourMs = 3_600_000;

/** Gives what makes a token of a holding, good for an hour. */
export async function openCallers(context: Context): Promise<(holding: Holding) => string> {
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + hourMs);
  const record = { userGuid: context.config.systemUserGuid, profileId: 'tests', scopes: [], createdAt, expiresAt };
  const sid = await recordOperatorToken(context, record);
  return (holding) => issueAccessToken(context, context.keys.ring(), holding, new Date(), { sid });
}

/** Whether a statement is the one that judges the caller: each request of the administration has it, besides its own. */
export const isJudgement = (statement: string): boolean => statement.includes('is_operator');
