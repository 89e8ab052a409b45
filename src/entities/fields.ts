/**
 * One line per field: each decorator below makes the database column, the GraphQL field and the entry of the record's
 * description. Nothing leaves the service unless `faces` says so.
 */
import 'reflect-metadata';
import { Entity, Index, OneToMany, Unique } from '@mikro-orm/decorators/legacy';
import { Field, InterfaceType, ObjectType } from 'type-graphql';
import {
  addDescription,
  describe,
  type Face,
  type FieldDescription,
  type FieldType,
  type Guard,
  type ReadPermission,
  type RecordClass,
  type RelationDescription,
  recordNamed,
  visible,
} from './description.js';
import { columnName, mapColumn, mapForeignKey, mapGraphqlField } from './fieldTypes.js';
import { nameForm, type TextForm } from './valueForms.js';

interface Options<Nullable extends boolean | undefined> {
  nullable?: Nullable;
  /** SQL expression of the column's default. */
  default?: string;
  unique?: boolean;
  /** Whether a create operation accepts the field; absent: the field can't be set. An update accepts the same fields. */
  create?: 'required' | 'optional';
  /** Exchanges and renewals write the field: it changes without a new catalogue version and has no history. */
  isUnversioned?: true;
  /** Which changes of the field require `admin:security`; absent: none. */
  guard?: Guard;
  /** Something ends then: a date without a time is the end of that day in `TIME_ZONE`. */
  isEnd?: true;
  /** Its value cannot give or remove access. A review counts every other field as one that can. */
  isBesideAccess?: true;
  /** Absent: those of the record. */
  faces?: readonly Face[];
}
interface TextOptions<Nullable extends boolean | undefined> extends Options<Nullable> {
  /** Longest value, in Unicode code points; absent: unbounded. */
  max?: number;
  /** Which new values it takes; absent: where `max` is, those that turn no text. */
  form?: TextForm;
  /** The text is JSON; input may also be the JSON value itself. */
  holdsJson?: true;
}

interface Faces {
  faces?: readonly Face[];
}
/** A field or relation as its decorator describes it. */
type Member = (Omit<FieldDescription, 'faces'> & Faces) | (Omit<RelationDescription, 'faces'> & Faces);
const membersOf = new WeakMap<object, Member[]>();

/** Refuses a property whose TypeScript type is not `Value`, or null without `nullable: true`, or the reverse. */
type Fits<T, K extends keyof T, Value, Nullable> = [T[K]] extends [Nullable extends true ? Value | null : Value]
  ? null extends T[K]
    ? Nullable extends true
      ? K
      : never
    : Nullable extends true
      ? never
      : K
  : never;
type FieldDecorator<Value, Nullable> = <T extends object, K extends keyof T & string>(
  prototype: T,
  name: Fits<T, K, Value, Nullable> & K,
) => void;

function remember(prototype: object, member: Member): void {
  const members = membersOf.get(prototype) ?? [];
  members.push(member);
  membersOf.set(prototype, members);
}

function field(type: FieldType, doc: string, options: TextOptions<boolean | undefined> = {}, primary = false) {
  return (prototype: object, name: string): void => {
    const { nullable = false, unique = false, ...others } = options;
    remember(prototype, {
      kind: 'field',
      name,
      column: columnName(name),
      type,
      primary,
      nullable,
      unique,
      doc,
      ...(type === 'string' && others.max !== undefined && !others.holdsJson && { form: nameForm }),
      ...others,
    });
  };
}

type Maker<Value> = <const N extends boolean | undefined = undefined>(
  doc: string,
  options?: Options<N>,
) => FieldDecorator<Value, N>;

export const Text = field.bind(null, 'string') as <const N extends boolean | undefined = undefined>(
  doc: string,
  options?: TextOptions<N>,
) => FieldDecorator<string, N>;
export const Int = field.bind(null, 'integer') as Maker<number>;
export const Long = field.bind(null, 'bigint') as Maker<string>;
export const Flag = field.bind(null, 'boolean') as Maker<boolean>;
export const Guid = field.bind(null, 'uuid') as Maker<string>;
export const When = field.bind(null, 'dateTime') as Maker<Date>;
export const Bytes = field.bind(null, 'bytes') as Maker<Buffer>;
export const JsonValue = field.bind(null, 'json') as Maker<object>;

/** The primary key: an identity column, or a text (with `max`), uuid or bytes that the caller sets. */
export const Key = (
  type: 'integer' | 'bigint' | 'uuid' | 'string' | 'bytes',
  doc: string,
  options?: TextOptions<undefined>,
) => field(type, doc, options, true);

/** Counts the changes of a record, starting at 1. */
export const Revision = () => (prototype: object, name: string) => {
  const doc = 'Increases with each change. Send it as ifRevision to avoid overwriting other changes.';
  field('integer', doc, { default: '1', faces: visible })(prototype, name);
  Object.assign(membersOf.get(prototype)!.at(-1)!, { isRevision: true });
};

interface RelationOptions {
  /** The field of the target; absent: the one with the same name. */
  to?: string;
  /** False: the reference has no constraint and, unless `nullable` is false, may be null. */
  constrained?: false;
  onDelete?: 'cascade';
  nullable?: boolean;
  faces?: readonly Face[];
}

type RelationMaker = (
  target: () => RecordClass,
  from: string,
  doc: string,
  options?: RelationOptions,
) => PropertyDecorator;

