/**
 * Adds the required permissions to the descriptions. A root field requires the permission in its `@Requires`. A field, or a
 * member of a filter or an ordering, requires the permission of its records; the description says so if a caller may reach it
 * without that permission.
 */
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type Permission, permissionsOf } from '../../auth/caller.js';
import { graphRecords } from '../../entities/all.js';
import { describe, type RecordClass } from '../../entities/description.js';

type Field = GraphQLField<unknown, unknown>;
/** The permissions of a caller who reaches a type. */
type Way = ReadonlySet<Permission>;

const records = new Map(graphRecords.map((record) => [describe(record).name, record]));
/** Fields that read the caller's own records. */
const ownFields = new Set(['Viewer.user', 'Viewer.requests']);

/** Adds `Requires admin:read.` and the like to descriptions. Throws for a query or mutation without `@Requires`. */
export function describePermissions(schema: GraphQLSchema): void {
  const walk = new Walk();
  for (const root of [schema.getQueryType()!, schema.getMutationType()!])
    for (const field of Object.values(root.getFields())) {
      const { requires } = field.extensions;
      if (!requires) throw new Error(`${field.name} does not say which permission it requires`);
      const ways = requires.map((permissions) => [permissions].flat());
      say(field, ways.map((permissions) => permissions.join(' and ')).join(' or ') || 'an access token');
      for (const permissions of ways.length > 0 ? ways : [[]]) walk.follow(field, having(permissions));
    }
  for (const [described, permissions] of walk.needed) say(described, [...permissions].sort().join(' and '));
  for (const type of Object.values(schema.getTypeMap())) if (isUnionType(type)) say(type, permissionsOfMembers(type));
}

/** `admin:read for User; admin:security for Client, Token` */
const permissionsOfMembers = (union: GraphQLUnionType): string =>
  [...Map.groupBy(union.getTypes(), ({ name }) => readWith(records.get(name)!))]
    .map(([permission, types]) => `${permission} for ${types.map(({ name }) => name).join(', ')}`)
    .join('; ');

const readWith = (record: RecordClass): Permission => describe(record).readWith;
const having = (permissions: readonly Permission[]): Way =>
  permissionsOf(permissions, { adminReadScopes: [], adminWriteScopes: [] });
const also = (way: Way, permission: Permission): Way => new Set([...way, ...having([permission])]);

function say(described: { description?: string | null | undefined }, permission: string): void {
  described.description = `${described.description} Requires ${permission}.`;
}

/** Follows every path to every type. */
class Walk {
  readonly needed = new Map<Field | GraphQLInputField, Set<Permission>>();
  readonly #seen = new Set<string>();

  /** @param way the permissions of the callers who reach the field */
  follow({ type, args }: Field, way: Way): void {
    this.#reach(getNamedType(type), way);
    for (const argument of args) this.#reach(getNamedType(argument.type), way);
  }

  #reach(type: GraphQLNamedType, way: Way): void {
    const key = `${type.name} ${[...way].sort().join()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (isUnionType(type))
      for (const of of type.getTypes()) this.#reach(of, also(way, readWith(records.get(of.name)!)));
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) {
        const shared = type.getInterfaces().flatMap((candidate) => candidate.getFields()[field.name] ?? []);
        this.follow(field, this.#through(type, way, field, ...shared));
      }
    if (isInputObjectType(type))
      for (const member of Object.values(type.getFields()))
        this.#reach(getNamedType(member.type), this.#through(type, way, member));
  }

  /** The permissions that every caller of the field, or user of the member, has. @param shared the same field of interfaces */
  #through<Member extends Field | GraphQLInputField>(
    parent: GraphQLNamedType,
    way: Way,
    field: Member,
    ...shared: Member[]
  ): Way {
    const typeName = getNamedType(field.type).name.replace(/(Connection|Edge|ListFilter|Filter|OrderBy)$/, '');
    const record = ('resolve' in field ? field.extensions.guardedBy : undefined) ?? records.get(typeName);
    if (!record || ownFields.has(`${parent.name}.${field.name}`)) return way;
    const permission = readWith(record);
    if (!way.has(permission))
      for (const declaration of [field, ...shared])
        this.needed.set(declaration, (this.needed.get(declaration) ?? new Set()).add(permission));
    return also(way, permission);
  }
}
