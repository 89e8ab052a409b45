/** Explains who can open an application, and why a user can or cannot open it. */
import { Arg, Args, Ctx, Int, Query, Resolver, Root } from 'type-graphql';
import { AccessScope } from '../../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../../entities/Application.js';
import { Profile } from '../../../entities/Profile.js';
import { DateTime, Json } from '../../../entities/scalars.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import { type GraphContext, graphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { isSelected } from '../../../graphql/resolving/selection.js';
import { connectionOf, pageArgumentsOf } from '../../../graphql/schema/connection.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import {
  ArgOf,
  Computed,
  Member,
  MemberOrNull,
  RecordAt,
  Requires,
  Result,
} from '../../../graphql/schema/operations.js';
import { listAccessOf, type Access as ReachingWay } from '../../../services/portal/openedApplications.js';
import type { PageArguments } from '../../../services/read/readPages.js';
import { explainAccess } from '../explaining/explainAccess.js';
import type { ExplainedWay, Link, AccessReason as Reason } from '../explaining/links.js';
import type { Way } from '../explaining/ways.js';
import { contextAsOf } from '../history/state.js';
import { judgeRemedies } from '../judgeRemedies.js';

const AsOf = () =>
  Arg('asOf', () => DateTime, {
    nullable: true,
    description: 'A time in the past: the answer is that of the state at this time; absent: the current state.',
  });

/** The context of the requested time; without a time, the context itself. */
const contextOf = async (context: GraphContext, asOf: string | null | undefined): Promise<GraphContext> =>
  graphContext(asOf ? await contextAsOf(context, asOf) : context);

@Result('One way in which a profile opens an application: through one access scope and one mapping.')
class Access {
  @MemberOrNull(String, 'The URL of the application for this mapping: the individual link, or the global link.') link!:
    | string
    | null;
  @RecordAt(Profile, 'profileId', 'The profile that opens the application.') profile!: Profile;
  @RecordAt(AccessScope, 'accessScopeId', 'The access scope of the profile that opens the application.')
  accessScope!: AccessScope;
  @RecordAt(
    AccessScopeApplicationsMapper,
    'accessScopeApplicationsMapperId',
    'The mapping of the access scope; null if its type is mapped.',
    { nullable: true },
  )
  accessScopeApplicationsMapper!: AccessScopeApplicationsMapper | null;
  @RecordAt(
    AccessScopeTypeApplicationsMapper,
    'accessScopeTypeApplicationsMapperId',
    'The mapping of the access scope type; null if the access scope itself is mapped.',
    { nullable: true },
  )
  accessScopeTypeApplicationsMapper!: AccessScopeTypeApplicationsMapper | null;
}

/** A way with the context of the requested time. */
type WayThen = ReachingWay & { then: GraphContext; at: string };

