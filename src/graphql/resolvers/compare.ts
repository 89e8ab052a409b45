/** Compares profiles and users. */
import { Arg, Args, Ctx, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import {
  type ComparedKind,
  type ComparedSide,
  type Comparison,
  compare,
  partOfComparison,
  redundantHolders,
} from '../../services/portal/compare.js';
import { type PageArguments, readPages } from '../../services/read/readPages.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { connectionSelectionOf } from '../resolving/selection.js';
import { connectionOf, pageArgumentsOf } from '../schema/connection.js';
import { Computed, Requires, Result } from '../schema/operations.js';

/** A type with the three parts of a comparison of records of one kind. */
function comparedType(record: RecordClass, kind: ComparedKind, name: string, what: string) {
  const page = async (
    { context, info }: Loader,
    comparison: Comparison,
    side: ComparedSide,
    pageArguments: PageArguments,
  ) => {
    const condition = partOfComparison(context, comparison, kind, side);
    return (await readPages(context, record, pageArguments, connectionSelectionOf(info, record), { condition }))[0];
  };
  @ObjectType(name, { description: `The ${what} of the two sides of a comparison.` })
  class Parts {}
  @Resolver(() => Parts)
  class PartsResolver {
    @Computed(connectionOf(record), `The ${what} of the left side only.`)
    onlyLeft(
      @Root() comparison: Comparison,
      @Args(() => pageArgumentsOf(record)) pageArguments: PageArguments,
      @Load() load: Loader,
    ) {
      return page(load, comparison, 'onlyLeft', pageArguments);
    }

    @Computed(connectionOf(record), `The ${what} of the right side only.`)
    onlyRight(
      @Root() comparison: Comparison,
      @Args(() => pageArgumentsOf(record)) pageArguments: PageArguments,
      @Load() load: Loader,
    ) {
      return page(load, comparison, 'onlyRight', pageArguments);
    }

    @Computed(connectionOf(record), `The ${what} of both sides.`)
    both(
      @Root() comparison: Comparison,
      @Args(() => pageArgumentsOf(record)) pageArguments: PageArguments,
      @Load() load: Loader,
    ) {
      return page(load, comparison, 'both', pageArguments);
    }
  }
  return { Parts, PartsResolver };
}

const profiles = comparedType(Profile, 'profiles', 'ComparedProfiles', 'profiles');
const scopes = comparedType(AccessScope, 'scopes', 'ComparedAccessScopes', 'access scopes');
const applications = comparedType(Application, 'applications', 'ComparedApplications', 'opened applications');
const people = comparedType(User, 'people', 'ComparedUsers', 'users who hold the profiles');
export const comparedResolvers = [profiles, scopes, applications, people].map(({ PartsResolver }) => PartsResolver);

@Result('What two profiles have in common, and what they do not.')
class ProfileComparison {}

@Result('What two users have in common, and what they do not.')
class UserComparison {}

@Resolver(() => ProfileComparison)
export class ProfileComparisonResolver {
  @Query(() => ProfileComparison, { description: 'Compares two profiles.' })
  @Requires('admin:read')
  compareProfiles(
    @Arg('left', () => ID, { description: 'Id of a profile.' }) left: string,
    @Arg('right', () => ID, { description: 'Id of another profile.' }) right: string,
    @Ctx() context: GraphContext,
  ) {
    return compare(context, 'profile', left, right);
  }

  @Computed(scopes.Parts, 'The access scopes of the profiles.')
  scopes(@Root() comparison: Comparison) {
    return comparison;
  }

  @Computed(applications.Parts, 'The applications that the profiles open.')
  applications(@Root() comparison: Comparison) {
    return comparison;
  }

  @Computed(people.Parts, 'The users who hold the profiles.')
  people(@Root() comparison: Comparison) {
    return comparison;
  }

  @Computed(
    connectionOf(User),
    'The users who hold both profiles, and could open the same applications without one of the two.',
  )
  async redundant(
    @Root() comparison: Comparison,
    @Args(() => pageArgumentsOf(User)) pageArguments: PageArguments,
    @Load() { context, info }: Loader,
  ) {
    const condition = redundantHolders(context, comparison);
    return (await readPages(context, User, pageArguments, connectionSelectionOf(info, User), { condition }))[0];
  }
}

@Resolver(() => UserComparison)
export class UserComparisonResolver {
  @Query(() => UserComparison, { description: 'Compares two users by the profiles that they hold.' })
  @Requires('admin:read')
  compareUsers(
    @Arg('left', () => Uuid, { description: 'Guid of a user.' }) left: string,
    @Arg('right', () => Uuid, { description: 'Guid of another user.' }) right: string,
    @Ctx() context: GraphContext,
  ) {
    return compare(context, 'user', left, right);
  }

  @Computed(profiles.Parts, 'The profiles that the users hold.')
  profiles(@Root() comparison: Comparison) {
    return comparison;
  }

  @Computed(scopes.Parts, 'The access scopes of these profiles.')
  scopes(@Root() comparison: Comparison) {
    return comparison;
  }

  @Computed(applications.Parts, 'The applications that these profiles open.')
  applications(@Root() comparison: Comparison) {
    return comparison;
  }
}
