/** The reads that every administered record has: by its key, and as a connection. */
import { AccessScope } from '../entities/AccessScope.js';
import { AccessScopeType } from '../entities/AccessScopeType.js';
import { Application } from '../entities/Application.js';
import { AuditEvent } from '../entities/AuditEvent.js';
import { Client } from '../entities/Client.js';
import { describe, fieldOf, type RecordClass } from '../entities/fields.js';
import { graphqlType } from '../entities/mapping.js';
import { Profile } from '../entities/Profile.js';
import { Role } from '../entities/Role.js';
import { SigningKey } from '../entities/SigningKey.js';
import { Token } from '../entities/Token.js';
import { User } from '../entities/User.js';
import { type PageArguments, readPages } from '../services/reading.js';
import { Connection, connectionOf, declarePageArguments } from './connection.js';
import { loadRecord } from './loaders.js';
import { declareQuery, operationsPrototype } from './operations.js';
import { wishOf } from './selection.js';

function connectionField(record: RecordClass, name: string): void {
  declareQuery(name, {
    doc: `All: ${describe(record).doc}`,
    type: () => connectionOf(record),
    resolve: async (_root, given: PageArguments, context, info) => {
      const [page] = await readPages(context, record, given, wishOf(info, record));
      return new Connection(page!);
    },
  });
  declarePageArguments(operationsPrototype, name, record);
}

function recordField(record: RecordClass, name: string, key: string): void {
  const field = fieldOf(record, key);
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
];

/** Declares the reads of `Query`. */
export function declareRootFields(): void {
  for (const [record, name, key] of pairs) {
    recordField(record, name, key);
    connectionField(record, `${name}s`);
  }
  connectionField(Token, 'tokens');
  connectionField(AuditEvent, 'auditEvents');
  connectionField(SigningKey, 'signingKeys');
}
