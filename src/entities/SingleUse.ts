/** A used `jti` of a client assertion, a DPoP proof or a logout token, which may be used only once. */
import { Key, Record, When } from './fields.js';

@Record({
  table: 'single_uses',
  doc: 'That something which is good for one use was used; kept until it ends by itself.',
  index: [['endsAt']],
  hidden: true,
})
export class SingleUse {
  @Key('string', { doc: 'SHA-256 of kind, issuer and `jti`.', max: 50 }) useHash!: string;
  @When({ doc: 'When it expires.' }) endsAt!: Date;
}
