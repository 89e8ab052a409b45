/** A profile: a token is issued for a profile, and its `scopes` claim has the access scopes of the profile. */
import type { Collection } from '@mikro-orm/core';
import { inside } from './description.js';
import { Flag, Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Stamped } from './Stamped.js';
import { Token } from './Token.js';
import { UserProfile } from './UserProfile.js';

@Record({ table: 'profiles', doc: 'What a token is issued for: its access scopes are the `scopes` claim.' })
export class Profile extends Stamped {
  @Key('string', { doc: 'Id of the profile.', max: 50, create: 'required', faces: inside }) profileId!: string;
  @Text({ doc: 'Display name.', max: 255, create: 'required', faces: inside }) name!: string;
  @Text({ doc: 'Description shown to people.', max: 255, nullable: true, create: 'optional', faces: inside })
  description!: string | null;
  @Text({
    doc: 'Name of the group of an identity provider whose members connectors give the profile to (SCIM); null if there is none.',
    max: 255,
    nullable: true,
    unique: true,
    create: 'optional',
    faces: inside,
  })
  externalGroup!: string | null;
  @Flag({
    doc: 'Whether connectors may give and take the profile although it has administration scopes.',
    default: 'false',
    create: 'optional',
    faces: inside,
  })
  externalGroupAdministers!: boolean;
  @Text({
    doc: 'Id of the profile whose holders own the profile: they may approve changes of who holds it; null if it has no owner.',
    max: 50,
    nullable: true,
    create: 'optional',
    faces: inside,
  })
  ownerProfileId!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => UserProfile, 'profileId', { doc: 'The users who hold the profile, with their roles.', faces: inside })
  userProfiles!: Collection<UserProfile>;
  @ToMany(() => ProfileAccessScope, 'profileId', { doc: 'The access scopes of the profile.', faces: inside })
  profileAccessScopes!: Collection<ProfileAccessScope>;
  @ToMany(() => Token, 'profileId', { doc: 'The renewal tokens for the profile.', faces: ['graph'] })
  tokens!: Token[];
}
