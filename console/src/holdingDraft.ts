/** Drafts that a user holds a profile in a role, or does so no more. */
import type { Draft, Subject } from './drafts';
import { untilWords } from './grantEnd';
import { fullName, plural } from './words';

export interface HoldingPerson {
  userGuid: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

export interface Holding {
  user: HoldingPerson;
  profileId: string;
  profileName: string;
  roleId: string;
  roleName: string;
}

const keyOf = ({ user, profileId, roleId }: Holding): string => `holding ${user.userGuid} ${profileId} ${roleId}`;

/** The e-mail tells people of one name apart. */
export const subjectOfUser = (user: HoldingPerson): Subject => ({
  kind: 'user',
  id: user.userGuid,
  name: fullName(user),
  ...(user.email && { hint: user.email }),
});

export function assigningDraft(holding: Holding, validUntil: string | null = null): Draft {
  const { user, profileId, profileName, roleId, roleName } = holding;
  return {
    key: keyOf(holding),
    subject: subjectOfUser(user),
    label: profileName,
    from: 'not held',
    to: `held as ${roleName}${validUntil ? ` ${untilWords(validUntil)}` : ''}`,
    sign: 'gain',
    change: { assignProfile: { userGuid: user.userGuid, profileId, roleId, ...(validUntil && { validUntil }) } },
  };
}

/** Most people who get a profile by one change. */
export const assignedMax = 10_000;

interface ManyHoldings extends Omit<Holding, 'user'> {
  userGuids: readonly string[];
  validUntil: string | null;
}

/** Each is a draft of its own: another one of the same profile adds people. */
export const assigningManyDraft = ({
  userGuids,
  profileId,
  profileName,
  roleId,
  roleName,
  validUntil,
}: ManyHoldings): Draft => ({
  key: `holdings ${crypto.randomUUID()}`,
  subject: { kind: 'profile', id: profileId, name: profileName },
  label: plural(userGuids.length, 'person', 'people'),
  from: 'not held',
  to: `held as ${roleName} ${untilWords(validUntil)}`,
  sign: 'gain',
  change: { assignProfiles: { profileId, roleId, userGuids: [...userGuids], ...(validUntil && { validUntil }) } },
});

/** Another end of what the user holds. */
export function endingDraft(holding: Holding & { validUntil: string | null }, validUntil: string | null): Draft {
  const { user, profileId, profileName, roleId } = holding;
  return {
    key: keyOf(holding),
    subject: subjectOfUser(user),
    label: profileName,
    from: `held ${untilWords(holding.validUntil)}`,
    to: `held ${untilWords(validUntil)}`,
    sign: 'change',
    change: { assignProfile: { userGuid: user.userGuid, profileId, roleId, validUntil } },
  };
}

export function unassigningDraft(holding: Holding & { revision: number }): Draft {
  const { user, profileId, profileName, roleId, roleName, revision } = holding;
  return {
    key: keyOf(holding),
    subject: subjectOfUser(user),
    label: profileName,
    from: `held as ${roleName}`,
    to: 'not held',
    sign: 'loss',
    change: { unassignProfile: { userGuid: user.userGuid, profileId, roleId, ifRevision: revision } },
    warning: 'The sessions with this profile end.',
  };
}
