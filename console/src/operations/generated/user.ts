/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RevokeTokensMutation, RevokeTokensMutationVariables, SessionsQuery, SessionsQueryVariables, UserPageQuery, UserPageQueryVariables } from './graph';

export const userPage: Operation<UserPageQuery, UserPageQueryVariables> =
  "query UserPage($userGuid:UUID!){user(userGuid:$userGuid){userGuid firstName lastName email telephone jobTitle department idpname idpid languagePreference isBlocked lastLoginDate revision createdDate createdByNavigation{...PersonOf}modifiedDate modifiedByNavigation{...PersonOf}userProfiles(first:100 orderBy:[{profile:{name:ASC}}]){totalCount nodes{userProfileId revision createdDate role{roleId name}profile{profileId name openedApplications{applicationGuid name appType}profileAccessScopes(first:100){totalCount nodes{accessScope{accessScopeGuid name isActive}}}}}}}}fragment PersonOf on User{firstName lastName}";
export const sessions: Operation<SessionsQuery, SessionsQueryVariables> =
  "query Sessions($userGuid:UUID!$first:Int!$after:String){tokens(first:$first after:$after filter:{userId:{eq:$userGuid}isRevoked:{eq:false}}orderBy:[{createdAt:DESC}]){totalCount pageInfo{hasNextPage endCursor}nodes{id startedAt createdAt expiresAt createdByIp generation profile{name}client{clientId name}}}}";
export const revokeTokens: Operation<RevokeTokensMutation, RevokeTokensMutationVariables> =
  "mutation RevokeTokens($tokenId:ID$userGuid:UUID$clientId:ID){revokeTokens(tokenId:$tokenId userGuid:$userGuid clientId:$clientId)}";
