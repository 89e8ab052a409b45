/** What the clean-up removes of recorded requests. */
import { counted, deleteFirst, deleteFrom, olderThan, type Sweep } from '../../services/maintenance/sweep.js';

export const insightSweeps: Sweep[] = [
  {
    statement: deleteFirst('refused_requests', 'refused_request_id'),
    values: (config) => [config.refusalRetentionDays],
  },
  {
    // at most 10,000 rows, so one statement is enough
    statement: counted(`delete from usages where ${olderThan('last_seen_at')}`),
    values: (config) => [config.usageRetentionDays],
  },
  {
    statement: deleteFrom(
      'policy_verdicts',
      'policy_verdict_id',
      `from policy_verdicts where ${olderThan('last_seen_at')}`,
    ),
    values: (config) => [config.rehearsalDays],
  },
];
