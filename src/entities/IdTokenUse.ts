/** A used ID token, kept until it expires. Only the hardened policy writes it. */
import { Key, Record, When } from './fields.js';

@Record({
  table: 'id_token_uses',
  doc: 'That an ID token was exchanged for a profile; kept until the token ends.',
  index: [['endsAt']],
  hidden: true,
})
export class IdTokenUse {
  @Key('string', { doc: 'SHA-256 of issuer, token and profile.', max: 50 }) useHash!: string;
  @When({ doc: 'When the ID token expires.' }) endsAt!: Date;
}
