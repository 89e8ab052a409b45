/** Who reaches what in the graph: `accessOf`, `explainAccess`, `viewer`, `search`. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { DateTime, Json } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { listOwnProfiles } from '../../services/console/administrators.js';
import { explainAccess } from '../../services/explaining/explainAccess.js';
import {
  accessReasons,
  type ExplainedWay,
  type Link,
  type AccessReason as Reason,
} from '../../services/explaining/links.js';
import type { Way } from '../../services/explaining/ways.js';
import { contextAsOf } from '../../services/history/state.js';
import {
  findOwnUser,
  getViewer,
  listAccessOf,
  listOpenedApplications,
  listOwnScopes,
  type Access as ReachingWay,
  type Viewer as Viewing,
} from '../../services/portal/viewer.js';
import type { PageArguments } from '../../services/read/readPages.js';
import {
  type SearchHit as Hit,
  type SearchKind as Kind,
  search,
  searched,
  searchKinds,
} from '../../services/search/search.js';
import { listOwnHeldProfiles } from '../../services/tokens/heldProfiles.js';
import { type GraphContext, graphContext, loadPage, loadRecord } from '../resolving/loaders.js';
import { isAskedFor, selectionOf } from '../resolving/selection.js';
import { connectionOf, declarePageArguments } from '../schema/connection.js';
import { asOf, declareQuery, resolveBy } from '../schema/declare.js';
import { declareEnum } from '../schema/inputs.js';
import { keyArgument } from '../schema/recordMutations.js';
import { declareChangedRecord } from './ChangedRecord.js';
import { OpenedApplication } from './OpenedApplication.js';

/** Who reaches an application. */

@ObjectType({
  description: 'A way to an application: a profile, by one access scope and one mapping.',
  simpleResolvers: true,
})
class Access {
  @Field(() => Profile, { description: 'The profile that opens it.' }) profile!: Profile;
  @Field(() => AccessScope, { description: 'The access scope of the profile that opens it.' })
  accessScope!: AccessScope;
  @Field(() => AccessScopeApplicationsMapper, { nullable: true, description: 'The mapping of the access scope.' })
  accessScopeApplicationsMapper!: AccessScopeApplicationsMapper | null;
  @Field(() => AccessScopeTypeApplicationsMapper, { nullable: true, description: 'Or the mapping of its type.' })
  accessScopeTypeApplicationsMapper!: AccessScopeTypeApplicationsMapper | null;
  @Field(() => String, { nullable: true, description: 'The link that this way opens.' }) link!: string | null;
}

/** A way, and the context of its moment. */
type WayThen = ReachingWay & { then: GraphContext };

export function declareAccess(): void {
  Field(() => connectionOf(UserProfile), {
    description: 'The users who come this way, with their roles; blocked ones do not.',
  })(Access.prototype, 'userProfiles');
  declarePageArguments(Access.prototype, 'userProfiles', UserProfile);
  declareQuery('accessOf', {
    doc: 'Which profiles and users reach the application, and by which mapping.',
    type: () => [Access],
    arguments: { applicationGuid: keyArgument(Application, 'applicationGuid'), asOf },
    resolve: async (_root, { applicationGuid, asOf }, context) => {
      const then = graphContext(asOf ? await contextAsOf(context, asOf) : context);
      return (await listAccessOf(then, applicationGuid)).map((way) => ({ ...way, then }));
    },
  });
  resolveBy('Access', 'userProfiles', ({ profileId, then }: WayThen, given: PageArguments, _context, info) => {
    const admitted = { user: { isBlocked: { eq: false } } };
    const filter = given.filter ? { and: [given.filter, admitted] } : admitted;
    return loadPage(then, info, UserProfile, 'profileId', profileId, { ...given, filter });
  });
  const related = (name: string, record: RecordClass, key: string) =>
    resolveBy('Access', name, (way: WayThen & Record<string, unknown>, _given, _context, info) =>
      way[key] === null ? null : loadRecord(way.then, info, record, key, way[key]),
    );
  related('profile', Profile, 'profileId');
  related('accessScope', AccessScope, 'accessScopeId');
  related('accessScopeApplicationsMapper', AccessScopeApplicationsMapper, 'accessScopeApplicationsMapperId');
  related(
    'accessScopeTypeApplicationsMapper',
    AccessScopeTypeApplicationsMapper,
    'accessScopeTypeApplicationsMapperId',
  );
}

