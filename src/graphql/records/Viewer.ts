/** Who calls, with any valid access token, and what the caller's profile opens. */
import { Field, ID, ObjectType } from 'type-graphql';
import { Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import {
  findOwnUser,
  getViewer,
  listOpenedApplications,
  listOwnScopes,
  type Viewer as Viewing,
} from '../../services/portal/viewer.js';
import { selectionOf } from '../resolving/selection.js';
import { declareQuery, resolveBy } from '../schema/declare.js';

@ObjectType({ description: 'An application that the viewer’s profile opens: a portal’s tile.', simpleResolvers: true })
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

@ObjectType({ description: 'Whom the access token names.', simpleResolvers: true })
class Viewer {
  @Field(() => ID, { description: 'The token’s subject: guid of the user.' }) userGuid!: string;
  @Field(() => User, { nullable: true, description: 'The user; null when not known here.' }) user!: User | null;
  @Field(() => ID, { description: 'Profile of the token.' }) profileId!: string;
  @Field(() => ID, { description: 'Role of the user in the profile.' }) roleId!: string;
  @Field(() => [String], { description: 'Scopes of the profile as they are now, sorted.' }) scopes!: string[];
  @Field(() => [OpenedApplication], { description: 'The applications that the profile opens.' })
  applications!: OpenedApplication[];
}

interface Asked extends Viewing {
  languageCode: string | null | undefined;
}

export function declareViewer(): void {
  declareQuery('viewer', {
    doc: 'Who calls, which profile, and which applications it opens; any valid access token may ask.',
    type: () => Viewer,
    arguments: {
      languageCode: { type: () => String, doc: 'Language of names, such as `de` or `pt-BR`.', nullable: true },
    },
    resolve: (_root, { languageCode }, context): Asked => ({ ...getViewer(context), languageCode }),
  });
  resolveBy('Viewer', 'user', (_viewer, _given, context, info) => findOwnUser(context, selectionOf(info, User)));
  resolveBy('Viewer', 'scopes', ({ profileId }: Asked, _given, context) => listOwnScopes(context, profileId));
  resolveBy('Viewer', 'applications', ({ profileId, languageCode }: Asked, _given, context) =>
    listOpenedApplications(context, profileId, languageCode),
  );
}
