/** What an import reports by the places of the file: faults, and findings that do not stop it. Those that differ only in the row are one. */
import type { Context } from '../../context.js';
import { badInput, type GatehouseError, type Problems } from '../../errors.js';

/** Maximum number of reported kinds; the rest are counted. */
const kindsMax = 100;
/** Maximum number of rows of a kind that are reported separately; more are reported once, with a count and the first of them. */
const rowsReportedMax = 5;
/** A file with this many faults is not read further; that of a request sooner, because other requests wait meanwhile. */
const [faultsMax, faultsOfRequestMax] = [100_000, 1_000];

/** Findings that differ only in the row, and perhaps in numbers. */
interface Kind {
  first: string[];
  texts: string[];
  count: number;
}

export class Findings {
  count = 0;
  readonly #paths = new Map<string, string>();
  readonly #kinds = new Map<string, Kind>();
  #unreported = 0;

  /** Reported once, however often it is added. */
  add(path: string, text: string): void {
    if (this.#paths.get(path) === text) return;
    this.count++;
    this.#paths.set(path, text);
    const name = `${path.replace(/\[\d{1,19}\]/g, '[]')}\0${text.replace(/\d{1,19}/g, '#')}`;
    const kind = this.#kinds.get(name) ?? { first: [], texts: [], count: 0 };
    if (kind.count === 0 && this.#kinds.size === kindsMax) {
      this.#unreported++;
      return;
    }
    this.#kinds.set(name, kind);
    if (++kind.count > rowsReportedMax) return;
    kind.first.push(path);
    kind.texts.push(text);
  }

  /** Whether something was reported for that path. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The findings in the order in which they were found. */
  toProblems(): Problems {
    const reported = new Map<string, string[]>();
    const report = (path: string, text: string) => reported.set(path, [...(reported.get(path) ?? []), text]);
    for (const { first, texts, count } of this.#kinds.values()) {
      if (count > rowsReportedMax) report(first[0]!, `${texts[0]} (${count} of these, the first ${rowsOf(first)})`);
      else for (const [index, path] of first.entries()) report(path, texts[index]!);
    }
    if (this.#unreported > 0) report('…', `and ${this.#unreported} more`);
    return Object.fromEntries(reported);
  }
}

/** `users[3], users[7]` from the paths of values in them. */
const rowsOf = (paths: readonly string[]): string => [...new Set(paths.map((path) => path.split('.')[0]))].join(', ');

/** Faults. If there are any, nothing is written. */
export class Faults extends Findings {
  readonly #max: number;

  constructor({ face }: Pick<Context, 'face'>) {
    super();
    this.#max = face === 'cli' ? faultsMax : faultsOfRequestMax;
  }

  /** Throws BAD_USER_INPUT when there are too many. */
  override add(path: string, text: string): void {
    super.add(path, text);
    if (this.count === this.#max) throw this.#toError(false);
  }

  /** Throws BAD_USER_INPUT when there are any. */
  require(): void {
    if (this.count > 0) throw this.#toError();
  }

  #toError(isWhole = true): GatehouseError {
    return badInput(this.toProblems(), isWhole);
  }
}
