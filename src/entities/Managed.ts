/** What records have in common that a file in git may manage. */
import { Shape, Text } from './fields.js';

/** Which file in git manages the record: set by `gatehouse apply` alone (docs/decisions/0026). */
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
