/** Counts the differences of a comparison: by operation, option and client, and by cause over all operations. */
import { type AcceptedRule, findAccepted } from './accepted.js';
import {
  causeOf,
  type Difference,
  type DifferenceKind,
  familyOf,
  type IsIgnored,
  patternOf,
  placeOf,
} from './difference.js';
import type { Caller } from './message.js';
import { type Pseudonymizer, placeBelow, Redaction, topPlace } from './redact.js';

interface Example {
  /** Such as `GET /api/applications?$top=2`, with pseudonyms. */
  request: string;
  /** The place in the answer. */
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
  /** The number of requests by reason. */
  notCompared: Record<string, number>;
  differences: FoundDifference[];
}

/** One kind of difference at one place, over all operations. */
export interface Cause {
  kind: DifferenceKind;
  /** The place, without the part that differs between operations: `$..name`, `header.etag`, `status`. */
  path: string;
  count: number;
  operations: string[];
  clients: number;
  example: Example;
}

/** A rule, and the number of differences that it accepted. */
export interface Accepted {
  name: string;
  count: number;
  operations: string[];
}

export interface Report {
  requests: number;
  same: number;
  different: number;
  notCompared: number;
  /** The most frequent first. */
  causes: Cause[];
  /** The accepted differences of the requests that count as the same. */
  accepted: Accepted[];
  rows: ReportRow[];
  /** Places where two answers of the old service differ; such differences are left out. */
  noise: { operation: string; path: string }[];
}

interface Row extends Omit<ReportRow, 'verdict' | 'differences'> {
  differences: Map<string, FoundDifference & { noiseKey: string }>;
  accepted: Map<string, { rule: AcceptedRule; noiseKey: string; count: number }>;
}

const rowsMax = 2_000;
const others: Caller = { operation: 'others', option: 'others', client: 'others' };
const differencesPerRowMax = 200;
const noiseMax = 10_000;
const reasonsMax = 20;
const shownLengthMax = 200;
const rowsShownMax = 3;

export class ReportBuilder {
  readonly #rows = new Map<string, Row>();
  readonly #noise = new Map<string, { operation: string; path: string }>();
  readonly #redaction: Redaction;

  constructor(
    pseudonymizer: Pseudonymizer,
    private readonly isIgnored: IsIgnored,
    private readonly accepted: readonly AcceptedRule[] = [],
  ) {
    this.#redaction = new Redaction(pseudonymizer);
  }

