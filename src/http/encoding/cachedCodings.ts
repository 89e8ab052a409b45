/** The codings of a cached answer that is sent whole. */
import type { AnswerLookup } from '../../services/answerCache/answerLookup.js';
import type { Codings } from './encodings.js';

/** None are there, and none kept, while the answer itself isn't cached. */
export const codingsOf = (asked: AnswerLookup): Codings => ({
  find: (encoding) => asked.found?.codings.get(encoding),
  keep: (encoding, bytes) => {
    if (asked.found) asked.addCoding(encoding, bytes);
  },
});
