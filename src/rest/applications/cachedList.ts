/** Answers of lists that are cached while they are sent, with what in them moves without a new version. */
import type { ChunkObserver } from '../../http/encoding/sendChunks.js';
import type { AnswerLookup } from '../../services/answerCache/answerLookup.js';

/** Further ones cost more to ask about than they save. */
const usersMax = 200;
// in a string of JSON a quote has a backslash before it: these are keys
const guidKey = '"userGuid":"';
const loginKey = '"lastLoginDate":';

/** Caches a list while it is sent. */
export function cacheList(asked: AnswerLookup, headers: Readonly<Record<string, string>> = {}): ChunkObserver {
  const [plain, coded] = [asked.openBuffer(), asked.openBuffer('coded')];
  const logins = new SentLogins();
  return {
    plain(chunk) {
      if (!logins.read(chunk.toString())) plain.drop();
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      plain.add(bytes);
      return bytes;
    },
    coded: (piece) => coded.add(piece),
    complete(encoding) {
      const [body, codedBody] = [plain.take(), encoding && coded.take()];
      const codings = new Map(encoding && codedBody ? [[encoding as string, codedBody]] : []);
      if (body) void asked.store(body, { headers, logins: logins.byUser, codings });
    },
    close() {
      plain.drop();
      coded.drop();
    },
  };
}

/** Caches a single application. */
export function cacheApplication(asked: AnswerLookup, json: string): void {
  const logins = new SentLogins();
  if (logins.read(json)) void asked.store(Buffer.from(json), { logins: logins.byUser });
}

/** The last sign-ins in an answer: they move without a new version. */
class SentLogins {
  readonly byUser = new Map<string, string>();
  #canBeAsked = true;

  /** False where they are of too many users to be asked about, or of nobody who can be known. @param text of whole records */
  read(text: string): boolean {
    let guidAt = -1;
    for (let at = text.indexOf(loginKey); at >= 0 && this.#canBeAsked; at = text.indexOf(loginKey, at + 1)) {
      const before = guidAt;
      // a user's guid stands before the last sign-in
      guidAt = text.lastIndexOf(guidKey, at);
      if (guidAt > before) this.byUser.set(guidIn(text, guidAt), loginIn(text, at));
      this.#canBeAsked = guidAt > before && this.byUser.size <= usersMax;
    }
    return this.#canBeAsked;
  }
}

const guidIn = (text: string, at: number): string => text.slice(at + guidKey.length, at + guidKey.length + 36);

function loginIn(text: string, at: number): string {
  const from = at + loginKey.length;
  return text.startsWith('null', from) ? 'null' : text.slice(from + 1, from + 1 + '2000-01-01T00:00:00.000Z'.length);
}

/** Caches the coding of a list that was found, while it is made. */
export function cacheCoding(asked: AnswerLookup): ChunkObserver {
  const coded = asked.openBuffer('coded');
  return {
    plain: (chunk) => chunk as Buffer,
    coded: (piece) => coded.add(piece),
    complete(encoding) {
      const bytes = encoding && coded.take();
      if (bytes) asked.addCoding(encoding, bytes);
    },
    close: () => coded.drop(),
  };
}
