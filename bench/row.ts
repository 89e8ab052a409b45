/** What a benchmark gives to the common table: rows by name, each run by itself; and what a comparison of sides takes and gives. */
import type { Target } from './load.js';
import type { Cluster, Side } from './service.js';

export interface Stage {
  /** PostgreSQL; each row takes a database of its own. */
  cluster: Cluster;
  /** Of one closed-loop round. */
  seconds: number;
  rounds: number;
}

export interface Row {
  /** `npm run bench -- NAME` */
  name: string;
  /** Absent: it could not be measured here. */
  run(stage: Stage): Promise<Outcome | undefined>;
}

export interface Outcome {
  ratios: Ratio[];
  /** Of each side, for pictures and for documents that tell them. */
  figures?: Figures[];
  /** Latencies at several rates. */
  loads?: LoadPoint[];
  /** Markdown: how it was measured, and figures of each side. */
  details: string;
}

export interface LoadPoint {
  name: string;
  /** Of the limit's throughput. */
  share: number;
  perSecond: number;
  /** Milliseconds; null: it could not carry the rate. */
  p50: number | null;
  p99: number | null;
}

/** A line of the common table. */
export interface Ratio {
  work: string;
  against: string;
  /** null: a side could not do it at all. */
  value: number | null;
  /** `least`: higher is better; `most`: lower is. */
  kind: 'least' | 'most';
  bar: number;
  aim: number;
  /** Of the value: × unless told. */
  unit?: string;
}

export interface Contender {
  side: Side;
  /** Another process that does a part of its work. */
  behind?: Side;
  /** What the next round asks; made before its time begins. @param answersMax at most as many are to be expected */
  target(answersMax: number): Target | Promise<Target>;
  /** What it is warmed up by, where that is more at once than it is measured with. */
  warmUp?(): Promise<Target>;
}

export interface Figures {
  name: string;
  requestsPerSecond: number;
  /** Of each round, for ratios within rounds. */
  rounds: number[];
  statements: number;
  /** Milliseconds, in closed loop. */
  closed: { p50: number; p99: number };
  /** Microseconds per request. */
  cpu: { service: number; postgres: number; generator: number };
  /** Write-ahead log per request. */
  walBytes: number;
  /** Cores that everything else on the machine took meanwhile. */
  others?: number;
  open: OpenFigures;
}

export interface OpenFigures {
  perSecond: number;
  /** Milliseconds, of each round; none of one that could not carry the rate. */
  rounds: Record<Share, number | undefined>[];
}

/** Shares of the latencies. */
export type Share = 'p50' | 'p99' | 'p999';
