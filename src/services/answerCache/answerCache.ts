/** Answers as bytes, the least recently used ones out: what they take together, and while they are written, has a bound. */
import { LRUCache } from 'lru-cache';
import type { AnswerCache, CachedAnswer } from '../../context.js';
import { AnswerBuffers } from './answerBuffers.js';

/** What an answer takes beside its bytes, about. */
const entryBytes = 1_024;

/** Questions of which it is known in which state they were answered last. */
const answeredMax = 1_000;

/** @param bytesMax of all: half of it for answers, a quarter while they are written, a quarter while one is put together */
export function openAnswerCache(bytesMax: number): AnswerCache {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: Math.floor(bytesMax / 2),
    sizeCalculation: ({ body, codings }) =>
      [...codings.values()].reduce((sum, { length }) => sum + length, entryBytes + body.length),
  });
  const answered = new LRUCache<string, string>({ max: answeredMax });
  const answerBytesMax = Math.floor(bytesMax / 4);
  const buffers = new AnswerBuffers(answerBytesMax);
  return {
    answerBytesMax,
    find: (key) => answers.get(key),
    wasAnswered: (key, state) => answered.get(key) === state,
    noteAnswered: (key, state) => void answered.set(key, state),
    set(key, answer) {
      if (answer.body.length <= answerBytesMax) answers.set(key, { ...answer, body: ownBytes(answer.body) });
    },
    addCoding(key, answer, coding, bytes) {
      if (answers.peek(key) !== answer) return;
      const codings = new Map(answer.codings).set(coding, ownBytes(bytes));
      answers.set(key, { ...answer, codings });
    },
    openBuffer: (name) => buffers.open(name),
  };
}

/** Small buffers are pieces of larger ones, which they would keep. */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + entryBytes) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
