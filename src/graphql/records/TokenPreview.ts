/** What a token would hold if it were issued now, and why. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { accessTokenClaims } from '../../auth/tokenClaims.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { type TokenPreview as Preview, type PreviewedScope, previewToken } from '../../services/tokens/previewToken.js';
import { loadRecord } from '../resolving/loaders.js';
import { declareQuery, resolveBy } from '../schema/declare.js';
import { keyArgument } from '../schema/recordMutations.js';

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
  @Field(() => AccessScope, { description: 'The access scope.' }) accessScope!: AccessScope;
  @Field(() => ProfileAccessScope, { description: 'The link that gives it to the profile.' })
  profileAccessScope!: ProfileAccessScope;
}

@ObjectType({ description: 'The access token that would be issued now; nothing is issued.', simpleResolvers: true })
class TokenPreview {
  @Field(() => Boolean, { description: 'Whether a token would be issued.' }) isIssued!: boolean;
  @Field(() => String, { nullable: true, description: 'Why none would be issued.' }) refusal!: string | null;
  @Field(() => TokenClaims, { nullable: true, description: 'Its claims; null when none would be issued.' })
  claims!: TokenClaims | null;
  @Field(() => UserProfile, { nullable: true, description: 'The link that decides the role: the lowest of several.' })
  userProfile!: UserProfile | null;
  @Field(() => [TokenPreviewScope], { description: 'Every access scope of the profile, and why it is in the token.' })
  scopes!: TokenPreviewScope[];
}

export function declareTokenPreview(): void {
  declareQuery('previewToken', {
    doc: 'What an access token of the user for the profile would hold now, and why each scope; nothing is issued.',
    type: () => TokenPreview,
    arguments: { userGuid: keyArgument(User, 'userGuid'), profileId: keyArgument(Profile, 'profileId') },
    resolve: (_root, { userGuid, profileId }, context) => previewToken(context, userGuid, profileId),
  });
  resolveBy('TokenPreview', 'userProfile', ({ userProfileId }: Preview, _given, context, info) =>
    userProfileId === null ? null : loadRecord(context, info, UserProfile, 'userProfileId', userProfileId),
  );
  resolveBy('TokenPreviewScope', 'accessScope', ({ accessScopeId }: PreviewedScope, _given, context, info) =>
    loadRecord(context, info, AccessScope, 'accessScopeId', accessScopeId),
  );
  resolveBy('TokenPreviewScope', 'profileAccessScope', (parent: PreviewedScope, _given, context, info) =>
    loadRecord(context, info, ProfileAccessScope, 'profileAccessScopeId', parent.profileAccessScopeId),
  );
}
