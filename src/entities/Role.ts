/** The role of a user in a profile: the `roleId` claim. */
import type { Collection } from '@mikro-orm/core';
import { inside } from './description.js';
import { Key, Record, Text, ToMany } from './fields.js';
import { ManagedBy } from './Managed.js';
import { Stamped } from './Stamped.js';
import { UserProfile } from './UserProfile.js';

@Record({
  table: 'roles',
  doc: 'The role of a user in a profile: the `roleId` claim.',
  isOfCatalogue: true,
  isBesideAccess: true,
  faces: inside,
})
export class Role extends Stamped {
  @Key('string', 'Id of the role.', { max: 50, create: 'required' }) roleId!: string;
  @Text('Display name.', { max: 255, create: 'required' }) name!: string;
  @Text('Description shown to people.', { max: 255, nullable: true, create: 'optional' }) description!: string | null;
  @ManagedBy() managedBy!: string | null;

  @ToMany(() => UserProfile, 'roleId', 'The users who have the role, with their profiles.')
  userProfiles!: Collection<UserProfile>;
}