/** Why a user can, or can't, open an application. */

const reasonDocs: { [reason in Reason]: string } = {
  USER_BLOCKED: 'The user is blocked.',
  PROFILE_NOT_HELD: 'The user does not hold the profile.',
  SCOPE_NOT_IN_PROFILE: 'The profile does not have the access scope.',
  SCOPE_INACTIVE: 'The access scope is out of use.',
  TYPE_INACTIVE: 'The access scope type is out of use.',
  MAPPING_STATE: 'The mapping is in a state that opens nothing.',
  APPLICATION_INACTIVE: 'The application is out of use.',
  NO_MAPPING: 'No mapping leads to the application.',
};
const AccessReason = declareEnum('AccessReason', 'Why a link does not hold.', accessReasons, reasonDocs);

@ObjectType({
  description: 'A link of a way: one of its records is given, or two that belong together.',
  simpleResolvers: true,
})
class AccessLink {
  @Field(() => Boolean, { description: 'Whether it holds.' }) holds!: boolean;
  @Field(() => AccessReason as never, { nullable: true, description: 'Why not.' }) reason!: string | null;
  @Field(() => String, { description: 'The same in words.' }) text!: string;
}

@ObjectType({ description: 'A way from the user to the application.', simpleResolvers: true })
class AccessWay {
  @Field(() => Boolean, { description: 'Whether every link holds.' }) isOpen!: boolean;
  @Field(() => [AccessLink], { description: 'From the user to the application.' }) links!: AccessLink[];
}

@ObjectType({ description: 'Changes that would open the application.', simpleResolvers: true })
class Remedy {
  @Field(() => [Json], { description: 'Members of ChangeInput, ready for a dry run.' }) changes!: unknown[];
  @Field(() => String, { description: 'The same in words.' }) text!: string;
  @Field(() => Int, { description: 'How many others hold a profile that would gain something.' })
  othersGaining!: number;
}

@ObjectType({ description: 'Why a user can, or can not, open an application.', simpleResolvers: true })
class AccessExplanation {
  @Field(() => Boolean, { description: 'Whether some way is open.' }) isOpen!: boolean;
  @Field(() => [String], { description: 'In words, to be read out.' }) reasons!: string[];
  @Field(() => [AccessWay], { description: 'The open ways, then the nearest; at most 20.' }) ways!: AccessWay[];
  @Field(() => [Remedy], { description: 'What would open it; none where it is open, and none of the past.' })
  remedies!: Remedy[];
}

/** A link with its way, and the context of its moment. */
interface LinkThen extends Link {
  way: Way;
  userGuid: string;
  applicationGuid: string;
  then: GraphContext;
}

