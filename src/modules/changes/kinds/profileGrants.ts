/** Who holds a profile in a role. */
import { fieldOf } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { Role } from '../../../entities/Role.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import { assignProfiles, type Unassignment, unassignProfiles } from '../../../services/people/profiles.js';
import { distinct, enumerate, findLabel, joinedMax, numbered, untilWords, type Words } from '../words.js';
import { argument, type Grid, type Kind, onAccess, type Title } from './kind.js';

interface Grant {
  profileId: string;
  roleId: string;
  validUntil?: string | null;
  userGuid?: string;
  userGuids?: string[];
}

/** Such as “IT auditor to 1,326 people as Deputy”. */
function grantWords(words: Words, grants: readonly Grant[], preposition: string): string {
  const profileIds = distinct(grants.map(({ profileId }) => profileId));
  const users = distinct(grants.flatMap(({ userGuids, userGuid }) => userGuids ?? userGuid));
  const roleIds = distinct(grants.map(({ roleId }) => roleId));
  const profile =
    profileIds.length === 1 ? findLabel(words, 'profileId', profileIds[0]) : numbered(profileIds.length, 'profile');
  const people =
    users.length === 1 ? findLabel(words, 'userGuid', users[0]) : numbered(users.length, 'person', 'people');
  const roles = roleIds.map((id) => findLabel(words, 'roleId', id));
  const role =
    roleIds.length <= joinedMax ? `as ${enumerate(roles, roles.length, 'or')}` : `in ${roleIds.length} roles`;
  return `${profile} ${preposition} ${people} ${role}`;
}

const titleOf = <Value extends Grant>(sentence: Title<Value>['sentence']): Title<Value> => ({
  differsIn: ['userGuid', 'userGuids'],
  sentence,
  summary: sentence,
  isJoined: false,
  makes: () => null,
});
const given = titleOf<Grant>((words, grants) => `Give ${grantWords(words, grants, 'to')}${untilWords(words, grants)}`);

/** What all kinds of grants have in common. */
const ofProfile = {
  effect: { ...onAccess, subject: ({ profileId }: Grant) => profileId },
  ownedBy: ({ profileId }: Grant) => ({ profile: profileId }),
};
const endingAt = <Value extends Grant>(grant: Value, end: string): Value => ({ ...grant, validUntil: end });

const writes: Grid<Grant>['writes'] = ({ profileId }, { user = null }) => ({
  table: 'user_profiles',
  userId: user,
  profileId,
});

type Assignment = Grant & { userGuid: string };

const assignProfile: Kind<Assignment> = {
  name: 'assignProfile',
  family: 'assignProfile',
  input: null,
  does: {
    set: (context, cells) =>
      assignProfiles(context, { ...cells[0]!, userGuids: cells.map(({ userGuid }) => userGuid), isEachNew: true }),
    keyOf: ({ userGuid }) => userGuid,
    // no end and the end null are different
    groupOf: ({ profileId, roleId, validUntil }) => JSON.stringify({ profileId, roleId, validUntil }),
    writes,
  },
  title: given,
  ...ofProfile,
  endingAt,
};

const assignProfilesKind: Kind<Grant & { userGuids: string[] }> = {
  name: 'assignProfiles',
  family: 'assignProfile',
  input: {
    type: 'AssignProfilesChange',
    doc: 'The arguments of assignProfiles.',
    does: 'Assigns a profile in a role to up to 10,000 users. The assignments of users who hold it already get the end; without validUntil they stay as they are.',
    fields: [
      argument('profileId', fieldOf(Profile, 'profileId'), { required: true }),
      argument('roleId', fieldOf(Role, 'roleId'), { required: true }),
      argument('validUntil', fieldOf(UserProfile, 'validUntil'), {
        doc: 'When the grants end; null: never. Absent: new grants have no end, and existing grants keep theirs.',
      }),
      argument('userGuids', fieldOf(User, 'userGuid'), {
        doc: 'Guids of the users, each once.',
        required: true,
        isList: true,
      }),
    ],
  },
  does: { apply: assignProfiles, size: ({ userGuids }) => userGuids.length },
  title: given,
  ...ofProfile,
  endingAt,
};

const unassignProfile: Kind<Unassignment> = {
  name: 'unassignProfile',
  family: 'unassignProfile',
  input: null,
  does: {
    set: unassignProfiles,
    keyOf: ({ userGuid, roleId }) => JSON.stringify([userGuid, roleId]),
    groupOf: ({ profileId }) => profileId,
    writes,
  },
  title: titleOf((words, grants) => `Remove ${grantWords(words, grants, 'from')}`),
  ...ofProfile,
  endingAt: null,
};

export const profileGrants: Kind[] = [assignProfile, assignProfilesKind, unassignProfile];
