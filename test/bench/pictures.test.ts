/** The pictures of the README: whatever is measured, no label is cut off or runs into another one. */

import { choicePicture } from '../../bench/pictures/choice.js';
import { loadsPicture } from '../../bench/pictures/loads.js';
import { label, textWidth, width } from '../../bench/pictures/svg.js';
import type { Figures } from '../../bench/row.js';

const caption = '64 × Some Processor (R) With A Very Long Name Indeed @ 3.20GHz, Node v24.21.0, 2026-11-22. '.repeat(3);

function figures(name: string, requestsPerSecond: number, p50: number, p99: number): Figures {
  const cpu = { service: 100, postgres: 50, generator: 20 };
  const waits = { garbage: 0, processor: 0, busy: 0, generator: 0, other: 0 };
  const open = { perSecond: 1, rounds: [], waits };
  return { name, requestsPerSecond, rounds: [], statements: 1, closed: { p50, p99 }, cpu, walBytes: 1, open };
}

/** The texts of a picture, and from where to where each goes. */
function textsOf(svg: string) {
  const all = [...svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"([^>]*)>([^<]*)<\/text>/g)];
  return all.map(([, x, y, attributes, text]) => {
    const size = Number(/font-size="(\d+)"/.exec(attributes!)?.[1] ?? 13);
    const wide = textWidth(text!, { size, isBold: attributes!.includes('font-weight') });
    const anchor = /text-anchor="(\w+)"/.exec(attributes!)?.[1];
    const from = Number(x) - (anchor === 'end' ? wide : anchor === 'middle' ? wide / 2 : 0);
    return { text, y: Number(y), from, to: from + wide };
  });
}

function expectWhole(svg: string): void {
  const texts = textsOf(svg);
  expect(texts.length).toBeGreaterThan(5);
  const height = Number(/viewBox="0 0 \d+ (\d+)"/.exec(svg)![1]);
  const cutOff = texts.filter(({ from, to, y }) => from < 0 || to > width || y > height - 4);
  const overlapping = texts.filter((one, index) =>
    texts
      .slice(index + 1)
      .some((other) => Math.abs(one.y - other.y) < 11 && one.from < other.to && other.from < one.to),
  );
  expect({ cutOff, overlapping }).toEqual({ cutOff: [], overlapping: [] });
}

it('a picture of sides has whole labels, whatever their figures and names', () => {
  const extremes = [figures('limit', 99_999, 0.02, 9_999), figures('Gatehouse', 0.4, 9_999, 99_999)];
  const named = [figures('a service with quite a long name 12', 6_543, 1.2, 3.4), figures('floor', 1, 1, 1)];
  expectWhole(
    choicePicture(
      [
        { title: 'Renewing a session', figures: [...extremes, ...named] },
        { title: 'A view', figures: named },
      ],
      caption,
    ),
  );
});

it('a picture of loads has whole labels, whatever the latencies, and where a side could not carry them', () => {
  const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
  const point = (name: string, share: number, p50: number | null, p99: number | null) => ({
    name,
    share,
    perSecond: share * 123_456,
    p50,
    p99,
  });
  const same = shares.flatMap((share) => [point('limit', share, 1, 1.01), point('Gatehouse', share, 1, 1.01)]);
  expectWhole(loadsPicture(same, caption));
  const far = shares.flatMap((share) => [
    point('limit', share, 0.02, 9_000),
    point('Gatehouse', share, share > 0.5 ? null : 0.03, share > 0.5 ? null : 20_000),
  ]);
  expectWhole(loadsPicture(far, caption));
});

it('a label that would be cut off is refused when it is drawn', () => {
  expect(() => label('much too far to the right', width - 20, 10)).toThrow('does not fit');
  expect(() => label('much too far to the left', 20, 10, { anchor: 'end' })).toThrow('does not fit');
});
