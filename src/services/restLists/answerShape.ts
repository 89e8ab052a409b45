/** Which keys of a record an answer of the REST face has, and which of the records that it leads to it holds (docs/contract/administration.md). */
import { Application } from '../../entities/Application.js';
import {
  type FieldDescription,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { User } from '../../entities/User.js';

export interface Shape {
  record: RecordClass;
  fields: FieldDescription[];
  relations: { relation: RelationDescription /** null: the key is there and says null. */; shape: Shape | null }[];
}

/** Navigations of a record's documented answer. A user has none: `UserDTO` ends every path. */
export const navigationsOf = (record: RecordClass): RelationDescription[] =>
  record === User ? [] : relationsFor(record, 'rest');

/** Keys to give, each with those to give below it. */
interface KeyTree extends ReadonlyMap<string, KeyTree | 'all'> {}
/** Navigations to fill, each with those to fill below it. */
interface NavigationTree extends ReadonlyMap<string, NavigationTree> {}

/** What a caller asks of one record; absent: what the list shows by itself. */
interface SelectExpand {
  select?: KeyTree | undefined;
  expand?: NavigationTree | undefined;
}

/** The shape of a listed record. */
export const listedShape = (record: RecordClass, selectExpand: SelectExpand = {}): Shape =>
  shapeOf(record, selectExpand, true);

function shapeOf(record: RecordClass, { select, expand }: SelectExpand, isListed: boolean): Shape {
  const asked = expand && expand.size > 0 ? expand : undefined;
  const fields = fieldsFor(record, 'rest').filter(({ name }) => !select || select.has(name));
  const relations = navigationsOf(record)
    .filter(({ name }) => !select || select.has(name) || asked?.has(name))
    .map((relation) => {
      const { name } = relation;
      const below = select?.get(name);
      const isFilled = asked?.has(name) || below !== undefined || (!asked && isFilledByDefault(relation, isListed));
      const selectExpand = { select: below === 'all' ? undefined : below, expand: asked?.get(name) };
      return { relation, shape: isFilled ? shapeOf(relation.target(), selectExpand, false) : null };
    });
  return { record, fields, relations };
}

/** Everything on the listed record itself; deeper, what a scope or type is, but neither users nor an application again. */
function isFilledByDefault({ kind, constrained, target }: RelationDescription, isListed: boolean): boolean {
  return isListed || (kind === 'toOne' && constrained && target() !== Application);
}
