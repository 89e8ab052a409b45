/** The reads that every administered record has: by its key, and as a connection. */
import { Arg, ID, Query, Resolver as ResolverClass } from 'type-graphql';
import { AccessScope } from '../entities/AccessScope.js';
import { AccessScopeType } from '../entities/AccessScopeType.js';
import { Application } from '../entities/Application.js';
import { AuditEvent } from '../entities/AuditEvent.js';
import { Client } from '../entities/Client.js';
import { describe, fieldOf, type RecordClass } from '../entities/fields.js';
import { Profile } from '../entities/Profile.js';
import { Role } from '../entities/Role.js';
import { SigningKey } from '../entities/SigningKey.js';
import { Uuid } from '../entities/scalars.js';
import { Token } from '../entities/Token.js';
import { User } from '../entities/User.js';
import { type PageArguments, readPages } from '../services/reading.js';
import { Connection, connectionOf, declarePageArguments } from './connection.js';
import { loadRecord } from './loaders.js';
import { resolveBy } from './relations.js';
import { wishOf } from './selection.js';

/** Declared to type-graphql by name; the plain functions of resolveBy answer. */
@ResolverClass()
export class RootFields {
  declare readonly placeholder: never;
}
const prototype = RootFields.prototype as unknown as Record<string, unknown>;
const declareQuery = (name: string, type: () => unknown, options: object): void => {
  prototype[name] = () => undefined;
  Query(type as never, options)(prototype, name, { value: prototype[name] } as never);
};

function connectionField(record: RecordClass, name: string): void {
  declareQuery(name, () => connectionOf(record), { description: `All: ${describe(record).doc}` });
  declarePageArguments(prototype, name, record);
  resolveBy('Query', name, async (_root, given: PageArguments, context, info) => {
    const [page] = await readPages(context, record, given, wishOf(info, record));
    return new Connection(page!);
  });
}

function recordField(record: RecordClass, name: string, key: string): void {
  const { doc, type } = fieldOf(record, key);
  declareQuery(name, () => record, { nullable: true, description: `One, or null: ${describe(record).doc}` });
  Arg(key, () => (type === 'uuid' ? Uuid : ID), { description: doc })(prototype, name, 0);
  resolveBy('Query', name, (_root, given, context, info) => loadRecord(context, info, record, key, given[key]));
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
