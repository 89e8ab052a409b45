/** The role of a user in a profile: the `roleId` claim. */
import type { Collection } from '@mikro-orm/core';
import { inside } from './description.js';
import { Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';
import { UserProfile } from './UserProfile.js';

@Record({ table: 'roles', doc: 'The role of a user in a profile: the `roleId` claim.' })
export class Role extends Stamped {
  @Key('string', { doc: 'Id of the role.', max: 50, create: 'required', faces: inside }) roleId!: string;
  @Text({ doc: 'Display name.', max: 255, create: 'required', faces: inside }) name!: string;
  @Text({ doc: 'Description shown to people.', max: 255, nullable: true, create: 'optional', faces: inside })
  description!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => UserProfile, 'roleId', { doc: 'The users who have the role, with their profiles.', faces: inside })
  userProfiles!: Collection<UserProfile>;
}
