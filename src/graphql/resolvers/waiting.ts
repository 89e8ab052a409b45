/** What waits for the viewer. */
import { Ctx, Int, Resolver } from 'type-graphql';
import { countWaiting } from '../../services/proposals/listProposals.js';
import { countItemsWaiting } from '../../services/reviews/reviewers.js';
import type { GraphContext } from '../resolving/loaders.js';
import { Computed, Member, Result } from '../schema/operations.js';
import { Viewer } from './viewer.js';

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
