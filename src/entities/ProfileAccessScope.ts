/** A link: the profile has the access scope. */
import { AccessScope } from './AccessScope.js';
import { inside } from './description.js';
import { Int, Key, Record, Text, ToOne, When } from './fields.js';
import { Profile } from './Profile.js';
import { Stamped } from './Stamped.js';

@Record({
  table: 'profile_access_scopes',
  doc: 'A link: the profile has the access scope.',
  unique: [['profile', 'accessScope']],
})
export class ProfileAccessScope extends Stamped {
  @Key('integer', { doc: 'Number of the link.', faces: inside }) profileAccessScopeId!: number;
  @Text({ doc: 'Id of the profile.', max: 50, faces: inside }) profileId!: string;
  @Int({ doc: 'Number of the access scope.', faces: inside }) accessScopeId!: number;
  @When({
    doc: 'When the profile ceases to have the access scope; null: never. From then on it counts in no token and no decision.',
    nullable: true,
    faces: inside,
  })
  validUntil!: Date | null;

  @ToOne(() => Profile, 'profileId', { doc: 'The profile.', onDelete: 'cascade', faces: inside }) profile!: Profile;
  @ToOne(() => AccessScope, 'accessScopeId', { doc: 'The access scope.', onDelete: 'cascade', faces: inside })
  accessScope!: AccessScope;
}
