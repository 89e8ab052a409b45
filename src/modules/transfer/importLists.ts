/** The lists of an import file: the key of a row, its properties, and its references. */
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
  /** The record's own field, which a row may contain instead or in addition. */
  own: FieldDescription;
  /** Whether that field is the other record's number instead of its guid or id. */
  byNumber: boolean;
}

export interface ImportList {
  name: string;
  description: RecordDescription;
  /** The properties that name a record, in the file as in the database. */
  key: string[];
  /** The fields by which a record is looked up: those of the key, or fields derived from it if the key has no index. */
  foundBy: string[];
  /** Scalars that a row may contain, without references. */
  fields: FieldDescription[];
  references: Reference[];
  /** Further groups of fields that no two records share. */
  uniques: string[][];
  /** The fields by which SCIM finds a record: no two share them in one case and form of Unicode, as only the database judges. */
  foundByScim: string[];
  /** Properties that rules of their own read. */
  extras: string[];
  /** A description of each property, for the reference. */
  extraDocs: Record<string, string>;
  /** Fields with the values of the last import, to detect changes made here since; and who manages the record. */
  memory: FieldDescription[];
  /** Fields that rules set at the creation only. */
  insertOnly: FieldDescription[];
  /** Whether files in git may manage the records: their values have a history, and are neither personal nor secret. */
  isManageable: boolean;
  /** Whether requests use the records, so that they are changed last. */
  isInUse: boolean;
}

type ListOptions = Partial<Pick<ImportList, 'key' | 'foundBy' | 'uniques' | 'foundByScim' | 'isInUse'>> & {
  /** With a description of each. */
  extras?: Record<string, string>;
  /** Fields that are written although the entity does not declare them for the import. */
  with?: string[];
  memory?: string[];
  insertOnly?: string[];
  /** References without a constraint in the database. */
  also?: { field: string; target: RecordClass; to?: string }[];
};

/** The field by which other systems identify a record: its guid, or else its key if that is a text. */
export function namingField({ fields, primaryKey }: RecordDescription): FieldDescription | undefined {
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
  const isManageable = description.fields.some((field) => field.name === 'managedBy');
  const fields = [...fieldsFor(record, 'import'), ...(options.with ?? []).map((field) => fieldOf(record, field))];
  const key = options.key ?? [namingField(description)!.name];
  return {
    name,
    description,
    key,
    foundBy: options.foundBy ?? key,
    fields: fields.filter((field) => !references.some(({ own }) => own === field)),
    references,
    uniques: [...(primaryKey.type === 'string' ? [] : [[primaryKey.name]]), ...(options.uniques ?? [])],
    foundByScim: options.foundByScim ?? [],
    extras: Object.keys(options.extras ?? {}),
    extraDocs: options.extras ?? {},
    memory: [...(options.memory ?? []), ...(isManageable ? ['managedBy'] : [])].map((field) => fieldOf(record, field)),
    insertOnly: (options.insertOnly ?? []).map((field) => fieldOf(record, field)),
    isManageable,
    isInUse: options.isInUse ?? false,
  };
}

/** References that the database enforces; the user in createdBy is not one. */
function referencesOf({ record, relations }: RecordDescription): Reference[] {
  return relations
    .filter((relation) => relation.kind === 'toOne' && relation.constrained)
    .map((relation) => reference(fieldOf(record, relation.from), relation.target(), relation.to));
}

function reference(own: FieldDescription, record: RecordClass, to: string): Reference {
  const target = describe(record);
  const field = namingField(target)!;
  return { field, target, own, byNumber: to !== field.name };
}

/** In an order in which referenced records come first. */
export const importLists: ImportList[] = [
  list('roles', Role),
  list('users', User, {
    uniques: [['idpname', 'idpid']],
    foundByScim: ['idpname', 'userName'],
    memory: ['importedIsBlocked'],
  }),
  list('accessScopeTypes', AccessScopeType, { uniques: [['name']] }),
  list('accessScopes', AccessScope),
  list('profiles', Profile, {
    foundByScim: ['externalGroup'],
    extras: {
      accessScopeGuids: 'Guids of its access scopes: the whole list. Absent: it keeps those that it has.',
      accessScopeEnds:
        'When those of accessScopeGuids end, by their guids, each a date or a date-time; others have no end. Absent: each keeps the end that it has.',
    },
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
      clientSecret: 'The secret in clear, at most 72 bytes in UTF-8; stored as a hash. Or send `clientSecretHash`.',
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
      token: 'The renewal token, at most 512 characters; stored as its SHA-256. Or send `tokenSha256`.',
      tokenSha256: 'SHA-256 of its text, 64 hexadecimal digits.',
    },
    with: ['id', 'token'],
    insertOnly: ['tokenGuid', 'generation', 'startedAt'],
    isInUse: true,
  }),
];

export const listNamed = (name: string): ImportList => importLists.find((candidate) => candidate.name === name)!;
/** The list that has the records of this table. */
export const listOfTable = (target: RecordDescription): ImportList =>
  importLists.find(({ description }) => description === target)!;
