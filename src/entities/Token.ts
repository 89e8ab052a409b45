/** The record of a renewal token, or of an access token that the operator made. */
import { Client } from './Client.js';
import { inside, visible } from './description.js';
import { Bytes, Flag, Guid, Int, Key, Record, Text, ToOne, ToUser, When } from './fields.js';
import { Profile } from './Profile.js';
import type { User } from './User.js';

@Record({
  table: 'tokens',
  doc: 'The record of a renewal token, or of an access token of `gatehouse admin-token`.',
  index: [['userId']],
  readWith: 'admin:security',
})
export class Token {
  @Key('bigint', 'Number of the record.', { faces: visible }) id!: string;
  @Guid('First half of the `jti` of the renewal token.', { unique: true, default: 'gen_random_uuid()' })
  tokenGuid!: string;
  @Int('The number of renewals: the second half of the `jti`.', { default: '0', faces: visible }) generation!: number;
  @Guid('Guid of the user. For tokens of `gatehouse admin-token` it may belong to no user.', { faces: visible })
  userId!: string;
  @Text('Id of the profile.', { max: 50, faces: inside }) profileId!: string;
  // without an index, so that a renewal changes none (docs/decisions/0030)
  @Bytes('SHA-256 of the renewal token.') token!: Buffer;
  @Bytes('Identifies a repeated renewal: SHA-256 of the client, the Idempotency-Key and the previous token.', {
    nullable: true,
  })
  renewalKey!: Buffer | null;
  @Text('`refresh` for renewal tokens, `admin` for tokens of `gatehouse admin-token`.', {
    max: 50,
    default: "'refresh'",
    faces: inside,
  })
  tokenType!: string;
  @Text('The requested audiences, separated by spaces; null: all.', { nullable: true, faces: visible })
  audience!: string | null;
  @Text('The requested scopes, separated by spaces; null: all of the profile.', { nullable: true, faces: visible })
  scope!: string | null;
  @Text('Thumbprint of the key to which the token is bound (DPoP); null if there is none.', {
    max: 43,
    nullable: true,
    faces: visible,
  })
  jkt!: string | null;
  @Text('The identity provider whose ID token was exchanged; null if unknown.', { nullable: true, faces: visible })
  issuer!: string | null;
  @When('When the token was issued or last renewed.', { faces: inside }) createdAt!: Date;
  @When('When the token expires.', { isEnd: true, faces: inside }) expiresAt!: Date;
  @When('When the token was revoked.', { nullable: true, faces: inside }) revokedAt!: Date | null;
  @Flag('Whether the token is revoked.', { default: 'false', faces: inside }) isRevoked!: boolean;
  @Text('Id of the client to which the token was issued.', { max: 100, nullable: true, faces: inside })
  clientId!: string | null;
  @Text('The IP address to which the token was issued.', { max: 45, nullable: true, faces: inside })
  createdByIp!: string | null;
  @Text(
    'Who revoked the token: `user` and a guid, `client` and an id, `holder` of the token, `provider` after a sign-out at the identity provider, or `reuse` of a used token.',
    { max: 120, nullable: true, faces: visible },
  )
  revokedBy!: string | null;
  @Text('The IP address that revoked the token.', { max: 45, nullable: true, faces: inside })
  revokedByIp!: string | null;
  @When('Time of the exchange with which the chain of renewals began.', { default: 'now()', faces: visible })
  startedAt!: Date;

  @ToUser('userId', 'The user; null if there is no such user. The tokens of a deleted user are deleted too.', {
    faces: visible,
  })
  user!: User | null;
  @ToOne(() => Profile, 'profileId', 'The profile; null if it was deleted.', { constrained: false, faces: visible })
  profile!: Profile | null;
  @ToOne(() => Client, 'clientId', 'The client; null if the token is not bound to a client.', {
    constrained: false,
    faces: visible,
  })
  client!: Client | null;
}
