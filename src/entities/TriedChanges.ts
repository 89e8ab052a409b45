/** Changes that were tried, so that every process can count their effect again for its lists. */
import { Guid, Json, Key, Record, When } from './fields.js';

@Record({
  table: 'tried_changes',
  doc: 'Changes of a dry run whose effect is being read.',
  index: [['actor', 'endsAt'], ['endsAt']],
  hidden: true,
})
export class TriedChanges {
  @Key('string', { doc: 'The id of the effect.', max: 36 }) effectId!: string;
  @Guid({ doc: 'The caller who tried them.' }) actor!: string;
  @Json({ doc: 'The changes, as `applyChanges` takes them.' }) changes!: object;
  @When({ doc: 'When they are forgotten.' }) endsAt!: Date;
}
