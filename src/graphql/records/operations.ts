/** What operators ask of the graph: refusals, usage, policy readiness, tokens, token previews. */
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { accessTokenClaims } from '../../auth/tokenFormat.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Client } from '../../entities/Client.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { Token } from '../../entities/Token.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { rotateKey } from '../../services/keys/rotateKey.js';
import {
  type ClientReadiness as Found,
  type PolicyFinding as FoundFinding,
  findClientReadiness,
  findPolicyReadiness,
  type PolicyState,
  policyReasons,
  policyStates,
  wordsOf,
} from '../../services/policyReadiness/findPolicyReadiness.js';
import { type Refusal as FoundRefusal, findRefusals } from '../../services/refusals/findRefusals.js';
import { refusalChecks, type RefusalCheck as Which } from '../../services/refusals/refusalWords.js';
import { type TokenPreview as Preview, type PreviewedScope, previewToken } from '../../services/tokens/previewToken.js';
import { revokeTokens } from '../../services/tokens/revoke.js';
import { type FoundUsage, findUsage } from '../../services/usage/usage.js';
import { loadBatched, loadRecord } from '../resolving/loaders.js';
import { needFields } from '../resolving/selection.js';
import { declareMutation, declareQuery, resolveBy } from '../schema/declare.js';
import { declareEnum } from '../schema/inputs.js';
import { keyArgument } from '../schema/recordMutations.js';

/** Why a token request was refused, by its trace id. */

const checkDocs: { [check in Which]: string } = {
  CLIENT: 'The client: its id and secret.',
  ID_TOKEN: 'The ID token of the identity provider.',
  PROFILE: 'The user, and whether the profile is held.',
  RENEWAL_TOKEN: 'The renewal token and its session.',
  ACCESS_TOKEN: 'The access token that was to be validated.',
  PROOF: 'The DPoP proof of possession.',
  AUDIENCE: 'The audience that was asked for.',
  SCOPE: 'The scope that was asked for.',
  GRANT: 'The grant that was asked for.',
  REQUEST: 'The form of the request.',
};
const RefusalCheck = declareEnum(
  'RefusalCheck',
  'What was judged when a token request was refused.',
  refusalChecks,
  checkDocs,
);

@ObjectType({ description: 'A token request that was refused, and why.', simpleResolvers: true })
class Refusal {
  @Field(() => String, { description: 'Trace id of the request; its caller may have chosen it.' }) traceId!: string;
  @Field(() => DateTime, { description: 'When it was refused.' }) occurredAt!: Date;
  @Field(() => String, { nullable: true, description: 'Path of the endpoint.' }) endpoint!: string | null;
  @Field(() => String, { nullable: true, description: 'The grant: `exchange`, `refresh_token` …' })
  grant!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Id of the client as presented, 100 characters of it: whoever asked may have written anything.',
  })
  clientId!: string | null;
  @Field(() => Client, { nullable: true, description: 'The client of that id, where there is one.' })
  client!: Client | null;
  @Field(() => RefusalCheck as never, { description: 'Which check refused.' }) check!: Which;
  @Field(() => String, { description: 'What happened, in words.' }) text!: string;
  @Field(() => String, { description: 'What to do about it.' }) advice!: string;
  @Field(() => String, { description: 'The cause, as the log has it.' }) detail!: string;
  @Field(() => Uuid, {
    nullable: true,
    description: 'Guid of the renewal token’s record: the first half of its `jti`.',
  })
  tokenGuid!: string | null;
  @Field(() => Token, { nullable: true, description: 'The record of the renewal token, where it is one of ours.' })
  token!: Token | null;
  @Field(() => [Refusal], { description: 'Those before it with the same trace id, the newest first; at most 19.' })
  earlier!: Refusal[];
}

