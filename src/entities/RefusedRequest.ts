/** A refused token request and its cause. Only services/refusals writes it. */
import { Guid, Key, Record, Text, When } from './fields.js';

@Record({
  table: 'refused_requests',
  doc: 'A token request that was refused, and why.',
  index: [['traceId']],
  readWith: 'admin:security',
  hidden: true,
})
export class RefusedRequest {
  @Key('bigint', { doc: 'Number of the refusal.' }) refusedRequestId!: string;
  @Text({ doc: 'Trace id of the request; the caller may have chosen it.', max: 32 }) traceId!: string;
  @When({ doc: 'When it was refused.' }) occurredAt!: Date;
  @Text({ doc: 'Path of the endpoint.', max: 50, nullable: true }) endpoint!: string | null;
  @Text({ doc: 'The requested grant.', max: 50, nullable: true }) grant!: string | null;
  @Text({ doc: 'The client id as sent.', max: 100, nullable: true }) clientId!: string | null;
  @Text({ doc: 'The check that refused the request.', max: 50 }) reason!: string;
  @Text({ doc: 'The cause.', max: 500 }) detail!: string;
  @Guid({ doc: 'Guid of the record of the renewal token.', nullable: true }) tokenGuid!: string | null;
}
