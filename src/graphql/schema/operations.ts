/** Decorators of resolvers, in addition to type-graphql's own. */
import {
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isNullableType,
  isObjectType,
} from 'graphql';
import {
  Arg,
  Extensions,
  Field,
  FieldResolver,
  InputType,
  type MiddlewareFn,
  ObjectType,
  UseMiddleware,
} from 'type-graphql';
import type { Permission } from '../../auth/caller.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import { GatehouseError, toGatehouseError, unavailable } from '../../errors.js';
import { mayRead } from '../../services/read/projection.js';
import type { InputField } from '../../services/records/input.js';
import { type GraphContext, Loader, refuseField } from '../resolving/loaders.js';
import { needFields } from '../resolving/selection.js';
import { namedClass } from './inputs.js';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** The permissions of a root field: the caller needs one of them; none means that any access token is enough. */
    /** One of these; of a list, all. */
    requires?: readonly (Permission | readonly Permission[])[];
    /** The record whose table a root field reads, with its relations and nothing else. */
    reads?: RecordClass;
    /** The record that the caller must be allowed to read to see the field, where the field's type does not say it. */
    guardedBy?: RecordClass;
    /** For a field of a result: the record whose `key` the result has as `from`. */
    leadsTo?: LeadsTo;
    /** Whether pages of the connection are made from memory, so that its records are objects. */
    isPagedInMemory?: boolean;
    /** How many times `first` a list may hold. */
    complexity?: number;
  }
}

/**
 * Says in the description of a query or mutation which permission it requires: one of these, all of a list, or any access token
 * when none is named. The service behind it checks the permission.
 */
export const Requires = (...permissions: (Permission | readonly Permission[])[]) =>
  Extensions({ requires: permissions });

/** Marks a query that reads the record with its relations and nothing else: its answers may be cached. */
export const Reads = (record: RecordClass) => Extensions({ requires: [describe(record).readWith], reads: record });

/** Answers a field only to callers who may read the record. For others it is null, and the answer has one error for the field. */
export function Guarded(record: RecordClass) {
  return (prototype: object, name: string): void => {
    Extensions({ guardedBy: record })(prototype, name);
    const guard: MiddlewareFn<GraphContext> = async ({ context, info }, next) =>
      mayRead(context, record) ? next() : refuseField(context, info, record);
    UseMiddleware(guard)(prototype, name);
  };
}

/** Names the fields of the record that the field's resolver uses, so that they are read with the record. */
export const Needs =
  (record: RecordClass, ...fields: string[]) =>
  (_prototype: object, name: string): void =>
    needFields(record, name, fields);

/** A member with the type and the description of a record's field. */
export function FieldOf(record: RecordClass, name: string, options: { nullable?: boolean } = {}) {
  const field = fieldOf(record, name);
  return Field(() => graphqlType(field), { description: field.doc, nullable: field.nullable, ...options });
}

/** Accepts the property only if null is a value of its TypeScript type, or only if it is none. */
type MemberDecorator<IsNullable extends boolean> = <T extends object, K extends keyof T & string>(
  prototype: T,
  name: unknown extends T[K] ? K : (null extends T[K] ? true : false) extends IsNullable ? K : never,
) => void;

/** The class of a result. @param name of the type; absent: that of the class */
export const Result = (description: string, name?: string): ClassDecorator => {
  const options = { description, simpleResolvers: true };
  return name === undefined ? ObjectType(options) : ObjectType(name, options);
};

/** A member of a result, an input or a class of arguments. @param type GraphQL's: a scalar, a class, an enumeration, a list */
export const Member = (type: unknown, description: string): MemberDecorator<false> =>
  Field(() => type as never, { description });
export const MemberOrNull = (type: unknown, description: string): MemberDecorator<true> =>
  Field(() => type as never, { description, nullable: true });

