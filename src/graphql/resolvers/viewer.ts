/** Reads the caller and the applications that a profile opens. */
import { Arg, Args, ArgsType, Ctx, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { Profile } from '../../entities/Profile.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import {
  countOpeningProfiles,
  listOpenedAccess,
  type OpenedAccess as Opened,
  type OpenedFilter,
} from '../../services/portal/openedAccess.js';
import { listOpenedApplications, listOpenedBy } from '../../services/portal/openedApplications.js';
import { findOwnUser, getViewer, listOwnScopes, type OwnView } from '../../services/portal/viewer.js';
import { pageOfSlice, requireSlice } from '../../services/read/readPages.js';
import { listOwnHeldProfiles } from '../../services/tokens/heldProfiles.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { selectionOf } from '../resolving/selection.js';
import { connectionOf, SliceOfList } from '../schema/connection.js';
import {
  Computed,
  ComputedOrNull,
  Guarded,
  Member,
  MemberOrNull,
  Needs,
  RecordAt,
  Requires,
  Result,
} from '../schema/operations.js';

/** The fields that a portal shows of every application. */
@ObjectType({ simpleResolvers: true })
export abstract class ShownApplication {
  @Member(String, 'Display name, in the requested language if there is a translation.') name!: string;
  @MemberOrNull(String, 'Description shown to people, in the requested language if there is a translation.')
  description!: string | null;
  @Member(String, 'The icon.') iconDefault!: string;
  @Member(String, 'The icon under the pointer.') iconHover!: string;
  @Member(String, 'Type of the application.') appType!: string;
}

@Result('An application that a profile opens, as shown in a portal.')
class OpenedApplication extends ShownApplication {
  @Member(Uuid, 'Guid of the application.') applicationGuid!: string;
  @Member(String, 'How the application is rendered.') renderingMode!: string;
  @Member(String, 'How the link opens.') linkType!: string;
  @MemberOrNull(String, 'The individual link, or the global link if there is no individual one.') link!: string | null;
  @MemberOrNull(Boolean, 'Whether the application requires a token exchange.') isTokenExchangeRequired!: boolean | null;
  @MemberOrNull(Boolean, 'Whether the application is shown in an iframe.') isIframe!: boolean | null;
}

@Result('A profile that the viewer holds.')
class ViewerProfile {
  @Member(ID, 'Id of the profile.') profileId!: string;
  @Member(String, 'Display name.') name!: string;
  @Member(ID, 'Role of the viewer in the profile.') roleId!: string;
  @MemberOrNull(DateTime, 'When the assignment of the profile ends; null if it has no end.') validUntil!: string | null;
}

@Result('The caller: the subject of the access token, or the user who is signed in to the console.')
export class Viewer {
  @Member(ID, 'Guid of the user: the subject of the token.') userGuid!: string;
  @Member(ID, 'Id of the profile.') profileId!: string;
  @Member(ID, 'Role of the user in the profile.') roleId!: string;
  @Member([String], 'The permissions of the viewer: `admin:read`, `admin:write`, `admin:security`.')
  permissions!: string[];
  @MemberOrNull(DateTime, 'When the console session began; null with an access token.') signedInAt!: string | null;
  @MemberOrNull(DateTime, 'When the console session ends at the latest; null with an access token.')
  sessionEndsAt!: string | null;
  @Member([String], 'The states in which a mapping opens its application.') mappingActiveStates!: string[];
  @Member(String, 'The time zone of dates without a time where something ends: `TIME_ZONE`.') timeZone!: string;
  @Member(
    String,
    'Which changes a second person must approve: `none`, `security` (those that require admin:security) or `all`.',
  )
  approvals!: string;
}

/** A viewer with the language of the query. */
export type LocalView = OwnView & { languageCode: string | null | undefined };

