/** The field of records that a file in git may manage. */
import { Shape, Text } from './fields.js';

/** The file in git that manages the record; only `gatehouse apply` sets it (docs/decisions/0026). */
export const ManagedBy = () =>
  Text({
    doc: 'Name of the file in git that manages the record; null if there is none.',
    max: 100,
    nullable: true,
    faces: ['graph', 'filter'],
  });

@Shape('A record that a file in git may manage.')
export abstract class Managed {
  @ManagedBy() managedBy!: string | null;
}
