/** Changes of profiles, of their access scopes, and of who holds them. */
import { AccessScope } from '../entities/AccessScope.js';
import { Profile } from '../entities/Profile.js';
import { Role } from '../entities/Role.js';
import { User } from '../entities/User.js';
import { UserProfile } from '../entities/UserProfile.js';
import {
  assignProfile,
  createProfile,
  deleteProfile,
  profileInput,
  setProfileAccessScopes,
  unassignProfile,
  updateProfile,
} from '../services/profiles.js';
import { loadRecord } from './loaders.js';
import { declareMutation } from './operations.js';
import { declareChanges, declareDeletion, keyArgument, type RecordOperations } from './recordOperations.js';

const operations: RecordOperations = {
  record: Profile,
  key: 'profileId',
  fields: profileInput,
  create: createProfile,
  update: updateProfile,
};

export function declareProfile(): void {
  declareChanges(operations);
  declareDeletion(operations, deleteProfile, 'Removes a profile with its links; its tokens can’t be renewed any more.');
  const profileId = keyArgument(Profile, 'profileId');
  const { type, doc } = keyArgument(AccessScope, 'accessScopeGuid');
  declareMutation('setProfileAccessScopes', {
    doc: 'Gives a profile exactly these access scopes.',
    type: () => Profile,
    arguments: { profileId, accessScopeGuids: { type: () => [type()], doc } },
    resolve: async (_root, given, context, info) => {
      await setProfileAccessScopes(context, given.profileId, given.accessScopeGuids);
      return loadRecord(context, info, Profile, 'profileId', given.profileId);
    },
  });
  const link = { userGuid: keyArgument(User, 'userGuid'), profileId, roleId: keyArgument(Role, 'roleId') };
  declareMutation('assignProfile', {
    doc: 'Has a user hold a profile in a role.',
    type: () => UserProfile,
    arguments: link,
    resolve: async (_root, given, context, info) =>
      loadRecord(context, info, UserProfile, 'userProfileId', await assignProfile(context, given)),
  });
  declareMutation('unassignProfile', {
    doc: 'Ends that a user holds a profile in a role; false when it was not so.',
    type: () => Boolean,
    arguments: link,
    resolve: (_root, given, context) => unassignProfile(context, given),
  });
}
