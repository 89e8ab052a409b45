/** Sessions ended by their time: after a restore, in which those that were revoked after the back-up would live again. */
import type { Context } from '../../context.js';
import { fieldOf } from '../../entities/description.js';
import { Token } from '../../entities/Token.js';
import { badInput } from '../../errors.js';
import { permit } from '../permit.js';
import { readFieldValue } from '../records/fieldInput.js';
import { change } from '../records/transaction.js';
import { endConsoleSessions, revokeRecords } from './endSessions.js';

/**
 * Revokes the records whose token was issued or last renewed at that time or later, tokens of the operator too, and says how
 * many; sessions of the console that were used since end with them. Throws BAD_USER_INPUT for what is no time.
 * @param since ISO 8601; UTC where it names no zone
 */
export async function endSessionsSince(context: Context, since: string): Promise<number> {
  permit(context, 'admin:security');
  const read = readFieldValue(fieldOf(Token, 'createdAt'), since);
  if ('problem' in read) throw badInput({ since: [`The time ${read.problem}.`] });
  const time = String(read.value);
  return change(context, 'admin:security', async (em) => {
    await endConsoleSessions(em, 's.seen_at >= $1', [time]);
    return revokeRecords(em, context, `issued or renewed since ${time}`, 't.created_at >= $5', [time]);
  });
}
