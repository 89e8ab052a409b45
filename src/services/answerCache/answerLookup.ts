/** Whether an answer is cached, and still that of now; and the caching of one that was made anew. */
import { createHash } from 'node:crypto';
import type { AnswerBuffer, AnswerCache, CachedAnswer, Context } from '../../context.js';
import type { Sql } from '../../sql.js';
import { permit } from '../permit.js';
import { type CatalogueState, loginsText, readState } from './catalogueState.js';

/** What is cached beside the bytes. */
export interface AnswerDetails {
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
  constructor(
    private readonly cache: AnswerCache,
    private readonly sql: Sql,
    private readonly key: string,
    private readonly known: CachedAnswer | undefined,
    private readonly state: CatalogueState,
  ) {}

  /** The catalogue version at the question. */
  get version(): string {
    return this.state.version;
  }

  /** The answer, if it is cached and what it was made of hasn't changed. */
  get found(): CachedAnswer | undefined {
    return this.known?.state === textOf(this.state) && this.known.logins === this.state.logins ? this.known : undefined;
  }

  /** Caches an answer that was made after the question, unless something has changed since. Nobody waits for it. */
  async store(body: Buffer, { headers = {}, logins = new Map(), codings = new Map() }: AnswerDetails = {}) {
    if (body.length > this.cache.answerBytesMax) return;
    const [users, written] = [[...logins.keys()].join(','), loginsText(logins)];
    const state = textOf(this.state);
    // the statements of one answer may have seen different states
    const now = await readState(this.sql, '').catch(() => undefined);
    if (now && textOf(now) === state)
      this.cache.set(this.key, { state, users, logins: written, headers, body, codings });
  }

  /** A buffer for the bytes of the answer, plain or in the coding. */
  openBuffer(coding = ''): AnswerBuffer {
    return this.cache.openBuffer(`${this.key} ${coding}`);
  }

  /** Caches the coding of an answer that was found. */
  addCoding(coding: string, bytes: Buffer): void {
    if (this.known) this.cache.addCoding(this.key, this.known, coding, bytes);
  }
}

const textOf = ({ version, changes }: CatalogueState): string => `${version} ${changes}`;
