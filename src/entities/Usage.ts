/** Who uses which operation how, since when and how often. Written by services/usage alone. */
import { Key, Long, Record, Text, When } from './fields.js';

@Record({
  table: 'usages',
  doc: 'Who uses which operation how, since when and how often.',
  unique: [['clientId', 'caller', 'operation', 'option', 'mediaType', 'product']],
  readWith: 'admin:security',
  hidden: true,
})
export class Usage {
  @Key('bigint', { doc: 'Number of the usage.' }) usageId!: string;
  @Text({ doc: 'Id of the client, as presented; empty: none that is known.', max: 100 }) clientId!: string;
  @Text({ doc: 'Guid of the user who called the administration, or empty.', max: 50 }) caller!: string;
  @Text({ doc: 'Method and path; `others`: all that found no row of their own.', max: 100 }) operation!: string;
  @Text({ doc: 'The grant, the options of a list, or the name of a query; or empty.', max: 100 }) option!: string;
  @Text({ doc: 'Media type of the request, or empty.', max: 100 }) mediaType!: string;
  @Text({ doc: 'First product that the user agent names, or empty.', max: 100 }) product!: string;
  @When({ doc: 'First seen.' }) firstSeenAt!: Date;
  @When({ doc: 'Last seen.' }) lastSeenAt!: Date;
  @Long({ doc: 'How many requests.' }) count!: string;
  @Long({ doc: 'How many of them a brown-out answered.' }) brownouts!: string;
}
