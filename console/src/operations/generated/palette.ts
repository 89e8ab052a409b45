/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, FindQuery, FindQueryVariables } from './graph';

export const find: Operation<FindQuery, FindQueryVariables> =
  "query Find($applications:ApplicationFilter$people:UserFilter$scopes:AccessScopeFilter$profiles:ProfileFilter){applications(first:5 filter:$applications orderBy:[{name:ASC}]){nodes{applicationGuid name appType isActive}}users(first:5 filter:$people orderBy:[{lastName:ASC}]){nodes{userGuid firstName lastName email}}accessScopes(first:5 filter:$scopes orderBy:[{name:ASC}]){nodes{accessScopeGuid name accessScopeType{name}}}profiles(first:5 filter:$profiles orderBy:[{name:ASC}]){nodes{profileId name}}}";
