/** The codings of a remembered answer that is sent whole. */
import type { AskedAnswer } from '../../services/remembered/ask.js';
import type { Codings } from './encodings.js';

/** None are there, and none kept, while the answer itself isn't remembered. */
export const codingsOf = (asked: AskedAnswer): Codings => ({
  find: (encoding) => asked.found?.codings.get(encoding),
  keep: (encoding, bytes) => {
    if (asked.found) asked.addCoding(encoding, bytes);
  },
});
