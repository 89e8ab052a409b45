/**
 * Lists the records of the catalogue. Answers that read only these records can be cached by the catalogue version
 * (docs/decisions/0031). test/operations/replicas.test.ts compares the list with the tables that replicas may answer for.
 */
import { AccessScope } from './AccessScope.js';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeType } from './AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { Application } from './Application.js';
import type { RecordClass } from './description.js';
import { Profile } from './Profile.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Role } from './Role.js';
import { Translation } from './Translation.js';
import { TranslationGroup } from './TranslationGroup.js';
import { User } from './User.js';
import { UserProfile } from './UserProfile.js';

/** Records whose changes raise the catalogue version, except changes of the fields below. */
export const catalogueRecords: readonly RecordClass[] = [
  AccessScope,
  AccessScopeApplicationsMapper,
  AccessScopeType,
  AccessScopeTypeApplicationsMapper,
  Application,
  Profile,
  ProfileAccessScope,
  Role,
  Translation,
  TranslationGroup,
  User,
  UserProfile,
];

/** Fields that exchanges and renewals write: they change without a new version and have no history. */
export const unversionedFields: readonly { record: RecordClass; field: string }[] = [
  { record: User, field: 'lastLoginDate' },
  { record: UserProfile, field: 'lastUsedAt' },
];

/** The names of a record's fields that have no history. */
export const unversionedFieldsOf = (record: RecordClass): string[] =>
  unversionedFields.filter((unversioned) => unversioned.record === record).map(({ field }) => field);
