/** A sign-out at an identity provider. ID tokens from before it are refused. */
import { Key, Record, When } from './fields.js';

@Record({
  table: 'provider_sign_outs',
  doc: 'That an identity provider signed a session or a user out; kept until ID tokens of before are too old by themselves.',
  index: [['endsAt']],
  hidden: true,
})
export class ProviderSignOut {
  @Key('string', { doc: 'SHA-256 of issuer and sid, or of issuer and sub.', max: 50 }) nameHash!: string;
  @When({ doc: 'ID tokens that the provider issued until this time are refused.' }) issuedUntil!: Date;
  @When({ doc: 'When all of these ID tokens have become too old.' }) endsAt!: Date;
}
