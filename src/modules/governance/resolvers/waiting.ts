/** What waits for the viewer. */
import { Ctx, Int, Resolver } from 'type-graphql';
import { Viewer } from '../../../graphql/resolvers/viewer.js';
import type { GraphContext } from '../../../graphql/resolving/loaders.js';
import { Computed, Member, Result } from '../../../graphql/schema/operations.js';
import { countWaiting } from '../proposals/listProposals.js';
import { countItemsWaiting } from '../reviews/reviewers.js';

@Result('The numbers of tasks that wait for the viewer.')
class Waiting {
  @Member(Int, 'Open proposals of others that the viewer may approve.') proposals!: number;
  @Member(Int, 'Undecided items of open access reviews that the viewer decides about.') reviewItems!: number;
}

@Resolver(() => Viewer)
export class WaitingResolver {
  @Computed(Waiting, 'What waits for the viewer.')
  async waiting(@Ctx() context: GraphContext) {
    const [proposals, reviewItems] = await Promise.all([countWaiting(context), countItemsWaiting(context)]);
    return { proposals, reviewItems };
  }
}
