/** Caches answers of administrative reads, with limits for cached answers and for answers that are being written. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { comparableVersion } from '../entities/catalogueVersion.js';
import { throwReadFailure } from '../errors.js';
import { type Sql, shared, timeText } from '../sql.js';

/** The cached answer of an administrative read, as bytes. */
export interface CachedAnswer {
  /** The catalogue version at which it was made. */
  state: string;
  /** Guids of the users whose last sign-ins it contains, separated by commas; and these times. */
  users: string;
  logins: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The encoded body, by content coding. */
  codings: ReadonlyMap<string, Buffer>;
}

/** Collects the bytes of an answer while it is written, and drops them beyond the limit. */
interface AnswerBuffer {
  add(chunk: Buffer): void;
  /** Returns all bytes; undefined if they were dropped. */
  take(): Buffer | undefined;
  drop(): void;
}

/** Caches answers by request, in the memory of this process. */
export interface AnswerCache {
  /** Maximum bytes of one answer, and of all answers that are being written. */
  answerBytesMax: number;
  find(key: string): CachedAnswer | undefined;
  /** Whether this process remembers that the request was answered in this state before. */
  wasAnswered(key: string, state: string): boolean;
  noteAnswered(key: string, state: string): void;
  set(key: string, answer: CachedAnswer): void;
  addCoding(key: string, answer: CachedAnswer, coding: string, bytes: Buffer): void;
  /** @param name identifies the buffer: of two with the same name at the same time only one is filled */
  openBuffer(name: string): AnswerBuffer;
}

/** A buffer without additions for this time belongs to a slow reader and is released. */
const idleMs = 1_000;

/** Buffers for answers that are being written, with a limit for all of them together. */
export class AnswerBuffers {
  readonly #buffers = new Map<string, Buffered>();

