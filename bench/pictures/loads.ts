/** Latency against load: p50 and p99 of renewals at shares of the limit's throughput, Gatehouse's and the limit's. */
import type { LoadPoint } from '../row.js';
import { label, margin, paragraph, picture, textWidth, width } from './svg.js';

const plotHeight = 270;
const left = margin + textWidth('10,000 ms', { size: 12 }) + 8;
const axis =
  'load, as a share of what the service written by hand can carry. A line ends at the last load that was carried';
const lineHeight = 18;
const swatch = 24;

interface Series {
  title: string;
  kind: string;
  points: { share: number; ms: number }[];
}

/** @param caption of which machine, and when */
export function loadsPicture(loads: readonly LoadPoint[], caption: string): string {
  const series = [seriesOf(loads, 'Gatehouse', 'p99'), seriesOf(loads, 'limit', 'p99')];
  series.push(seriesOf(loads, 'Gatehouse', 'p50'), seriesOf(loads, 'limit', 'p50'));
  const right = width - margin - Math.max(...series.map(({ title }) => textWidth(title))) - swatch - 18;
  const values = series.flatMap(({ points }) => points.map(({ ms }) => ms));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ticks = ticksAround(least, most);
  const [low, high] = [Math.log(ticks[0]!), Math.log(ticks.at(-1)!)];
  const x = (share: number) => left + share * (right - left);
  const about = paragraph(caption, margin, 48, width - 2 * margin, { size: 12, isQuiet: true });
  const bottom = about.end + 36 + plotHeight;
  const y = (ms: number) => bottom - ((Math.log(ms) - low) / (high - low)) * plotHeight;
  const body = [label('Latency of renewals as the load grows', margin, 28, { size: 16, isBold: true })];
  body.push(about.body);
  for (const tick of ticks) {
    body.push(`<path class="grid" d="M${left} ${y(tick).toFixed(1)}H${right.toFixed(1)}"/>`);
    body.push(label(`${tick} ms`, left - 8, y(tick) + 4, { size: 12, isQuiet: true, anchor: 'end' }));
  }
  for (const { share, perSecond } of loads.filter(({ name }) => name === 'limit')) {
    body.push(label(`${Math.round(100 * share)} %`, x(share), bottom + 20, { size: 12, anchor: 'middle' }));
    const rate = Math.round(perSecond).toLocaleString('en');
    body.push(label(`${rate}/s`, x(share), bottom + 36, { size: 12, isQuiet: true, anchor: 'middle' }));
  }
  body.push(label(axis, left, bottom + 56, { size: 12, isQuiet: true }));
  const place = ({ share, ms }: Series['points'][number]) => [x(share), y(ms)] as const;
  for (const { kind, points } of series) body.push(line(kind, points.map(place)));
  body.push(...titles(series, y, right + 8, bottom));
  return picture('Latency of renewals as the load grows', Math.ceil(bottom + 72), body);
}

function seriesOf(loads: readonly LoadPoint[], name: string, share: 'p50' | 'p99'): Series {
  const own = name === 'Gatehouse';
  const points = loads
    .filter((load) => load.name === name)
    .flatMap((load) => (load[share] === null ? [] : [{ share: load.share, ms: load[share] }]));
  const title = `${own ? 'Gatehouse' : 'by hand'}, ${share}`;
  return { title, kind: `${own ? 'ours' : 'limits'}${share === 'p50' ? ' dashed' : ''}`, points };
}

/** 1, 2 and 5 times powers of ten, from below the least to above the most. */
function ticksAround(least: number, most: number): number[] {
  const all = [-2, -1, 0, 1, 2, 3, 4].flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const from = all.findLastIndex((tick) => tick <= least);
  const to = all.findIndex((tick) => tick >= most);
  return all.slice(Math.max(0, from), to + 1);
}

function line(kind: string, points: readonly (readonly [number, number])[]): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return `<path class="line ${kind}" d="${path}"/>`;
}

/** Each at the end of its line, away from the others. */
function titles(series: readonly Series[], y: (ms: number) => number, x: number, bottom: number): string[] {
  const all = series
    .filter(({ points }) => points.length > 0)
    .map(({ title, kind, points }) => ({ title, kind, at: y(points.at(-1)!.ms) + 4 }))
    .sort((one, other) => one.at - other.at);
  for (const [index, each] of all.entries())
    if (index > 0) each.at = Math.max(each.at, all[index - 1]!.at + lineHeight);
  let most = bottom;
  for (const each of all.toReversed()) {
    each.at = Math.min(each.at, most);
    most = each.at - lineHeight;
  }
  return all.map(({ title, kind, at }) => {
    const ends = [x, x + swatch].map((end) => [end, at - 4] as const);
    return `${line(kind, ends)}\n${label(title, x + swatch + 6, at)}`;
  });
}
