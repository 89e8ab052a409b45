/**
 * What a read statement answers with: one row, in which each column is a field of all records found, as an array of JSON.
 * Those at the ends of relations to one are parts of the same statement, and each of them is given once, however many
 * records lead to it.
 */
import type { Context } from '../../context.js';
import {
  describe,
  type FieldType,
  fieldOf,
  type RecordClass,
  type RelationDescription,
} from '../../entities/fields.js';
import { GatehouseError } from '../../errors.js';
import { permit } from '../permit.js';
import { columnAt, relationOf, type Selection } from '../sql/select.js';
import { mayRead, needsAnother } from './readPermission.js';

/** Most to-one relations of one statement: its plan costs more with each. */
const joinedMax = 40;

/** Records of one part of the statement. */
export interface Part {
  /** Its name in the statement. */
  alias: string;
  fields: Map<string, FieldType>;
  toOne: { relation: RelationDescription; part: Part }[];
}

/** A column that is answered beside the selected fields of the records read. */
export interface FurtherColumn {
  name: string;
  type: FieldType;
}

export class Projection {
  /** The records read. */
  readonly root: Part;
  private readonly joined: Part[] = [];
  private readonly joinTexts: string[] = [];

  constructor(
    readonly context: Context,
    selection: Selection,
    { isOwn = false } = {},
  ) {
    if (!isOwn) this.requireReadable(selection);
    this.root = this.open('p', selection);
    this.follow(this.root, selection);
  }

  /** The fields in the subquery that finds the records, read from the rows of that alias. */
  inner({ record, alias }: { record: RecordClass; alias: string }): string[] {
    return [...this.root.fields.keys()].map((field) => `${columnAt(record, alias, field)} as "${field}"`);
  }

  /** The statement, around the subquery that finds the records. */
  text(found: string, further: readonly FurtherColumn[] = []): string {
    for (const { name, type } of further) this.root.fields.set(name, type);
    const columns = [this.root, ...this.joined].map(columnsOf);
    return `with ${[`p as (${found})`, ...this.joinTexts].join(', ')} select * from ${columns.join(', ')}`;
  }

  /** False: the field is left out, and noted. Throws FORBIDDEN where nobody looks at the notes. */
  private mayFollow(record: RecordClass, relation: string, target: RecordClass): boolean {
    const { refusals } = this.context;
    const { readWith } = describe(target);
    if (refusals && needsAnother(record, target) && !mayRead(this.context, target)) {
      const name = `${describe(record).name}.${relation}`;
      if (!refusals.has(name)) refusals.set(name, { permission: readWith });
      return false;
    }
    permit(this.context, readWith);
    return true;
  }

  private requireReadable({ record }: Selection): void {
    permit(this.context, describe(record).readWith);
  }

  private open(alias: string, { record, fields, toOne }: Selection, key: readonly string[] = []): Part {
    const followed = [...toOne.keys()].map((name) => relationOf(record, name).from);
    const names = new Set([...fields, ...followed, ...key]);
    return { alias, fields: new Map([...names].map((name) => [name, fieldOf(record, name).type])), toOne: [] };
  }

  private follow(from: Part, { record, toOne }: Selection): void {
    for (const [name, selection] of toOne) {
      const relation = relationOf(record, name);
      if (!this.mayFollow(record, name, selection.record)) continue;
      const part = this.open(`j${this.joined.length + 1}`, selection, [relation.to]);
      if (this.joined.length >= joinedMax)
        throw new GatehouseError(
          'TOO_LARGE',
          `The query follows too many relations to one; the limit is ${joinedMax}.`,
          { extra: { limit: 'relations', max: joinedMax } },
        );
      this.joined.push(part);
      this.joinTexts.push(joinText(from, relation, part, selection));
      from.toOne.push({ relation, part });
      this.follow(part, selection);
    }
  }
}

function joinText(from: Part, relation: RelationDescription, { alias, fields }: Part, { record }: Selection): string {
  const columns = [...fields.keys()].map((field) => `${columnAt(record, 't', field)} as "${field}"`);
  return `${alias} as (select ${columns.join(', ')} from ${describe(record).table} t where ${columnAt(record, 't', relation.to)} = any(array(select "${relation.from}" from ${from.alias})))`;
}

/** JavaScript's numbers end at 2^53. */
const valueSql = (name: string, type: FieldType): string => (type === 'bigint' ? `"${name}"::text` : `"${name}"`);

const columnsOf = ({ alias, fields }: Part): string => {
  const columns = [...fields].map(([name, type]) => `json_agg(${valueSql(name, type)})::text as "${alias}.${name}"`);
  return `(select ${[`count(*)::int as "${alias}"`, ...columns].join(', ')} from ${alias}) ${alias}`;
};
