/** What was asked, what was answered, and what must therefore be there in the end. */

/** Broken: the connection ended without an answer. */
export type Outcome = number | 'broken';

export interface Chain {
  /** The last renewal token that was given. */
  token: string;
  /** The one before, which must be refused. */
  previous: string | undefined;
  /** A renewal with `token` was sent and has no answer, or 503: it may have been carried out. */
  inDoubt: boolean;
}

export interface CreatedApplication {
  applicationGuid: string;
  /** Whether its mapping was acknowledged. */
  isMapped: boolean;
  /** Values of the mapping's link that may be there: the last that was acknowledged, and those in doubt since. */
  links: string[];
}

export interface Ledger {
  chains: Chain[];
  /** Tokens whose revocation was acknowledged. */
  revoked: string[];
  applications: CreatedApplication[];
  /** Instants of acknowledged writes, in milliseconds. */
  writes: number[];
  /** Instants of requests without success. */
  failures: number[];
  /** By kind of request and outcome. */
  answers: Map<string, number>;
  /** Renewals that were carried out though their answer was lost, as the 401 afterwards tells. */
  lostAnswers: number;
  /** What may never happen. */
  faults: string[];
}

export const openLedger = (): Ledger => ({
  chains: [],
  revoked: [],
  applications: [],
  writes: [],
  failures: [],
  answers: new Map(),
  lostAnswers: 0,
  faults: [],
});

// of HAProxy: a connection to a process broke, or took too long
const expected = new Set<Outcome>([200, 503, 502, 504, 'broken']);

/** Counts an answer. 400, 401, 404 and others are noted as faults by whoever knows that the request was a good one. */
export function note(ledger: Ledger, kind: string, outcome: Outcome): void {
  const key = `${kind} ${outcome}`;
  ledger.answers.set(key, (ledger.answers.get(key) ?? 0) + 1);
  const now = performance.now();
  if (outcome === 200) ledger.writes.push(now);
  else ledger.failures.push(now);
}

/** A good request was refused. */
export function requireExpected(ledger: Ledger, kind: string, outcome: Outcome, text: string): void {
  if (!expected.has(outcome)) ledger.faults.push(`${kind} was answered ${outcome}: ${text.slice(0, 200)}`);
}

export const answerLines = ({ answers }: Ledger): string[] =>
  [...answers].sort(([a], [b]) => a.localeCompare(b)).map(([key, count]) => `  ${key}: ${count}`);

/** The longest time between two acknowledged writes that begins at `from` or later, or goes on then, in milliseconds. */
export function longestPause({ writes }: Ledger, from: number, to: number): number {
  let longest = 0;
  for (let index = 1; index < writes.length; index++) {
    if (writes[index]! < from || writes[index - 1]! > to) continue;
    longest = Math.max(longest, writes[index]! - writes[index - 1]!);
  }
  return longest;
}
