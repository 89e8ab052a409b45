/** What follows from an import besides its rows, as from the same changes made one by one: sessions end, revisions rise. */
import type { Context, EntityManager } from '../../context.js';
import { raiseProfileRevisions } from '../people/profiles.js';
import { endSessionsOfUsers } from '../tokens/endSessions.js';
import type { Plan } from './planTypes.js';
import type { ProfileScopesPlan } from './profileScopes.js';
import { queryOf } from './statements.js';

/** Sessions of users who are blocked now end; profiles whose holders or scopes are others now have another revision. */
export async function drawConsequences(
  em: EntityManager,
  context: Context,
  lists: readonly Plan[],
  { added, removed }: ProfileScopesPlan,
): Promise<void> {
  const blocked = planOf(lists, 'users').updates.filter(
    ({ changed, values }) => changed?.includes('isBlocked') && values.isBlocked === true,
  );
  if (blocked.length > 0)
    await endSessionsOfUsers(
      em,
      context,
      blocked.map(({ values }) => String(values.userGuid)),
    );
  const { inserts, updates } = planOf(lists, 'userProfiles');
  const linked = [...inserts, ...updates].map(({ values }) => String(values.profileId));
  const profileIds = new Set([...linked, ...[...added, ...removed].map(({ profileId }) => profileId)]);
  if (profileIds.size > 0) await raiseProfileRevisions(queryOf(em), [...profileIds]);
}

const planOf = (lists: readonly Plan[], name: string): Plan => lists.find(({ list }) => list.name === name)!;
