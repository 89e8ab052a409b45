/** Counts of failures and requests that processes share, where a setting says so; written by auth/databaseCounts alone. */
import { Int, Key, Long, Record } from './fields.js';

@Record({ table: 'rate_limits', doc: 'Counts of failures that processes share.', hidden: true })
export class RateLimit {
  @Key('string', { doc: 'What is counted.', max: 255 }) key!: string;
  @Int({ doc: 'The count.', default: '0' }) points!: number;
  @Long({ doc: 'When the count ends, in milliseconds since 1970.', nullable: true }) expire!: string | null;
}
