/** The relations of every record as fields: to-one ones come with their parent's row, to-many ones are connections. */
import { Field } from 'type-graphql';
import { allRecords } from '../entities/all.js';
import { describe, fieldsFor, type RecordClass, type RelationDescription, relationsFor } from '../entities/fields.js';
import type { PageArguments } from '../services/reading.js';
import { connectionOf, declarePageArguments } from './connection.js';
import { filterOf } from './filter.js';
import { loadPage } from './loaders.js';
import { resolveBy } from './operations.js';
import { orderByOf } from './orderBy.js';

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  const shown = (allRecords as RecordClass[]).filter((record) => fieldsFor(record, 'graph').length > 0);
  for (const record of shown) {
    // type-graphql takes no type that is made after it began
    connectionOf(record);
    filterOf(record);
    orderByOf(record);
    for (const relation of relationsFor(record, 'graph')) declareRelation(record, relation);
  }
}

function declareRelation(record: RecordClass, relation: RelationDescription): void {
  const { name, doc: description, nullable, kind, target, from, to } = relation;
  if (kind === 'toOne') {
    Field(target, { description, nullable })(record.prototype, name);
    return;
  }
  Field(() => connectionOf(target()), { description })(record.prototype, name);
  declarePageArguments(record.prototype, name, target());
  resolveBy(describe(record).name, name, (parent, given: PageArguments, context, info) =>
    loadPage(context, info, target(), to, parent[from], given),
  );
}
