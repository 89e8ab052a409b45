/** For a reader who chooses: Gatehouse beside what is written by hand for speed alone, and beside what they would take otherwise. */
import type { Figures } from '../row.js';
import { bar, label, margin, paragraph, picture, textWidth, width } from './svg.js';

/** Work that several sides do. */
interface Chapter {
  title: string;
  figures: readonly Figures[];
}

const names: Record<string, string> = { limit: 'by hand, for speed alone', floor: 'by hand, plainly' };
const nameOf = ({ name }: Figures): string => names[name] ?? name;
const rowHeight = 30;
const barHeight = 16;
const gap = 14;
/** Room for the figures behind the bars. */
const speedRoom = textWidth('00,000', { isBold: true });
const latencyRoom = textWidth('0,000 · 00,000');

/** @param caption of which machine, and when */
export function choicePicture(chapters: readonly Chapter[], caption: string): string {
  const labels = chapters.flatMap(({ figures }) => figures.map(nameOf));
  const left = margin + Math.max(...labels.map((text) => textWidth(text, { isBold: true }))) + gap;
  const barRoom = (width - left - margin - speedRoom - latencyRoom - 3 * gap) / 2;
  const right = left + barRoom + speedRoom + 2 * gap;
  const body: string[] = [label('Gatehouse beside others', margin, 28, { size: 16, isBold: true })];
  const about = paragraph(caption, margin, 48, width - 2 * margin, { size: 12, isQuiet: true });
  body.push(about.body);
  let y = about.end + 34;
  for (const { title, figures } of chapters) {
    body.push(label(title, margin, y, { isBold: true }));
    body.push(label('requests a second', left, y + 20, { size: 12, isQuiet: true }));
    body.push(label('ms to the answer, p50 · p99', right, y + 20, { size: 12, isQuiet: true }));
    y += 30;
    const most = Math.max(...figures.map(({ requestsPerSecond }) => requestsPerSecond));
    const longest = Math.max(...figures.map(({ closed }) => closed.p99));
    for (const each of figures) {
      body.push(...row(each, { y, left, right, speed: barRoom / most, latency: barRoom / longest }));
      y += rowHeight;
    }
    y += 26;
  }
  return picture('Gatehouse beside others: requests a second, and latency', Math.ceil(y - 10), body);
}

interface Layout {
  y: number;
  left: number;
  right: number;
  /** Pixels of a request a second, and of a millisecond. */
  speed: number;
  latency: number;
}

function row(each: Figures, { y, left, right, speed, latency }: Layout): string[] {
  const isBold = each.name === 'Gatehouse';
  const kind = isBold ? 'own' : each.name === 'limit' || each.name === 'floor' ? 'limit' : 'other';
  const baseline = y + barHeight - 3;
  const { p50, p99 } = each.closed;
  return [
    label(nameOf(each), margin, baseline, { isBold }),
    bar(kind, left, y, each.requestsPerSecond * speed, barHeight),
    label(inWords(each.requestsPerSecond), left + each.requestsPerSecond * speed + 6, baseline, { isBold }),
    bar('other', right, y + 4, p99 * latency, barHeight - 8),
    bar(kind === 'other' ? 'limit' : kind, right, y, p50 * latency, barHeight),
    label(`${inWords(p50)} · ${inWords(p99)}`, right + p99 * latency + 6, baseline, { isBold }),
  ];
}

const inWords = (value: number): string =>
  value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en', { maximumFractionDigits: 0 });
