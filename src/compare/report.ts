/** What a comparison has found, by operation, option and client; bounded, however long it goes on. */
import { type Difference, type DifferenceKind, familyOf, patternOf, placeOf } from './difference.js';
import type { IsIgnored } from './ignoredPaths.js';
import type { Caller } from './operation.js';
import type { Pseudonymizer } from './pseudonymizer.js';
import { placeBelow, Redaction, topPlace } from './redact.js';

interface Example {
  /** Such as `GET /api/applications?$top=2`, with pseudonyms. */
  request: string;
  /** Where in the answer. */
  place: string;
  old: string;
  new: string;
}

export interface FoundDifference {
  kind: DifferenceKind;
  path: string;
  count: number;
  example: Example;
}

export interface ReportRow extends Caller {
  verdict: 'same' | 'different' | 'not compared';
  requests: number;
  different: number;
  /** Why, and how many. */
  notCompared: Record<string, number>;
  differences: FoundDifference[];
}

export interface Report {
  requests: number;
  same: number;
  different: number;
  notCompared: number;
  rows: ReportRow[];
  /** What differs from itself at the old service, and is left out. */
  noise: { operation: string; path: string }[];
}

interface Row extends Omit<ReportRow, 'verdict' | 'differences'> {
  found: Map<string, FoundDifference & { noiseKey: string }>;
}

const rowsMax = 2_000;
const differencesPerRowMax = 200;
const noiseMax = 10_000;
const reasonsMax = 20;
const shownLengthMax = 200;

export class ReportBuilder {
  readonly #rows = new Map<string, Row>();
  readonly #noise = new Map<string, { operation: string; path: string }>();
  readonly #redaction: Redaction;
  readonly #isIgnored: IsIgnored;

  constructor(pseudonymizer: Pseudonymizer, isIgnored: IsIgnored) {
    this.#redaction = new Redaction(pseudonymizer);
    this.#isIgnored = isIgnored;
  }

  #row(caller: Caller): Row {
    const name = (each: Caller) => `${each.operation}\n${each.option}\n${each.client}`;
    const isFull = this.#rows.size >= rowsMax && !this.#rows.has(name(caller));
    const { operation, option, client } = isFull ? { operation: 'others', option: 'others', client: 'others' } : caller;
    const key = name({ operation, option, client });
    let row = this.#rows.get(key);
    if (!row) {
      row = { operation, option, client, requests: 0, different: 0, notCompared: {}, found: new Map() };
      this.#rows.set(key, row);
    }
    return row;
  }

  #shownName = (name: string): string => this.#redaction.property(name);

  /** What the old service answered differently when it was asked again. */
  addNoise(operation: string, differences: readonly Difference[]): void {
    for (const { kind, path } of differences) {
      const pattern = patternOf(path, this.#shownName);
      if (this.#noise.size < noiseMax)
        this.#noise.set(`${operation} ${pattern} ${familyOf(kind)}`, { operation, path: pattern });
    }
  }

  addNotCompared(caller: Caller, reason: string): void {
    const row = this.#row(caller);
    row.requests++;
    const isNew = !(reason in row.notCompared) && Object.keys(row.notCompared).length >= reasonsMax;
    const named = isNew ? 'other reasons' : reason;
    row.notCompared[named] = (row.notCompared[named] ?? 0) + 1;
  }

  /** @param request with pseudonyms */
  add(caller: Caller, request: string, differences: readonly Difference[]): void {
    const row = this.#row(caller);
    row.requests++;
    let isDifferent = false;
    const counted = new Set<string>();
    for (const difference of differences) {
      const pattern = patternOf(difference.path, this.#shownName);
      const noiseKey = `${caller.operation} ${pattern} ${familyOf(difference.kind)}`;
      if (this.#isIgnored(caller.operation, pattern) || this.#noise.has(noiseKey)) continue;
      isDifferent = true;
      const key = `${difference.kind} ${pattern}`;
      const example = this.#example(request, difference);
      const found = row.found.get(key);
      if (!found && row.found.size < differencesPerRowMax)
        row.found.set(key, { kind: difference.kind, path: pattern, count: 1, example, noiseKey });
      if (found && !counted.has(key)) found.count++;
      if (found && sizeOf(example) < sizeOf(found.example)) found.example = example;
      counted.add(key);
    }
    if (isDifferent) row.different++;
  }

  #example(request: string, { path, old, new: other }: Difference): Example {
    return {
      request: cut(request),
      place: placeOf(path, this.#shownName),
      old: this.#shown(path, old),
      new: this.#shown(path, other),
    };
  }

  #shown(path: Difference['path'], value: unknown): string {
    if (value === undefined) return 'nothing';
    if (path[0] === 'status') return String(value);
    if (path[0] === '$' && path.length === 1 && typeof value === 'string') return cut(this.#redaction.message(value));
    if (path[0] === 'header') return cut(this.#redaction.message(String(value)));
    const place = path
      .slice(1)
      .filter((part) => typeof part === 'string')
      .reduce(placeBelow, topPlace);
    return cut(JSON.stringify(this.#redaction.json(value, place)));
  }

  /** As things stand: what turned out to be noise since it was found is left out too. */
  report(): Report {
    const rows = [...this.#rows.values()].map((row) => this.#toReportRow(row));
    rows.sort((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) || compareNames(a, b));
    const sum = (read: (row: ReportRow) => number) => rows.reduce((total, row) => total + read(row), 0);
    const [requests, different, notCompared] = [
      sum((row) => row.requests),
      sum((row) => row.different),
      sum(countNotCompared),
    ];
    const noise = [
      ...new Map([...this.#noise.values()].map((each) => [`${each.operation} ${each.path}`, each])).values(),
    ];
    return { requests, same: requests - different - notCompared, different, notCompared, rows, noise };
  }

  #toReportRow({ operation, option, client, requests, different, notCompared, found }: Row): ReportRow {
    const differences = [...found.values()]
      .filter(({ noiseKey }) => !this.#noise.has(noiseKey))
      .map(({ kind, path, count, example }) => ({ kind, path, count, example }))
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
    const counts = differences.reduce((total, { count }) => total + count, 0);
    const row = {
      operation,
      option,
      client,
      requests,
      different: Math.min(different, counts),
      notCompared,
      differences,
    };
    const isCompared = countNotCompared(row) < requests;
    return { ...row, verdict: row.different > 0 ? 'different' : isCompared ? 'same' : 'not compared' };
  }
}

const verdicts = ['different', 'not compared', 'same'];
const compareNames = (a: Caller, b: Caller): number =>
  `${a.operation} ${a.option} ${a.client}` < `${b.operation} ${b.option} ${b.client}` ? -1 : 1;

export const countNotCompared = ({ notCompared }: Pick<ReportRow, 'notCompared'>): number =>
  Object.values(notCompared).reduce((total, count) => total + count, 0);

const sizeOf = ({ request, old, new: other }: Example): number => request.length + old.length + other.length;

const cut = (text: string): string => (text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text);
