/** Which caller uses which operation, since when and how often. Only services/usage writes it. */
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
  @Text({ doc: 'The client id as sent; empty if no such client is registered.', max: 100 }) clientId!: string;
  @Text({ doc: 'Guid of the user who called the administration interface, or empty.', max: 50 }) caller!: string;
  @Text({ doc: 'Method and path; `others` stands for all requests that are not listed separately.', max: 100 })
  operation!: string;
  @Text({ doc: 'The grant, the options of a list, or the name of a query; or empty.', max: 100 }) option!: string;
  @Text({ doc: 'Media type of the request, or empty.', max: 100 }) mediaType!: string;
  @Text({ doc: 'The first product in the User-Agent header, or empty.', max: 100 }) product!: string;
  @When({ doc: 'Time of the first request.' }) firstSeenAt!: Date;
  @When({ doc: 'Time of the latest request.' }) lastSeenAt!: Date;
  @Long({ doc: 'The number of requests.' }) count!: string;
  @Long({ doc: 'The number of these requests that a brown-out refused.' }) brownouts!: string;
}
