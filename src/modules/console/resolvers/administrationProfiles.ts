/** The profiles with which the viewer administers. */
import { Ctx, ID, Resolver } from 'type-graphql';
import { Viewer } from '../../../graphql/resolvers/viewer.js';
import type { GraphContext } from '../../../graphql/resolving/loaders.js';
import { Computed, Member, Result } from '../../../graphql/schema/operations.js';
import { listOwnProfiles } from '../administrators.js';

@Result('A profile that grants administration permissions.')
class AdministrationProfile {
  @Member(ID, 'Id of the profile.') profileId!: string;
  @Member(String, 'Display name.') name!: string;
  @Member([String], 'The permissions of the profile: `admin:read`, `admin:write`, `admin:security`.')
  permissions!: string[];
}

@Resolver(() => Viewer)
export class AdministrationProfileResolver {
  @Computed(
    [AdministrationProfile],
    'The profiles of the viewer that grant administration permissions, most permissions first.',
  )
  administrationProfiles(@Ctx() context: GraphContext) {
    return listOwnProfiles(context);
  }
}
