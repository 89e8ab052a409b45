/** The reads that every administered record has: by its key, and as a connection. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Client } from '../../entities/Client.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Token } from '../../entities/Token.js';
import { TranslationGroup } from '../../entities/TranslationGroup.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { type PageArguments, readPages } from '../../services/graphReads/readPages.js';
import { Connection } from '../resolving/connection.js';
import { loadRecord } from '../resolving/loaders.js';
import { guarded } from '../resolving/refusals.js';
import { connectionSelectionOf } from '../resolving/selection.js';
import { connectionOf, declarePageArguments } from './connection.js';
import { declareQuery, operationsPrototype, type Resolver } from './declare.js';

/** Root fields that read a record's own table and what its relations lead to, and nothing else. */
export const recordReads = new Map<string, RecordClass>();

function connectionField(record: RecordClass, name: string): void {
  // most callers read; who asks for more beside gets the rest of the page
  const isGuarded = describe(record).readWith !== 'admin:read';
  const resolve: Resolver = async (_root, given: PageArguments, context, info) => {
    const [page] = await readPages(context, record, given, connectionSelectionOf(info, record));
    return new Connection(page!);
  };
  recordReads.set(name, record);
  declareQuery(name, {
    doc: `All: ${describe(record).doc}`,
    type: () => connectionOf(record),
    nullable: isGuarded,
    resolve: isGuarded ? guarded(record, resolve) : resolve,
  });
  declarePageArguments(operationsPrototype, name, record);
}

function recordField(record: RecordClass, name: string, key: string): void {
  const field = fieldOf(record, key);
  recordReads.set(name, record);
  declareQuery(name, {
    doc: `One, or null: ${describe(record).doc}`,
    type: () => record,
    nullable: true,
    arguments: { [key]: { type: () => graphqlType(field), doc: field.doc } },
    resolve: (_root, given, context, info) => loadRecord(context, info, record, key, given[key]),
  });
}

const pairs: [RecordClass, string, string][] = [
  [Application, 'application', 'applicationGuid'],
  [AccessScope, 'accessScope', 'accessScopeGuid'],
  [AccessScopeType, 'accessScopeType', 'accessScopeTypeGuid'],
  [User, 'user', 'userGuid'],
  [Profile, 'profile', 'profileId'],
  [Role, 'role', 'roleId'],
  [Client, 'client', 'clientId'],
  [ChangeSet, 'changeSet', 'changeSetGuid'],
];

/** Declares the reads of `Query`. */
export function declareRootFields(): void {
  for (const [record, name, key] of pairs) {
    recordField(record, name, key);
    connectionField(record, `${name}s`);
  }
  connectionField(UserProfile, 'userProfiles');
  connectionField(AccessScopeApplicationsMapper, 'accessScopeApplicationsMappers');
  connectionField(AccessScopeTypeApplicationsMapper, 'accessScopeTypeApplicationsMappers');
  connectionField(TranslationGroup, 'translationGroups');
  connectionField(Token, 'tokens');
  connectionField(AuditEvent, 'auditEvents');
  connectionField(SigningKey, 'signingKeys');
}