@Resolver(() => Access)
export class AccessResolver {
  @Query(() => [Access], {
    description: 'The profiles and users that can open the application, and the mappings that allow it.',
  })
  @Requires('admin:read')
  async accessOf(
    @ArgOf(Application, 'applicationGuid') applicationGuid: string,
    @AsOf() asOf: string | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<WayThen[]> {
    const then = await contextOf(context, asOf);
    const at = asOf ?? context.clock.now().toISOString();
    return (await listAccessOf(then, applicationGuid)).map((way) => ({ ...way, then, at }));
  }

  @Computed(
    connectionOf(UserProfile),
    'The users who hold the profile, with their roles. Blocked users and ended assignments are left out.',
  )
  userProfiles(
    @Root() { profileId, then, at }: WayThen,
    @Args(() => pageArgumentsOf(UserProfile)) page: PageArguments,
    @Load() load: Loader,
  ) {
    const lasts = { or: [{ validUntil: { isNull: true } }, { validUntil: { gt: at } }] };
    const admitted = { user: { isBlocked: { eq: false } }, ...lasts };
    const filter = page.filter ? { and: [page.filter, admitted] } : admitted;
    return load.within(then).page(UserProfile, 'profileId', profileId, { ...page, filter });
  }
}

const AccessReason = declareEnum<Reason>('AccessReason', 'The reason why a condition for access is not met.', {
  USER_BLOCKED: 'The user is blocked.',
  PROFILE_NOT_HELD: 'The user does not hold the profile.',
  SCOPE_NOT_IN_PROFILE: 'The profile does not have the access scope.',
  GRANT_ENDED: 'The user held the profile, or the profile had the access scope, until a time that has passed.',
  SCOPE_INACTIVE: 'The access scope is inactive.',
  TYPE_INACTIVE: 'The access scope type is inactive.',
  MAPPING_STATE: 'The state of the mapping does not open the application.',
  APPLICATION_INACTIVE: 'The application is inactive.',
  NO_MAPPING: 'No mapping opens the application.',
});

const about = (what: string) => `The ${what}, if the condition involves one.`;

@Result('One condition for access, with the one or two records that it involves.')
class AccessLink {
  @Member(Boolean, 'Whether the condition is met.') holds!: boolean;
  @MemberOrNull(AccessReason, 'Why the condition is not met; null if it is met.') reason!: string | null;
  @Member(String, 'A description of the condition for people.') text!: string;
  @RecordAt(User, 'userGuid', about('user'), { nullable: true }) user!: User | null;
  @RecordAt(UserProfile, 'userProfileId', about('assignment of the profile'), { nullable: true })
  userProfile!: UserProfile | null;
  @RecordAt(Profile, 'profileId', about('profile'), { nullable: true }) profile!: Profile | null;
  @RecordAt(AccessScope, 'accessScopeId', about('access scope'), { nullable: true }) accessScope!: AccessScope | null;
  @RecordAt(AccessScopeType, 'accessScopeTypeId', about('access scope type'), { nullable: true })
  accessScopeType!: AccessScopeType | null;
  @RecordAt(AccessScopeApplicationsMapper, 'accessScopeApplicationsMapperId', about('mapping of the access scope'), {
    from: 'scopeMappingId',
    nullable: true,
  })
  accessScopeApplicationsMapper!: AccessScopeApplicationsMapper | null;
  @RecordAt(
    AccessScopeTypeApplicationsMapper,
    'accessScopeTypeApplicationsMapperId',
    about('mapping of the access scope type'),
    { from: 'typeMappingId', nullable: true },
  )
  accessScopeTypeApplicationsMapper!: AccessScopeTypeApplicationsMapper | null;
  @RecordAt(Application, 'applicationGuid', about('application'), { nullable: true }) application!: Application | null;
}

@Result('A chain of conditions under which the user can open the application.')
class AccessWay {
  @Member(Boolean, 'Whether every condition is met.') isOpen!: boolean;
  @Member([AccessLink], 'The conditions, in order from the user to the application.') links!: AccessLink[];
}

@Result('Changes that would let the user open the application.')
class Remedy {
  @Member([Json], 'Values of ChangeInput that can be sent to applyChanges.') changes!: unknown[];
  @Member(String, 'A description of the changes for people.') text!: string;
  @Member(Int, 'The number of other users who would gain access, because they hold a profile that would gain it.')
  othersGaining!: number;
}

@Result('Why a user can or cannot open an application.')
class AccessExplanation {
  @Member(Boolean, 'Whether the user can open the application.') isOpen!: boolean;
  @Member([String], 'The explanation as sentences for people.') reasons!: string[];
  @Member(Int, 'The number of ways that are open, including those that `ways` omits.') openWays!: number;
  @Member(
    Int,
    'The number of ways that begin with a profile of the user and an access scope of it, including those that `ways` omits.',
  )
  ownWays!: number;
  @Member([AccessWay], 'The ways that are open, then those with the fewest unmet conditions; at most 20.')
  ways!: AccessWay[];
  @Member(
    [Remedy],
    'Changes that would let the user open the application; empty if the user can open it already, or if `asOf` is set.',
  )
  remedies!: Remedy[];
}

type LinkKey = 'userGuid' | 'applicationGuid' | keyof Way;

/** The keys of the records that a link of each part is about. */
const keysOfParts: { [part in Link['part']]: LinkKey[] } = {
  user: ['userGuid'],
  profile: ['userGuid', 'userProfileId', 'profileId'],
  scopeOfProfile: ['profileId', 'accessScopeId'],
  scope: ['accessScopeId'],
  type: ['accessScopeTypeId'],
  mapping: ['scopeMappingId', 'typeMappingId', 'applicationGuid'],
  application: ['applicationGuid'],
};

@Resolver(() => AccessExplanation)
export class AccessExplanationResolver {
  @Query(() => AccessExplanation, {
    description: 'Why a user can or cannot open an application, and which changes would open it.',
  })
  @Requires('admin:read')
  async explainAccess(
    @ArgOf(User, 'userGuid') userGuid: string,
    @ArgOf(Application, 'applicationGuid') applicationGuid: string,
    @ArgOf(Profile, 'profileId', { nullable: true }) profileId: string | null | undefined,
    @AsOf() asOf: string | null | undefined,
    @Load() load: Loader,
  ) {
    const then = await contextOf(load.context, asOf);
    const isTried = !asOf && isSelected(load.info, ['remedies']);
    const question = { userGuid, applicationGuid, profileId: profileId ?? null };
    const explained = await explainAccess(then, question, isTried && judgeRemedies(then));
    const linksThen = ({ way, isOpen, links }: ExplainedWay) => {
      const keys = { ...way, userGuid, applicationGuid };
      const keysOf = ({ part }: Link) => Object.fromEntries(keysOfParts[part].map((name) => [name, keys[name]]));
      return { isOpen, links: links.map((link) => ({ ...link, ...keysOf(link), then })) };
    };
    return { ...explained, ways: explained.ways.map(linksThen) };
  }
}
