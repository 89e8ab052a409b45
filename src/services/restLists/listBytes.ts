/** The lists of one kind that the records of a batch hold, such as the mappings of each application, as JSON in UTF-8. */
import { columnOf } from '../graphReads/columns.js';
import { copy, type Literal, literal, type Texts, viewOf } from '../graphReads/copyBytes.js';
import { integersOf, jsonColumn } from '../graphReads/jsonColumns.js';
import type { Part } from '../graphReads/projection.js';
import { type BatchRow, batchSizeOf, type List, placesIn } from './batchColumns.js';
import type { SharedRecords } from './sharedJson.js';
import { readTexts } from './texts.js';

/** What a record says: the same bytes before, then a text of its own or a shared one. */
interface Member {
  before: Literal;
  texts: Texts;
  shared?: SharedTexts | undefined;
}
interface SharedTexts {
  texts: Texts;
  /** Which one is each record's; -1: none, but its own text. */
  places: Int32Array;
}

const between = literal(', ');

export class ListBytes {
  readonly #members: Member[] = [];
  readonly #after: Literal;
  /** Of what all records say, and what stands between two. */
  readonly #sameLength: number;
  /** By listed record, and one past the last: the first record of its list. */
  readonly #firsts: Int32Array;

  constructor(row: BatchRow, list: List, shared: ReadonlyMap<string, SharedRecords>) {
    const { part, shape } = list;
    let same = '{';
    const begin = (key: string): void => {
      same += `${same.endsWith('{') ? '' : ','}"${key}":`;
    };
    const add = (texts: Texts, of?: SharedTexts): void => {
      this.#members.push({ before: literal(same), texts, shared: of });
      same = '';
    };
    for (const { name } of shape.fields) {
      begin(name);
      const { bytes, starts } = jsonColumn(row, part, name);
      add({ view: viewOf(bytes), starts });
    }
    for (const { relation, shape: inner } of shape.relations) {
      begin(relation.name);
      if (!inner) same += 'null';
      else {
        const texts = readTexts(columnOf(row, part, relation.name));
        const records = list.shared.has(relation) ? shared.get(relation.name) : undefined;
        add(texts, records && sharedTexts(texts, keysIn(row, part, relation.from), records));
      }
    }
    this.#after = literal(`${same}}`);
    this.#sameLength = this.#members.reduce(
      (sum, { before }) => sum + before.length,
      this.#after.length + between.length,
    );
    this.#firsts = firstsOf(placesIn(row, part), batchSizeOf(row));
  }

  /** Of the list of a listed record, without its brackets. */
  lengthOf(listed: number): number {
    const [first, end] = [this.#firsts[listed]!, this.#firsts[listed + 1]!];
    if (first === end) return 0;
    let length = (end - first) * this.#sameLength - between.length;
    for (const member of this.#members) {
      const { starts } = member.texts;
      // a byte ends each text
      length += starts[end]! - starts[first]! - (end - first);
      if (!member.shared) continue;
      const { places, texts } = member.shared;
      for (let record = first; record < end; record++) {
        const place = places[record]!;
        if (place >= 0) length += texts.starts[place + 1]! - texts.starts[place]! - 1;
      }
    }
    return length;
  }

  /** Gives the place past the end. */
  write(listed: number, to: DataView, start: number): number {
    const [first, end] = [this.#firsts[listed]!, this.#firsts[listed + 1]!];
    let at = start;
    for (let record = first; record < end; record++) {
      if (record > first) at = copy(between.view, 0, between.length, to, at);
      for (const { before, texts, shared } of this.#members) {
        at = copy(before.view, 0, before.length, to, at);
        const place = shared ? shared.places[record]! : -1;
        at = place < 0 ? copyText(texts, record, to, at) : copyText(shared!.texts, place, to, at);
      }
      at = copy(this.#after.view, 0, this.#after.length, to, at);
    }
    return at;
  }
}

const copyText = ({ view, starts }: Texts, index: number, to: DataView, at: number): number =>
  copy(view, starts[index]!, starts[index + 1]! - 1, to, at);

function firstsOf(places: readonly number[], size: number): Int32Array {
  const firsts = new Int32Array(size + 1);
  for (const place of places) firsts[place + 1]!++;
  for (let place = 0; place < size; place++) firsts[place + 1]! += firsts[place]!;
  return firsts;
}

function keysIn(row: BatchRow, part: Part, field: string): (number | null)[] {
  const sent = columnOf(row, part, field);
  return sent ? integersOf(sent, part.fields.get(field)!) : [];
}

/** @param own of each record; an empty one stands for the shared record of its key */
function sharedTexts(own: Texts, keys: readonly (number | null)[], { texts, places }: SharedRecords): SharedTexts {
  const found = Int32Array.from(keys, (key, record) => {
    if (own.starts[record + 1]! - own.starts[record]! > 1) return -1;
    const place = places.get(key);
    if (place === undefined) throw new Error(`The list lacks the record ${key} that others share.`);
    return place;
  });
  return { texts, places: found };
}
