/** Who calls, with any valid access token, and what the caller's profile opens. */
import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { listOwnProfiles } from '../../services/console/administrators.js';
import { listOpenedApplications } from '../../services/portal/tiles.js';
import { findOwnUser, getViewer, listOwnScopes, type Viewer as Viewing } from '../../services/portal/viewer.js';
import { listOwnHeldProfiles } from '../../services/tokens/heldProfiles.js';
import { selectionOf } from '../resolving/selection.js';
import { declareQuery, resolveBy } from '../schema/declare.js';
import { OpenedApplication } from './OpenedApplication.js';

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
  @Field(() => User, { nullable: true, description: 'The user; null when not known here.' }) user!: User | null;
  @Field(() => ID, { description: 'Profile of the token.' }) profileId!: string;
  @Field(() => ID, { description: 'Role of the user in the profile.' }) roleId!: string;
  @Field(() => [String], { description: 'Scopes of the profile as they are now, sorted.' }) scopes!: string[];
  @Field(() => [String], { description: 'What the viewer may do here: `admin:read`, `admin:write`, `admin:security`.' })
  permissions!: string[];
  @Field(() => DateTime, { nullable: true, description: 'When the session of the console began; null with a token.' })
  signedInAt!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When it ends in any case; null with a token.' })
  sessionEndsAt!: string | null;
  @Field(() => [String], { description: 'States in which a mapping opens its application.' })
  mappingActiveStates!: string[];
  @Field(() => [AdministrationProfile], {
    description: 'The profiles of the viewer that administer, the one that permits most first.',
  })
  administrationProfiles!: AdministrationProfile[];
  @Field(() => [ViewerProfile], {
    description: 'Every profile that the viewer holds, in order of profile id: what an exchange can be made for.',
  })
  profiles!: ViewerProfile[];
  @Field(() => [OpenedApplication], { description: 'The applications that the profile opens.' })
  applications!: OpenedApplication[];
}

interface Asked extends Viewing {
  languageCode: string | null | undefined;
}

export function declareViewer(): void {
  declareQuery('viewer', {
    doc: 'Who calls, which profile, and which applications it opens; any valid access token may ask. With ADMIN_AUTH=none the system user.',
    type: () => Viewer,
    arguments: {
      languageCode: { type: () => String, doc: 'Language of names, such as `de` or `pt-BR`.', nullable: true },
    },
    resolve: (_root, { languageCode }, context): Asked => ({ ...getViewer(context), languageCode }),
  });
  resolveBy('Viewer', 'user', (_viewer, _given, context, info) => findOwnUser(context, selectionOf(info, User)));
  resolveBy('Viewer', 'scopes', ({ profileId }: Asked, _given, context) => listOwnScopes(context, profileId));
  resolveBy('Viewer', 'administrationProfiles', (_viewer, _given, context) => listOwnProfiles(context));
  resolveBy('Viewer', 'profiles', (_viewer, _given, context) => listOwnHeldProfiles(context));
  resolveBy('Viewer', 'applications', ({ profileId, languageCode }: Asked, _given, context) =>
    // a profile that bears the name which stands for none
    context.caller.kind === 'system' ? [] : listOpenedApplications(context, profileId, languageCode),
  );
}
