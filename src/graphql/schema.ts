/** The GraphQL schema: records with their relations, and the operations of the resolver classes. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { resolverFiles } from '../modules/resolvers.js';
import * as catalogue from './resolvers/catalogue.js';
import * as clients from './resolvers/clients.js';
import * as mappings from './resolvers/mappings.js';
import * as people from './resolvers/people.js';
import * as recordReads from './resolvers/recordReads.js';
import * as tokens from './resolvers/tokens.js';
import * as viewer from './resolvers/viewer.js';
import { attachRelations, declareRelations } from './schema/connection.js';
import { readDays } from './schema/days.js';
import { withErrorTypes } from './schema/errorTypes.js';
import { attachRecords, markOneOf, separateMutations } from './schema/operations.js';
import { describePermissions } from './schema/permissions.js';

/** The files of the core's subjects, and those of the modules. What they export as `…Resolver` or `…Resolvers` are resolver classes. */
const resolvers = [catalogue, clients, mappings, people, recordReads, tokens, viewer, ...resolverFiles].flatMap(
  (subject) => Object.entries(subject).flatMap(([name, exported]) => (/Resolvers?$/.test(name) ? exported : [])),
) as NonEmptyArray<() => unknown>;

let built: GraphQLSchema | undefined;

/** The schema; type-graphql knows types by class for the whole process, so there is one. */
export function openSchema(): GraphQLSchema {
  if (built) return built;
  declareRelations();
  built = withErrorTypes(buildSchemaSync({ resolvers, validate: false, skipCheck: true }));
  describeRoots(built);
  attachRelations(built);
  attachRecords(built);
  readDays(built);
  separateMutations(built);
  markOneOf(built);
  describePermissions(built);
  return built;
}

/** Describes the root types, which type-graphql cannot. */
function describeRoots(schema: GraphQLSchema): void {
  schema.getQueryType()!.description = 'The operations that read data.';
  schema.getMutationType()!.description =
    'The operations that change data. The mutations of a request run one after the other, each in its own transaction. Changes that could grant an administration scope also require admin:security.';
}

let printed: string | undefined;

/** Returns the text of schema.graphql, which a running service also shows. */
export function schemaText(): string {
  printed ??= `${printSchema(lexicographicSortSchema(openSchema()))}\n`;
  return printed;
}
