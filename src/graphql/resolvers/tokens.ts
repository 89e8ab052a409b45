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
import { revokeTokens } from '../../services/tokens/revoke.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ArgOf, RecordAt, Requires } from '../schema/operations.js';

const claimTypes = { text: String, id: ID, texts: [String], audience: [String], seconds: Int, confirmation: String };

/** The claims that every access token has. */
class TokenClaims {}
for (const [name, { type, required, doc }] of Object.entries(accessTokenClaims))
  if (required) Field(() => claimTypes[type], { description: doc })(TokenClaims.prototype, name);
ObjectType({ description: 'The claims of an access token.', simpleResolvers: true })(TokenClaims);

@ObjectType({
  description: 'An access scope of the profile, and whether the token would contain it.',
  simpleResolvers: true,
})
class TokenPreviewScope {
  @Field(() => String, {
    nullable: true,
    description: 'Entry of the `scopes` claim; null if the access scope has none.',
  })
  scope!: string | null;
  @Field(() => Boolean, { description: 'Whether the token would contain the entry.' }) isIssued!: boolean;
  @Field(() => String, { description: 'Why the token would or would not contain it.' }) why!: string;
  @RecordAt(AccessScope, 'accessScopeId', { description: 'The access scope.' }) accessScope!: AccessScope;
  @RecordAt(ProfileAccessScope, 'profileAccessScopeId', { description: 'The link between profile and access scope.' })
  profileAccessScope!: ProfileAccessScope;
}

@ObjectType({ description: 'The access token that would be issued now. No token is issued.', simpleResolvers: true })
class TokenPreview {
  @Field(() => Boolean, { description: 'Whether a token would be issued.' }) isIssued!: boolean;
  @Field(() => String, { nullable: true, description: 'Why no token would be issued; null if one would be.' }) refusal!:
    | string
    | null;
  @Field(() => TokenClaims, {
    nullable: true,
    description: 'The claims of the token; null if no token would be issued.',
  })
  claims!: TokenClaims | null;
  @Field(() => [TokenPreviewScope], {
    description: 'Every access scope of the profile, and why the token would or would not contain it.',
  })
  scopes!: TokenPreviewScope[];
  @RecordAt(UserProfile, 'userProfileId', {
    nullable: true,
    description: 'The link that determines the role: the one with the lowest number.',
  })
  userProfile!: UserProfile | null;
}

@ArgsType()
class TokenCriteria {
  @Field(() => ID, { nullable: true, description: 'Number of the token record.' }) tokenId?: string | null;
  @Field(() => Uuid, { nullable: true, description: 'Guid of the user.' }) userGuid?: string | null;
  @Field(() => ID, { nullable: true, description: 'Id of the profile.' }) profileId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Id of the client.' }) clientId?: string | null;
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
