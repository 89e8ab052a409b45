/** The fields that all administered records have: author, last change and revision. */
import { everywhere } from './description.js';
import { Guid, Revision, Shape, ToUser, When } from './fields.js';
import type { User } from './User.js';

/** The fields that every change of a record sets; they do not count as changes. */
export const stamps: ReadonlySet<string> = new Set([
  'createdDate',
  'createdBy',
  'modifiedDate',
  'modifiedBy',
  'revision',
]);

@Shape('A record with its author, the user who last changed it, both times, and a revision.')
export abstract class Stamped {
  @When('When the record was created.', { default: 'now()', faces: everywhere }) createdDate!: Date;
  @Guid('Guid of the user who created the record.', { default: 'change_author()', faces: everywhere })
  createdBy!: string;
  @When('When the record was last changed; null until the first change.', { nullable: true, faces: everywhere })
  modifiedDate!: Date | null;
  @Guid('Guid of the user who last changed the record.', { nullable: true, faces: everywhere })
  modifiedBy!: string | null;
  @Revision() revision!: number;

  @ToUser('createdBy', 'The user who created the record; null if there is no such user.', { faces: everywhere })
  createdByNavigation!: User | null;
  @ToUser(
    'modifiedBy',
    'The user who last changed the record; null before the first change, or if there is no such user.',
    { faces: everywhere },
  )
  modifiedByNavigation!: User | null;
}
