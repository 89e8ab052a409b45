/**
 * A batch of listed records as one row: the records that their lists hold are columns of bytes (graphReads/columns.ts),
 * whichever listed record they are of, and what a listed record says beside its lists is JSON.
 */
import { describe, fieldOf, type RelationDescription } from '../../entities/description.js';
import { type Columns, columnOf, columnSql } from '../graphReads/columns.js';
import { integersOf } from '../graphReads/jsonColumns.js';
import type { Part } from '../graphReads/projection.js';
import { columnAt, type Statement } from '../sql/select.js';
import type { Shape } from './answerShape.js';
import { jsonOf, jsonOfRelated, listOrder } from './jsonSql.js';
import { SharedJson } from './sharedJson.js';
import { textsSql } from './texts.js';

export type BatchRow = Columns;

/** The records that a relation of the listed ones leads to. */
export interface List {
  relation: RelationDescription;
  shape: Shape;
  part: Part;
  /** Relations whose records may be among the shared ones. */
  shared: Set<RelationDescription>;
}

/** What a listed record says, in order: JSON of some of its keys, or a list. */
type Section = { column: string } | { list: List };

/** How many listed records are in a batch. */
export const batchSizeOf = (row: BatchRow): number => row.size as number;

const placeColumn = 'place in the batch';
const placeType = { type: 'integer', nullable: false } as const;

/** Of each record of a list: which listed record of the batch it is of, from 0. */
export function placesIn(row: BatchRow, part: Part): number[] {
  const sent = columnOf(row, part, placeColumn);
  return sent ? (integersOf(sent, placeType) as number[]) : [];
}

interface Listed {
  /** SQL of the listed rows and of their order, in which they are called `chosen`. */
  chosen: string;
  order: string;
  batchSize: number;
}

/** The columns of a list's statement. */
export class BatchColumns {
  readonly sections: Section[] = [];
  readonly shared: SharedJson;
  /** SQL of each list in a batch. */
  readonly #joins: string[] = [];
  /** SQL of the columns of a batch that aren't of lists. */
  readonly #columns: string[] = [];
  readonly #statement: Statement;
  readonly #shape: Shape;

  constructor(statement: Statement, shape: Shape, areAll: boolean) {
    this.#statement = statement;
    this.#shape = shape;
    this.shared = new SharedJson(shape.record, statement, areAll);
    let own: Shape = { ...shape, relations: [] };
    for (const member of shape.relations) {
      if (member.shape === null || member.relation.kind === 'toOne') own.relations.push(member);
      else {
        this.#addOwn(own);
        this.#addList(member.relation, member.shape);
        own = { ...shape, fields: [], relations: [] };
      }
    }
    this.#addOwn(own);
  }

  /** Batches are made one after another, as they are fetched: none waits for those behind it. */
  text({ chosen, order, batchSize }: Listed): string {
    const parts = [`chosen as materialized (${chosen})`, ...this.shared.parts];
    const batches = `select chosen.place / ${batchSize} as number, ${['count(*)::int as size', ...this.#columns].join(', ')} from (select *, row_number() over (order by ${order}) - 1 as place from chosen) chosen group by 1 order by 1`;
    const given = [
      'batch.size',
      ...this.sections.flatMap((section) => ('list' in section ? [] : [`batch.${section.column}`])),
      ...this.sections.flatMap((section) => ('list' in section ? [`${section.list.part.alias}.*`] : [])),
      ...this.shared.columnsIn('batch.number = 0'),
    ];
    return `with ${parts.join(', ')} select ${given.join(', ')} from (${batches}) batch ${this.#joins.join(' ')} order by batch.number`;
  }

  #addOwn(shape: Shape): void {
    if (shape.fields.length + shape.relations.length === 0) return;
    const column = `json${this.sections.length}`;
    const json = jsonOf(shape, 'chosen', this.#statement);
    this.#columns.push(`${textsSql(`${json}::text`, 'chosen.place')} as ${column}`);
    this.sections.push({ column });
  }

  #addList(relation: RelationDescription, shape: Shape): void {
    const { record, fields, relations } = shape;
    const alias = this.#statement.alias();
    const part: Part = { alias, fields: new Map(fields.map((field) => [field.name, field])), toOne: [] };
    const list: List = { relation, shape, part, shared: new Set() };
    const texts = relations.flatMap((member) =>
      member.shape
        ? [`${this.#relatedTexts(list, member.relation, member.shape)} as "${alias}.${member.relation.name}"`]
        : [],
    );
    const values = [...part.fields].map(
      ([name, type]) => `${columnSql(columnAt(record, alias, name), type)} as "${alias}.${name}"`,
    );
    const from = fieldOf(this.#shape.record, relation.from);
    const keys = `keys${this.sections.length}`;
    this.#columns.push(`array_agg(chosen.${from.column} order by chosen.place) as ${keys}`);
    const columns = [
      `count(*)::int as "${alias}"`,
      `${columnSql('(given.place - 1)::int', placeType)} as "${alias}.${placeColumn}"`,
      ...values,
      ...texts,
    ];
    // in the order of the keys, each with its own records in theirs
    const found = `select * from ${describe(record).table} ${alias} where ${columnAt(record, alias, relation.to)} = given.key order by ${listOrder(record, alias)}`;
    this.#joins.push(
      `cross join lateral (select ${columns.join(', ')} from unnest(batch.${keys}) with ordinality given (key, place) cross join lateral (${found}) ${alias}) ${alias}`,
    );
    this.sections.push({ list });
  }

  /** SQL: the JSON that a relation leads to in each record of a list, or nothing where it is among the shared ones. */
  #relatedTexts(list: List, relation: RelationDescription, shape: Shape): string {
    const { shared } = this;
    const statement = this.#statement;
    const use = { owner: list.shape.record, alias: list.part.alias };
    const isShared =
      relation.kind === 'toOne'
        ? shared.isShared({ list: list.relation, relation, ...use }, (row) => jsonOf(shape, row, statement))
        : undefined;
    const json = `coalesce(${jsonOfRelated(relation, shape, { ...use, statement })}::text, 'null')`;
    if (isShared === undefined) return textsSql(json);
    list.shared.add(relation);
    list.part.fields.set(relation.from, fieldOf(list.shape.record, relation.from));
    return textsSql(`case when ${isShared} then '' else ${json} end`);
  }
}