const LanguageCode = () =>
  Arg('languageCode', () => String, {
    nullable: true,
    description: 'Language of names and descriptions, such as `de` or `pt-BR`.',
  });

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, {
    description:
      'Returns the caller, the profile and the applications that it opens. Any valid access token is enough. With ADMIN_AUTH=none, returns the system user.',
  })
  @Requires()
  viewer(@LanguageCode() languageCode: LocalView['languageCode'], @Ctx() context: GraphContext): LocalView {
    return { ...getViewer(context), languageCode };
  }

  @ComputedOrNull(User, 'The user; null if there is no such user.')
  user(@Load() load: Loader) {
    return findOwnUser(load.context, selectionOf(load.info, User));
  }

  @Computed([String], 'The current scopes of the profile, sorted.')
  scopes(@Root() { profileId }: LocalView, @Ctx() context: GraphContext) {
    return listOwnScopes(context, profileId);
  }

  @Computed([ViewerProfile], 'The profiles that the viewer holds and can request tokens for, ordered by id.')
  profiles(@Ctx() context: GraphContext) {
    return listOwnHeldProfiles(context);
  }

  @Computed([OpenedApplication], 'The applications that the profile opens.')
  applications(@Root() { profileId, languageCode }: LocalView, @Ctx() context: GraphContext) {
    // the system user has no profile, although one may have the same id as its placeholder
    return context.caller.kind === 'system' ? [] : listOpenedApplications(context, profileId, languageCode);
  }
}

@Result('An application that a profile or a user opens.')
class OpenedAccess {
  @RecordAt(Application, 'applicationId', 'The application.') application!: Application;
  @RecordAt(AccessScope, 'accessScopeId', 'The access scopes whose own mappings open the application.', {
    from: 'accessScopeIds',
    isList: true,
  })
  accessScopes!: AccessScope[];
  @RecordAt(AccessScopeType, 'accessScopeTypeId', 'The access scope types whose mappings open the application.', {
    from: 'accessScopeTypeIds',
    isList: true,
  })
  accessScopeTypes!: AccessScopeType[];
}

@ArgsType()
class OpenedArguments extends SliceOfList {
  @MemberOrNull(String, 'Returns only applications whose name contains every word, ignoring accents and case.')
  text?: string | null;
  @MemberOrNull(
    Uuid,
    'Returns only applications that this access scope opens, by its own mapping or by a mapping of its type.',
  )
  accessScopeGuid?: string | null;
  @MemberOrNull(Boolean, 'Whether to return only applications that no other profile opens.') onlyThis?: boolean | null;
  @MemberOrNull(Boolean, 'False: only inactive applications that the mappings would open; absent: only active ones.')
  isActive?: boolean | null;
}

const openedConnection = connectionOf(OpenedAccess);

@Resolver(() => OpenedAccess)
export class OpenedAccessResolver {
  @Computed(Int, 'The number of profiles that open the application, including this one.')
  profiles(@Root() { applicationId }: Opened, @Load() load: Loader) {
    return load.batched(applicationId, (ids: readonly number[]) => countOpeningProfiles(load.context, ids));
  }
}

/** Lists what the parents of a field open, in one statement. */
function listOpens(load: Loader, kind: 'profile' | 'user', owner: unknown, args: OpenedFilter & SliceOfList) {
  const slice = requireSlice(load.context, args);
  return load.batched(owner, async (owners) =>
    (await listOpenedAccess(load.context, kind, owners, args, slice)).map(pageOfSlice),
  );
}

@Resolver(() => User)
export class OpenedByUserResolver {
  @ComputedOrNull(
    openedConnection,
    'The applications that the user opens by all profiles held, by name. A blocked user opens none.',
  )
  @Guarded(Application)
  @Needs(User, 'userId')
  opens(@Root() { userId }: User, @Args(() => OpenedArguments) args: OpenedArguments, @Load() load: Loader) {
    return listOpens(load, 'user', userId, args);
  }
}

@Resolver(() => Profile)
export class OpenedApplicationsResolver {
  @Computed([OpenedApplication], 'The applications that the profile opens, as shown in a portal.')
  @Needs(Profile, 'profileId')
  openedApplications(
    @Root() { profileId }: Profile,
    @LanguageCode() languageCode: LocalView['languageCode'],
    @Load() load: Loader,
  ) {
    return load.batched(profileId, (ids: readonly string[]) =>
      listOpenedBy(load.context, ids, languageCode, load.context.spent),
    );
  }

  @Computed(openedConnection, 'The applications that the profile opens, by name.')
  @Needs(Profile, 'profileId')
  opens(@Root() { profileId }: Profile, @Args(() => OpenedArguments) args: OpenedArguments, @Load() load: Loader) {
    return listOpens(load, 'profile', profileId, args);
  }
}
