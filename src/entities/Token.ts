/** The record of a renewal token, or of an access token that the operator made. */
import { Client } from './Client.js';
import type { Face } from './description.js';
import { Bytes, Flag, Guid, Int, Key, Record, Text, ToOne, When } from './fields.js';
import { Profile } from './Profile.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];
const imported: readonly Face[] = ['graph', 'filter', 'import'];

@Record({
  table: 'tokens',
  doc: 'The record of a renewal token, or of an access token of `gatehouse admin-token`.',
  index: [['userId']],
  readWith: 'admin:security',
})
export class Token {
  @Key('bigint', { doc: 'Number of the record.', faces: visibleFaces }) id!: string;
  @Guid({ doc: 'First half of the `jti` of the renewal token.', unique: true, default: 'gen_random_uuid()' })
  tokenGuid!: string;
  @Int({ doc: 'The number of renewals: the second half of the `jti`.', default: '0', faces: visibleFaces })
  generation!: number;
  @Guid({
    doc: 'Guid of the user. For tokens of `gatehouse admin-token` it may belong to no user.',
    faces: visibleFaces,
  })
  userId!: string;
  @Text({ doc: 'Id of the profile.', max: 50, faces: imported }) profileId!: string;
  // without an index, so that a renewal changes none (docs/decisions/0030)
  @Bytes({ doc: 'SHA-256 of the renewal token.' }) token!: Buffer;
  @Bytes({
    doc: 'Identifies a repeated renewal: SHA-256 of the client, the Idempotency-Key and the previous token.',
    nullable: true,
  })
  renewalKey!: Buffer | null;
  @Text({
    doc: '`refresh` for renewal tokens, `admin` for tokens of `gatehouse admin-token`.',
    max: 50,
    default: "'refresh'",
    faces: imported,
  })
  tokenType!: string;
  @Text({ doc: 'The requested audiences, separated by spaces; null: all.', nullable: true, faces: visibleFaces })
  audience!: string | null;
  @Text({
    doc: 'The requested scopes, separated by spaces; null: all of the profile.',
    nullable: true,
    faces: visibleFaces,
  })
  scope!: string | null;
  @Text({
    doc: 'Thumbprint of the key to which the token is bound (DPoP); null if there is none.',
    max: 43,
    nullable: true,
    faces: visibleFaces,
  })
  jkt!: string | null;
  @Text({
    doc: 'The identity provider whose ID token was exchanged; null if unknown.',
    nullable: true,
    faces: visibleFaces,
  })
  issuer!: string | null;
  @When({ doc: 'When the token was issued or last renewed.', faces: imported }) createdAt!: Date;
  @When({ doc: 'When the token expires.', faces: imported }) expiresAt!: Date;
  @When({ doc: 'When the token was revoked.', nullable: true, faces: imported }) revokedAt!: Date | null;
  @Flag({ doc: 'Whether the token is revoked.', default: 'false', faces: imported }) isRevoked!: boolean;
  @Text({ doc: 'Id of the client to which the token was issued.', max: 100, nullable: true, faces: imported })
  clientId!: string | null;
  @Text({ doc: 'The IP address to which the token was issued.', max: 45, nullable: true, faces: imported })
  createdByIp!: string | null;
  @Text({
    doc: 'Who revoked the token: `user` and a guid, `client` and an id, `holder` of the token, `provider` after a sign-out there, or `reuse` of a used token.',
    max: 120,
    nullable: true,
    faces: visibleFaces,
  })
  revokedBy!: string | null;
  @Text({ doc: 'The IP address that revoked the token.', max: 45, nullable: true, faces: imported }) revokedByIp!:
    | string
    | null;
  @When({ doc: 'Time of the exchange with which the chain of renewals began.', default: 'now()', faces: visibleFaces })
  startedAt!: Date;

  @ToOne(() => User, 'userId', {
    doc: 'The user; null if there is no such user. The tokens of a deleted user are deleted too.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  user!: User | null;
  @ToOne(() => Profile, 'profileId', {
    doc: 'The profile; null if it was deleted.',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  profile!: Profile | null;
  @ToOne(() => Client, 'clientId', {
    doc: 'The client; null if the token is not bound to a client.',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  client!: Client | null;
}
