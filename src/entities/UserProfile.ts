/** A link: the user holds the profile in a role. */
import { inside, visible } from './description.js';
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
  isOfCatalogue: true,
  isGuarded: true,
  faces: inside,
})
export class UserProfile extends Stamped {
  @Key(
    'integer',
    'Number of the link. If a user and a profile have several links, the lowest number determines the role.',
  )
  userProfileId!: number;
  @Int('Number of the user.') userId!: number;
  @Text('Id of the profile.', { max: 50 }) profileId!: string;
  @Text('Id of the role.', { max: 50 }) roleId!: string;
  @When(
    'When the user loses the profile in this role; null: never. From then on, tokens and decisions ignore the link.',
    { nullable: true, isEnd: true },
  )
  validUntil!: Date | null;
  @When('The day of the user’s last exchange or renewal for the profile, at midnight in UTC; null: none is known.', {
    nullable: true,
    isUnversioned: true,
    faces: visible,
  })
  lastUsedAt!: Date | null;
  @ManagedBy() managedBy!: string | null;

  @ToOne(() => User, 'userId', 'The user.', { onDelete: 'cascade' }) user!: User;
  @ToOne(() => Profile, 'profileId', 'The profile.', { onDelete: 'cascade' }) profile!: Profile;
  @ToOne(() => Role, 'roleId', 'The role.') role!: Role;
}
