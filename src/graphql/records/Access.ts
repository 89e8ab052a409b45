/** Who reaches an application. */
import { Field, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { UserProfile } from '../../entities/UserProfile.js';
import type { PageArguments } from '../../services/graphReads/readPages.js';
import { contextAsOf } from '../../services/history/asOf.js';
import { listAccessOf, type Access as Way } from '../../services/portal/whoReaches.js';
import { type GraphContext, graphContext, loadPage, loadRecord } from '../resolving/loaders.js';
import { connectionOf, declarePageArguments } from '../schema/connection.js';
import { asOf, declareQuery, resolveBy } from '../schema/declare.js';
import { keyArgument } from '../schema/recordMutations.js';

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
type WayThen = Way & { then: GraphContext };

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
