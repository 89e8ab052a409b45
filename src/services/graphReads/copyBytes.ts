/** Pieces of JSON in UTF-8 that go from buffer to buffer eight bytes at a time; all of them have room behind their end. */

/** Room behind JSON, for those who copy eight bytes at once. */
export const roomBytes = 8;

/** Texts in one buffer, a byte between each two, with room behind the last. */
export interface Texts {
  view: DataView;
  /** Where each begins, and where another one would. */
  starts: readonly number[];
}

/** Bytes that are the same in all records. */
export interface Literal {
  view: DataView;
  length: number;
}

/** Gives the place past the end; up to seven bytes more are written over. */
export function copy(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const shift = at - start;
  for (let place = start; place < end; place += 8) to.setBigUint64(place + shift, from.getBigUint64(place, true), true);
  return end + shift;
}

export const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export function literal(text: string): Literal {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text) + roomBytes);
  bytes.write(text);
  return { view: viewOf(bytes), length: bytes.length - roomBytes };
}