/** A field of a result that a method answers. */
export const Computed = (type: unknown, description: string) => FieldResolver(() => type as never, { description });
export const ComputedOrNull = (type: unknown, description: string) =>
  FieldResolver(() => type as never, { description, nullable: true });

interface LeadsTo {
  record: RecordClass;
  key: string;
  from: string;
}

/**
 * A field of a result that leads to a record: the one whose `key` the result has, under the same name or as `from`. A list of
 * keys leads to a list of records. A result with the context of another time, `then`, leads to the records of that time.
 */
export const RecordAt =
  (
    record: RecordClass,
    key: string,
    description: string,
    { from = key, isList = false, nullable = false }: { from?: string; isList?: boolean; nullable?: boolean } = {},
  ): PropertyDecorator =>
  (prototype, name) => {
    Field(() => (isList ? [record] : record) as never, { description, nullable })(prototype, name);
    Extensions({ leadsTo: { record, key, from } })(prototype, name as string);
  };

/** Gives the fields of results that lead to records their resolvers. */
export function attachRecords(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type))
      for (const field of Object.values(type.getFields()))
        if (field.extensions.leadsTo) field.resolve = readRecordAt(field.extensions.leadsTo);
}

const readRecordAt =
  ({ record, key, from }: LeadsTo): GraphQLFieldResolver<Record<string, unknown>, GraphContext> =>
  (result, _arguments, context, info) => {
    const load = new Loader((result.then as GraphContext | undefined) ?? context, info);
    const keys = result[from] ?? null;
    return Array.isArray(keys) ? load.records(record, key, keys) : load.record(record, key, keys);
  };

/** An argument with the name, the type and the description of a record's field. */
export function ArgOf(record: RecordClass, name: string, options: { nullable?: boolean } = {}) {
  const field = fieldOf(record, name);
  return Arg(name, () => graphqlType(field), { description: field.doc, ...options });
}

/** An input type with the fields that a service accepts. */
export function inputType(
  name: string,
  description: string,
  fields: readonly (InputField & { isList?: true })[],
): RecordClass {
  const input = namedClass(name);
  InputType(name, { description })(input);
  for (const { name: member, field, required, isList } of fields)
    Field(() => (isList ? [graphqlType(field)] : graphqlType(field)), {
      nullable: !required,
      description: field.doc,
    })(input.prototype, member);
  return input;
}

const oneOf = new Set<string>();

/** Of an input, exactly one member is given. */
export function OneOf(input: RecordClass): void {
  oneOf.add(input.name);
}

/** type-graphql does not know `@oneOf`. */
export function markOneOf(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type) && oneOf.has(type.name)) type.isOneOf = true;
}

/**
 * Makes every mutation nullable, so that the failure of one leaves the answers of the others. A mutation that is not
 * declared nullable is null only with an error. After a failure of the database, the mutations that follow in the request are
 * not tried.
 */
export function separateMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()!.getFields())) {
    const { type, resolve } = field;
    field.type = getNullableType(type);
    field.resolve = async (root, args, context: GraphContext, info: GraphQLResolveInfo) => {
      if (context.away.error) throw notTried(context.away.error);
      try {
        const answer = await resolve!(root, args, context, info);
        return isNullableType(type) ? answer : requirePresent(answer);
      } catch (error) {
        if (toGatehouseError(error).code === 'UNAVAILABLE') context.away.error = error;
        throw error;
      }
    };
  }
}

/**
 * Returns a record that was read after a change. Throws NOT_FOUND if somebody else has removed it: null without an error would
 * not say so.
 */
export function requirePresent<Answer>(answer: Answer): Answer {
  if (answer === null || (Array.isArray(answer) && answer.includes(null)))
    throw new GatehouseError('NOT_FOUND', 'The record was changed, and somebody else has removed it since.');
  return answer;
}

/** The mutations that follow do not wait for the database again. */
const notTried = (cause: unknown): GatehouseError =>
  unavailable(
    'What an earlier mutation of this request needs',
    cause,
    5,
    'this one was not tried, and changed nothing',
  );
