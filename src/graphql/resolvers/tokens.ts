/** Revokes tokens, rotates the signing key, and previews tokens. */
import { Args, ArgsType, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { accessTokenClaims } from '../../auth/tokenFormat.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { rotateKey } from '../../services/keys/rotateKey.js';
import { previewToken } from '../../services/tokens/previewToken.js';
import { revokeTokens } from '../../services/tokens/revokeSessions.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ArgOf, Member, MemberOrNull, RecordAt, Requires, Result } from '../schema/operations.js';

const claimTypes = { text: String, id: ID, texts: [String], audience: [String], seconds: Int, confirmation: String };

/** The claims that every access token has. */
class TokenClaims {}
for (const [name, { type, required, doc }] of Object.entries(accessTokenClaims))
  if (required) Field(() => claimTypes[type], { description: doc })(TokenClaims.prototype, name);
ObjectType({ description: 'The claims of an access token.', simpleResolvers: true })(TokenClaims);

@Result('An access scope of the profile, and whether the token would contain it.')
class TokenPreviewScope {
  @MemberOrNull(String, 'Entry of the `scopes` claim; null if the access scope has none.') scope!: string | null;
  @Member(Boolean, 'Whether the token would contain the entry.') isIssued!: boolean;
  @Member(String, 'Why the token would or would not contain it.') why!: string;
  @RecordAt(AccessScope, 'accessScopeId', 'The access scope.') accessScope!: AccessScope;
  @RecordAt(ProfileAccessScope, 'profileAccessScopeId', 'The link between profile and access scope.')
  profileAccessScope!: ProfileAccessScope;
}

@Result('The access token that would be issued now. No token is issued.')
class TokenPreview {
  @Member(Boolean, 'Whether a token would be issued.') isIssued!: boolean;
  @MemberOrNull(String, 'Why no token would be issued; null if one would be.') refusal!: string | null;
  @MemberOrNull(TokenClaims, 'The claims of the token; null if no token would be issued.') claims!: TokenClaims | null;
  @Member([TokenPreviewScope], 'Every access scope of the profile, and why the token would or would not contain it.')
  scopes!: TokenPreviewScope[];
  @RecordAt(UserProfile, 'userProfileId', 'The link that determines the role: the one with the lowest number.', {
    nullable: true,
  })
  userProfile!: UserProfile | null;
}

@ArgsType()
class TokenCriteria {
  @MemberOrNull(ID, 'Number of the token record.') tokenId?: string | null;
  @MemberOrNull(Uuid, 'Guid of the user.') userGuid?: string | null;
  @MemberOrNull(ID, 'Id of the profile.') profileId?: string | null;
  @MemberOrNull(ID, 'Id of the client.') clientId?: string | null;
}

@Resolver(() => TokenPreview)
export class TokenResolver {
  @Mutation(() => Int, {
    description:
      'Revokes the active renewal tokens that match all criteria and returns their number. At least one criterion is required.',
  })
  @Requires('admin:security')
  revokeTokens(@Args(() => TokenCriteria) criteria: TokenCriteria, @Ctx() context: GraphContext) {
    return revokeTokens(context, criteria);
  }

  @Mutation(() => SigningKey, {
    description:
      'Rotates the signing key: the next key signs access tokens immediately, and a new next key is published.',
  })
  @Requires('admin:security')
  async rotateSigningKey(@Load() load: Loader) {
    return load.record(SigningKey, 'kid', await rotateKey(load.context));
  }

  @Query(() => TokenPreview, {
    description:
      'Returns the access token that the user would get for the profile now, and why it contains each scope. No token is issued.',
  })
  @Requires('admin:read')
  previewToken(
    @ArgOf(User, 'userGuid') userGuid: string,
    @ArgOf(Profile, 'profileId') profileId: string,
    @Ctx() context: GraphContext,
  ) {
    return previewToken(context, userGuid, profileId);
  }
}
