/** What Gatehouse is asked for beside the limit, in every token row. */
import { cpuRatio, latencyRatio, speedRatio } from './compare.js';
import type { Figures, Ratio, Share } from './row.js';

const against = 'the limit';
export const limitDescription =
  'The limit: the same by every trick that we know (signatures in DER, up to 32 requests in a statement and three of a kind at a time, PostgreSQL’s protocol and answers written by hand); it checks no client.';

/** @param least and @param aim of the throughput */
export const throughputRatio = (work: string, own: Figures, limit: Figures, least: number, aim: number): Ratio => ({
  work,
  against,
  value: speedRatio(own, limit),
  kind: 'least',
  bar: least,
  aim,
});

export const cpuToLimit = (work: string, own: Figures, limit: Figures): Ratio => ({
  work: `${work}, CPU`,
  against,
  value: cpuRatio(own, limit),
  kind: 'most',
  bar: 1.35,
  aim: 1.15,
});

/** At half of the limit's throughput. */
export function tailRatios(work: string, own: Figures, limit: Figures): Ratio[] {
  const tails: [string, Share][] = [
    ['p99', 'p99'],
    ['p99.9', 'p999'],
  ];
  return tails.map(([name, share]) => ({
    work: `${work}, ${name}`,
    against,
    value: latencyRatio(own, limit, share),
    kind: 'most',
    bar: 1.5,
    aim: 1.2,
  }));
}
