/** Fields that need another permission than the record that they are of: their refusal is theirs alone. */
import { hasPermission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';

/** Whether records that a relation leads to need another permission than those that it leads from. */
export const needsAnother = (record: RecordClass, target: RecordClass): boolean =>
  describe(record).readWith !== describe(target).readWith;

export const mayRead = ({ caller }: Pick<Context, 'caller'>, record: RecordClass): boolean =>
  hasPermission(caller, describe(record).readWith);
