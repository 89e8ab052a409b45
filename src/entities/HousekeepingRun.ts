/** When each housekeeping task was last completed by any process. */
import { Key, Long, Record, When } from './fields.js';

@Record({ table: 'housekeeping_runs', doc: 'When each task of the housekeeping was last done.', hidden: true })
export class HousekeepingRun {
  @Key('string', { doc: 'The task.', max: 50 }) task!: string;
  @When({ doc: 'When the task was last completed.' }) finishedAt!: Date;
  @Long({ doc: 'The total number of records that the task has removed.', default: '0' }) removed!: string;
}
