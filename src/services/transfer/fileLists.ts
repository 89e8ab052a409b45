/** The lists of an import file: what names a row of each, what it may hold, and which records it refers to. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { Client } from '../../entities/Client.js';
import {
  describe,
  type FieldDescription,
  fieldOf,
  fieldsFor,
  type RecordClass,
  type RecordDescription,
} from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { Token } from '../../entities/Token.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';

export interface Reference {
  /** The row's property with the guid or id of the other record, named as that record's own field is. */
  field: FieldDescription;
  target: RecordDescription;
  /** The record's own field, which a row may give instead or as well. */
  own: FieldDescription;
  /** Whether the own field holds the other record's number rather than its guid or id. */
  byNumber: boolean;
}

export interface ImportList {
  name: string;
  description: RecordDescription;
  /** The properties that name a record, in the file as in the database. */
  key: string[];
  /** The fields that a record is looked up by: those of the key, or what rules make of it where that has no index. */
  foundBy: string[];
  /** Scalars that a row may give, references left out. */
  fields: FieldDescription[];
  references: Reference[];
  /** Further groups of fields that no two records share. */
  uniques: string[][];
  /** Properties that rules of their own read. */
  extras: string[];
  /** What each of them is, for the reference. */
  extraDocs: Record<string, string>;
  /** Fields that say what the last import gave, so that what was changed here since is known; and who manages the record. */
  memory: FieldDescription[];
  /** Fields set at the creation alone, by rules. */
  insertOnly: FieldDescription[];
  /** Whether files in git may manage the records: their values have a history, and are neither personal nor secret. */
  isManageable: boolean;
  /** Whether callers wait for records that are changed, so that they are changed last of all. */
  isInUse: boolean;
}

type ListOptions = Partial<Pick<ImportList, 'key' | 'foundBy' | 'uniques' | 'isInUse'>> & {
  /** With what each is. */
  extras?: Record<string, string>;
  /** Fields that are written although the entity doesn't give them to the import. */
  with?: string[];
  memory?: string[];
  insertOnly?: string[];
  /** References without a constraint in the database. */
  also?: { field: string; target: RecordClass; to?: string }[];
};

/** The field that other systems know a record by: its guid, or else its key when that is a text. */
export function nameOf({ fields, primaryKey }: RecordDescription): FieldDescription | undefined {
  const guid = fields.find((field) => field.type === 'uuid' && field.unique);
  return guid ?? (primaryKey.type === 'string' ? primaryKey : undefined);
}

function list(name: string, record: RecordClass, options: ListOptions = {}): ImportList {
  const description = describe(record);
  const { primaryKey } = description;
  const references = [
    ...referencesOf(description),
    ...(options.also ?? []).map(({ field, target, to }) => reference(fieldOf(record, field), target, to ?? field)),
  ];
  const isManageable = description.fields.some((each) => each.name === 'managedBy');
  const fields = [...fieldsFor(record, 'import'), ...(options.with ?? []).map((each) => fieldOf(record, each))];
  const key = options.key ?? [nameOf(description)!.name];
  return {
    name,
    description,
    key,
    foundBy: options.foundBy ?? key,
    fields: fields.filter((field) => !references.some(({ own }) => own === field)),
    references,
    uniques: [...(primaryKey.type === 'string' ? [] : [[primaryKey.name]]), ...(options.uniques ?? [])],
    extras: Object.keys(options.extras ?? {}),
    extraDocs: options.extras ?? {},
    memory: [...(options.memory ?? []), ...(isManageable ? ['managedBy'] : [])].map((each) => fieldOf(record, each)),
    insertOnly: (options.insertOnly ?? []).map((each) => fieldOf(record, each)),
    isManageable,
    isInUse: options.isInUse ?? false,
  };
}

/** The records that the database itself wants to be there; users in createdBy aren't. */
function referencesOf({ record, relations }: RecordDescription): Reference[] {
  return relations
    .filter((relation) => relation.kind === 'toOne' && relation.constrained)
    .map((relation) => reference(fieldOf(record, relation.from), relation.target(), relation.to));
}

function reference(own: FieldDescription, record: RecordClass, to: string): Reference {
  const target = describe(record);
  const field = nameOf(target)!;
  return { field, target, own, byNumber: to !== field.name };
}

/** In an order in which what is referred to comes first. */
export const importLists: ImportList[] = [
  list('roles', Role),
  list('users', User, { uniques: [['idpname', 'idpid']], memory: ['importedIsBlocked'] }),
  list('accessScopeTypes', AccessScopeType, { uniques: [['name']] }),
  list('accessScopes', AccessScope),
  list('profiles', Profile, {
    extras: { accessScopeGuids: 'Guids of its access scopes: the whole list. Absent: it keeps those that it has.' },
  }),
  list('userProfiles', UserProfile, { key: ['userGuid', 'profileId', 'roleId'] }),
  list('applications', Application),
  list('accessScopeApplicationsMappers', AccessScopeApplicationsMapper, {
    key: ['applicationGuid', 'accessScopeGuid'],
  }),
  list('accessScopeTypeApplicationsMappers', AccessScopeTypeApplicationsMapper, {
    key: ['applicationGuid', 'accessScopeTypeGuid'],
  }),
  list('translations', Translation, { key: ['translationGroup', 'fieldName', 'languageCode'] }),
  list('clients', Client, {
    with: ['clientSecret'],
    memory: ['importedSecret', 'importedIsActive'],
    extras: {
      clientSecret: 'The secret in clear, at most 72 bytes in UTF-8; stored as a hash. This or the next.',
      clientSecretHash: 'Its bcrypt hash by another system: `$2a$`, `$2b$` or `$2y$`, cost 4 to 14.',
    },
  }),
  list('tokens', Token, {
    key: ['token'],
    // the hash has no index (docs/decisions/0030)
    foundBy: ['tokenGuid', 'token'],
    also: [
      { field: 'userId', target: User, to: 'userGuid' },
      { field: 'profileId', target: Profile },
    ],
    extras: {
      token: 'The renewal token, at most 512 characters; stored as its SHA-256. This or the next.',
      tokenSha256: 'SHA-256 of its text, 64 hexadecimal digits.',
    },
    with: ['id', 'token'],
    insertOnly: ['tokenGuid', 'generation', 'startedAt'],
    isInUse: true,
  }),
];

export const listNamed = (name: string): ImportList => importLists.find((each) => each.name === name)!;
/** The list that has the records of this table. */
export const listOf = (target: RecordDescription): ImportList =>
  importLists.find(({ description }) => description === target)!;
