/** Revocation of tokens, rotation of the key that signs them, and what a token would hold if it were issued now. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { accessTokenClaims } from '../../auth/tokenFormat.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { rotateKey } from '../../services/keys/rotateKey.js';
import { type TokenPreview as Preview, type PreviewedScope, previewToken } from '../../services/tokens/previewToken.js';
import { revokeTokens } from '../../services/tokens/revoke.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ArgOf, Requires } from '../schema/operations.js';

const claimTypes = { text: String, id: ID, texts: [String], audience: [String], seconds: Int, confirmation: String };

/** The claims that every access token has. */
class TokenClaims {}
for (const [name, { type, required, doc }] of Object.entries(accessTokenClaims))
  if (required) Field(() => claimTypes[type], { description: doc })(TokenClaims.prototype, name);
ObjectType({ description: 'The claims of an access token.', simpleResolvers: true })(TokenClaims);

@ObjectType({
  description: 'An access scope of the profile, and what becomes of it in the token.',
  simpleResolvers: true,
})
class TokenPreviewScope {
  @Field(() => String, { nullable: true, description: 'Entry of the `scopes` claim; null where there is none.' })
  scope!: string | null;
  @Field(() => Boolean, { description: 'Whether the token would hold it.' }) isIssued!: boolean;
  @Field(() => String, { description: 'Why, or why not.' }) why!: string;
}

@ObjectType({ description: 'The access token that would be issued now; nothing is issued.', simpleResolvers: true })
class TokenPreview {
  @Field(() => Boolean, { description: 'Whether a token would be issued.' }) isIssued!: boolean;
  @Field(() => String, { nullable: true, description: 'Why none would be issued.' }) refusal!: string | null;
  @Field(() => TokenClaims, { nullable: true, description: 'Its claims; null when none would be issued.' })
  claims!: TokenClaims | null;
  @Field(() => [TokenPreviewScope], { description: 'Every access scope of the profile, and why it is in the token.' })
  scopes!: TokenPreviewScope[];
}

@ArgsType()
class TokenCriteria {
  @Field(() => ID, { nullable: true, description: 'The one with this number.' }) tokenId?: string | null;
  @Field(() => Uuid, { nullable: true, description: 'Those of this user.' }) userGuid?: string | null;
  @Field(() => ID, { nullable: true, description: 'Those of this profile.' }) profileId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Those of this client.' }) clientId?: string | null;
}

@Resolver(() => TokenPreview)
export class TokenResolver {
  @Mutation(() => Int, {
    description:
      'Revokes the active renewal tokens that meet all criteria, of which there is at least one, and says how many.',
  })
  @Requires('admin:security')
  revokeTokens(@Args(() => TokenCriteria) criteria: TokenCriteria, @Ctx() context: GraphContext) {
    return revokeTokens(context, criteria);
  }

  @Mutation(() => SigningKey, {
    description: 'Has the next key sign access tokens at once, and publishes a new next one.',
  })
  @Requires('admin:security')
  async rotateSigningKey(@Load() load: Loader) {
    return load.record(SigningKey, 'kid', await rotateKey(load.context));
  }

  @Query(() => TokenPreview, {
    description:
      'What an access token of the user for the profile would hold now, and why each scope; nothing is issued.',
  })
  @Requires('admin:read')
  previewToken(
    @ArgOf(User, 'userGuid') userGuid: string,
    @ArgOf(Profile, 'profileId') profileId: string,
    @Ctx() context: GraphContext,
  ) {
    return previewToken(context, userGuid, profileId);
  }

  @FieldResolver(() => UserProfile, {
    nullable: true,
    description: 'The link that decides the role: the lowest of several.',
  })
  userProfile(@Root() { userProfileId }: Preview, @Load() load: Loader) {
    return load.record(UserProfile, 'userProfileId', userProfileId);
  }
}

@Resolver(() => TokenPreviewScope)
export class TokenPreviewScopeResolver {
  @FieldResolver(() => AccessScope, { description: 'The access scope.' })
  accessScope(@Root() { accessScopeId }: PreviewedScope, @Load() load: Loader) {
    return load.record(AccessScope, 'accessScopeId', accessScopeId);
  }

  @FieldResolver(() => ProfileAccessScope, { description: 'The link that gives it to the profile.' })
  profileAccessScope(@Root() { profileAccessScopeId }: PreviewedScope, @Load() load: Loader) {
    return load.record(ProfileAccessScope, 'profileAccessScopeId', profileAccessScopeId);
  }
}
