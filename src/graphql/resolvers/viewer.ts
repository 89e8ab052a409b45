/** Who calls, and which applications a profile opens. */
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

@ObjectType({ description: 'An application that a profile opens: a portal’s tile.', simpleResolvers: true })
class OpenedApplication {
  @Field(() => Uuid, { description: 'Guid of the application.' }) applicationGuid!: string;
  @Field(() => String, { description: 'Name, in the language asked for where it is translated.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it is for, in the language asked for.' })
  description!: string | null;
  @Field(() => String, { description: 'Icon at rest.' }) iconDefault!: string;
  @Field(() => String, { description: 'Icon under the pointer.' }) iconHover!: string;
  @Field(() => String, { description: 'Kind of application.' }) appType!: string;
  @Field(() => String, { description: 'How it is rendered.' }) renderingMode!: string;
  @Field(() => String, { description: 'How its link opens.' }) linkType!: string;
  @Field(() => String, { nullable: true, description: 'The individual link where there is one, else the global one.' })
  link!: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether it needs a token exchange.' })
  isTokenExchangeRequired!: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether it is shown in an iframe.' })
  isIframe!: boolean | null;
}

@ObjectType({ description: 'A profile that administers, for whoever holds it.', simpleResolvers: true })
class AdministrationProfile {
  @Field(() => ID, { description: 'Id of the profile.' }) profileId!: string;
  @Field(() => String, { description: 'Name shown to people.' }) name!: string;
  @Field(() => [String], { description: 'What it permits: `admin:read`, `admin:write`, `admin:security`.' })
  permissions!: string[];
}

@ObjectType({ description: 'A profile that the viewer holds.', simpleResolvers: true })
class ViewerProfile {
  @Field(() => ID, { description: 'Id of the profile.' }) profileId!: string;
  @Field(() => String, { description: 'Name shown to people.' }) name!: string;
  @Field(() => ID, { description: 'Role of the viewer in the profile.' }) roleId!: string;
  @Field(() => DateTime, { nullable: true, description: 'When the viewer stops holding it; null: no end.' })
  validUntil!: string | null;
}

@ObjectType({ description: 'Whom the access token names, or who is signed in to the console.', simpleResolvers: true })
class Viewer {
  @Field(() => ID, { description: 'The token’s subject: guid of the user.' }) userGuid!: string;
  @Field(() => ID, { description: 'Profile of the token.' }) profileId!: string;
  @Field(() => ID, { description: 'Role of the user in the profile.' }) roleId!: string;
  @Field(() => [String], { description: 'What the viewer may do here: `admin:read`, `admin:write`, `admin:security`.' })
  permissions!: string[];
  @Field(() => DateTime, { nullable: true, description: 'When the session of the console began; null with a token.' })
  signedInAt!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When it ends in any case; null with a token.' })
  sessionEndsAt!: string | null;
  @Field(() => [String], { description: 'States in which a mapping opens its application.' })
  mappingActiveStates!: string[];
}

/** The language is the one that the query names. */
type LocalView = OwnView & { languageCode: string | null | undefined };

const LanguageCode = () =>
  Arg('languageCode', () => String, {
    nullable: true,
    description: 'Language of names, such as `de` or `pt-BR`.',
  });

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, {
    description:
      'Who calls, which profile, and which applications it opens; any valid access token may ask. With ADMIN_AUTH=none the system user.',
  })
  @Requires()
  viewer(@LanguageCode() languageCode: LocalView['languageCode'], @Ctx() context: GraphContext): LocalView {
    return { ...getViewer(context), languageCode };
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user; null when not known here.' })
  user(@Load() load: Loader) {
    return findOwnUser(load.context, selectionOf(load.info, User));
  }

  @FieldResolver(() => [String], { description: 'Scopes of the profile as they are now, sorted.' })
  scopes(@Root() { profileId }: LocalView, @Ctx() context: GraphContext) {
    return listOwnScopes(context, profileId);
  }

  @FieldResolver(() => [AdministrationProfile], {
    description: 'The profiles of the viewer that administer, the one that permits most first.',
  })
  administrationProfiles(@Ctx() context: GraphContext) {
    return listOwnProfiles(context);
  }

  @FieldResolver(() => [ViewerProfile], {
    description: 'Every profile that the viewer holds, in order of profile id: what an exchange can be made for.',
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
    description: 'The applications that the profile opens, as a portal shows them.',
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
