/** Writes records as JSON in UTF-8 from columns. Bytes are copied without a string or an object for each value, which would be garbage. */
import { copy, type LiteralBytes, literal, type Texts } from './columns.js';

/** A part that differs between records, with the constant bytes before it. */
interface Part {
  before: LiteralBytes;
  /** A text for each record; with `places`, for those without a place. */
  texts?: Texts | undefined;
  /** To-one relation: the index in `records` or `shared` for each record; -1: none. */
  places?: Int32Array | undefined;
  shared?: Texts | undefined;
  /** To-many relation: the first index in `records` of each record's list, and the end of the last list. */
  firsts?: Int32Array | undefined;
  records?: RecordBytes | undefined;
}

const none = literal('null');
const betweenListed = literal(', ');

/** Collects the parts of records, in order. */
export class RecordFormat {
  readonly #parts: Part[] = [];
  #same = '';

  /** @param text constant JSON of each record */
  addSame(text: string): void {
    this.#same += text;
  }

  add(part: Omit<Part, 'before'>): void {
    const { texts, places, shared, firsts, records } = part;
    // all parts have the same shape, which V8 reads fastest
    this.#parts.push({ before: literal(this.#same), texts, places, shared, firsts, records });
    this.#same = '';
  }

  /** @param count how many records there are */
  close(count: number): RecordBytes {
    return new RecordBytes(this.#parts, literal(this.#same), count);
  }
}

/** Records whose JSON is written on demand. A column of bytes or of JSON has none. */
export class RecordBytes {
  readonly #parts: readonly Part[];
  readonly #after: LiteralBytes;
  /** Length of the constant bytes. */
  readonly #sameLength: number;
  /** For each record of to-one relations: the length of its bytes, and where the answer already contains it. */
  readonly #lengths: Int32Array;
  readonly #written: Int32Array;

  constructor(parts: readonly Part[], after: LiteralBytes, count: number) {
    this.#parts = parts;
    this.#after = after;
    this.#sameLength = parts.reduce((length, { before }) => length + before.length, after.length);
    this.#lengths = new Int32Array(count);
    this.#written = new Int32Array(count).fill(-1);
  }

  /** The length of the records from `first` to before `end`, without anything between them. */
  lengthOf(first: number, end = first + 1): number {
    let length = (end - first) * this.#sameLength;
    for (const { texts, places, shared, firsts, records } of this.#parts) {
      if (texts) length += texts.starts[end]! - texts.starts[first]! - (end - first) * texts.gap;
      if (firsts) {
        for (let record = first; record < end; record++)
          length += records!.#lengthOfList(firsts[record]!, firsts[record + 1]!);
      } else if (places) {
        for (let record = first; record < end; record++) {
          const place = places[record]!;
          if (place < 0) length += texts ? 0 : none.length;
          else length += shared ? lengthOfText(shared, place) : records!.#lengthOfRelated(place);
        }
      }
    }
    return length;
  }

  /** Returns the place after the record. Later writes must be after this place. */
  write(record: number, to: DataView, start: number): number {
    let at = start;
    for (const { before, texts, places, shared, firsts, records } of this.#parts) {
      at = copy(before.view, 0, before.length, to, at);
      const place = places ? places[record]! : -1;
      if (firsts) at = records!.#writeList(firsts[record]!, firsts[record + 1]!, to, at);
      else if (place >= 0) at = shared ? copyText(shared, place, to, at) : records!.#writeRelated(place, to, at);
      else if (texts) at = copyText(texts, record, to, at);
      else at = copy(none.view, 0, none.length, to, at);
    }
    return copy(this.#after.view, 0, this.#after.length, to, at);
  }

  #lengthOfList(first: number, end: number): number {
    return first === end ? 0 : this.lengthOf(first, end) + (end - first - 1) * betweenListed.length;
  }

  #writeList(first: number, end: number, to: DataView, start: number): number {
    let at = start;
    for (let record = first; record < end; record++) {
      if (record > first) at = copy(betweenListed.view, 0, betweenListed.length, to, at);
      at = this.write(record, to, at);
    }
    return at;
  }

  #lengthOfRelated(record: number): number {
    if (this.#lengths[record] === 0) this.#lengths[record] = this.lengthOf(record);
    return this.#lengths[record]!;
  }

  /** Copies it from where it was written before. */
  #writeRelated(record: number, to: DataView, at: number): number {
    const before = this.#written[record]!;
    if (before >= 0) return copy(to, before, before + this.#lengths[record]!, to, at);
    this.#written[record] = at;
    return this.write(record, to, at);
  }
}

const lengthOfText = ({ starts, gap }: Texts, index: number): number => starts[index + 1]! - starts[index]! - gap;

const copyText = ({ view, starts, gap }: Texts, index: number, to: DataView, at: number): number =>
  copy(view, starts[index]!, starts[index + 1]! - gap, to, at);
