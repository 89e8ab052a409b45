/**
 * Records as JSON in UTF-8, put together from columns: bytes go from place to place, without a string or an object for
 * any value, which the collector would have to clear away.
 */
import { type Columns, countOf } from '../../services/graphReads/columns.js';
import { copy, type Literal, literal, type Texts, viewOf } from '../../services/graphReads/copyBytes.js';
import { jsonColumn, type Take } from '../../services/graphReads/jsonColumns.js';
import type { Part } from '../../services/graphReads/projection.js';
import { valuesOf } from '../../services/graphReads/rows.js';
import type { Template } from './template.js';

/** What a record says: the same bytes before, then a text of its own, or another record. */
interface Member {
  before: Literal;
  texts: Texts | undefined;
  related: Related | undefined;
}

interface Related {
  records: RecordBytes;
  /** Which one each record leads to; -1: none. */
  places: Int32Array;
}

/** The texts of all records of a part, written when and where they are wanted. A column of bytes or of JSON has none. */
export class RecordBytes {
  readonly #members: Member[] = [];
  readonly #after: Literal;
  /** Of what all of them say. */
  readonly #sameLength: number;
  /** By record, of those that others lead to: its length, and where it stands in the answer already. */
  readonly #lengths: Int32Array;
  readonly #written: Int32Array;

  /**
   * @param take gives what it uses until all is written
   * @param cursors of the records, where the template has one
   */
  constructor(columns: Columns, part: Part, template: Template, take: Take, cursors: readonly string[] = []) {
    let same = '';
    const add = (members: Template): void => {
      members.forEach(({ key, says }, index) => {
        same += `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
        if ('json' in says) same += says.json;
        else if ('node' in says) add(says.node);
        else {
          const before = literal(same);
          same = '';
          const related = 'relation' in says ? relatedRecords(columns, part, says, take) : undefined;
          const texts = 'field' in says ? fieldTexts(columns, part, says.field, take) : undefined;
          this.#members.push({
            before,
            related,
            texts: texts ?? ('cursor' in says ? cursorTexts(cursors) : undefined),
          });
        }
      });
      same += '}';
    };
    add(template);
    this.#after = literal(same);
    const count = countOf(columns, part);
    this.#lengths = new Int32Array(count);
    this.#written = new Int32Array(count).fill(-1);
    this.#sameLength = this.#members.reduce((length, { before }) => length + before.length, this.#after.length);
  }

  lengthOf(record: number): number {
    let length = this.#sameLength;
    for (const { texts, related } of this.#members) {
      if (texts) length += texts.starts[record + 1]! - texts.starts[record]! - 1;
      else length += related!.records.#lengthOfRelated(related!.places[record]!);
    }
    return length;
  }

  /** Gives the place past the end. What is written later must come behind. */
  write(record: number, to: DataView, start: number): number {
    let at = start;
    for (const { before, texts, related } of this.#members) {
      at = copy(before.view, 0, before.length, to, at);
      if (texts) at = copy(texts.view, texts.starts[record]!, texts.starts[record + 1]! - 1, to, at);
      else at = related!.records.#writeRelated(related!.places[record]!, to, at);
    }
    return copy(this.#after.view, 0, this.#after.length, to, at);
  }

  #lengthOfRelated(record: number): number {
    if (record < 0) return nothing.length;
    if (this.#lengths[record] === 0) this.#lengths[record] = this.lengthOf(record);
    return this.#lengths[record]!;
  }

  /** A second time from where it was written first. */
  #writeRelated(record: number, to: DataView, at: number): number {
    if (record < 0) return copy(nothing.view, 0, nothing.length, to, at);
    const before = this.#written[record]!;
    if (before >= 0) return copy(to, before, before + this.#lengths[record]!, to, at);
    this.#written[record] = at;
    return this.write(record, to, at);
  }
}

const nothing = literal('null');

function fieldTexts(columns: Columns, part: Part, field: string, take: Take): Texts {
  const { bytes, starts } = jsonColumn(columns, part, field, take);
  return { view: viewOf(bytes), starts };
}

/** Of texts that JSON writes as they are. */
function cursorTexts(cursors: readonly string[]): Texts {
  const { view } = literal(cursors.map((text) => `"${text}"`).join());
  const starts = [0];
  for (const [index, { length }] of cursors.entries()) starts.push(starts[index]! + length + 3);
  return { view, starts };
}

interface Leads {
  relation: string;
  template: Template;
}

function relatedRecords(columns: Columns, part: Part, { relation: name, template }: Leads, take: Take): Related {
  const { relation, part: joined } = part.toOne.find((candidate) => candidate.relation.name === name)!;
  const found = new Map<unknown, number>();
  for (const key of valuesOf(columns, joined, relation.to)) found.set(key, found.size);
  const keys = valuesOf(columns, part, relation.from);
  const places = new Int32Array(keys.length);
  for (let record = 0; record < places.length; record++) places[record] = found.get(keys[record]) ?? -1;
  return { records: new RecordBytes(columns, joined, template, take), places };
}
