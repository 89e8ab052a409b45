/** What the query of a list asks for: its options, read against the documented fields of the record. */
import type { Request } from 'express';
import { describe, type FieldType, fieldsFor, type RecordClass } from '../../entities/description.js';
import { unversionedFields } from '../../entities/ofCatalogue.js';
import type { Problems } from '../../errors.js';
import { listedShape, navigationsOf } from '../../services/restLists/answerShape.js';
import type { ListQuery } from '../../services/restLists/listRecords.js';
import { filterCondition } from '../odata/filterSql.js';
import type { OdataModel, OdataProperty, PropertyType } from '../odata/model.js';
import { OptionErrors } from '../odata/optionError.js';
import { type Options, readOptions } from '../odata/options.js';

const propertyTypes: { [type in FieldType]?: PropertyType } = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  uuid: 'guid',
  dateTime: 'dateTime',
};
const models = new Map<RecordClass, OdataModel>();

/** What options may name of a record: what its documented answer has. */
export function modelOf(record: RecordClass): OdataModel {
  const known = models.get(record);
  if (known) return known;
  const navigations = (kind: 'toOne' | 'toMany') =>
    Object.fromEntries(
      navigationsOf(record)
        .filter((relation) => relation.kind === kind)
        .map(({ name, target }) => [name, () => modelOf(target())]),
    );
  const properties = fieldsFor(record, 'rest').map(({ name, type, nullable }): [string, OdataProperty] => {
    const known = propertyTypes[type];
    if (!known) throw new Error(`${describe(record).name}.${name} has a type that no option can name`);
    return [name, { type: known, nullable }];
  });
  const model = {
    properties: Object.fromEntries(properties),
    toOne: navigations('toOne'),
    toMany: navigations('toMany'),
  };
  models.set(record, model);
  return model;
}

/** The query string as it was sent, without `?`. */
export function queryOf({ originalUrl }: Request): string {
  const mark = originalUrl.indexOf('?');
  return mark < 0 ? '' : originalUrl.slice(mark + 1);
}

/** Whether the options of a list ask about what moves without a new version. @param query as it was sent */
export function asksUnversioned(query: string): boolean {
  try {
    const text = decodeURIComponent(query).toLowerCase();
    return unversionedFields.some(({ field }) => text.includes(field.toLowerCase()));
  } catch {
    return true;
  }
}

type ReadQuery = { query: ListQuery; count: boolean; problems?: never } | { problems: Problems };

const withoutOptions = new Map<RecordClass, ReadQuery>();

/** The query of a list of records, or the problems of its options, keyed by their names. */
export function readListQuery(text: string, record: RecordClass): ReadQuery {
  if (text !== '') return readOptionsOf(text, record);
  // what is asked for most, and always the same
  const read = withoutOptions.get(record) ?? readOptionsOf('', record);
  withoutOptions.set(record, read);
  return read;
}

function readOptionsOf(text: string, record: RecordClass): ReadQuery {
  try {
    const options = readOptions(text, modelOf(record));
    return { query: toListQuery(record, options), count: options.count };
  } catch (error) {
    if (!(error instanceof OptionErrors)) throw error;
    return { problems: Object.fromEntries(error.errors.map(({ option, message }) => [option, [message]])) };
  }
}

function toListQuery(record: RecordClass, { select, expand, filter, orderBy, top, skip }: Options): ListQuery {
  return {
    shape: listedShape(record, { select: select === 'all' ? undefined : select, expand }),
    filter: filter && filterCondition(filter),
    orderBy: orderBy.map(({ path: { navigations, property }, descending }) => ({ navigations, property, descending })),
    top,
    skip,
  };
}
