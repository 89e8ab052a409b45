/** A key that signs tokens; its private half is encrypted. */
import { graphOnly, visible } from './description.js';
import { Bytes, JsonValue, Key, Record, Text, When } from './fields.js';

@Record({ table: 'signing_keys', doc: 'A key that signs tokens.', readWith: 'admin:security' })
export class SigningKey {
  @Key('string', 'Id of the key: the RFC 7638 thumbprint of the public key.', { max: 100, faces: visible })
  kid!: string;
  @Text('Algorithm.', { max: 20, faces: visible }) alg!: string;
  @Text('`next`, `active` or `retired`; `events`: signs security event tokens.', { max: 20, faces: visible })
  state!: string;
  @JsonValue('The public key as a JWK; null for the key of renewal tokens.', { nullable: true, faces: graphOnly })
  publicJwk!: object | null;
  @Bytes('The private key, encrypted with KEY_ENCRYPTION_KEY.') privateCiphertext!: Buffer;
  @When('When the key was created and published.', { default: 'now()', faces: visible }) createdAt!: Date;
  @When('When the key started to sign.', { nullable: true, faces: visible }) activatedAt!: Date | null;
  @When('When the key stopped signing.', { nullable: true, faces: visible }) retiredAt!: Date | null;
}
