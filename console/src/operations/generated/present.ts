/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PresentApplicationQuery, PresentApplicationQueryVariables, PresentProfileQuery, PresentProfileQueryVariables, PresentRoleQuery, PresentRoleQueryVariables, PresentScopeQuery, PresentScopeQueryVariables, PresentTextsQuery, PresentTextsQueryVariables, PresentTypeQuery, PresentTypeQueryVariables, PresentUserQuery, PresentUserQueryVariables } from './graph';

export const presentApplication: Operation<PresentApplicationQuery, PresentApplicationQueryVariables> =
  "query PresentApplication($id:UUID!){record:application(applicationGuid:$id){...ApplicationFields modifiedDate modifiedByNavigation{...PersonOf}}}fragment ApplicationFields on Application{revision name description appType renderingMode linkType globalExternalLink iconDefault iconHover translationGroup isIframe isTokenExchangeRequired isActive}fragment PersonOf on User{firstName lastName}";
export const presentUser: Operation<PresentUserQuery, PresentUserQueryVariables> =
  "query PresentUser($id:UUID!){record:user(userGuid:$id){revision isBlocked modifiedDate modifiedByNavigation{...PersonOf}}}fragment PersonOf on User{firstName lastName}";
export const presentProfile: Operation<PresentProfileQuery, PresentProfileQueryVariables> =
  "query PresentProfile($id:ID!){record:profile(profileId:$id){revision name description profileAccessScopes(first:1000){nodes{accessScope{accessScopeGuid}}}modifiedDate modifiedByNavigation{...PersonOf}}}fragment PersonOf on User{firstName lastName}";
export const presentScope: Operation<PresentScopeQuery, PresentScopeQueryVariables> =
  "query PresentScope($id:UUID!){record:accessScope(accessScopeGuid:$id){...AccessScopeFields modifiedDate modifiedByNavigation{...PersonOf}}}fragment AccessScopeFields on AccessScope{revision name description accessScopeKey concreteId isWildcard isActive translationGroup}fragment PersonOf on User{firstName lastName}";
export const presentType: Operation<PresentTypeQuery, PresentTypeQueryVariables> =
  "query PresentType($id:UUID!){record:accessScopeType(accessScopeTypeGuid:$id){...AccessScopeTypeFields modifiedDate modifiedByNavigation{...PersonOf}}}fragment AccessScopeTypeFields on AccessScopeType{revision name description isActive translationGroup}fragment PersonOf on User{firstName lastName}";
export const presentRole: Operation<PresentRoleQuery, PresentRoleQueryVariables> =
  "query PresentRole($id:ID!){record:role(roleId:$id){revision name description modifiedDate modifiedByNavigation{...PersonOf}}}fragment PersonOf on User{firstName lastName}";
export const presentTexts: Operation<PresentTextsQuery, PresentTextsQueryVariables> =
  "query PresentTexts($groups:[String!]!){translationGroups(first:200 filter:{translationGroup:{in:$groups}}){nodes{translationGroup translations(first:500){nodes{...TextOf}}}}}fragment TextOf on Translation{fieldName languageCode translatedText}";
