/** The GraphQL schema: records with their relations, and the operations of the resolver classes. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AccessExplanationResolver, AccessLinkResolver, AccessResolver } from './resolvers/access.js';
import { AccessRequestResolver, OwnRequestsResolver } from './resolvers/accessRequests.js';
import {
  AccessScopeResolver,
  AccessScopeTypeResolver,
  ApplicationResolver,
  TranslationResolver,
} from './resolvers/catalogue.js';
import { CataloguePlanResolver } from './resolvers/catalogueFile.js';
import { ChangeSetResolver } from './resolvers/changeSets.js';
import { ClientResolver, ClientWithSecretResolver } from './resolvers/clients.js';
import { comparedResolvers, ProfileComparisonResolver, UserComparisonResolver } from './resolvers/compare.js';
import { AccessDeltaResolver, AccessItemResolver, EffectResolver } from './resolvers/effect.js';
import { AuditEventResolver, HistoryResolver, NamedRecordsResolver } from './resolvers/history.js';
import { mappingResolvers } from './resolvers/mappings.js';
import {
  MappingsOfTypeResolver,
  OverviewResolver,
  UnusualProfileResolver,
  UnusualProfilesResolver,
} from './resolvers/overview.js';
import { EmailMatchResolver, ProfileResolver, RoleResolver, UserResolver } from './resolvers/people.js';
import { ClientReadinessResolver, PolicyReadinessResolver } from './resolvers/policyReadiness.js';
import { ApproverHintResolver, ChangeSinceResolver, ProposalResolver } from './resolvers/proposals.js';
import { recordReads } from './resolvers/recordReads.js';
import { RefusalResolver, UsageResolver } from './resolvers/requests.js';
import { ReviewItemResolver, ReviewOwnerResolver, ReviewResolver } from './resolvers/reviews.js';
import { SearchResolver } from './resolvers/search.js';
import { TokenPreviewScopeResolver, TokenResolver } from './resolvers/tokens.js';
import {
  OpenedAccessResolver,
  OpenedApplicationsResolver,
  OpenedByUserResolver,
  ViewerResolver,
} from './resolvers/viewer.js';
import { markOneOf } from './schema/changes.js';
import { attachRelations, declareRelations } from './schema/connection.js';
import { withErrorTypes } from './schema/errorTypes.js';
import { separateMutations } from './schema/operations.js';
import { describePermissions } from './schema/permissions.js';

/** All resolver classes. */
const resolvers = [
  ApproverHintResolver,
  ChangeSinceResolver,
  AccessDeltaResolver,
  AccessExplanationResolver,
  AccessItemResolver,
  AccessLinkResolver,
  AccessRequestResolver,
  AccessResolver,
  AccessScopeResolver,
  AccessScopeTypeResolver,
  ApplicationResolver,
  AuditEventResolver,
  CataloguePlanResolver,
  ChangeSetResolver,
  ClientReadinessResolver,
  ClientResolver,
  ClientWithSecretResolver,
  ...comparedResolvers,
  EffectResolver,
  ProfileComparisonResolver,
  UserComparisonResolver,
  EmailMatchResolver,
  HistoryResolver,
  MappingsOfTypeResolver,
  NamedRecordsResolver,
  OpenedAccessResolver,
  OpenedApplicationsResolver,
  OpenedByUserResolver,
  OverviewResolver,
  OwnRequestsResolver,
  PolicyReadinessResolver,
  ProfileResolver,
  ProposalResolver,
  RefusalResolver,
  ReviewItemResolver,
  ReviewOwnerResolver,
  ReviewResolver,
  RoleResolver,
  SearchResolver,
  TokenPreviewScopeResolver,
  TokenResolver,
  TranslationResolver,
  UnusualProfileResolver,
  UnusualProfilesResolver,
  UsageResolver,
  UserResolver,
  ViewerResolver,
  ...mappingResolvers,
  ...recordReads,
] as const;

let built: GraphQLSchema | undefined;

/** The schema; type-graphql knows types by class for the whole process, so there is one. */
export function openSchema(): GraphQLSchema {
  if (built) return built;
  declareRelations();
  built = withErrorTypes(buildSchemaSync({ resolvers, validate: false, skipCheck: true }));
  describeRoots(built);
  attachRelations(built);
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
