/** Reads what a profile would give a person, before it is given. */
import { Arg, Int, Resolver, Root } from 'type-graphql';
import { Application } from '../../../entities/Application.js';
import { Profile } from '../../../entities/Profile.js';
import { Uuid } from '../../../entities/scalars.js';
import { Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { Computed, Member, Needs, RecordAt, Result } from '../../../graphql/schema/operations.js';
import { previewedMax, previewGrants } from '../grantPreview.js';

@Result(
  'What a person would gain by a profile, beside the profiles that the person holds. A blocked user gains nothing.',
)
class GrantPreview {
  @Member(Boolean, 'Whether the person holds the profile already.') isHeld!: boolean;
  @Member(Int, 'The number of applications that the profile opens for whoever holds it.') opens!: number;
  @Member(Int, 'The number of applications that the person would gain.') applications!: number;
  @Member(Int, 'The number of entries of `scopes` that the person would gain.') scopes!: number;
  @RecordAt(
    Application,
    'applicationId',
    `The applications that the person would gain, by name; at most ${previewedMax}.`,
    { from: 'applicationIds', isList: true },
  )
  newApplications!: Application[];
  @Member([String], `The entries of \`scopes\` that the person would gain, sorted; at most ${previewedMax}.`)
  entries!: string[];
}

@Resolver(() => Profile)
export class GrantPreviewResolver {
  @Computed(GrantPreview, 'What the user would gain by the profile.')
  @Needs(Profile, 'profileId')
  wouldGive(
    @Root() { profileId }: Profile,
    @Arg('userGuid', () => Uuid, { description: 'Guid of the user.' }) userGuid: string,
    @Load() load: Loader,
  ) {
    return load.batched(profileId, (ids: readonly string[]) => previewGrants(load.context, userGuid, ids));
  }
}
