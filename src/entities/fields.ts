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
  type ReadPermission,
  type RecordClass,
  type RelationDescription,
} from './description.js';
import { columnName, mapColumn, mapForeignKey, mapGraphqlField } from './fieldTypes.js';

interface Options<Nullable extends boolean | undefined> {
  doc: string;
  nullable?: Nullable;
  /** SQL expression of the column's default. */
  default?: string;
  unique?: boolean;
  /** Whether a create operation accepts it; absent: it can't be set. An update accepts the same fields. */
  create?: 'required' | 'optional';
  faces?: readonly Face[];
}
interface TextOptions<Nullable extends boolean | undefined> extends Options<Nullable> {
  /** Longest value, in Unicode code points; absent: unbounded. */
  max?: number;
  /** The text is JSON; input may also be the JSON value itself. */
  holdsJson?: true;
}

type Member = FieldDescription | RelationDescription;
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

function field(type: FieldType, options: TextOptions<boolean | undefined>, primary = false) {
  return (prototype: object, name: string): void =>
    remember(prototype, {
      kind: 'field',
      name,
      column: columnName(name),
      type,
      primary,
      nullable: options.nullable ?? false,
      doc: options.doc,
      unique: options.unique ?? false,
      faces: options.faces ?? [],
      ...(options.max !== undefined && { max: options.max }),
      ...(options.holdsJson && { holdsJson: options.holdsJson }),
      ...(options.default !== undefined && { default: options.default }),
      ...(options.create !== undefined && { create: options.create }),
    });
}

type Maker<Value> = <const N extends boolean | undefined = undefined>(options: Options<N>) => FieldDecorator<Value, N>;

export const Text = field.bind(null, 'string') as <const N extends boolean | undefined = undefined>(
  options: TextOptions<N>,
) => FieldDecorator<string, N>;
export const Int = field.bind(null, 'integer') as Maker<number>;
export const Long = field.bind(null, 'bigint') as Maker<string>;
export const Flag = field.bind(null, 'boolean') as Maker<boolean>;
export const Guid = field.bind(null, 'uuid') as Maker<string>;
export const When = field.bind(null, 'dateTime') as Maker<Date>;
export const Bytes = field.bind(null, 'bytes') as Maker<Buffer>;
export const Json = field.bind(null, 'json') as Maker<object>;

/** The primary key: an identity column, or a text (with `max`), uuid or bytes that the caller sets. */
export const Key = (type: 'integer' | 'bigint' | 'uuid' | 'string' | 'bytes', options: TextOptions<undefined>) =>
  field(type, options, true);

/** Counts the changes of a record, starting at 1. */
export const Revision =
  (faces: readonly Face[] = ['graph', 'filter']) =>
  (prototype: object, name: string): void => {
    field('integer', {
      doc: 'Increases with each change. Send it as ifRevision to avoid overwriting other changes.',
      default: '1',
      faces,
    })(prototype, name);
    const revision = membersOf.get(prototype)?.at(-1) as FieldDescription;
    revision.isRevision = true;
  };

interface RelationOptions {
  doc: string;
  faces?: readonly Face[];
  nullable?: boolean;
}

/** The record whose field `to` (default: of the same name) equals the field `from` of this record. */
export function ToOne(
  target: () => RecordClass,
  from: string,
  options: RelationOptions & { to?: string; constrained?: boolean; onDelete?: 'cascade' },
) {
  return (prototype: object, name: string): void =>
    remember(prototype, {
      kind: 'toOne',
      name,
      target,
      from,
      to: options.to ?? from,
      constrained: options.constrained ?? true,
      nullable: options.nullable ?? false,
      doc: options.doc,
      faces: options.faces ?? [],
      ...(options.onDelete && { onDelete: options.onDelete }),
    });
}

/** The records whose field `to` (default: of the same name) equals the field `from` of this record. */
export function ToMany(target: () => RecordClass, from: string, options: RelationOptions & { to?: string }) {
  return (prototype: object, name: string): void =>
    remember(prototype, {
      kind: 'toMany',
      name,
      target,
      from,
      to: options.to ?? from,
      constrained: false,
      nullable: options.nullable ?? false,
      doc: options.doc,
      faces: options.faces ?? [],
    });
}

const shapes: { shape: RecordClass; members: readonly Member[] }[] = [];

/** Makes a class a GraphQL interface: every record that has all of its members, in the same meaning, implements it. */
export function Shape(doc: string) {
  return (shape: abstract new () => object): void => {
    const members = (membersOf.get(shape.prototype) ?? []).filter(({ faces }) => faces.includes('graph'));
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
  /** Permission to read it; absent: `admin:read`. */
  readWith?: ReadPermission;
  /** Not a GraphQL type. */
  hidden?: boolean;
}

/** Makes a class a table and a GraphQL type, from the decorated members of the class and its base classes. */
export function Record(options: RecordOptions) {
  return (record: RecordClass): void => {
    const members = collectMembers(record.prototype);
    const fields = members.filter((member) => member.kind === 'field');
    const relations = members.filter((member) => member.kind !== 'field');
    const primaryKey = fields.find((member) => member.primary);
    if (!primaryKey) throw new Error(`${record.name} has no @Key`);
    addDescription({
      name: record.name,
      table: options.table,
      doc: options.doc,
      readWith: options.readWith ?? 'admin:read',
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
    if (options.hidden) return;
    for (const member of fields) if (member.faces.includes('graph')) mapGraphqlField(record, member);
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