export function declareRefusal(): void {
  declareQuery('refusal', {
    doc: 'Why a token request was refused: the newest with that trace id, or null where none is kept.',
    type: () => Refusal,
    nullable: true,
    arguments: {
      traceId: {
        type: () => String,
        doc: 'Trace id: of the answer’s header `trace-id`, of the log, or the `traceparent` that was sent.',
      },
    },
    resolve: async (_root, { traceId }, context) => {
      const [newest, ...earlier] = await findRefusals(context, traceId);
      return newest && { ...newest, earlier: earlier.map((each) => ({ ...each, earlier: [] })) };
    },
  });
  resolveBy('Refusal', 'client', ({ clientId }: FoundRefusal, _given, context, info) =>
    clientId === null ? null : loadRecord(context, info, Client, 'clientId', clientId),
  );
  resolveBy('Refusal', 'token', ({ tokenGuid }: FoundRefusal, _given, context, info) =>
    tokenGuid === null ? null : loadRecord(context, info, Token, 'tokenGuid', tokenGuid),
  );
}

/** Who uses which operation how, since when and how often. */

@ObjectType({ description: 'Requests of one kind: who, what and how.', simpleResolvers: true })
class Usage {
  @Field(() => String, { nullable: true, description: 'Id of the client, as presented; null: none that is known.' })
  clientId!: string | null;
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client | null;
  @Field(() => Uuid, { nullable: true, description: 'Guid of the user who called the administration.' })
  caller!: string | null;
  @Field(() => User, { nullable: true, description: 'The user; null when not known here.' })
  callerNavigation!: User | null;
  @Field(() => String, { description: 'Method and path; `others`: all that found no row of their own.' })
  operation!: string;
  @Field(() => String, { nullable: true, description: 'The grant, the options of a list, or the name of a query.' })
  option!: string | null;
  @Field(() => String, { nullable: true, description: 'Media type of the requests.' }) mediaType!: string | null;
  @Field(() => String, { nullable: true, description: 'First product that the user agent names.' })
  product!: string | null;
  @Field(() => DateTime, { description: 'First seen.' }) firstSeenAt!: Date;
  @Field(() => DateTime, { description: 'Last seen.' }) lastSeenAt!: Date;
  @Field(() => Float, { description: 'How many requests.' }) count!: number;
  @Field(() => Float, { description: 'How many of them a brown-out answered.' }) brownouts!: number;
}

export function declareUsage(): void {
  declareQuery('usage', {
    doc: 'Who uses which operation how, those seen last first; at most 10,000 kinds of requests and one for the others.',
    type: () => [Usage],
    arguments: {
      clientId: { type: () => String, nullable: true, doc: 'Of this client alone.' },
      operation: { type: () => String, nullable: true, doc: 'Of operations with this text in them, such as `/api`.' },
      since: { type: () => DateTime, nullable: true, doc: 'Seen since then.' },
      brownedOut: { type: () => Boolean, nullable: true, doc: 'Of those alone of which a brown-out answered some.' },
      first: { type: () => Int, default: 100, doc: 'How many at most.' },
    },
    resolve: (_root, given, context) => findUsage(context, given),
  });
  resolveBy('Usage', 'client', ({ clientId }: FoundUsage, _given, context, info) =>
    clientId === null ? null : loadRecord(context, info, Client, 'clientId', clientId),
  );
  resolveBy('Usage', 'callerNavigation', ({ caller }: FoundUsage, _given, context, info) =>
    caller === null ? null : loadRecord(context, info, User, 'userGuid', caller),
  );
}

/** Which clients could be hardened today, and why the others can't. */

/** `noCredentials` is NO_CREDENTIALS. */
const enumName = (reason: string): string => reason.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const PolicyReason = declareEnum(
  'PolicyReason',
  'Why the hardened policy would refuse a request, or end its session.',
  policyReasons,
  (reason) => `The client ${wordsOf(reason).text}.`,
  enumName,
);

const stateDocs: { [state in PolicyState]: string } = {
  HARDENED: 'It is judged by the hardened policy already.',
  READY: 'Its requests were judged, and none would have been refused.',
  NOT_READY: 'The hardened policy would have refused requests of it.',
  NOT_SEEN: 'Nothing of it was judged: it was not there, or there was no rehearsal.',
};
const PolicyReadinessState = declareEnum(
  'PolicyReadinessState',
  'Whether a client is ready for the hardened policy.',
  policyStates,
  stateDocs,
);

