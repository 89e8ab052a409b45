/** The GraphQL schema: records, their relations, reads, and the operations of each record's file. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { declareAccess } from './Access.js';
import { declareAccessScope } from './AccessScope.js';
import { declareAccessScopeType } from './AccessScopeType.js';
import { declareApplication } from './Application.js';
import { declareClient } from './Client.js';
import { declareMappers } from './mappers.js';
import { attachResolvers, Operations } from './operations.js';
import { declareProfile } from './Profile.js';
import { declareRole } from './Role.js';
import { declareRelations } from './relations.js';
import { declareRootFields } from './rootFields.js';
import { declareToken } from './Token.js';
import { declareTokenPreview } from './TokenPreview.js';
import { declareTranslation } from './Translation.js';
import { declareUser } from './User.js';
import { declareViewer } from './Viewer.js';

const declarations = [
  declareRelations,
  declareRootFields,
  declareApplication,
  declareMappers,
  declareAccessScope,
  declareAccessScopeType,
  declareUser,
  declareProfile,
  declareRole,
  declareTranslation,
  declareClient,
  declareToken,
  declareViewer,
  declareTokenPreview,
  declareAccess,
];
let built: GraphQLSchema | undefined;

/** The schema; type-graphql knows types by class for the whole process, so there is one. */
export function openSchema(): GraphQLSchema {
  if (built) return built;
  for (const declare of declarations) declare();
  built = buildSchemaSync({ resolvers: [Operations], validate: false, skipCheck: true });
  attachResolvers(built);
  return built;
}

/** schema.graphql: the contract in review. */
export const schemaText = (): string => `${printSchema(lexicographicSortSchema(openSchema()))}\n`;
