/** A caller of SCIM: an identity provider that provisions its people and their groups. */
import { visible } from './description.js';
import { Bytes, Flag, Guid, Key, Record, Revision, Text, ToOne, When } from './fields.js';
import { Role } from './Role.js';

@Record({
  table: 'connectors',
  doc: 'A connector: an identity provider that provisions its people and their groups by SCIM.',
  readWith: 'admin:security',
})
export class Connector {
  @Key('string', 'Name of the connector.', { max: 50, create: 'required', faces: visible }) connectorId!: string;
  @Guid('Guid of the connector: the author of its changes.', {
    unique: true,
    default: 'gen_random_uuid()',
    faces: visible,
  })
  connectorGuid!: string;
  @Text('The `idpname` of the people that the connector manages.', { max: 255, create: 'required', faces: visible })
  idpname!: string;
  @Text('Id of the role in which the connector assigns profiles.', { max: 50, create: 'required', faces: visible })
  roleId!: string;
  @Text('Id of the client that may request tokens for the connector (client_credentials); null if there is none.', {
    max: 100,
    nullable: true,
    create: 'optional',
    faces: visible,
  })
  clientId!: string | null;
  @Bytes('SHA-256 of the token.', { unique: true }) tokenHash!: Buffer;
  @Bytes('SHA-256 of the previous token.', { nullable: true, unique: true }) previousTokenHash!: Buffer | null;
  @When('When the previous token stops working.', { nullable: true, faces: visible }) previousTokenEndsAt!: Date | null;
  @Flag('Whether the connector is revoked: its requests are refused.', { default: 'false', faces: visible })
  isRevoked!: boolean;
  @When('When the connector was created.', { default: 'now()', faces: visible }) createdAt!: Date;
  @When('Last request of the connector, to the minute.', { nullable: true, faces: visible }) lastUsedAt!: Date | null;
  @Revision() revision!: number;

  @ToOne(() => Role, 'roleId', 'The role in which the connector assigns profiles.', { faces: visible }) role!: Role;
}
