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
import { EventStream } from '../../entities/EventStream.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Token } from '../../entities/Token.js';
import { TranslationGroup } from '../../entities/TranslationGroup.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { mayRead } from '../../services/read/projection.js';
import type { PageArguments } from '../../services/read/readPages.js';
import { Load, type Loader, refuseField } from '../resolving/loaders.js';
import { connectionOf, pageArgumentsOf } from '../schema/connection.js';
import { ArgOf, Reads } from '../schema/operations.js';

const fieldName = (record: RecordClass): string => record.name.charAt(0).toLowerCase() + record.name.slice(1);

/** A resolver class with the query that reads one record by its key, such as `application`. */
function readOf(record: RecordClass, key: string) {
  @Resolver()
  class RecordRead {
    @Query(() => record, {
      name: fieldName(record),
      nullable: true,
      description: `Returns the ${record.name} with this ${key}, or null if there is none.`,
    })
    @Reads(record)
    find(@ArgOf(record, key) value: string, @Load() load: Loader) {
      return load.record(record, key, value);
    }
  }
  return RecordRead;
}

/** A resolver class with the query that reads a page of records, such as `applications`. */
function pagesOf(record: RecordClass) {
  // most callers have admin:read; where a record requires another permission, the caller gets the rest of the answer
  const nullable = describe(record).readWith !== 'admin:read';
  @Resolver()
  class RecordPages {
    @Query(() => connectionOf(record), {
      name: `${fieldName(record)}s`,
      nullable,
      description: `Returns a page of ${record.name} records.`,
    })
    @Reads(record)
    list(@Args(() => pageArgumentsOf(record)) page: PageArguments, @Load() load: Loader) {
      if (nullable && !mayRead(load.context, record)) return refuseField(load.context, load.info, record);
      return load.list(record, page);
    }
  }
  return RecordPages;
}

const keyed: readonly [record: RecordClass, key: string][] = [
  [Application, 'applicationGuid'],
  [AccessScope, 'accessScopeGuid'],
  [AccessScopeType, 'accessScopeTypeGuid'],
  [User, 'userGuid'],
  [Profile, 'profileId'],
  [Role, 'roleId'],
  [Client, 'clientId'],
  [Connector, 'connectorId'],
  [ChangeSet, 'changeSetGuid'],
  [EventStream, 'eventStreamGuid'],
];
const others: readonly RecordClass[] = [
  UserProfile,
  AccessScopeApplicationsMapper,
  AccessScopeTypeApplicationsMapper,
  TranslationGroup,
  Token,
  AuditEvent,
  SigningKey,
];
export const recordReadResolvers = [
  ...keyed.map(([record, key]) => readOf(record, key)),
  ...[...keyed.map(([record]) => record), ...others].map(pagesOf),
];
