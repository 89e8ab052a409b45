/** The GraphQL schema: records, their relations, reads, and the operations of each record's file. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { declareAccess } from './records/Access.js';
import { declareAccessExplanation } from './records/AccessExplanation.js';
import { declareAccessScope } from './records/AccessScope.js';
import { declareAccessScopeType } from './records/AccessScopeType.js';
import { declareApplication } from './records/Application.js';
import { declareAuditEvent } from './records/AuditEvent.js';
import { declareChangeSet } from './records/ChangeSet.js';
import { declareClient } from './records/Client.js';
import { declareMappers } from './records/mappers.js';
import { declarePolicyReadiness } from './records/PolicyReadiness.js';
import { declareProfile } from './records/Profile.js';
import { declareRecordVersion } from './records/RecordVersion.js';
import { declareRefusal } from './records/Refusal.js';
import { declareRole } from './records/Role.js';
import { declareSearch } from './records/SearchHit.js';
import { declareToken } from './records/Token.js';
import { declareTokenPreview } from './records/TokenPreview.js';
import { declareTranslation } from './records/Translation.js';
import { declareUsage } from './records/Usage.js';
import { declareUser } from './records/User.js';
import { declareViewer } from './records/Viewer.js';
import { markOneOf } from './schema/changeInput.js';
import { attachResolvers, Operations } from './schema/declare.js';
import { withErrorTypes } from './schema/errorTypes.js';
import { describePermissions } from './schema/permissions.js';
import { declareRelations } from './schema/relations.js';
import { declareRootFields } from './schema/rootFields.js';

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
