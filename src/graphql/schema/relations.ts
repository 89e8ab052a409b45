/** The relations of every record as fields: to-one ones come with their parent's row, to-many ones are connections. */
import { Field } from 'type-graphql';
import { allRecords, allViews } from '../../entities/all.js';
import {
  describe,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import type { PageArguments } from '../../services/graphReads/readPages.js';
import { needsAnother } from '../../services/graphReads/readPermission.js';
import { loadPage } from '../resolving/loaders.js';
import { guarded } from '../resolving/refusals.js';
import { connectionOf, declarePageArguments } from './connection.js';
import { type Resolver, resolveBy } from './declare.js';
import { filterOf } from './filter.js';
import { orderByOf } from './orderBy.js';

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  const shown = ([...allRecords, ...allViews] as RecordClass[]).filter(
    (record) => fieldsFor(record, 'graph').length > 0,
  );
  for (const record of shown) {
    // type-graphql takes no type that is made after it began
    connectionOf(record);
    filterOf(record);
    orderByOf(record);
    for (const relation of relationsFor(record, 'graph')) declareRelation(record, relation);
  }
}

function declareRelation(record: RecordClass, relation: RelationDescription): void {
  const { name, doc: description, kind, target, from, to } = relation;
  const isGuarded = needsAnother(record, target());
  const nullable = relation.nullable || isGuarded;
  const guard = (resolve: Resolver) => (isGuarded ? guarded(target(), resolve) : resolve);
  if (kind === 'toOne') {
    Field(target, { description, nullable })(record.prototype, name);
    if (isGuarded)
      resolveBy(
        describe(record).name,
        name,
        guard((parent) => parent[name]),
      );
    return;
  }
  Field(() => connectionOf(target()), { description, nullable })(record.prototype, name);
  declarePageArguments(record.prototype, name, target());
  resolveBy(
    describe(record).name,
    name,
    guard((parent, given: PageArguments, context, info) => loadPage(context, info, target(), to, parent[from], given)),
  );
}
