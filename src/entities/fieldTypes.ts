/** A described field as MikroORM's column and as type-graphql's field. */
import { ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field as GraphqlField, Int as GraphqlInt, ID } from 'type-graphql';
import type { FieldDescription, FieldType, RecordClass, RelationDescription } from './description.js';
import { DateTime, Json as JsonScalar, Uuid } from './scalars.js';

/** camelCase to snake_case; also the ORM's naming strategy. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** PostgreSQL's type of a field, without its length. */
export const columnTypes: { [type in FieldType]: string } = {
  integer: 'integer',
  bigint: 'bigint',
  string: 'text',
  boolean: 'boolean',
  uuid: 'uuid',
  dateTime: 'timestamptz(3)',
  bytes: 'bytea',
  json: 'jsonb',
};
const runtimeTypes: { [type in FieldType]?: string } = { dateTime: 'datetime', bytes: 'blob' };
/** Keys of type bigint are IDs, because JavaScript's numbers are exact only up to 2^53. */
const graphqlTypes = {
  integer: GraphqlInt,
  bigint: ID,
  string: String,
  boolean: Boolean,
  uuid: Uuid,
  dateTime: DateTime,
  bytes: String,
  json: JsonScalar,
};

export function mapColumn(record: RecordClass, member: FieldDescription, foreignKeys: RelationDescription[]): void {
  const columnType = member.max === undefined ? columnTypes[member.type] : `varchar(${member.max})`;
  const shape = {
    type: runtimeTypes[member.type] ?? member.type,
    columnType,
    nullable: member.nullable,
    ...(member.unique && { unique: true }),
    ...(member.isRevision && { version: true }),
    ...(member.default !== undefined && { defaultRaw: member.default }),
  };
  if (member.primary) {
    const identity = member.type === 'integer' || member.type === 'bigint';
    PrimaryKey({ ...shape, ...(identity && { autoincrement: true, generated: 'by default as identity' }) })(
      record.prototype,
      member.name,
    );
  } else {
    const isForeignKey = foreignKeys.some((relation) => relation.from === member.name);
    Property({ ...shape, ...(isForeignKey && { persist: false }) })(record.prototype, member.name);
  }
}

export function mapForeignKey(record: RecordClass, relation: RelationDescription, index: boolean): void {
  ManyToOne({
    entity: relation.target,
    joinColumn: columnName(relation.from),
    ...(relation.to !== relation.from && { targetKey: relation.to }),
    nullable: relation.nullable,
    index,
    deleteRule: relation.onDelete ?? 'restrict',
    updateRule: 'cascade',
  })(record.prototype, relation.name);
}

export function mapGraphqlField(record: RecordClass, member: Omit<FieldDescription, 'faces'>): void {
  GraphqlField(() => graphqlType(member), { nullable: member.nullable, description: member.doc })(
    record.prototype,
    member.name,
  );
}

/** The GraphQL type of a field. */
export const graphqlType = ({ type, primary }: Pick<FieldDescription, 'type' | 'primary'>) =>
  primary && type === 'string' ? ID : graphqlTypes[type];
