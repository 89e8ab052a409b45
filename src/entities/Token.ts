/** The record of a renewal token, or of an access token that the operator made. */
import { Client } from './Client.js';
import type { Face } from './description.js';
import { Bytes, Flag, Guid, Int, Key, Record, Text, ToOne, When } from './fields.js';
import { Profile } from './Profile.js';
import { User } from './User.js';

const shown: readonly Face[] = ['graph', 'filter'];
const imported: readonly Face[] = ['graph', 'filter', 'import'];

@Record({
  table: 'tokens',
  doc: 'The record of a renewal token, or of an access token of `gatehouse admin-token`.',
  index: [['userId']],
  readWith: 'admin:security',
})
export class Token {
  @Key('bigint', { doc: 'Number of the record.', faces: shown }) id!: string;
  @Guid({ doc: 'First half of the `jti` of the renewal token.', unique: true, default: 'gen_random_uuid()' })
  tokenGuid!: string;
  @Int({ doc: 'How many times the token was renewed: second half of the `jti`.', default: '0', faces: shown })
  generation!: number;
  @Guid({ doc: 'Guid of the user; the operator’s may be nobody’s.', faces: shown }) userId!: string;
  @Text({ doc: 'Profile of the token.', max: 50, faces: imported }) profileId!: string;
  // without an index, so that a renewal changes none (docs/decisions/0030)
  @Bytes({ doc: 'SHA-256 of the renewal token.' }) token!: Buffer;
  @Bytes({
    doc: 'SHA-256 of the client, the Idempotency-Key and the token before: by them a lost answer is given again.',
    nullable: true,
  })
  renewalKey!: Buffer | null;
  @Text({
    doc: '`refresh` for renewal tokens, `admin` for those of `gatehouse admin-token`.',
    max: 50,
    default: "'refresh'",
    faces: imported,
  })
  tokenType!: string;
  @Text({ doc: 'Audiences that it was asked for, with spaces between; null: all.', nullable: true, faces: shown })
  audience!: string | null;
  @Text({
    doc: 'Scopes that it was asked for, with spaces between; null: all of the profile.',
    nullable: true,
    faces: shown,
  })
  scope!: string | null;
  @Text({
    doc: 'Thumbprint of the key that it is bound to (DPoP); null: to none.',
    max: 43,
    nullable: true,
    faces: shown,
  })
  jkt!: string | null;
  @Text({
    doc: 'Identity provider whose ID token was exchanged for it; null: not known.',
    nullable: true,
    faces: shown,
  })
  issuer!: string | null;
  @When({ doc: 'When it was issued or last renewed.', faces: imported }) createdAt!: Date;
  @When({ doc: 'When it stops working.', faces: imported }) expiresAt!: Date;
  @When({ doc: 'When it was revoked.', nullable: true, faces: imported }) revokedAt!: Date | null;
  @Flag({ doc: 'Whether it is revoked.', default: 'false', faces: imported }) isRevoked!: boolean;
  @Text({ doc: 'Client that it was issued to.', max: 100, nullable: true, faces: imported }) clientId!: string | null;
  @Text({ doc: 'Address that it was issued to.', max: 45, nullable: true, faces: imported }) createdByIp!:
    | string
    | null;
  @Text({
    doc: 'Who revoked it: `user` and a guid, `client` and an id, `holder` of the token, `provider` where its user signed out, or `reuse` of a used one.',
    max: 120,
    nullable: true,
    faces: shown,
  })
  revokedBy!: string | null;
  @Text({ doc: 'Address that revoked it.', max: 45, nullable: true, faces: imported }) revokedByIp!: string | null;
  @When({ doc: 'When the family of renewals began: the exchange.', default: 'now()', faces: shown })
  startedAt!: Date;

  @ToOne(() => User, 'userId', {
    doc: 'The user; null when not known here. The records of a user who is deleted are deleted too.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: shown,
  })
  user!: User | null;
  @ToOne(() => Profile, 'profileId', {
    doc: 'The profile; null when it is gone.',
    constrained: false,
    nullable: true,
    faces: shown,
  })
  profile!: Profile | null;
  @ToOne(() => Client, 'clientId', {
    doc: 'The client; null when the token is bound to none.',
    constrained: false,
    nullable: true,
    faces: shown,
  })
  client!: Client | null;
}