@ObjectType({ description: 'Requests of one kind that the hardened policy would refuse.', simpleResolvers: true })
class PolicyFinding {
  @Field(() => String, { description: 'Path of the endpoint.' }) operation!: string;
  @Field(() => PolicyReason as never, { description: 'Why they would be refused, or their session would end.' })
  reason!: string;
  @Field(() => String, { description: 'What the client does, in words after its name.' }) text!: string;
  @Field(() => String, { description: 'What the owner of the client does about it.' }) advice!: string;
  @Field(() => Float, { description: 'How many.' }) count!: number;
  @Field(() => DateTime, { description: 'First seen.' }) firstSeenAt!: string;
  @Field(() => DateTime, { description: 'Last seen.' }) lastSeenAt!: string;
}

@ObjectType({ description: 'Whether a client is ready for the hardened policy.', simpleResolvers: true })
class ClientPolicyReadiness {
  @Field(() => String, { description: 'Id of the client.' }) clientId!: string;
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client | null;
  @Field(() => PolicyReadinessState as never, { description: 'How it stands.' }) state!: PolicyState;
  @Field(() => Boolean, { description: 'Whether it is hardened, or could be.' }) isReady!: boolean;
  @Field(() => Float, { description: 'Its requests on which the policies could differ.' }) judged!: number;
  @Field(() => Float, { description: 'Its requests with a secret that there was no time to compare.' })
  notJudged!: number;
  @Field(() => [PolicyFinding], { description: 'What would be refused, seen last first.' })
  findings!: FoundFinding[];
}

@ObjectType({ description: 'Which active clients are ready for the hardened policy.', simpleResolvers: true })
class PolicyReadiness {
  @Field(() => String, { description: 'TOKEN_POLICY: documented, rehearsal or hardened.' }) tokenPolicy!: string;
  @Field(() => Int, { description: 'REHEARSAL_DAYS: for how long a finding counts since it was last seen.' })
  days!: number;
  @Field(() => Int, { description: 'How many clients are active.' }) clients!: number;
  @Field(() => Int, { description: 'How many of them are ready, or hardened.' }) ready!: number;
  @Field(() => Int, { description: 'How many would have been refused something.' }) notReady!: number;
  @Field(() => Int, { description: 'Of how many nothing was judged.' }) notSeen!: number;
  @Field(() => [ClientPolicyReadiness], { description: 'Those that are not ready, seen last first; at most 100.' })
  unready!: Found[];
  @Field(() => [PolicyFinding], { description: 'Findings of requests that name no client of ours.' })
  ofNobody!: FoundFinding[];
}

export function declarePolicyReadiness(): void {
  declareQuery('policyReadiness', {
    doc: 'Which active clients are ready for the hardened policy, by what TOKEN_POLICY=rehearsal found.',
    type: () => PolicyReadiness,
    resolve: (_root, _given, context) => findPolicyReadiness(context),
  });
  Field(() => ClientPolicyReadiness, { description: 'Whether it is ready for the hardened policy.' })(
    Client.prototype,
    'policyReadiness',
  );
  needFields(Client, 'policyReadiness', ['clientId']);
  resolveBy('Client', 'policyReadiness', ({ clientId }: Client, _given, context, info) =>
    loadBatched(context, info, clientId, (ids: readonly string[]) => findClientReadiness(context, ids)),
  );
  resolveBy('ClientPolicyReadiness', 'client', ({ clientId }: Found, _given, context, info) =>
    loadRecord(context, info, Client, 'clientId', clientId),
  );
}

/** Revocation of tokens, and rotation of the key that signs them. */

export function declareToken(): void {
  const criterion = (type: unknown, doc: string) => ({ type: () => type, doc, nullable: true });
  declareMutation('revokeTokens', {
    doc: 'Revokes the active renewal tokens that meet all criteria, of which there is at least one, and says how many.',
    type: () => Int,
    arguments: {
      tokenId: criterion(ID, 'The one with this number.'),
      userGuid: criterion(Uuid, 'Those of this user.'),
      profileId: criterion(ID, 'Those of this profile.'),
      clientId: criterion(ID, 'Those of this client.'),
    },
    resolve: (_root, given, context) => revokeTokens(context, given),
  });
  declareMutation('rotateSigningKey', {
    doc: 'Has the next key sign access tokens at once, and publishes a new next one.',
    type: () => SigningKey,
    resolve: async (_root, _given, context, info) =>
      loadRecord(context, info, SigningKey, 'kid', await rotateKey(context)),
  });
}

/** What a token would hold if it were issued now, and why. */

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
