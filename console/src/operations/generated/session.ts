/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  "query Me{viewer{userGuid profileId permissions mappingActiveStates signedInAt sessionEndsAt administrationProfiles{profileId name permissions}user{firstName lastName email}}}";
