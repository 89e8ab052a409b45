/** How operations are declared: name, type, arguments and description for the schema, and a plain function that answers. */
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { Arg, Field, InputType, Int, Mutation, Query, Resolver as ResolverClass } from 'type-graphql';
import { graphqlType } from '../entities/mapping.js';
import { GatehouseError } from '../errors.js';
import type { InputField } from '../services/inputRules.js';
import { namedClass } from './filter.js';
import type { GraphContext } from './loaders.js';

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
export type Resolver = GraphQLFieldResolver<any, GraphContext, any>;

const resolvers: { type: string; field: string; resolve: Resolver }[] = [];

/**
 * Has a field answered by a plain function. Not by type-graphql's own way, which makes an instance of the parent and of
 * each argument at every call.
 */
export function resolveBy(type: string, field: string, resolve: Resolver): void {
  resolvers.push({ type, field, resolve });
}

/** Puts the plain functions where they belong. */
export function attachResolvers(schema: GraphQLSchema): void {
  for (const { type, field, resolve } of resolvers) {
    const target = schema.getType(type);
    const definition = isObjectType(target) ? target.getFields()[field] : undefined;
    if (!definition) throw new Error(`the schema has no field ${type}.${field}`);
    definition.resolve = resolve;
  }
}

/** type-graphql knows operations by methods of a class; they are put on it by name. */
@ResolverClass()
export class Operations {
  declare readonly operations: never;
}

export interface Argument {
  type: () => unknown;
  doc: string;
  nullable?: boolean;
}
export interface Declaration {
  doc: string;
  type: () => unknown;
  nullable?: boolean;
  arguments?: Record<string, Argument>;
  /** Answers; absent: the field's resolver is given elsewhere. */
  resolve?: Resolver;
}

function declare(kind: 'Query' | 'Mutation', name: string, declaration: Declaration): void {
  const prototype = Operations.prototype as unknown as Record<string, unknown>;
  const method = () => undefined;
  prototype[name] = method;
  const { doc: description, nullable = false, type, resolve } = declaration;
  const decorate = kind === 'Query' ? Query : Mutation;
  decorate(type as never, { description, nullable })(prototype, name, { value: method } as never);
  Object.entries(declaration.arguments ?? {}).forEach(([argument, { type, doc, nullable = false }], index) => {
    Arg(argument, type as never, { description: doc, nullable })(prototype, name, index);
  });
  if (resolve) resolveBy(kind, name, resolve);
}

export const operationsPrototype: object = Operations.prototype;
export const declareQuery = declare.bind(null, 'Query');
export const declareMutation = declare.bind(null, 'Mutation');

/** An input type with the fields that a service checks by. */
export function inputType(name: string, doc: string, fields: readonly InputField[]): () => unknown {
  const input = namedClass(name);
  InputType(name, { description: doc })(input);
  for (const { name: member, field, required } of fields)
    Field(() => graphqlType(field), { nullable: !required, description: field.doc })(input.prototype, member);
  return () => input;
}

/**
 * `problems` of a service's input under the argument that it came in: `name` becomes `input.name`.
 * @param only the one member of the service's items, where the argument lists its values: `[2].guid` becomes `guids[2]`
 */
export async function under<T>(argument: string, work: Promise<T>, only?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatehouseError) || !error.more.problems) throw error;
    const problems = Object.entries(error.more.problems).map(([path, told]) => [place(argument, path, only), told]);
    throw new GatehouseError(error.code, error.message, { ...error.more, problems: Object.fromEntries(problems) });
  }
}

function place(argument: string, path: string, only: string | undefined): string {
  if (path === '$') return argument;
  const inner = only && path.endsWith(`].${only}`) ? path.slice(0, -only.length - 1) : path;
  return `${argument}${inner.startsWith('[') ? '' : '.'}${inner}`;
}

export const ifRevision: Argument = {
  type: () => Int,
  doc: 'The revision that was read: somebody else’s change since then is not overwritten, but told as CONFLICT.',
  nullable: true,
};
