/** A link: the user holds the profile in a role. */
import { inside } from './description.js';
import { Int, Key, Record, Text, ToOne, When } from './fields.js';
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
    doc: 'Number of the link. If a user and a profile have several links, the lowest number determines the role.',
    faces: inside,
  })
  userProfileId!: number;
  @Int({ doc: 'Number of the user.', faces: inside }) userId!: number;
  @Text({ doc: 'Id of the profile.', max: 50, faces: inside }) profileId!: string;
  @Text({ doc: 'Id of the role.', max: 50, faces: inside }) roleId!: string;
  @When({
    doc: 'When the user ceases to hold the profile in this role; null: never. From then on it counts in no token and no decision.',
    nullable: true,
    faces: inside,
  })
  validUntil!: Date | null;
  @When({
    doc: 'The day of the user’s last exchange or renewal for the profile, at midnight in UTC; null: none is known.',
    nullable: true,
    faces: ['graph', 'filter'],
  })
  lastUsedAt!: Date | null;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => User, 'userId', { doc: 'The user.', onDelete: 'cascade', faces: inside }) user!: User;
  @ToOne(() => Profile, 'profileId', { doc: 'The profile.', onDelete: 'cascade', faces: inside }) profile!: Profile;
  @ToOne(() => Role, 'roleId', { doc: 'The role.', faces: inside }) role!: Role;
}
