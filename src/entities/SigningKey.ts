/** A key that signs tokens; its private half is encrypted. */
import type { Face } from './description.js';
import { Bytes, Json, Key, Record, Text, When } from './fields.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];

@Record({ table: 'signing_keys', doc: 'A key that signs tokens.', readWith: 'admin:security' })
export class SigningKey {
  @Key('string', { doc: 'Id of the key: the RFC 7638 thumbprint of the public key.', max: 100, faces: visibleFaces })
  kid!: string;
  @Text({ doc: 'Algorithm.', max: 20, faces: visibleFaces }) alg!: string;
  @Text({ doc: '`next`, `active` or `retired`.', max: 20, faces: visibleFaces }) state!: string;
  @Json({ doc: 'The public key as a JWK; null for the key of renewal tokens.', nullable: true, faces: ['graph'] })
  publicJwk!: object | null;
  @Bytes({ doc: 'The private key, encrypted with KEY_ENCRYPTION_KEY.' }) privateCiphertext!: Buffer;
  @When({ doc: 'When the key was created and published.', default: 'now()', faces: visibleFaces }) createdAt!: Date;
  @When({ doc: 'When the key started to sign.', nullable: true, faces: visibleFaces }) activatedAt!: Date | null;
  @When({ doc: 'When the key stopped signing.', nullable: true, faces: visibleFaces }) retiredAt!: Date | null;
}
