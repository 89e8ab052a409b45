/**
 * Describes each record: its fields and relations with their columns, and where each is visible. REST, OData, GraphQL, filters,
 * orderings and import are made from these descriptions. The decorators of fields.ts create them.
 */

import type { TextForm } from './valueForms.js';

/** Where a field may be seen or set: GraphQL answers, REST answers, filters and orderings, the import file. */
export type Face = 'graph' | 'rest' | 'filter' | 'import';
export const everywhere: readonly Face[] = ['graph', 'rest', 'filter', 'import'];
/** Everywhere except REST. */
export const inside: readonly Face[] = ['graph', 'filter', 'import'];
export const visible: readonly Face[] = ['graph', 'filter'];
export const graphOnly: readonly Face[] = ['graph'];
export const nowhere: readonly Face[] = [];

/**
 * Which changes require `admin:security`, at every door: those of records that concern administration scopes, or all
 * (services/adminScopes/guard.ts).
 */
export type Guard = 'administration' | 'every';

export type FieldType = 'integer' | 'bigint' | 'string' | 'boolean' | 'uuid' | 'dateTime' | 'bytes' | 'json';

// biome-ignore lint/suspicious/noExplicitAny: a record class is any constructor; its instances are typed where they are used
export type RecordClass<T = any> = new (...args: any[]) => T;

export interface FieldDescription {
  kind: 'field';
  name: string;
  column: string;
  type: FieldType;
  primary: boolean;
  /** Increased with each change, which fails if another change came first. */
  isRevision?: boolean;
  nullable: boolean;
  max?: number;
  holdsJson?: true;
  /** Which new values it takes; what is stored already stays. */
  form?: TextForm;
  /** Something ends then: a date without a time is the end of that day. */
  isEnd?: true;
  doc: string;
  default?: string;
  unique: boolean;
  create?: 'required' | 'optional';
  isUnversioned?: true;
  guard?: Guard;
  /** Its value cannot give or remove access. */
  isBesideAccess?: true;
  faces: readonly Face[];
}

export interface RelationDescription {
  kind: 'toOne' | 'toMany';
  name: string;
  target: () => RecordClass;
  /** The field of this record and the field of the target that are equal in related records. */
  from: string;
  to: string;
  /** False for a reference without a constraint, such as the user in createdBy. */
  constrained: boolean;
  /** What happens to this record if the other one is deleted; absent: the deletion fails. */
  onDelete?: 'cascade';
  nullable: boolean;
  doc: string;
  faces: readonly Face[];
}

export type ReadPermission = 'admin:read' | 'admin:security';

export interface RecordDescription {
  name: string;
  table: string;
  doc: string;
  /** Permission to read the record, by whatever path a query reaches it. */
  readWith: ReadPermission;
  /** Whether its changes raise the catalogue version, except changes of unversioned fields. */
  isOfCatalogue: boolean;
  /** The records cannot give or remove access. */
  isBesideAccess: boolean;
  isView: boolean;
  /** Whether its creation, its removal and every change of it are guarded, not only those of fields with `guard`. */
  isGuarded: boolean;
  record: RecordClass;
  primaryKey: FieldDescription;
  fields: FieldDescription[];
  relations: RelationDescription[];
}

const descriptions = new Map<RecordClass, RecordDescription>();

/** Registers the description of a record. */
export function addDescription(description: RecordDescription): void {
  descriptions.set(description.record, description);
}

/** The records whose files are loaded, ordered by name. */
export const describedRecords = (): RecordClass[] =>
  [...descriptions.keys()].sort((one, other) => (one.name < other.name ? -1 : 1));

/** The description of a record class. Throws on a class without @Record. */
export function describe(record: RecordClass): RecordDescription {
  const description = descriptions.get(record);
  if (!description) throw new Error(`${record.name} has no @Record`);
  return description;
}

/** The record class with that name, for references that would be import cycles. */
export function recordNamed(name: string): RecordClass {
  for (const record of descriptions.keys()) if (record.name === name) return record;
  throw new Error(`no record is named ${name}`);
}

/** The field of that name. Throws when there is none: names from outside are looked up in `fields`. */
export function fieldOf(record: RecordClass, name: string): FieldDescription {
  const field = describe(record).fields.find((candidate) => candidate.name === name);
  if (!field) throw new Error(`${record.name} has no field ${name}`);
  return field;
}

/** The fields of a record that a face shows or accepts. */
export const fieldsFor = (record: RecordClass, face: Face): FieldDescription[] =>
  describe(record).fields.filter((field) => field.faces.includes(face));

/** The field by which others refer to a record: its visible guid, or its primary key. */
export const referenceFieldOf = (record: RecordClass): FieldDescription =>
  fieldsFor(record, 'graph').find(({ type, unique }) => type === 'uuid' && unique) ?? describe(record).primaryKey;

/** The relations of a record that a face follows. */
export const relationsFor = (record: RecordClass, face: Face): RelationDescription[] =>
  describe(record).relations.filter((relation) => relation.faces.includes(face));
