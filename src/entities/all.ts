/** Every record, one line each. */
import { AccessScope } from './AccessScope.js';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeType } from './AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { Application } from './Application.js';
import { AuditEvent } from './AuditEvent.js';
import { CatalogueVersion } from './CatalogueVersion.js';
import { Client } from './Client.js';
import { HousekeepingRun } from './HousekeepingRun.js';
import { Profile } from './Profile.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { RateLimit } from './RateLimit.js';
import { Role } from './Role.js';
import { SigningKey } from './SigningKey.js';
import { Token } from './Token.js';
import { Translation } from './Translation.js';
import { User } from './User.js';
import { UserProfile } from './UserProfile.js';

export const allRecords = [
  AccessScope,
  AccessScopeApplicationsMapper,
  AccessScopeType,
  AccessScopeTypeApplicationsMapper,
  Application,
  AuditEvent,
  CatalogueVersion,
  Client,
  HousekeepingRun,
  Profile,
  ProfileAccessScope,
  RateLimit,
  Role,
  SigningKey,
  Token,
  Translation,
  User,
  UserProfile,
];