const relation =
  (kind: RelationDescription['kind']): RelationMaker =>
  (target, from, doc, { to = from, constrained = kind === 'toOne', ...options } = {}) =>
  (prototype, name) => {
    const nullable = kind === 'toOne' && !constrained;
    remember(prototype, { kind, name: String(name), target, from, to, constrained, nullable, doc, ...options });
  };

/** A relation to the record whose field `to` equals the field `from` of this record. */
export const ToOne = relation('toOne');

/** The user whose guid the field has; null if there is no such user, because the reference has no constraint. */
export const ToUser = (from: string, doc: string, options?: Pick<RelationOptions, 'faces'>) =>
  ToOne(() => recordNamed('User'), from, doc, { to: 'userGuid', constrained: false, ...options });

/** A relation to the records whose field `to` equals the field `from` of this record. */
export const ToMany = relation('toMany');

const shapes: { shape: RecordClass; members: readonly Member[] }[] = [];

/** Makes a class a GraphQL interface. Every record that has all members of the class, with the same descriptions, implements it. */
export function Shape(doc: string) {
  return (shape: abstract new () => object): void => {
    const members = (membersOf.get(shape.prototype) ?? []).filter(({ faces }) => faces?.includes('graph'));
    for (const member of members)
      if (member.kind === 'field') mapGraphqlField(shape as RecordClass, member);
      else Field(member.target, { nullable: member.nullable, description: member.doc })(shape.prototype, member.name);
    InterfaceType({ description: doc })(shape);
    shapes.push({ shape: shape as RecordClass, members });
  };
}

const shapesOf = (members: readonly Member[]): RecordClass[] =>
  shapes
    .filter((shape) =>
      shape.members.every(({ name, doc }) => members.some((own) => own.name === name && own.doc === doc)),
    )
    .map(({ shape }) => shape);

interface RecordOptions {
  table: string;
  doc: string;
  /** Groups of fields that are unique together. */
  unique?: string[][];
  /** Groups of fields looked up together; fields of a constrained relation are indexed by themselves. */
  index?: string[][];
  /** Permission to read the record; absent: `admin:read`. */
  readWith?: ReadPermission;
  /** The faces of the fields and relations that name none; absent: none, so nothing of the record leaves the service. */
  faces?: readonly Face[];
  /** Whether answers that read only this record and others of the catalogue can be cached (docs/decisions/0031). */
  isOfCatalogue?: true;
  /** Whether its records cannot give or remove access. */
  isBesideAccess?: true;
  /** Whether it is a view, which a migration creates: read-only, and unknown to the ORM. */
  isView?: true;
  /** Whether the record decides who administers: while it concerns administration scopes, it changes only with `admin:security`. */
  isGuarded?: true;
}

/** Makes a class a table and a GraphQL type, from the decorated members of the class and its base classes. */
export function Record(options: RecordOptions) {
  return (record: RecordClass): void => {
    const members = collectMembers(record.prototype).map((member) => ({ faces: options.faces ?? [], ...member }));
    const fields = members.filter((member) => member.kind === 'field');
    const relations = members.filter((member) => member.kind !== 'field');
    const primaryKey = fields.find((member) => member.primary);
    if (!primaryKey) throw new Error(`${record.name} has no @Key`);
    addDescription({
      name: record.name,
      table: options.table,
      doc: options.doc,
      readWith: options.readWith ?? 'admin:read',
      isOfCatalogue: options.isOfCatalogue ?? false,
      isBesideAccess: options.isBesideAccess ?? false,
      isView: options.isView ?? false,
      isGuarded: options.isGuarded ?? false,
      record,
      primaryKey,
      fields,
      relations,
    });
    const foreignKeys = relations.filter((relation) => relation.kind === 'toOne' && relation.constrained);
    for (const member of fields) mapColumn(record, member, foreignKeys);
    for (const relation of foreignKeys) {
      const isFirstOfUnique = options.unique?.some((group) => group[0] === relation.name) ?? false;
      mapForeignKey(record, relation, !isFirstOfUnique);
    }
    for (const properties of options.unique ?? []) Unique({ properties } as never)(record as never);
    for (const properties of options.index ?? []) Index({ properties } as never)(record as never);
    Entity({ tableName: options.table, comment: options.doc })(record);
    const shown = fields.filter(({ faces }) => faces.includes('graph'));
    if (shown.length === 0) return;
    for (const member of shown) mapGraphqlField(record, member);
    ObjectType({ description: options.doc, simpleResolvers: true, implements: shapesOf(members) })(record);
  };
}

/**
 * Maps the to-many relations of a record as collections, where the other record has a foreign key. A member that is removed
 * from a collection is deleted if it would be deleted with the record. Call it when every record is described.
 */
export function mapCollections(record: RecordClass): void {
  for (const { kind, name, target, from, to } of describe(record).relations) {
    if (kind !== 'toMany') continue;
    const owner = describe(target()).relations.find(
      (relation) => relation.constrained && relation.from === to && relation.to === from,
    );
    if (!owner) continue;
    const orphanRemoval = owner.onDelete === 'cascade';
    OneToMany({ entity: target, mappedBy: owner.name, orphanRemoval })(record.prototype, name);
  }
}

function collectMembers(prototype: object | null): Member[] {
  if (!prototype || prototype === Object.prototype) return [];
  return [...(membersOf.get(prototype) ?? []), ...collectMembers(Object.getPrototypeOf(prototype))];
}
