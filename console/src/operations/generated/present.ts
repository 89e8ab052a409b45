/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PresentApplicationQuery, PresentApplicationQueryVariables, PresentProfileQuery, PresentProfileQueryVariables, PresentRoleQuery, PresentRoleQueryVariables, PresentScopeQuery, PresentScopeQueryVariables, PresentTextsQuery, PresentTextsQueryVariables, PresentTypeQuery, PresentTypeQueryVariables, PresentUserQuery, PresentUserQueryVariables } from './graph';

export const presentApplication: Operation<PresentApplicationQuery, PresentApplicationQueryVariables> =
  "query PresentApplication($id:UUID!){record:application(applicationGuid:$id){revision name description appType renderingMode linkType globalExternalLink iconDefault iconHover translationGroup isIframe isTokenExchangeRequired isActive modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentUser: Operation<PresentUserQuery, PresentUserQueryVariables> =
  "query PresentUser($id:UUID!){record:user(userGuid:$id){revision isBlocked modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentProfile: Operation<PresentProfileQuery, PresentProfileQueryVariables> =
  "query PresentProfile($id:ID!){record:profile(profileId:$id){revision name description profileAccessScopes(first:1000){nodes{accessScope{accessScopeGuid}}}modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentScope: Operation<PresentScopeQuery, PresentScopeQueryVariables> =
  "query PresentScope($id:UUID!){record:accessScope(accessScopeGuid:$id){revision name description accessScopeKey concreteId isWildcard isActive translationGroup modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentType: Operation<PresentTypeQuery, PresentTypeQueryVariables> =
  "query PresentType($id:UUID!){record:accessScopeType(accessScopeTypeGuid:$id){revision name description isActive translationGroup modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentRole: Operation<PresentRoleQuery, PresentRoleQueryVariables> =
  "query PresentRole($id:ID!){record:role(roleId:$id){revision name description modifiedDate modifiedByNavigation{firstName lastName}}}";
export const presentTexts: Operation<PresentTextsQuery, PresentTextsQueryVariables> =
  "query PresentTexts($groups:[String!]!){translationGroups(first:200 filter:{translationGroup:{in:$groups}}){nodes{translationGroup translations(first:500){nodes{fieldName languageCode translatedText}}}}}";