  constructor(
    private readonly bytesMax: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Only one buffer of a name is filled at a time; a second one stores nothing. */
  open(name: string): AnswerBuffer {
    const other = this.#buffers.get(name);
    if (other && this.#isIdle(other)) other.drop();
    const leave = () => {
      if (this.#buffers.get(name) === buffer) this.#buffers.delete(name);
    };
    const buffer: Buffered = new Buffered(this.now(), (bytes) => this.#makeRoom(buffer, bytes), leave);
    if (this.#buffers.has(name)) buffer.drop();
    else this.#buffers.set(name, buffer);
    return buffer;
  }

  #makeRoom(own: Buffered, bytes: number): boolean {
    own.addedAt = this.now();
    if (this.#isFull(bytes)) for (const buffer of this.#buffers.values()) if (this.#isIdle(buffer)) buffer.drop();
    return !this.#isFull(bytes);
  }

  #isFull(bytes: number): boolean {
    return this.#buffers.values().reduce((sum, { length }) => sum + length, bytes) > this.bytesMax;
  }

  #isIdle({ addedAt }: Buffered): boolean {
    return this.now() - addedAt > idleMs;
  }
}

class Buffered implements AnswerBuffer {
  length = 0;
  #chunks: Buffer[] | undefined = [];

  /** @param fits whether this many more bytes fit */
  constructor(
    public addedAt: number,
    private readonly fits: (bytes: number) => boolean,
    private readonly leave: () => void,
  ) {}

  add(chunk: Buffer): void {
    if (!this.#chunks) return;
    if (!this.fits(chunk.length)) {
      this.drop();
      return;
    }
    this.length += chunk.length;
    this.#chunks.push(chunk);
  }

  take(): Buffer | undefined {
    const bytes = this.#chunks && Buffer.concat(this.#chunks);
    this.drop();
    return bytes;
  }

  drop(): void {
    this.#chunks = undefined;
    this.length = 0;
    this.leave();
  }
}

/** The approximate memory of an answer in addition to its bytes. */
const entryBytes = 1_024;

/** For recent requests, the state in which they were last answered. */
const answeredMax = 1_000;

/**
 * Opens the cache of answers as bytes, which drops the least recently used ones beyond its limit.
 * @param bytesMax of all: half of it for answers, a quarter while they are written, a quarter while one is put together
 */
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

/** Small buffers are slices of larger ones, which would stay in memory. */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + entryBytes) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** The cached details of an answer in addition to its bytes. */
interface AnswerDetails {
  headers?: Readonly<Record<string, string>>;
  /** Last sign-ins in the answer, by the guids of their users. */
  logins?: ReadonlyMap<string, string>;
  codings?: ReadonlyMap<string, Buffer>;
}

/** Says whether an answer is cached and current, and caches new answers. */
export class AnswerLookup {
  /** Whether the same request was answered in this state before. Only then the answer is cached, because caching a long list takes half as long as making it. */
  readonly isAskedAgain: boolean;

  /** @param what identifies the answer */
  static async open(cache: AnswerCache, sql: Sql, what: readonly unknown[]): Promise<AnswerLookup> {
    const key = createHash('sha256').update(JSON.stringify(what)).digest('base64url');
    // read after the answer was cached, so that the state is newer
    const cached = cache.find(key);
    return new AnswerLookup(cache, sql, key, cached, await readState(sql, cached?.users ?? ''));
  }

  private constructor(
    private readonly cache: AnswerCache,
    private readonly sql: Sql,
    private readonly key: string,
    private readonly cached: CachedAnswer | undefined,
    private readonly state: CatalogueState,
  ) {
    this.isAskedAgain = this.found === undefined && cache.wasAnswered(key, state.version);
  }

  /** The catalogue version at the request. */
  get version(): string {
    return this.state.version;
  }

  /** The answer, if it is cached and its data hasn't changed. */
  get found(): CachedAnswer | undefined {
    return this.cached?.state === this.state.version && this.cached.logins === this.state.logins
      ? this.cached
      : undefined;
  }

  /** Notes that the answer was made and not cached, so that the next request looks it up again. */
  noteAnswered(): void {
    this.cache.noteAnswered(this.key, this.state.version);
  }

  /** Caches the answer of a repeated request, unless something has changed since the request. The answer does not wait for it. */
  async store(body: Buffer, { headers = {}, logins = new Map(), codings = new Map() }: AnswerDetails = {}) {
    if (!this.isAskedAgain) this.noteAnswered();
    if (!this.isAskedAgain || body.length > this.cache.answerBytesMax) return;
    const [users, written] = [[...logins.keys()].join(','), loginsText(logins)];
    const { version } = this.state;
    // the statements of one answer may see different states
    const now = await readState(this.sql, '').catch(() => undefined);
    if (now?.version === version)
      this.cache.set(this.key, { state: version, users, logins: written, headers, body, codings });
  }

  /** A buffer for the bytes of the answer, plain or in the coding. */
  openBuffer(coding = ''): AnswerBuffer {
    return this.cache.openBuffer(`${this.key} ${coding}`);
  }

  /** Returns the cached answer in this coding, if it was made before. */
  findCoding(coding: string): Buffer | undefined {
    return this.found?.codings.get(coding);
  }

  /** Caches a coding of the cached answer. Does nothing for an answer that is not cached. */
  addCoding(coding: string, bytes: Buffer): void {
    if (this.found) this.cache.addCoding(this.key, this.found, coding, bytes);
  }
}

/** The state that a cached answer must match: one small statement on the primary, shared by requests of the same moment. */
interface CatalogueState {
  /** Equal texts mean the same state of the same history. */
  version: string;
  /** Last sign-ins of the given users: see `loginsText`. */
  logins: string;
}

// in the format of times in lists
const loginOf = timeText('last_login_date');
const columns = `${comparableVersion} as version,
    coalesce((select string_agg(user_guid || ' ' || coalesce(${loginOf}, 'null'), ',' order by user_guid)
      from unnest(string_to_array(asked.users, ',')::uuid[]) as listed (user_guid) join users using (user_guid)), '') as logins`;
const stateOf = shared({ users: 'text' }, ({ rows }) => `select asked.ord, ${columns} from catalogue_version, ${rows}`);

/** The state at the call or later. @param users guids, with commas between */
const readState = (sql: Sql, users: string): Promise<CatalogueState> =>
  sql.batchedRow<CatalogueState>(stateOf, { users }).catch(throwReadFailure);

/** Last sign-ins by guid, as the statement returns them. */
const loginsText = (logins: ReadonlyMap<string, string>): string =>
  [...logins]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([guid, login]) => `${guid} ${login}`)
    .join(',');
