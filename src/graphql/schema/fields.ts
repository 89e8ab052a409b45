/** Root fields of every record, and its relations. */
import { Field } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { allRecords, allViews } from '../../entities/all.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Client } from '../../entities/Client.js';
import {
  describe,
  fieldOf,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Token } from '../../entities/Token.js';
import { TranslationGroup } from '../../entities/TranslationGroup.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { needsAnother } from '../../services/read/projection.js';
import { type PageArguments, readPages } from '../../services/read/readPages.js';
import { Connection } from '../resolving/connection.js';
import { loadPage, loadRecord } from '../resolving/loaders.js';
import { guarded } from '../resolving/refusals.js';
import { connectionSelectionOf } from '../resolving/selection.js';
import { connectionOf, declarePageArguments } from './connection.js';
import { declareQuery, operationsPrototype, type Resolver, resolveBy } from './declare.js';
import { filterOf, orderByOf } from './inputs.js';

/** The relations of every record as fields: to-one ones come with their parent's row, to-many ones are connections. */

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  const shown = ([...allRecords, ...allViews] as RecordClass[]).filter(
    (record) => fieldsFor(record, 'graph').length > 0,
  );
  for (const record of shown) {
    // type-graphql takes no type that is made after it began
    connectionOf(record);
    filterOf(record);
    orderByOf(record);
    for (const relation of relationsFor(record, 'graph')) declareRelation(record, relation);
  }
}

function declareRelation(record: RecordClass, relation: RelationDescription): void {
  const { name, doc: description, kind, target, from, to } = relation;
  const isGuarded = needsAnother(record, target());
  const nullable = relation.nullable || isGuarded;
  const guard = (resolve: Resolver) => (isGuarded ? guarded(target(), resolve) : resolve);
  if (kind === 'toOne') {
    Field(target, { description, nullable })(record.prototype, name);
    if (isGuarded)
      resolveBy(
        describe(record).name,
        name,
        guard((parent) => parent[name]),
      );
    return;
  }
  Field(() => connectionOf(target()), { description, nullable })(record.prototype, name);
  declarePageArguments(record.prototype, name, target());
  resolveBy(
    describe(record).name,
    name,
    guard((parent, given: PageArguments, context, info) => loadPage(context, info, target(), to, parent[from], given)),
  );
}

/** The reads that every administered record has: by its key, and as a connection. */

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
