/** Compares profiles and users. */
import { Arg, Args, Ctx, ID, Query, Resolver, Root } from 'type-graphql';
import { AccessScope } from '../../../entities/AccessScope.js';
import { Application } from '../../../entities/Application.js';
import type { RecordClass } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { Uuid } from '../../../entities/scalars.js';
import { User } from '../../../entities/User.js';
import { type GraphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { connectionOf, pageArgumentsOf } from '../../../graphql/schema/connection.js';
import { Computed, Member, Requires, Result } from '../../../graphql/schema/operations.js';
import type { PageArguments } from '../../../services/read/readPages.js';
import { type ComparedKind, type ComparedPair, comparePair, partOfComparison, redundantHolders } from '../compare.js';

/** A type with the three parts of a comparison of records of one kind. */
function comparedType(record: RecordClass, kind: ComparedKind, name: string, what: string) {
  @Result(`The ${what} of the two sides of a comparison.`, name)
  class Parts {}
  @Resolver(() => Parts)
  class PartsResolver {
    @Computed(connectionOf(record), `The ${what} of the left side only.`)
    onlyLeft(
      @Root() comparison: ComparedPair,
      @Args(() => pageArgumentsOf(record)) page: PageArguments,
      @Load() load: Loader,
    ) {
      return load.list(record, page, partOfComparison(load.context, comparison, kind, 'onlyLeft'));
    }

    @Computed(connectionOf(record), `The ${what} of the right side only.`)
    onlyRight(
      @Root() comparison: ComparedPair,
      @Args(() => pageArgumentsOf(record)) page: PageArguments,
      @Load() load: Loader,
    ) {
      return load.list(record, page, partOfComparison(load.context, comparison, kind, 'onlyRight'));
    }

    @Computed(connectionOf(record), `The ${what} of both sides.`)
    both(
      @Root() comparison: ComparedPair,
      @Args(() => pageArgumentsOf(record)) page: PageArguments,
      @Load() load: Loader,
    ) {
      return load.list(record, page, partOfComparison(load.context, comparison, kind, 'both'));
    }
  }
  return { Parts, PartsResolver };
}

const profiles = comparedType(Profile, 'profiles', 'ComparedProfiles', 'profiles');
const scopes = comparedType(AccessScope, 'scopes', 'ComparedAccessScopes', 'access scopes');
const applications = comparedType(Application, 'applications', 'ComparedApplications', 'opened applications');
const people = comparedType(User, 'people', 'ComparedUsers', 'users who hold the profiles');
export const comparedResolvers = [profiles, scopes, applications, people].map(({ PartsResolver }) => PartsResolver);

/** A result whose parts all read the same comparison. */
const withParts = (comparison: ComparedPair) => ({
  comparison,
  profiles: comparison,
  scopes: comparison,
  applications: comparison,
  people: comparison,
});

@Result('What two profiles have in common, and what they do not.')
class ProfileComparison {
  @Member(scopes.Parts, 'The access scopes of the profiles.') scopes!: object;
  @Member(applications.Parts, 'The applications that the profiles open.') applications!: object;
  @Member(people.Parts, 'The users who hold the profiles.') people!: object;
}

@Result('What two users have in common, and what they do not.')
class UserComparison {
  @Member(profiles.Parts, 'The profiles that the users hold.') profiles!: object;
  @Member(scopes.Parts, 'The access scopes of these profiles.') scopes!: object;
  @Member(applications.Parts, 'The applications that these profiles open.') applications!: object;
}

@Resolver(() => ProfileComparison)
export class ComparisonResolver {
  @Query(() => ProfileComparison, { description: 'Compares two profiles.' })
  @Requires('admin:read')
  async compareProfiles(
    @Arg('left', () => ID, { description: 'Id of a profile.' }) left: string,
    @Arg('right', () => ID, { description: 'Id of another profile.' }) right: string,
    @Ctx() context: GraphContext,
  ) {
    return withParts(await comparePair(context, 'profile', left, right));
  }

  @Query(() => UserComparison, { description: 'Compares two users by the profiles that they hold.' })
  @Requires('admin:read')
  async compareUsers(
    @Arg('left', () => Uuid, { description: 'Guid of a user.' }) left: string,
    @Arg('right', () => Uuid, { description: 'Guid of another user.' }) right: string,
    @Ctx() context: GraphContext,
  ) {
    return withParts(await comparePair(context, 'user', left, right));
  }

  @Computed(
    connectionOf(User),
    'The users who hold both profiles, and could open the same applications without one of the two.',
  )
  redundant(
    @Root() { comparison }: { comparison: ComparedPair },
    @Args(() => pageArgumentsOf(User)) page: PageArguments,
    @Load() load: Loader,
  ) {
    return load.list(User, page, redundantHolders(load.context, comparison));
  }
}
