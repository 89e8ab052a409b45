/** The records that a projecting statement found, as objects or as texts: each made once, when somebody looks. */
import type { Context } from '../context.js';
import { type Columns, countOf } from './foundColumns.js';
import type { Part, Projection } from './projection.js';
import { rowsOf, valuesOf } from './recordRows.js';
import { RecordTexts, type Template } from './recordText.js';
import type { Row } from './rowQuery.js';

export class FoundRecords {
  #rows: Row[] | undefined;
  readonly #texts = new Map<Template, RecordTexts>();

  constructor(
    private readonly root: Part,
    private readonly columns: Columns,
  ) {}

  get count(): number {
    return countOf(this.columns, this.root);
  }

  get rows(): Row[] {
    this.#rows ??= rowsOf(this.columns, this.root);
    return this.#rows;
  }

  texts(template: Template): RecordTexts {
    let texts = this.#texts.get(template);
    if (!texts) {
      texts = new RecordTexts(this.columns, this.root, template);
      this.#texts.set(template, texts);
    }
    return texts;
  }

  /** A column, also one beside the selected fields. */
  values(name: string): unknown[] {
    return valuesOf(this.columns, this.root, name);
  }
}

/** Runs a statement of the projection's making. */
export async function readFound(
  { reads }: Context,
  projection: Projection,
  text: string,
  values: readonly unknown[],
): Promise<FoundRecords> {
  const [columns] = await reads.rows<Columns>(text, values);
  return new FoundRecords(projection.root, columns!);
}
