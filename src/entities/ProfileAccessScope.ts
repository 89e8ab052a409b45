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
  isOfCatalogue: true,
  isGuarded: true,
  faces: inside,
})
export class ProfileAccessScope extends Stamped {
  @Key('integer', 'Number of the link.') profileAccessScopeId!: number;
  @Text('Id of the profile.', { max: 50 }) profileId!: string;
  @Int('Number of the access scope.') accessScopeId!: number;
  @When('When the profile loses the access scope; null: never. From then on, tokens and decisions ignore the link.', {
    nullable: true,
    isEnd: true,
  })
  validUntil!: Date | null;

  @ToOne(() => Profile, 'profileId', 'The profile.', { onDelete: 'cascade' }) profile!: Profile;
  @ToOne(() => AccessScope, 'accessScopeId', 'The access scope.', { onDelete: 'cascade' }) accessScope!: AccessScope;
}
