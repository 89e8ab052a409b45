/** What a benchmark gives to the common table: rows by name, each run by itself. */
import type { Figures } from './compare.js';
import type { Cluster } from './service.js';

export interface Stage {
  /** PostgreSQL; each row takes a database of its own. */
  cluster: Cluster;
  /** Of one closed-loop round. */
  seconds: number;
  rounds: number;
  /** What the graph and the list are made of: the issue's, or names with emoji, 1 to 200 mappings, skewed users. */
  data: 'plain' | 'skewed';
  /** Absent: our own. */
  generator?: 'wrk';
}

export interface Row {
  /** `npm run bench -- NAME` */
  name: string;
  run(stage: Stage): Promise<Outcome>;
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
