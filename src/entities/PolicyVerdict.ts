/** What the hardened policy would have decided about requests of a client. Only services/policyReadiness writes it. */
import { Key, Long, Record, Text, When } from './fields.js';

@Record({
  table: 'policy_verdicts',
  doc: 'What the hardened policy would have said of requests that were answered as documented.',
  unique: [['clientId', 'operation', 'verdict']],
  readWith: 'admin:security',
  hidden: true,
})
export class PolicyVerdict {
  @Key('bigint', { doc: 'Number of the verdict.' }) policyVerdictId!: string;
  @Text({ doc: 'Id of the client; empty if it is not registered.', max: 100 }) clientId!: string;
  @Text({ doc: 'Path of the endpoint.', max: 50 }) operation!: string;
  @Text({ doc: 'Why the requests would have been refused; or `passed` or `notJudged`.', max: 50 }) verdict!: string;
  @When({ doc: 'Time of the first request.' }) firstSeenAt!: Date;
  @When({ doc: 'Time of the latest request.' }) lastSeenAt!: Date;
  @Long({ doc: 'The number of requests.' }) count!: string;
}
