/** Reads the caller and the applications that a profile opens. */
import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { Profile } from '../../entities/Profile.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { listOwnProfiles } from '../../services/console/administrators.js';
import {
  findOwnUser,
  getViewer,
  listOpenedApplications,
  listOpenedBy,
  listOwnScopes,
  type Viewer as OwnView,
} from '../../services/portal/viewer.js';
import { listOwnHeldProfiles } from '../../services/tokens/heldProfiles.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { selectionOf } from '../resolving/selection.js';
import { Needs, Requires } from '../schema/operations.js';

@ObjectType({ description: 'An application that a profile opens, as shown in a portal.', simpleResolvers: true })
class OpenedApplication {
  @Field(() => Uuid, { description: 'Guid of the application.' }) applicationGuid!: string;
  @Field(() => String, { description: 'Display name, in the requested language if there is a translation.' })
  name!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Description shown to people, in the requested language if there is a translation.',
  })
  description!: string | null;
  @Field(() => String, { description: 'The icon.' }) iconDefault!: string;
  @Field(() => String, { description: 'The icon under the pointer.' }) iconHover!: string;
  @Field(() => String, { description: 'Type of the application.' }) appType!: string;
  @Field(() => String, { description: 'How the application is rendered.' }) renderingMode!: string;
  @Field(() => String, { description: 'How the link opens.' }) linkType!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The individual link, or the global link if there is no individual one.',
  })
  link!: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the application requires a token exchange.' })
  isTokenExchangeRequired!: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the application is shown in an iframe.' })
  isIframe!: boolean | null;
}

@ObjectType({ description: 'A profile that grants administration permissions.', simpleResolvers: true })
class AdministrationProfile {
  @Field(() => ID, { description: 'Id of the profile.' }) profileId!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => [String], {
    description: 'The permissions of the profile: `admin:read`, `admin:write`, `admin:security`.',
  })
  permissions!: string[];
}

@ObjectType({ description: 'A profile that the viewer holds.', simpleResolvers: true })
class ViewerProfile {
  @Field(() => ID, { description: 'Id of the profile.' }) profileId!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => ID, { description: 'Role of the viewer in the profile.' }) roleId!: string;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the assignment of the profile ends; null if it has no end.',
  })
  validUntil!: string | null;
}

@ObjectType({
  description: 'The caller: the subject of the access token, or the user who is signed in to the console.',
  simpleResolvers: true,
})
class Viewer {
  @Field(() => ID, { description: 'Guid of the user: the subject of the token.' }) userGuid!: string;
  @Field(() => ID, { description: 'Id of the profile.' }) profileId!: string;
  @Field(() => ID, { description: 'Role of the user in the profile.' }) roleId!: string;
  @Field(() => [String], {
    description: 'The permissions of the viewer: `admin:read`, `admin:write`, `admin:security`.',
  })
  permissions!: string[];
  @Field(() => DateTime, { nullable: true, description: 'When the console session began; null with an access token.' })
  signedInAt!: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the console session ends at the latest; null with an access token.',
  })
  sessionEndsAt!: string | null;
  @Field(() => [String], { description: 'The states in which a mapping opens its application.' })
  mappingActiveStates!: string[];
}

/** A viewer with the language of the query. */
type LocalView = OwnView & { languageCode: string | null | undefined };

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

  @FieldResolver(() => User, { nullable: true, description: 'The user; null if there is no such user.' })
  user(@Load() load: Loader) {
    return findOwnUser(load.context, selectionOf(load.info, User));
  }

  @FieldResolver(() => [String], { description: 'The current scopes of the profile, sorted.' })
  scopes(@Root() { profileId }: LocalView, @Ctx() context: GraphContext) {
    return listOwnScopes(context, profileId);
  }

  @FieldResolver(() => [AdministrationProfile], {
    description: 'The profiles of the viewer that grant administration permissions, most permissions first.',
  })
  administrationProfiles(@Ctx() context: GraphContext) {
    return listOwnProfiles(context);
  }

  @FieldResolver(() => [ViewerProfile], {
    description: 'The profiles that the viewer holds and can request tokens for, ordered by id.',
  })
  profiles(@Ctx() context: GraphContext) {
    return listOwnHeldProfiles(context);
  }

  @FieldResolver(() => [OpenedApplication], { description: 'The applications that the profile opens.' })
  applications(@Root() { profileId, languageCode }: LocalView, @Ctx() context: GraphContext) {
    // a profile may have the name that stands for none
    return context.caller.kind === 'system' ? [] : listOpenedApplications(context, profileId, languageCode);
  }
}

@Resolver(() => Profile)
export class OpenedApplicationsResolver {
  @FieldResolver(() => [OpenedApplication], {
    description: 'The applications that the profile opens, as shown in a portal.',
  })
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
}
