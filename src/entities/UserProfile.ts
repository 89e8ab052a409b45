/** A link: the user holds the profile in a role. */
import { inside } from './description.js';
import { Int, Key, Record, Text, ToOne } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Profile } from './Profile.js';
import { Role } from './Role.js';
import { Stamped } from './Stamped.js';
import { User } from './User.js';

@Record({
  table: 'user_profiles',
  doc: 'A link: the user holds the profile in a role.',
  unique: [['user', 'profile', 'role']],
})
export class UserProfile extends Stamped {
  @Key('integer', {
    doc: 'Number of the link. Of several links of a user and a profile, the lowest determines the role.',
    faces: inside,
  })
  userProfileId!: number;
  @Int({ doc: 'Number of the user.', faces: inside }) userId!: number;
  @Text({ doc: 'Id of the profile.', max: 50, faces: inside }) profileId!: string;
  @Text({ doc: 'Id of the role.', max: 50, faces: inside }) roleId!: string;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => User, 'userId', { doc: 'The user.', onDelete: 'cascade', faces: inside }) user!: User;
  @ToOne(() => Profile, 'profileId', { doc: 'The profile.', onDelete: 'cascade', faces: inside }) profile!: Profile;
  @ToOne(() => Role, 'roleId', { doc: 'The role.', faces: inside }) role!: Role;
}
