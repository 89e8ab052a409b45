/** How operations are declared: name, type, arguments and description for the schema, and a plain function that answers. */
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { Arg, Field, InputType, Int, Mutation, Query, Resolver as ResolverClass } from 'type-graphql';
import type { Context } from '../../context.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import { DateTime } from '../../entities/scalars.js';
import { GatehouseError, toGatehouseError, unavailable } from '../../errors.js';
import type { InputField } from '../../services/records/input.js';
import type { GraphContext } from '../resolving/loaders.js';
import { namedClass } from './inputs.js';

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
  default?: unknown;
}
interface Declaration {
  doc: string;
  type: () => unknown;
  /** Whether null is an answer. Every mutation is nullable in the schema; where it is not, null comes with an error. */
  nullable?: boolean;
  /** Of a list: how many times `first` it may have. */
  timesFirst?: number;
  arguments?: Record<string, Argument>;
  /** Answers; absent: the field's resolver is given elsewhere. */
  resolve?: Resolver;
}

export type Mutating = Declaration & Required<Pick<Declaration, 'resolve'>>;

/** What a mutation does, apart from what it answers: alone it is a request, and in a change set one of many. */
export interface Change {
  name: string;
  arguments: Record<string, Argument>;
  /** Carries it out. Its problems are keyed by the arguments' paths. */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
  apply(context: Context, given: any): Promise<unknown>;
  /** How many records it may touch. */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
  items(given: any): number;
}

interface ChangeDeclaration extends Omit<Declaration, 'resolve'>, Pick<Change, 'apply'> {
  items?: Change['items'];
  /** What the mutation answers. @param changed what `apply` gave */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
  answer?(changed: any, given: any, context: GraphContext, info: GraphQLResolveInfo): unknown;
}

/** Everything that a change set may hold. */
export const changes: Change[] = [];

/** Declares a mutation that a change set may hold as well. */
export function declareChange(name: string, declaration: ChangeDeclaration): void {
  const { apply, items = () => 1, answer = (changed) => changed, ...others } = declaration;
  changes.push({ name, arguments: declaration.arguments ?? {}, apply, items });
  declareMutation(name, {
    ...others,
    resolve: async (_root, given, context, info) => answer(await apply(context, given), given, context, info),
  });
}

/**
 * What a change made, as it is read afterwards. Throws NOT_FOUND for what others have removed by then: null without an
 * error would say nothing.
 */
export function stillThere<Answer>(answer: Answer): Answer {
  if (answer === null || (Array.isArray(answer) && answer.includes(null)))
    throw new GatehouseError('NOT_FOUND', 'It was changed, and somebody else removed it since.');
  return answer;
}

/** Declares a mutation: nullable, so that its failure leaves the answers of those beside it. */
export function declareMutation(name: string, { nullable = false, resolve, ...others }: Mutating): void {
  declare('Mutation', name, {
    ...others,
    nullable: true,
    resolve: async (root, given, context, info) => {
      if (context.away.error) throw notTried(context.away.error);
      try {
        const answer = await resolve(root, given, context, info);
        return nullable ? answer : stillThere(answer);
      } catch (error) {
        if (toGatehouseError(error).code === 'UNAVAILABLE') context.away.error = error;
        throw error;
      }
    },
  });
}

/** The database is not waited for again by each of the mutations that follow. */
const notTried = (cause: unknown): GatehouseError =>
  unavailable(
    'What an earlier mutation of this request needs',
    cause,
    5,
    'this one was not tried, and changed nothing',
  );

function declare(kind: 'Query' | 'Mutation', name: string, declaration: Declaration): void {
  const prototype = Operations.prototype as unknown as Record<string, unknown>;
  const method = () => undefined;
  prototype[name] = method;
  const { doc: description, nullable = false, timesFirst: complexity = 1, type, resolve } = declaration;
  const decorate = kind === 'Query' ? Query : Mutation;
  decorate(type as never, { description, nullable, complexity })(prototype, name, { value: method } as never);
  Object.entries(declaration.arguments ?? {}).forEach(
    ([argument, { type, doc, nullable = false, default: defaultValue }], index) => {
      const options = { description: doc, nullable, ...(defaultValue !== undefined && { defaultValue }) };
      Arg(argument, type as never, options as never)(prototype, name, index);
    },
  );
  if (resolve) resolveBy(kind, name, resolve);
}

export const operationsPrototype: object = Operations.prototype;
export const declareQuery = declare.bind(null, 'Query');

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
    const problems = Object.entries(error.more.problems).map(([path, messages]) => [
      place(argument, path, only),
      messages,
    ]);
    throw new GatehouseError(error.code, error.message, { ...error.more, problems: Object.fromEntries(problems) });
  }
}

function place(argument: string, path: string, only: string | undefined): string {
  if (path === '$') return argument;
  const inner = only && path.endsWith(`].${only}`) ? path.slice(0, -only.length - 1) : path;
  return `${argument}${inner.startsWith('[') ? '' : '.'}${inner}`;
}

export const asOf: Argument = {
  type: () => DateTime,
  doc: 'As it was then; absent: as it is.',
  nullable: true,
};

export const ifRevision: Argument = {
  type: () => Int,
  doc: 'The revision that was read: somebody else’s change since then is not overwritten, but answered with CONFLICT.',
  nullable: true,
};
