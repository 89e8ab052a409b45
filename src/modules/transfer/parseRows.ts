/** Reads the rows of an import file, with each fault at its JSON path. */
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
import { badInput, type GatehouseError, type Problems } from '../../errors.js';
import { isJsonObject } from '../../jsonObject.js';
import { readFieldValue, shorten } from '../../services/records/input.js';

/** The findings of an import by the path of the value, such as `clients[1].clientSecret`. */

/** Maximum number of reported kinds; the rest are counted. */
const kindsMax = 100;
/** Maximum number of rows of a kind that are reported separately; more are reported once, with a count and the first of them. */
const rowsReportedMax = 5;
/** An import with this many faults is not read further. */
const faultsMax = 100_000;

/** Findings that differ only in the row, and perhaps in numbers. */
interface Kind {
  first: string[];
  texts: string[];
  count: number;
}

export class Findings {
  count = 0;
  readonly #paths = new Map<string, string>();
  readonly #kinds = new Map<string, Kind>();
  #unreported = 0;

  /** Reported once, however often it is added. */
  add(path: string, text: string): void {
    if (this.#paths.get(path) === text) return;
    this.count++;
    this.#paths.set(path, text);
    const name = `${path.replace(/\[\d{1,19}\]/g, '[]')}\0${text.replace(/\d{1,19}/g, '#')}`;
    const kind = this.#kinds.get(name) ?? { first: [], texts: [], count: 0 };
    if (kind.count === 0 && this.#kinds.size === kindsMax) {
      this.#unreported++;
      return;
    }
    this.#kinds.set(name, kind);
    if (++kind.count > rowsReportedMax) return;
    kind.first.push(path);
    kind.texts.push(text);
  }

  /** Whether something was reported for that path. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The findings in the order in which they were found. */
  toProblems(): Problems {
    const reported = new Map<string, string[]>();
    const report = (path: string, text: string) => reported.set(path, [...(reported.get(path) ?? []), text]);
    for (const { first, texts, count } of this.#kinds.values()) {
      if (count > rowsReportedMax) report(first[0]!, `${texts[0]} (${count} of these, the first ${rowsOf(first)})`);
      else for (const [index, path] of first.entries()) report(path, texts[index]!);
    }
    if (this.#unreported > 0) report('…', `and ${this.#unreported} more`);
    return Object.fromEntries(reported);
  }
}

/** `users[3], users[7]` from the paths of values in them. */
const rowsOf = (paths: readonly string[]): string => [...new Set(paths.map((path) => path.split('.')[0]))].join(', ');

/** Faults. If there are any, nothing is written. */
export class Faults extends Findings {
  /** Throws BAD_USER_INPUT when there are too many. */
  override add(path: string, text: string): void {
    super.add(path, text);
    if (this.count === faultsMax) throw this.#toError();
  }

  /** Throws BAD_USER_INPUT when there are any. */
  require(): void {
    if (this.count > 0) throw this.#toError();
  }

  #toError(): GatehouseError {
    return badInput(this.toProblems());
  }
}

/** The lists of an import file: the key of a row, its properties, and its references. */

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

type ListOptions = Partial<Pick<ImportList, 'key' | 'foundBy' | 'uniques' | 'isInUse'>> & {
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
  list('users', User, { uniques: [['idpname', 'idpid']], memory: ['importedIsBlocked'] }),
  list('accessScopeTypes', AccessScopeType, { uniques: [['name']] }),
  list('accessScopes', AccessScope),
  list('profiles', Profile, {
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

/** Reads the rows of a parsed import file by the entities' descriptions, without the database. */

export type Scalar = string | number | boolean | null;

export interface ImportRow {
  /** Such as `clients[1]`. */
  path: string;
  /** The values of the row in their stored form. */
  values: Record<string, Scalar>;
  /** Numbers that name other records, by property. */
  numbers: Record<string, number>;
  /** The values of properties with their own rules. */
  extras: Record<string, unknown>;
  /** Number of characters in its texts. */
  length: number;
}

export interface ListRows {
  list: ImportList;
  rows: ImportRow[];
}

/** All lists of the file, absent ones empty. @param timeZone of dates without a time where something ends */
export function readRows(file: unknown, faults: Faults, timeZone: string): ListRows[] {
  if (!isJsonObject(file)) {
    faults.add('$', 'must be a JSON object with lists such as "users"');
    return [];
  }
  for (const name of Object.keys(file))
    if (!importLists.some((list) => list.name === name))
      faults.add(shorten(name), `is not one of the lists ${importLists.map((list) => list.name).join(', ')}`);
  return importLists.map((list) => ({ list, rows: readList(list, file[list.name], faults, timeZone) }));
}

function readList(list: ImportList, rows: unknown, faults: Faults, timeZone: string): ImportRow[] {
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) {
    faults.add(list.name, 'must be an array');
    return [];
  }
  const readers = readersOf(list, timeZone);
  const read: ImportRow[] = [];
  for (const [index, row] of rows.entries()) {
    const path = `${list.name}[${index}]`;
    if (isJsonObject(row)) read.push(readRow(path, row, readers, faults));
    else faults.add(path, 'must be an object');
  }
  return read;
}

type Reader = (row: ImportRow, value: unknown, path: string, faults: Faults) => void;

/** The reader of each property that a row of the list may have. */
function readersOf({ fields, references, extras }: ImportList, timeZone: string): Map<string, Reader> {
  const readers = new Map<string, Reader>();
  for (const field of fields) readers.set(field.name, scalar(field, field.name, timeZone));
  for (const { field, own, byNumber } of references) {
    const required = { ...field, nullable: false };
    readers.set(own.name, byNumber ? number(own) : scalar(required, field.name, timeZone));
    readers.set(field.name, scalar(required, field.name, timeZone));
  }
  for (const name of extras)
    readers.set(name, (row, value) => {
      row.extras[name] = value;
    });
  // the spelling of requests in the contract
  const isIframe = readers.get('isIframe');
  if (isIframe) readers.set('isIFrame', isIframe);
  return readers;
}

function scalar(field: FieldDescription, name: string, timeZone: string): Reader {
  return (row, value, path, faults) => {
    const read = readFieldValue(field, value, timeZone);
    if ('problem' in read) faults.add(path, read.problem);
    else if (name in row.values && row.values[name] !== read.value) faults.add(path, `is not the same as ${name}`);
    else row.values[name] = read.value;
    if (typeof value === 'string') row.length += value.length;
  };
}

function number(field: FieldDescription): Reader {
  return (row, value, path, faults) => {
    const read = readFieldValue({ ...field, primary: true }, value);
    if ('problem' in read) faults.add(path, read.problem);
    else row.numbers[field.name] = read.value as number;
  };
}

function readRow(path: string, object: Record<string, unknown>, readers: Map<string, Reader>, faults: Faults) {
  const row: ImportRow = { path, values: {}, numbers: {}, extras: {}, length: 0 };
  for (const name of Object.keys(object)) {
    const read = readers.get(name);
    if (read) read(row, object[name], `${path}.${name}`, faults);
    else faults.add(`${path}.${shorten(name)}`, 'is not a property of this list');
  }
  return row;
}
