/** The profiles with which the viewer administers. */
import { Ctx, ID, Resolver } from 'type-graphql';
import { listOwnProfiles } from '../../services/console/administrators.js';
import type { GraphContext } from '../resolving/loaders.js';
import { Computed, Member, Result } from '../schema/operations.js';
import { Viewer } from './viewer.js';

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
