/** Removes old proposals and reviews, and the refusals of proposals. */
import {
  counted,
  deleteFrom,
  olderThan,
  type Sweep,
  sweepByAge,
  sweepEnded,
} from '../../services/maintenance/sweep.js';

export const governanceSweeps: Sweep[] = [
  {
    statement: sweepEnded('refused_proposals', 'refused_proposal_id'),
    values: () => [],
  },
  sweepByAge(
    deleteFrom(
      'proposals',
      'proposal_id',
      `from proposals where state not in ('OPEN', 'SCHEDULED')
         and ${olderThan('coalesce(decided_at, expires_at)')} and coalesce(apply_at, expires_at) < now()`,
    ),
  ),
  sweepByAge(
    deleteFrom(
      'review_items',
      'review_item_id',
      `from review_items join reviews using (review_id) where state <> 'OPEN' and ${olderThan('finished_at')}`,
    ),
  ),
  sweepByAge(
    counted(`delete from reviews where state <> 'OPEN' and ${olderThan('finished_at')}
      and not exists (select from review_items item where item.review_id = reviews.review_id)`),
  ),
];
