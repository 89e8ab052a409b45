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
import { fieldsFor, type RecordClass } from './description.js';
import { mapCollections } from './fields.js';
import * as hidden from './hiddenRecords.js';
import { Profile } from './Profile.js';
import { ProfileAccessScope } from './ProfileAccessScope.js';
import { Proposal } from './Proposal.js';
import { RecordVersion } from './RecordVersion.js';
import { Review } from './Review.js';
import { ReviewItem } from './ReviewItem.js';
import { Role } from './Role.js';
import { SigningKey } from './SigningKey.js';
import { Token } from './Token.js';
import { Translation } from './Translation.js';
import { TranslationGroup } from './TranslationGroup.js';
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
  Profile,
  ProfileAccessScope,
  Proposal,
  RecordVersion,
  Review,
  ReviewItem,
  Role,
  SigningKey,
  Token,
  Translation,
  User,
  UserProfile,
  ...Object.values(hidden),
];

for (const record of allRecords) mapCollections(record);

/** Read-only records: views that migrations create. The ORM does not know them. */
export const allViews = [TranslationGroup];

/** The records and views that the graph shows. */
export const graphRecords = ([...allRecords, ...allViews] as RecordClass[]).filter(
  (record) => fieldsFor(record, 'graph').length > 0,
);
