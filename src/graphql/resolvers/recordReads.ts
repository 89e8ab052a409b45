/** The queries that read a record by its key, and a page of records. */
import { Args, Query, Resolver } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Client } from '../../entities/Client.js';
import { Connector } from '../../entities/Connector.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Token } from '../../entities/Token.js';
import { TranslationGroup } from '../../entities/TranslationGroup.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { mayRead } from '../../services/read/projection.js';
import { type PageArguments, readPages } from '../../services/read/readPages.js';
import { Load, type Loader, refuse } from '../resolving/loaders.js';
import { connectionSelectionOf } from '../resolving/selection.js';
import { connectionOf, pageArgumentsOf } from '../schema/connection.js';
import { ArgOf, Reads } from '../schema/operations.js';

/** A resolver class with the query `name`, which reads one record by its key. */
function readOf(record: RecordClass, name: string, key: string) {
  @Resolver()
  class RecordRead {
    @Query(() => record, {
      name,
      nullable: true,
      description: `Returns the ${describe(record).name} with this ${key}, or null if there is none.`,
    })
    @Reads(record)
    find(@ArgOf(record, key) value: string, @Load() load: Loader) {
      return load.record(record, key, value);
    }
  }
  return RecordRead;
}

/** A resolver class with the query `name`, which reads a page of records. */
function pagesOf(record: RecordClass, name: string) {
  const { readWith } = describe(record);
  // most callers have admin:read; where a record requires another permission, the caller gets the rest of the answer
  const nullable = readWith !== 'admin:read';
  @Resolver()
  class RecordPages {
    @Query(() => connectionOf(record), {
      name,
      nullable,
      description: `Returns a page of ${describe(record).name} records.`,
    })
    @Reads(record)
    async list(@Args(() => pageArgumentsOf(record)) page: PageArguments, @Load() load: Loader) {
      if (nullable && !mayRead(load.context, record)) return refuse(load.context, load.info, record);
      const [rows] = await readPages(load.context, record, page, connectionSelectionOf(load.info, record));
      return rows!;
    }
  }
  return RecordPages;
}

export const recordReadResolvers = [
  readOf(Application, 'application', 'applicationGuid'),
  readOf(AccessScope, 'accessScope', 'accessScopeGuid'),
  readOf(AccessScopeType, 'accessScopeType', 'accessScopeTypeGuid'),
  readOf(User, 'user', 'userGuid'),
  readOf(Profile, 'profile', 'profileId'),
  readOf(Role, 'role', 'roleId'),
  readOf(Client, 'client', 'clientId'),
  readOf(Connector, 'connector', 'connectorId'),
  readOf(ChangeSet, 'changeSet', 'changeSetGuid'),
  pagesOf(Application, 'applications'),
  pagesOf(AccessScope, 'accessScopes'),
  pagesOf(AccessScopeType, 'accessScopeTypes'),
  pagesOf(User, 'users'),
  pagesOf(Profile, 'profiles'),
  pagesOf(Role, 'roles'),
  pagesOf(Client, 'clients'),
  pagesOf(Connector, 'connectors'),
  pagesOf(ChangeSet, 'changeSets'),
  pagesOf(UserProfile, 'userProfiles'),
  pagesOf(AccessScopeApplicationsMapper, 'accessScopeApplicationsMappers'),
  pagesOf(AccessScopeTypeApplicationsMapper, 'accessScopeTypeApplicationsMappers'),
  pagesOf(TranslationGroup, 'translationGroups'),
  pagesOf(Token, 'tokens'),
  pagesOf(AuditEvent, 'auditEvents'),
  pagesOf(SigningKey, 'signingKeys'),
];
