/** A caller of SCIM: an identity provider that provisions its people and their groups. */
import type { Face } from './description.js';
import { Bytes, Flag, Guid, Key, Record, Revision, Text, ToOne, When } from './fields.js';
import { Role } from './Role.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];

@Record({
  table: 'connectors',
  doc: 'A connector: an identity provider that provisions its people and their groups by SCIM.',
  readWith: 'admin:security',
})
export class Connector {
  @Key('string', { doc: 'Name of the connector.', max: 50, create: 'required', faces: visibleFaces })
  connectorId!: string;
  @Guid({
    doc: 'Guid of the connector: the author of its changes.',
    unique: true,
    default: 'gen_random_uuid()',
    faces: visibleFaces,
  })
  connectorGuid!: string;
  @Text({ doc: 'The `idpname` of the people that it manages.', max: 255, create: 'required', faces: visibleFaces })
  idpname!: string;
  @Text({ doc: 'Id of the role in which it gives profiles.', max: 50, create: 'required', faces: visibleFaces })
  roleId!: string;
  @Text({
    doc: 'Id of the client that may request tokens for it (client_credentials); null if there is none.',
    max: 100,
    nullable: true,
    create: 'optional',
    faces: visibleFaces,
  })
  clientId!: string | null;
  @Bytes({ doc: 'SHA-256 of the token.', unique: true }) tokenHash!: Buffer;
  @Bytes({ doc: 'SHA-256 of the previous token.', nullable: true, unique: true }) previousTokenHash!: Buffer | null;
  @When({ doc: 'When the previous token stops working.', nullable: true, faces: visibleFaces })
  previousTokenEndsAt!: Date | null;
  @Flag({ doc: 'Whether the connector is revoked: its requests are refused.', default: 'false', faces: visibleFaces })
  isRevoked!: boolean;
  @When({ doc: 'When the connector was created.', default: 'now()', faces: visibleFaces }) createdAt!: Date;
  @When({ doc: 'Last request of the connector, to the minute.', nullable: true, faces: visibleFaces })
  lastUsedAt!: Date | null;
  @Revision() revision!: number;

  @ToOne(() => Role, 'roleId', { doc: 'The role in which it gives profiles.', faces: visibleFaces }) role!: Role;
}
