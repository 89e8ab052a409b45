/** Whether an answer is cached, and still that of now; and the caching of one that was made anew. */
import { createHash } from 'node:crypto';
import type { AnswerBuffer, AnswerCache, CachedAnswer, Context } from '../../context.js';
import { comparableVersion } from '../../entities/CatalogueVersion.js';
import { asReadFailure } from '../../errors.js';
import type { SharedStatement, Sql } from '../../sql.js';
import { permit } from '../permit.js';

/** What is cached beside the bytes. */
interface AnswerDetails {
  headers?: Readonly<Record<string, string>>;
  /** Last sign-ins that the answer tells, by the guids of their users. */
  logins?: ReadonlyMap<string, string>;
  codings?: ReadonlyMap<string, Buffer>;
}

/**
 * Asks for the answer to what the caller wants; undefined: nothing is cached here. Whoever may do something else than
 * another never gets the other's answer.
 * @param what tells one answer from all others
 */
export async function lookUpAnswer(context: Context, what: readonly unknown[]): Promise<AnswerLookup | undefined> {
  permit(context, 'admin:read');
  const { answers, caller, sql } = context;
  if (!answers) return undefined;
  const permissions = caller.kind === 'anonymous' ? [] : [...caller.permissions].sort();
  const key = createHash('sha256')
    .update(JSON.stringify([permissions, what]))
    .digest('base64url');
  // before the state: so it is of a moment after the answer was cached
  const known = answers.find(key);
  return new AnswerLookup(answers, sql, key, known, await readState(sql, known?.users ?? ''));
}

export class AnswerLookup {
  /** Whether the same was answered in this state before, so that the answer is worth caching: that of a long list takes half as long as making it. */
  readonly isAskedAgain: boolean;
  readonly #cache: AnswerCache;
  readonly #sql: Sql;
  readonly #key: string;
  readonly #known: CachedAnswer | undefined;
  readonly #state: CatalogueState;

  constructor(cache: AnswerCache, sql: Sql, key: string, known: CachedAnswer | undefined, state: CatalogueState) {
    this.#cache = cache;
    this.#sql = sql;
    this.#key = key;
    this.#known = known;
    this.#state = state;
    this.isAskedAgain = this.found === undefined && cache.wasAnswered(key, state.version);
  }

  /** The catalogue version at the question. */
  get version(): string {
    return this.#state.version;
  }

  /** The answer, if it is cached and what it was made of hasn't changed. */
  get found(): CachedAnswer | undefined {
    return this.#known?.state === this.#state.version && this.#known.logins === this.#state.logins
      ? this.#known
      : undefined;
  }

  /** That the answer was made, and not cached: who asks the next time asks again. */
  noteAnswered(): void {
    this.#cache.noteAnswered(this.#key, this.#state.version);
  }

  /** Caches an answer that was made after the question, where that is asked again, unless something has changed since. Nobody waits for it. */
  async store(body: Buffer, { headers = {}, logins = new Map(), codings = new Map() }: AnswerDetails = {}) {
    if (!this.isAskedAgain) this.noteAnswered();
    if (!this.isAskedAgain || body.length > this.#cache.answerBytesMax) return;
    const [users, written] = [[...logins.keys()].join(','), loginsText(logins)];
    const state = this.#state.version;
    // the statements of one answer may have seen different states
    const now = await readState(this.#sql, '').catch(() => undefined);
    if (now?.version === state) this.#cache.set(this.#key, { state, users, logins: written, headers, body, codings });
  }

  /** A buffer for the bytes of the answer, plain or in the coding. */
  openBuffer(coding = ''): AnswerBuffer {
    return this.#cache.openBuffer(`${this.#key} ${coding}`);
  }

  /** Of the answer that was found. */
  findCoding(coding: string): Buffer | undefined {
    return this.found?.codings.get(coding);
  }

  /** Caches a coding of the answer that was found; of one that was made anew nothing is kept. */
  addCoding(coding: string, bytes: Buffer): void {
    if (this.found) this.#cache.addCoding(this.#key, this.found, coding, bytes);
  }
}

/** What a cached answer must still fit: one small statement on the primary, which requests of the same moment share. */
interface CatalogueState {
  /** Equal means the same state of the same history. */
  version: string;
  /** Last sign-ins of the users asked about: see `loginsText`. */
  logins: string;
}

// as the lists write times
const loginOf = `to_char(last_login_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const columns = `${comparableVersion} as version,
    coalesce((select string_agg(user_guid || ' ' || coalesce(${loginOf}, 'null'), ',' order by user_guid)
      from unnest(string_to_array(asked.users, ',')::uuid[]) as listed (user_guid) join users using (user_guid)), '') as logins`;
const stateOf: SharedStatement = {
  one: `select ${columns} from catalogue_version, (select $1::text as users) asked`,
  many: `select asked.ord, ${columns} from catalogue_version, unnest($1::text[]) with ordinality asked (users, ord)`,
};

/** The state at the call or later. @param users guids, with commas between */
const readState = (sql: Sql, users: string): Promise<CatalogueState> =>
  sql.batchedRow<CatalogueState>(stateOf, [users]).catch((error) => {
    throw asReadFailure(error);
  });

/** Last sign-ins by guids, as the statement gives them. */
const loginsText = (logins: ReadonlyMap<string, string>): string =>
  [...logins]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([guid, login]) => `${guid} ${login}`)
    .join(',');
