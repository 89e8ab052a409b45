/** The common table as a picture: how much of its aim each row reaches, with lines at the bar and at the aim. */
import { reached, valueText } from './results.js';
import type { Ratio } from './row.js';

const width = 860;
const rowHeight = 34;
const top = 64;
const left = 340;
const aimAt = 440;
const clippedAt = 1.35;

/** Longer is better in every row: a row of which less is better shows the aim's share of it. */
function shareOfAim({ kind, aim }: Ratio, value: number): number {
  if (kind === 'least') return value / aim;
  return value <= 0 ? clippedAt : aim / value;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function picture(ratios: readonly Ratio[], caption: string): string {
  const height = top + ratios.length * rowHeight + 34;
  const aimX = left + aimAt / clippedAt;
  const end = top + ratios.length * rowHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Ratios, their bar and their aim">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .quiet { fill: #59636e; font-size: 12px }
  .value { font-weight: 600 }
  .ground { fill: #ffffff }
  .aim { fill: #1a7f37 } .bar { fill: #bf8700 } .below { fill: #cf222e }
  .line { stroke: #1f2328; stroke-width: 1.5 }
  .limit { stroke: #1f2328; stroke-width: 2 }
  .track { fill: #eaeef2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .ground { fill: #0d1117 } .track { fill: #262c36 }
    .aim { fill: #3fb950 } .bar { fill: #d29922 } .below { fill: #f85149 }
    .line, .limit { stroke: #f0f6fc }
  }
</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
<text x="16" y="26" class="value">How much of its aim each row reaches: longer is better</text>
<text x="16" y="45" class="quiet">${escaped(caption)}. Short line: the bar. Green: aim reached; amber: bar reached; red: below it.</text>
<text x="${aimX}" y="${top - 2}" text-anchor="middle" class="quiet">aim</text>
${ratios.map((ratio, index) => row(ratio, top + index * rowHeight)).join('\n')}
<line class="line" x1="${aimX}" x2="${aimX}" y1="${top + 4}" y2="${end}"/>
<text x="16" y="${height - 12}" class="quiet">Rows and figures: bench/results.md, by npm run bench.</text>
</svg>
`;
}

function row(ratio: Ratio, y: number): string {
  const scale = (share: number) => (aimAt * Math.min(share, clippedAt)) / clippedAt;
  const long = scale(shareOfAim(ratio, ratio.value ?? 0));
  const limit = left + scale(shareOfAim(ratio, ratio.bar));
  const sign = ratio.kind === 'least' ? '≥' : '≤';
  return `<text x="16" y="${y + 17}">${escaped(ratio.work)}</text>
<text x="16" y="${y + 30}" class="quiet">against ${escaped(ratio.against)}; bar ${sign} ${ratio.bar}, aim ${sign} ${ratio.aim}</text>
<rect class="track" x="${left}" y="${y + 8}" width="${aimAt}" height="18" rx="3"/>
<rect class="${reached(ratio)}" x="${left}" y="${y + 8}" width="${long.toFixed(1)}" height="18" rx="3"/>
<line class="limit" x1="${limit.toFixed(1)}" x2="${limit.toFixed(1)}" y1="${y + 5}" y2="${y + 29}"/>
<text x="${left + aimAt + 8}" y="${y + 22}" class="value">${escaped(valueText(ratio))}</text>`;
}
