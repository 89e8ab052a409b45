/** Splits the text of a query option into tokens, within limits. */

/** Maximum length of an option's decoded value, in UTF-16 code units. */
const textMax = 8192;

/** Maximum depth of parentheses, functions, `not` and `any` together, and maximum number of navigations in one path. */
export const nestingMax = 15;

/** Maximum number of nodes in a filter: operators, functions, paths, literals, and items of `in` lists. */
export const nodesMax = 100;

/** Maximum number of navigations in a path of `$expand` or `$select`. */
export const expandLevelsMax = 4;

/** Maximum number of keys in `$orderby`. */
export const orderKeysMax = 10;

/** Maximum depth of `any` inside `any`: each level multiplies the work of the database. */
export const lambdasMax = 2;

/** A fault of an option. The 400 lists it under `option`. */
export class OptionError extends Error {
  /** Offset in the decoded value, in UTF-16 code units; absent if the fault has no position. */
  readonly position?: number;

  /** @param option the canonical name: `$` and lower case, or `options` */
  constructor(
    readonly option: string,
    text: string,
    position?: number,
  ) {
    super(position === undefined ? text : `${text} at position ${position}`);
    this.name = 'OptionError';
    if (position !== undefined) this.position = position;
  }
}

/** All faults of one query string, in the order of its options; never empty. */
export class OptionErrors extends Error {
  constructor(readonly errors: readonly OptionError[]) {
    super(errors.map((error) => `${error.option}: ${error.message}`).join('; '));
    this.name = 'OptionErrors';
  }
}

/** Quotes a part of the caller's text for a message, cut to 40 characters. */
export function quote(text: string): string {
  const characters = Array.from(text.slice(0, 82));
  return `'${characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : text}'`;
}

/** `word` is a name or keyword, `bare` a literal without quotes (guid, date-time, number), `mark` one of `( ) , / : *`. */
export interface FilterToken {
  kind: 'word' | 'string' | 'bare' | 'mark' | 'end';
  /** As written; for a string, its content with single quotes in place of doubled ones. */
  text: string;
  /** Offset in the text, in UTF-16 code units. */
  at: number;
}

const halfCharacter = /\p{Cs}/u;
const spaceForm = /[ \t\r\n]{0,8192}/y;
const wordForm = /\$?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]{0,8192}/uy; // OData ABNF odataIdentifier
const guidForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w.:+-])/iy;
const bareForm = /[0-9+-][\w.:+-]{0,8192}/y;
const markForm = /[(),/:*]/y;
const stringForm = /'((?:[^']|''){0,8192})'(?!')/y;

export class Tokens {
  #current: FilterToken;
  #next = 0;

  /** Refuses texts over 8192 code units, NUL (PostgreSQL can't hold it) and lone surrogates. Throws OptionError. */
  constructor(
    readonly option: string,
    readonly text: string,
  ) {
    if (text.length > textMax) throw this.fault(`Longer than ${textMax} characters`, textMax);
    this.#refuse('A NUL character', text.indexOf('\0'));
    this.#refuse('Half of a surrogate pair', text.search(halfCharacter));
    this.#current = this.#read();
  }

  get current(): FilterToken {
    return this.#current;
  }

  /** Returns the current token and moves to the next one. */
  take(): FilterToken {
    const token = this.#current;
    if (token.kind !== 'end') this.#current = this.#read();
    return token;
  }

  /** Skips this mark and returns true, if it is the current token. */
  skip(mark: string): boolean {
    const isMark = this.#current.kind === 'mark' && this.#current.text === mark;
    if (isMark) this.take();
    return isMark;
  }

  /** Skips this mark. Throws OptionError for another token. */
  require(mark: string): void {
    if (!this.skip(mark)) throw this.unexpected(`expected '${mark}'`);
  }

  /** Takes the current token if it is one of the keywords, in any case (OData 4.01). */
  takeKeyword<Keyword extends string>(keywords: readonly Keyword[]): Keyword | undefined {
    if (this.#current.kind !== 'word') return undefined;
    const word = this.#current.text.toLowerCase();
    const keyword = keywords.find((candidate) => candidate === word);
    if (keyword !== undefined) this.take();
    return keyword;
  }

  /** Takes the current token, which must be a name. Throws OptionError. */
  takeName(): FilterToken {
    if (this.#current.kind !== 'word') throw this.unexpected('expected a name');
    return this.take();
  }

  fault(text: string, at: number): OptionError {
    return new OptionError(this.option, text, at);
  }

  unexpected(expected: string): OptionError {
    const { kind, text, at } = this.#current;
    return this.fault(kind === 'end' ? `Ends too early, ${expected}` : `Unexpected ${quote(text)}, ${expected}`, at);
  }

  #refuse(what: string, at: number): void {
    if (at >= 0) throw this.fault(what, at);
  }

  #read(): FilterToken {
    this.#next += this.#match(spaceForm)?.[0].length ?? 0;
    const at = this.#next;
    if (at === this.text.length) return { kind: 'end', text: '', at };
    const token = this.#token(at);
    if (token === undefined) throw this.fault(`Unexpected character ${quote(this.#character(at))}`, at);
    return token;
  }

  #token(at: number): FilterToken | undefined {
    const string = this.#cut(stringForm);
    if (string) return { kind: 'string', text: string[1]!.replaceAll("''", "'"), at };
    if (this.text[at] === "'") throw this.fault('A string without closing quote', at);
    const bare = this.#cut(guidForm) ?? this.#cut(bareForm); // tried before words, because a guid may begin with a letter
    if (bare) return { kind: 'bare', text: bare[0], at };
    const word = this.#cut(wordForm);
    if (word) return { kind: 'word', text: word[0], at };
    const mark = this.#cut(markForm);
    return mark ? { kind: 'mark', text: mark[0], at } : undefined;
  }

  #cut(pattern: RegExp): RegExpExecArray | null {
    const match = this.#match(pattern);
    if (match) this.#next += match[0].length;
    return match;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#next;
    return pattern.exec(this.text);
  }

  #character(at: number): string {
    return String.fromCodePoint(this.text.codePointAt(at)!);
  }
}
