/** Every record, one line each. */
import { AccessScope } from './AccessScope.js';
import { AccessScopeApplicationsMapper } from './AccessScopeApplicationsMapper.js';
import { AccessScopeType } from './AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from './AccessScopeTypeApplicationsMapper.js';
import { Application } from './Application.js';
import { AuditEvent } from './AuditEvent.js';
import { CatalogueVersion } from './CatalogueVersion.js';
import { ChangeSet } from './ChangeSet.js';
import { Client } from './Client.js';
import { Connector } from './Connector.js';
import { ConsoleSession } from './ConsoleSession.js';
import { mapCollections } from './fields.js';
import { HousekeepingRun } from './HousekeepingRun.js';
import { IdTokenUse } from './IdTokenUse.js';
import { PolicyVerdict } from './PolicyVerdict.js';
import { Profile } from './Profile.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Proposal } from './Proposal.js';
import { ProviderSession } from './ProviderSession.js';
import { ProviderSignOut } from './ProviderSignOut.js';
import { RateLimit } from './RateLimit.js';
import { RecordVersion } from './RecordVersion.js';
import { RefusedRequest } from './RefusedRequest.js';
import { Review } from './Review.js';
import { ReviewItem } from './ReviewItem.js';
import { Role } from './Role.js';
import { SigningKey } from './SigningKey.js';
import { SingleUse } from './SingleUse.js';
import { Token } from './Token.js';
import { Translation } from './Translation.js';
import { TranslationGroup } from './TranslationGroup.js';
import { TriedChanges } from './TriedChanges.js';
import { Usage } from './Usage.js';
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
  ChangeSet,
  Client,
  Connector,
  ConsoleSession,
  HousekeepingRun,
  IdTokenUse,
  PolicyVerdict,
  ProviderSession,
  ProviderSignOut,
  SingleUse,
  Profile,
  ProfileAccessScope,
  Proposal,
  RateLimit,
  RecordVersion,
  RefusedRequest,
  Review,
  ReviewItem,
  Role,
  SigningKey,
  Token,
  Translation,
  TriedChanges,
  Usage,
  User,
  UserProfile,
];

for (const record of allRecords) mapCollections(record);

/** Read-only records: views that migrations create. The ORM does not know them. */
export const allViews = [TranslationGroup];
