/** A profile: a token is issued for a profile, and its `scopes` claim has the access scopes of the profile. */
import type { Collection } from '@mikro-orm/core';
import { graphOnly, inside } from './description.js';
import { Flag, Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Stamped } from './Stamped.js';
import { Token } from './Token.js';
import { UserProfile } from './UserProfile.js';
import { groupNameForm } from './valueForms.js';

@Record({
  table: 'profiles',
  doc: 'What a token is issued for: its access scopes are the `scopes` claim.',
  isOfCatalogue: true,
  faces: inside,
})
export class Profile extends Stamped {
  @Key('string', 'Id of the profile.', { max: 50, create: 'required' }) profileId!: string;
  @Text('Display name.', { max: 255, create: 'required', isBesideAccess: true }) name!: string;
  @Text('Description shown to people.', { max: 255, nullable: true, create: 'optional', isBesideAccess: true })
  description!: string | null;
  @Text(
    'Name of a group of an identity provider (SCIM). Connectors assign the profile to the members of this group; null if there is none.',
    {
      max: 255,
      form: groupNameForm,
      nullable: true,
      unique: true,
      create: 'optional',
      guard: 'administration',
    },
  )
  externalGroup!: string | null;
  @Flag('Whether connectors may assign and unassign the profile although it has administration scopes.', {
    default: 'false',
    create: 'optional',
    guard: 'every',
  })
  externalGroupAdministers!: boolean;
  @Text(
    'Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner.',
    { max: 50, nullable: true, create: 'optional', guard: 'administration', isBesideAccess: true },
  )
  ownerProfileId!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => UserProfile, 'profileId', 'The users who hold the profile, with their roles.')
  userProfiles!: Collection<UserProfile>;
  @ToMany(() => ProfileAccessScope, 'profileId', 'The access scopes of the profile.')
  profileAccessScopes!: Collection<ProfileAccessScope>;
  @ToMany(() => Token, 'profileId', 'The renewal tokens for the profile.', { faces: graphOnly }) tokens!: Token[];
}
