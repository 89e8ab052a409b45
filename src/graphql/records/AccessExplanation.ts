/** Why a user can, or can't, open an application. */
import { Field, Int, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Json } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { explainAccess } from '../../services/explaining/explainAccess.js';
import {
  accessReasons,
  type ExplainedWay,
  type Link,
  type AccessReason as Reason,
} from '../../services/explaining/links.js';
import type { Way } from '../../services/explaining/ways.js';
import { contextAsOf } from '../../services/history/asOf.js';
import { isAskedFor } from '../resolving/changeSelection.js';
import { type GraphContext, graphContext, loadRecord } from '../resolving/loaders.js';
import { asOf, declareQuery, resolveBy } from '../schema/declare.js';
import { declareEnum } from '../schema/enums.js';
import { keyArgument } from '../schema/recordMutations.js';

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
