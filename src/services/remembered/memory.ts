/** Answers as bytes, the least recently used ones out: what they take together, and while they are gathered, has a bound. */
import { LRUCache } from 'lru-cache';
import type { AnswerMemory, RememberedAnswer } from '../../context.js';
import { GatheringRoom } from './gathering.js';

/** What an answer takes beside its bytes, about. */
const entryBytes = 1_024;

/** @param bytesMax of all: half of it for answers, a quarter while they are gathered, a quarter while one is put together */
export function openAnswerMemory(bytesMax: number): AnswerMemory {
  const answers = new LRUCache<string, RememberedAnswer>({
    maxSize: Math.floor(bytesMax / 2),
    sizeCalculation: ({ body, codings }) =>
      [...codings.values()].reduce((sum, { length }) => sum + length, entryBytes + body.length),
  });
  const answerBytesMax = Math.floor(bytesMax / 4);
  const gathering = new GatheringRoom(answerBytesMax);
  return {
    answerBytesMax,
    find: (key) => answers.get(key),
    keep(key, answer) {
      if (answer.body.length <= answerBytesMax) answers.set(key, { ...answer, body: ownBytes(answer.body) });
    },
    addCoding(key, answer, coding, bytes) {
      if (answers.peek(key) !== answer) return;
      const codings = new Map(answer.codings).set(coding, ownBytes(bytes));
      answers.set(key, { ...answer, codings });
    },
    gather: (name) => gathering.open(name),
  };
}

/** Small buffers are pieces of larger ones, which they would keep. */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + entryBytes) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
