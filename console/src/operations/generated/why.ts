/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, WhyApplicationQuery, WhyApplicationQueryVariables, WhyPersonQuery, WhyPersonQueryVariables, WhyQuery, WhyQueryVariables } from './graph';

export const why: Operation<WhyQuery, WhyQueryVariables> =
  "query Why($userGuid:UUID!$applicationGuid:UUID!){user(userGuid:$userGuid){userGuid firstName lastName email jobTitle isBlocked}application(applicationGuid:$applicationGuid){applicationGuid name appType isActive}explainAccess(userGuid:$userGuid applicationGuid:$applicationGuid){isOpen reasons ways{isOpen links{holds reason text userProfile{role{name}}profile{profileId name}accessScope{accessScopeGuid name accessScopeKey concreteId isWildcard isActive}accessScopeType{accessScopeTypeGuid name}accessScopeApplicationsMapper{state}accessScopeTypeApplicationsMapper{state}}}remedies{text changes othersGaining}}}";
export const whyPerson: Operation<WhyPersonQuery, WhyPersonQueryVariables> =
  "query WhyPerson($userGuid:UUID!){user(userGuid:$userGuid){userGuid firstName lastName email}}";
export const whyApplication: Operation<WhyApplicationQuery, WhyApplicationQueryVariables> =
  "query WhyApplication($applicationGuid:UUID!){application(applicationGuid:$applicationGuid){applicationGuid name}}";
