/** When each task of the housekeeping was last done, by whichever process did it. */
import { Key, Long, Record, When } from './fields.js';

@Record({ table: 'housekeeping_runs', doc: 'When each task of the housekeeping was last done.', hidden: true })
export class HousekeepingRun {
  @Key('string', { doc: 'The task.', max: 50 }) task!: string;
  @When({ doc: 'When it was last done.' }) finishedAt!: Date;
  @Long({ doc: 'How many records it has removed so far.', default: '0' }) removed!: string;
}
