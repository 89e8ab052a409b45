/** The changes of users, roles and profiles, as mutations and change sets make them. */
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { recordChanges } from '../records/recordChanges.js';
import { createProfile, deleteProfile, profileInput, updateProfile } from './profiles.js';
import { createRole, createUser, deleteRole, roleInput, updateRole, updateUser, userInput } from './users.js';

export const userChanges = recordChanges({
  record: User,
  key: 'userGuid',
  fields: userInput,
  create: createUser,
  update: updateUser,
  deactivate: (context, userGuid, ifRevision) => updateUser(context, userGuid, { isBlocked: true }, ifRevision),
});

export const roleChanges = recordChanges({
  record: Role,
  key: 'roleId',
  fields: roleInput,
  create: createRole,
  update: updateRole,
  delete: deleteRole,
});

export const profileChanges = recordChanges({
  record: Profile,
  key: 'profileId',
  fields: profileInput,
  create: createProfile,
  update: updateProfile,
  delete: deleteProfile,
});
