/** The GraphQL schema: records, their relations, reads, and the operations of each record's file. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { attachResolvers, declareRelations } from './relations.js';
import { declareRootFields, RootFields } from './rootFields.js';

let built: GraphQLSchema | undefined;

/** The schema; type-graphql knows types by class for the whole process, so there is one. */
export function openSchema(): GraphQLSchema {
  if (built) return built;
  declareRelations();
  declareRootFields();
  built = buildSchemaSync({ resolvers: [RootFields], validate: false, skipCheck: true });
  attachResolvers(built);
  return built;
}

/** schema.graphql: the contract in review. */
export const schemaText = (): string => `${printSchema(lexicographicSortSchema(openSchema()))}\n`;
