/** Drafts for many people at once: blocked, or without a profile. */
import { blockingDraft } from '../../blockingDraft';
import type { Draft } from '../../drafts';
import { all } from '../../filters';
import { ask } from '../../graph';
import { unassigningDraft } from '../../holdingDraft';
import { peopleToChange } from '../../operations/generated/giving';
import { holderRows } from '../../operations/generated/holders';
import { readToEnd } from '../../readToEnd';

/** Drafts that block those users who are not blocked yet. Throws Refusal. */
export async function blockingDrafts(users: readonly string[], signal: AbortSignal): Promise<Draft[]> {
  const { nodes } = (await ask(peopleToChange, { first: users.length, users: [...users] }, signal)).users;
  return nodes.filter(({ isBlocked }) => !isBlocked).map(blockingDraft);
}

/** Drafts that remove the profile from those users who hold it, in any role. Throws Refusal. */
export async function removingDrafts(
  users: readonly string[],
  profileId: string,
  signal: AbortSignal,
): Promise<Draft[]> {
  const filter = all([{ profileId: { eq: profileId } }, { user: { userGuid: { in: [...users] } } }]) ?? null;
  const held = await readToEnd(
    async (page) => (await ask(holderRows, { ...page, offset: null, filter, orderBy: null }, signal)).userProfiles,
  );
  return held.map(({ user, profile, role, revision }) =>
    unassigningDraft({
      user,
      profileId: profile.profileId,
      profileName: profile.name,
      roleId: role.roleId,
      roleName: role.name,
      revision,
    }),
  );
}
