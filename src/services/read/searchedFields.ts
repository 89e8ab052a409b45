/** Which fields of a record a search for words reads. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Client } from '../../entities/Client.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';

/** Records with a `text` filter, and the fields that it searches. */
export const textFields: ReadonlyMap<RecordClass, readonly string[]> = new Map<RecordClass, readonly string[]>([
  [AccessScope, ['name', 'accessScopeKey']],
  [AccessScopeType, ['name']],
  [Application, ['name']],
  [ChangeSet, ['note']],
  [Client, ['name', 'clientId']],
  [Profile, ['name', 'profileId']],
  [Role, ['name', 'roleId']],
  [User, ['firstName', 'lastName', 'email', 'idpid', 'department', 'jobTitle']],
]);
