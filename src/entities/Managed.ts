/** The field of records that a file in git or a connector may manage. */
import { visible } from './description.js';
import { Shape, Text } from './fields.js';

/** The file in git (docs/decisions/0026) or the connector that manages the record. Neither changes records that another one manages. */
export const ManagedBy = () =>
  Text(
    'Name of the file in git that manages the record, or `scim:` and the name of the connector; null if there is none.',
    { max: 100, nullable: true, faces: visible, isBesideAccess: true },
  );

@Shape('A record that a file in git may manage.')
export abstract class Managed {
  @ManagedBy() managedBy!: string | null;
}
