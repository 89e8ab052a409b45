/** Texts of JSON of many records in one column of bytes. */
import { roomBytes, type Texts, viewOf } from '../graphReads/copyBytes.js';

// a byte that no UTF-8 has
const between = 0xff;

/** SQL of the column. @param value of type text, never null */
export const textsSql = (value: string, order = ''): string =>
  String.raw`string_agg(textsend(${value}), '\xff'${order && ` order by ${order}`})`;

/** @param sent null: there are no records */
export function readTexts(sent: Buffer | null): Texts {
  if (!sent) return { view: new DataView(new ArrayBuffer(roomBytes)), starts: [0] };
  const bytes = Buffer.allocUnsafe(sent.length + roomBytes);
  bytes.set(sent);
  const starts = [0];
  for (let end = sent.indexOf(between); end >= 0; end = sent.indexOf(between, end + 1)) starts.push(end + 1);
  starts.push(sent.length + 1);
  return { view: viewOf(bytes), starts };
}
