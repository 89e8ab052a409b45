/** Revokes sessions for administrators: those of a user, profile or client, or those since a time. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { permit, requireFreshSignIn } from '../permit.js';
import { change } from '../records/change.js';
import { readMoment } from '../records/input.js';
import { endConsoleSessions, revokeRecords } from './endSessions.js';

interface TokenCriteria {
  tokenId?: string | null;
  userGuid?: string | null;
  profileId?: string | null;
  clientId?: string | null;
}

const condition = `($2::bigint is null or t.id = $2) and ($3::uuid is null or t.user_id = $3)
  and ($4::text is null or t.profile_id = $4) and ($5::text is null or t.client_id = $5)`;

const consoleSessions = '($1::uuid is null or s.user_guid = $1) and ($2::text is null or s.profile_id = $2)';

/**
 * Revokes the active tokens that meet all criteria and returns their number; console sessions that meet them end too. Throws
 * BAD_USER_INPUT without criteria, and REAUTHENTICATE unless one token is named by its id.
 */
export async function revokeTokens(context: Context, criteria: TokenCriteria): Promise<number> {
  permit(context, 'admin:security');
  const selected = Object.entries(criteria).filter(([, value]) => value !== null && value !== undefined);
  if (selected.length === 0)
    throw badInput({ $: ['At least one of tokenId, userGuid, profileId and clientId is needed.'] });
  const { tokenId = null, userGuid = null, profileId = null, clientId = null } = criteria;
  if (tokenId !== null && !/^\d{1,18}$/.test(tokenId)) throw badInput({ tokenId: ['A whole number is expected.'] });
  if (tokenId === null) requireFreshSignIn(context);
  const subject = selected.map(([name, value]) => `${name} ${value}`).join(', ');
  return change(
    context,
    'admin:security',
    async (em) => {
      // console sessions have neither token id nor client
      if (tokenId === null && clientId === null) await endConsoleSessions(em, consoleSessions, [userGuid, profileId]);
      return revokeRecords(em, context, subject, condition, [tokenId, userGuid, profileId, clientId]);
    },
    { onlyEnds: true },
  );
}

/**
 * Revokes the records whose token was issued or last renewed at that time or later, including the operator's, and returns their
 * number. Console sessions that were used since end too. Throws BAD_USER_INPUT for an invalid time.
 * @param since ISO 8601; UTC unless it names a zone
 */
export async function endSessionsSince(context: Context, since: string): Promise<number> {
  permit(context, 'admin:security');
  const time = readMoment('since', since, context.config.timeZone);
  return change(
    context,
    'admin:security',
    async (em) => {
      await endConsoleSessions(em, 's.seen_at >= $1', [time]);
      return revokeRecords(em, context, `issued or renewed since ${time}`, 't.created_at >= $2', [time]);
    },
    { onlyEnds: true },
  );
}
