/** Parts of an answer that are JSON already, and the writing of an answer around them. */
import { type RecordTexts, roomBytes } from '../services/recordText.js';

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** A JSON array of records. */
export class JsonText {
  constructor(
    private readonly texts: RecordTexts | undefined,
    private readonly members: readonly number[],
  ) {}

  /** Leaves a mark where the text belongs. */
  toJSON(): string {
    met.push(this);
    return mark;
  }

  get length(): number {
    let length = 2 + Math.max(0, this.members.length - 1);
    for (const member of this.members) length += this.texts!.lengthOf(member);
    return length;
  }

  /** Gives the place past its end. */
  writeTo(to: DataView, start: number): number {
    let at = start;
    to.setUint8(at++, opening);
    this.members.forEach((member, index) => {
      if (index > 0) to.setUint8(at++, comma);
      at = this.texts!.write(member, to, at);
    });
    to.setUint8(at++, closing);
    return at;
  }
}

/** Nothing that is answered holds a NUL: PostgreSQL stores none, and none is taken. */
const mark = '\0';
const writtenMark = JSON.stringify(mark);

/** The texts of the answer that is being written: nothing else happens meanwhile. */
let met: JsonText[] = [];

/** The JSON of an answer and a line's end, in UTF-8 where it holds texts. */
export function writeJson(answer: unknown): string | Buffer {
  met = [];
  const json = `${JSON.stringify(answer)}\n`;
  const texts = met;
  met = [];
  return texts.length === 0 ? json : fill(json.split(writtenMark), texts);
}

/** @param parts of the answer, with a text between each two */
function fill(parts: string[], texts: JsonText[]): Buffer {
  if (parts.length !== texts.length + 1) throw new Error('the answer holds a NUL');
  const length = texts.reduce((sum, text) => sum + text.length, Buffer.byteLength(parts.join('')));
  const buffer = Buffer.allocUnsafe(length + roomBytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = 0;
  parts.forEach((part, index) => {
    at += buffer.write(part, at);
    if (index < texts.length) at = texts[index]!.writeTo(view, at);
  });
  return buffer.subarray(0, length);
}
