/** Drafts that a user holds a profile in a role, or does so no more. */
import type { Draft, Subject } from './drafts';

interface Holding {
  userGuid: string;
  userName: string;
  profileId: string;
  profileName: string;
  roleId: string;
  roleName: string;
}

const keyOf = ({ userGuid, profileId, roleId }: Holding): string => `holding ${userGuid} ${profileId} ${roleId}`;

const userOf = ({ userGuid, userName }: Holding): Subject => ({ kind: 'user', id: userGuid, name: userName });

export function assigningDraft(holding: Holding): Draft {
  const { userGuid, profileId, profileName, roleId, roleName } = holding;
  return {
    key: keyOf(holding),
    subject: userOf(holding),
    label: profileName,
    from: 'not held',
    to: `held as ${roleName}`,
    sign: 'gain',
    change: { assignProfile: { userGuid, profileId, roleId } },
  };
}

export function unassigningDraft(holding: Holding & { revision: number }): Draft {
  const { userGuid, profileId, profileName, roleId, roleName, revision } = holding;
  return {
    key: keyOf(holding),
    subject: userOf(holding),
    label: profileName,
    from: `held as ${roleName}`,
    to: 'not held',
    sign: 'loss',
    change: { unassignProfile: { userGuid, profileId, roleId, ifRevision: revision } },
    warning: 'The sessions with this profile end.',
  };
}
