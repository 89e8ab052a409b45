/** What the hardened policy would have said of a client's requests. Written by services/policyReadiness alone. */
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
  @Text({ doc: 'Id of the client; empty: none that is known.', max: 100 }) clientId!: string;
  @Text({ doc: 'Path of the endpoint.', max: 50 }) operation!: string;
  @Text({ doc: 'Why it would have been refused; `passed`, or `notJudged`.', max: 50 }) verdict!: string;
  @When({ doc: 'First seen.' }) firstSeenAt!: Date;
  @When({ doc: 'Last seen.' }) lastSeenAt!: Date;
  @Long({ doc: 'How many requests.' }) count!: string;
}