  #row({ operation, option, client }: Caller): Row {
    const keyOf = (caller: Caller) => `${caller.operation}\n${caller.option}\n${caller.client}`;
    const own = { operation, option, client };
    const caller = this.#rows.size >= rowsMax && !this.#rows.has(keyOf(own)) ? others : own;
    const nothing = { requests: 0, different: 0, notCompared: {}, differences: new Map(), accepted: new Map() };
    const row: Row = this.#rows.get(keyOf(caller)) ?? { ...caller, ...nothing };
    this.#rows.set(keyOf(caller), row);
    return row;
  }

  #shownName = (name: string): string => this.#redaction.property(name);

  /** Adds the differences between two answers of the old service to the same request. */
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
      if (this.isIgnored(caller.operation, pattern) || this.#noise.has(noiseKey)) continue;
      const key = `${difference.kind} ${pattern}`;
      const rule = findAccepted(this.accepted, caller.operation, difference.kind, pattern);
      if (rule) {
        const before = row.accepted.get(key);
        if (before) before.count++;
        else if (row.accepted.size < differencesPerRowMax) row.accepted.set(key, { rule, noiseKey, count: 1 });
        continue;
      }
      isDifferent = true;
      const example = this.#example(request, difference);
      const recorded = row.differences.get(key);
      if (!recorded && row.differences.size < differencesPerRowMax)
        row.differences.set(key, { kind: difference.kind, path: pattern, count: 1, example, noiseKey });
      if (recorded && !counted.has(key)) recorded.count++;
      if (recorded && sizeOf(example) < sizeOf(recorded.example)) recorded.example = example;
      counted.add(key);
    }
    if (isDifferent) row.different++;
  }

  #example(request: string, { kind, path, old, new: other, rows }: Difference): Example {
    return {
      request: cut(request),
      place: placeOf(path, this.#shownName),
      old: this.#shown(kind, path, old),
      new: this.#shown(kind, path, other) + (rows ? this.#rowsShown(kind, path, rows) : ''),
    };
  }

  /** Such as `, without applicationGuid "6b3f…"`. */
  #rowsShown(kind: DifferenceKind, path: Difference['path'], { id, names }: NonNullable<Difference['rows']>): string {
    const shown = names.slice(0, rowsShownMax).map((name) => this.#json([...path, id], name));
    const more = names.length > rowsShownMax ? ` and ${names.length - rowsShownMax} more` : '';
    return `, ${kind === 'list longer' ? 'with' : 'without'} ${this.#shownName(id)} ${shown.join(', ')}${more}`;
  }

  #json(path: Difference['path'], value: unknown): string {
    const names = path.slice(1).filter((part) => typeof part === 'string');
    return JSON.stringify(this.#redaction.json(value, names.reduce(placeBelow, topPlace)));
  }

  #shown(kind: DifferenceKind, path: Difference['path'], value: unknown): string {
    if (value === undefined) return 'nothing';
    // lengths, durations and names of properties are no personal data
    const unit = unitsOf[kind];
    if (unit && typeof value === 'number') return `${value} ${unit}${value === 1 ? '' : 's'}`;
    if (kind === 'property name in another case') return cut(this.#shownName(String(value)));
    if (path[0] === 'status') return String(value);
    if (path[0] === '$' && path.length === 1 && typeof value === 'string') return cut(this.#redaction.message(value));
    if (path[0] === 'header') return cut(this.#redaction.message(String(value)));
    return cut(this.#json(path, value));
  }

  /** The report so far, without differences that later turned out to be noise. */
  report(): Report {
    const rows = [...this.#rows.values()].map((row) => this.#toReportRow(row));
    rows.sort((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) || compareNames(a, b));
    const sum = (read: (row: ReportRow) => number) => rows.reduce((total, row) => total + read(row), 0);
    const [requests, different] = [sum((row) => row.requests), sum((row) => row.different)];
    const notCompared = sum(countNotCompared);
    const noise = [
      ...new Map(
        [...this.#noise.values()].map((difference) => [`${difference.operation} ${difference.path}`, difference]),
      ).values(),
    ];
    const same = requests - different - notCompared;
    return {
      requests,
      same,
      different,
      notCompared,
      causes: causesOf(rows),
      accepted: this.#listAccepted(),
      rows,
      noise,
    };
  }

  #listAccepted(): Accepted[] {
    const accepted = new Map<string, Accepted>();
    for (const { operation, accepted: rules } of this.#rows.values())
      for (const { rule, noiseKey, count } of rules.values()) {
        if (this.#noise.has(noiseKey)) continue;
        const before = accepted.get(rule.name) ?? { name: rule.name, count: 0, operations: [] };
        const operations = [...new Set([...before.operations, operation])].sort();
        accepted.set(rule.name, { ...before, count: before.count + count, operations });
      }
    return [...accepted.values()].sort((a, b) => b.count - a.count);
  }

  #toReportRow({ operation, option, client, requests, different, notCompared, differences: list }: Row): ReportRow {
    const differences = [...list.values()]
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

const unitsOf: Partial<Record<DifferenceKind, string>> = {
  'list shorter': 'item',
  'list longer': 'item',
  lifetime: 'second',
};

function causesOf(rows: readonly ReportRow[]): Cause[] {
  const causes = new Map<string, Cause & { callers: Set<string> }>();
  for (const { operation, client, differences } of rows)
    for (const { kind, path: pattern, count, example } of differences) {
      const path = causeOf(pattern);
      const key = `${kind} ${path}`;
      const cause = causes.get(key) ?? {
        kind,
        path,
        count: 0,
        operations: [],
        clients: 0,
        example,
        callers: new Set(),
      };
      cause.count += count;
      if (!cause.operations.includes(operation)) cause.operations.push(operation);
      cause.callers.add(client);
      if (sizeOf(example) < sizeOf(cause.example)) cause.example = example;
      causes.set(key, cause);
    }
  return [...causes.values()]
    .map(({ callers, ...cause }) => ({ ...cause, operations: cause.operations.sort(), clients: callers.size }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
}

const verdicts = ['different', 'not compared', 'same'];
const compareNames = (a: Caller, b: Caller): number =>
  `${a.operation} ${a.option} ${a.client}` < `${b.operation} ${b.option} ${b.client}` ? -1 : 1;

export const countNotCompared = ({ notCompared }: Pick<ReportRow, 'notCompared'>): number =>
  Object.values(notCompared).reduce((total, count) => total + count, 0);

const sizeOf = ({ request, old, new: other }: Example): number => request.length + old.length + other.length;

const cut = (text: string): string => (text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text);
