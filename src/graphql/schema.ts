/** The GraphQL schema: records, their relations, reads, and the operations of each record's file. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { declareAccess, declareAccessExplanation, declareSearch, declareViewer } from './records/access.js';
import {
  declareAccessScope,
  declareAccessScopeType,
  declareApplication,
  declareMappers,
  declareTranslation,
} from './records/catalogue.js';
import { declareAuditEvent, declareChangeSet, declareRecordVersion } from './records/history.js';
import {
  declarePolicyReadiness,
  declareRefusal,
  declareToken,
  declareTokenPreview,
  declareUsage,
} from './records/operations.js';
import { declareClient, declareProfile, declareRole, declareUser } from './records/people.js';
import { markOneOf } from './schema/changeInput.js';
import { attachResolvers, Operations } from './schema/declare.js';
import { withErrorTypes } from './schema/errorTypes.js';
import { declareRelations, declareRootFields } from './schema/fields.js';
import { describePermissions } from './schema/permissions.js';

const declarations = [
  declareRelations,
  declareRootFields,
  declareAuditEvent,
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
  declareSearch,
  declareTokenPreview,
  declareAccess,
  declareAccessExplanation,
  declareRecordVersion,
  declareRefusal,
  declareUsage,
  declarePolicyReadiness,
  declareChangeSet,
];
let built: GraphQLSchema | undefined;

/** The schema; type-graphql knows types by class for the whole process, so there is one. */
export function openSchema(): GraphQLSchema {
  if (built) return built;
  for (const declare of declarations) declare();
  built = withErrorTypes(buildSchemaSync({ resolvers: [Operations], validate: false, skipCheck: true }));
  describeRoots(built);
  attachResolvers(built);
  markOneOf(built);
  describePermissions(built);
  return built;
}

/** What type-graphql has no word for. */
function describeRoots(schema: GraphQLSchema): void {
  schema.getQueryType()!.description = 'What can be read.';
  schema.getMutationType()!.description =
    'What can be changed. The fields of a request are carried out one after the other, each for itself. What could give an administration scope requires admin:security too.';
}

let printed: string | undefined;

/** schema.graphql: the contract in review, and what a running service shows of itself. */
export function schemaText(): string {
  printed ??= `${printSchema(lexicographicSortSchema(openSchema()))}\n`;
  return printed;
}