export function declareAccessExplanation(): void {
  declareQuery('explainAccess', {
    doc: 'Why a user can, or can not, open an application, and what would open it.',
    type: () => AccessExplanation,
    arguments: {
      userGuid: keyArgument(User, 'userGuid'),
      applicationGuid: keyArgument(Application, 'applicationGuid'),
      profileId: { ...keyArgument(Profile, 'profileId'), nullable: true },
      asOf,
    },
    resolve: async (_root, { asOf, ...question }, context, info) => {
      const then = graphContext(asOf ? await contextAsOf(context, asOf) : context);
      const explained = await explainAccess(then, question, !asOf && isAskedFor(info, ['remedies']));
      const linksThen = ({ way, isOpen, links }: ExplainedWay) => ({
        isOpen,
        links: links.map((link) => ({ ...link, ...question, way, then })),
      });
      return { ...explained, ways: explained.ways.map(linksThen) };
    },
  });
  record('user', User, 'userGuid', ['user', 'profile'], ({ userGuid }) => userGuid);
  record('userProfile', UserProfile, 'userProfileId', ['profile'], ({ way }) => way.userProfileId);
  record('profile', Profile, 'profileId', ['profile', 'scopeOfProfile'], ({ way }) => way.profileId);
  record('accessScope', AccessScope, 'accessScopeId', ['scopeOfProfile', 'scope'], ({ way }) => way.accessScopeId);
  record('accessScopeType', AccessScopeType, 'accessScopeTypeId', ['type'], ({ way }) => way.accessScopeTypeId);
  const scopeMapper = 'accessScopeApplicationsMapper';
  const typeMapper = 'accessScopeTypeApplicationsMapper';
  record(scopeMapper, AccessScopeApplicationsMapper, `${scopeMapper}Id`, ['mapping'], ({ way }) => way.scopeMappingId);
  record(typeMapper, AccessScopeTypeApplicationsMapper, `${typeMapper}Id`, ['mapping'], ({ way }) => way.typeMappingId);
  record('application', Application, 'applicationGuid', ['mapping', 'application'], (link) => link.applicationGuid);
}

/** A record that links of these parts name. */
function record(
  name: string,
  target: RecordClass,
  field: string,
  parts: Link['part'][],
  keyOf: (link: LinkThen) => unknown,
): void {
  Field(() => target, { nullable: true, description: 'Where the link is about it.' })(AccessLink.prototype, name);
  resolveBy('AccessLink', name, (link: LinkThen, _given, _context, info) => {
    const key = parts.includes(link.part) ? keyOf(link) : null;
    return key === null ? null : loadRecord(link.then, info, target, field, key);
  });
}

/** Who calls, with any valid access token, and what the caller's profile opens. */

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

/** One search over everything that is administered. */

const kindDocs: { [kind in Kind]: string } = {
  APPLICATION: 'An application, by its name.',
  USER: 'A user, by names, e-mail and id at the identity provider.',
  PROFILE: 'A profile, by name and id.',
  ACCESS_SCOPE: 'An access scope, by name and key.',
  ACCESS_SCOPE_TYPE: 'An access scope type, by its name.',
  ROLE: 'A role, by name and id.',
  CLIENT: 'A client, by name and id.',
  CHANGE_SET: 'A change set, by its guid or its trace id.',
};
const SearchKind = declareEnum('SearchKind', 'Kind of a record that a search finds.', searchKinds, kindDocs);

@ObjectType({ description: 'A record that a search found.', simpleResolvers: true })
class SearchHit {
  @Field(() => SearchKind, { description: 'What it is.' }) kind!: string;
  @Field(() => ID, { description: 'Its guid, or its id where it has none.' }) id!: string;
  @Field(() => String, { description: 'What people call it.' }) label!: string;
  @Field(() => String, {
    nullable: true,
    description: 'What tells it from others of that name: an e-mail, a key, an id.',
  })
  hint!: string | null;
}

/** Without `first`. */
const firstDefault = 5;

export function declareSearch(): void {
  const tables = new Map(searched.map(({ kind, table }) => [kind, table]));
  declareChangedRecord(SearchHit, 'The record itself.', ({ kind, id }: Hit) => ({ kind: tables.get(kind)!, id }));
  declareQuery('search', {
    doc: 'Records by their names, keys, e-mail, ids, by guids or beginnings of them, or by a trace id; only kinds that the caller may read. Every word of the text begins a word of what is found.',
    type: () => [SearchHit],
    timesFirst: searchKinds.length,
    arguments: {
      text: { type: () => String, doc: 'At most 200 characters.' },
      first: {
        type: () => Int,
        nullable: true,
        doc: 'At most so many of each kind, from 1 to 50.',
        default: firstDefault,
      },
    },
    resolve: (_root, { text, first }, context): Promise<Hit[]> => search(context, text, first ?? firstDefault),
  });
}
