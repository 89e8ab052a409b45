/** Every record. A record is known when its file is loaded, so each file has a line here. */
import './AccessScope.js';
import './AccessScopeApplicationsMapper.js';
import './AccessScopeType.js';
import './AccessScopeTypeApplicationsMapper.js';
import './Application.js';
import './AuditEvent.js';
import './ChangeSet.js';
import './Client.js';
import './Connector.js';
import './EventStream.js';
import './Profile.js';
import './ProfileAccessScope.js';
import './Proposal.js';
import './RecordVersion.js';
import './Review.js';
import './ReviewItem.js';
import './Role.js';
import './SigningKey.js';
import './Token.js';
import './Translation.js';
import './TranslationGroup.js';
import './User.js';
import './UserProfile.js';
import { describe, describedRecords, fieldsFor } from './description.js';
import { mapCollections } from './fields.js';
import './hiddenRecords.js';

export const allRecords = describedRecords().filter((record) => !describe(record).isView);
for (const record of allRecords) mapCollections(record);

/** The records and views that the graph shows. */
export const graphRecords = describedRecords().filter((record) => fieldsFor(record, 'graph').length > 0);

/** The records and views of the catalogue, which replicas may answer for. */
export const catalogueRecords = describedRecords().filter((record) => describe(record).isOfCatalogue);
