/** What the pictures have in common: colours of light and dark pages, texts whose width is known before they are drawn. */

export const width = 860;
export const margin = 16;

interface TextStyle {
  /** Pixels; 13 unless given. */
  size?: number;
  isBold?: boolean;
  isQuiet?: boolean;
  anchor?: 'start' | 'middle' | 'end';
}

const ownSize = 13;
/** Of an em: wider than the widest usual sans-serif on average, so that a text never needs more. */
const emsPerCharacter = { plain: 0.58, bold: 0.63 };

/** At most as many pixels as a text takes. */
export const textWidth = (text: string, { size = ownSize, isBold = false }: TextStyle = {}): number =>
  [...text].length * size * (isBold ? emsPerCharacter.bold : emsPerCharacter.plain);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A text with its baseline at y. Throws where it would be cut off at a side of the picture. */
export function label(text: string, x: number, y: number, style: TextStyle = {}): string {
  const { size = ownSize, isBold, isQuiet, anchor = 'start' } = style;
  const wide = textWidth(text, style);
  const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
  if (from < 0 || from + wide > width)
    throw new Error(`"${text}" does not fit: ${from.toFixed(0)} to ${(from + wide).toFixed(0)}`);
  const attributes = [
    `x="${x.toFixed(1)}" y="${y.toFixed(1)}"`,
    ...(size === ownSize ? [] : [`font-size="${size}"`]),
    ...(isBold ? ['font-weight="600"'] : []),
    ...(isQuiet ? ['class="quiet"'] : []),
    ...(anchor === 'start' ? [] : [`text-anchor="${anchor}"`]),
  ];
  return `<text ${attributes.join(' ')}>${escaped(text)}</text>`;
}

/** A text broken into lines that fit between two places. */
export function paragraph(
  text: string,
  x: number,
  y: number,
  wide: number,
  style: TextStyle = {},
): { body: string; end: number } {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && textWidth(longer, style) <= wide) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const height = (style.size ?? ownSize) * 1.35;
  const body = lines.map((line, index) => label(line, x, y + index * height, style)).join('\n');
  return { body, end: y + (lines.length - 1) * height };
}

export const bar = (kind: string, x: number, y: number, long: number, high: number): string =>
  `<rect class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(1, long).toFixed(1)}" height="${high}" rx="3"/>`;

/** @param title for those who can't see it */
export function picture(title: string, height: number, body: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
  svg { font-size: ${ownSize}px }
  .quiet { fill: #59636e }
  .ground { fill: #ffffff }
  .own { fill: #0969da } .ours { stroke: #0969da } .limit { fill: #8c959f } .limits { stroke: #6e7781 } .other { fill: #c4cbd2 }
  .line { fill: none; stroke-width: 2 } .dashed { stroke-dasharray: 5 4 } .grid { stroke: #d1d9e0; stroke-width: 1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .ground { fill: #0d1117 }
    .own { fill: #4493f8 } .ours { stroke: #4493f8 } .limit { fill: #848d97 } .limits { stroke: #9198a1 } .other { fill: #484f58 } .grid { stroke: #3d444d }
  }
</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
${body.join('\n')}
</svg>
`;
}
