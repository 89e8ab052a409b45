/** Saves a list as CSV (RFC 4180), with all that was asked of its rows, to its last row. */

import { serviceZone } from '../grantEnd';
import { Refusal } from '../graph';
import type { Connection, Exported, Page, Pages } from '../pages';
import { nameAndMail } from '../words';
import type { Parts } from './PartList';

type Read = (page: Page, signal: AbortSignal) => Promise<Connection<unknown>>;
type Noted = (count: number) => void;

/** Rows of a request; the fewer where the service refuses so many. */
const [rowsMax, rowsMin] = [1_000, 200];

/** All rows of a list, in its order. Throws Refusal where it changed while it was read. */
export const readList = (list: Pages<unknown> | Parts<unknown>, noted: Noted): Promise<readonly unknown[]> =>
  'readOn' in list ? readParts(list, noted) : readPages(list, noted);

async function readPages({ read, rows, total }: Pages<unknown>, noted: Noted): Promise<readonly unknown[]> {
  if (!read && rows.length === total) return rows;
  if (!read) throw new Refusal('INTERNAL', 'This list was not read to its end.');
  const all: unknown[] = [];
  let first = rowsMax;
  let expected: number | undefined;
  for (;;) {
    const part = await readPart(read as Read, { first, offset: all.length });
    if (!part && first === rowsMin) throw new Refusal('TOO_LARGE', 'The rows of this list are too large to be saved.');
    if (!part) first = rowsMin;
    else {
      all.push(...part.nodes);
      noted(all.length);
      expected ??= part.totalCount;
      const isSame = part.totalCount === expected;
      if (isSame && all.length >= expected) return all;
      // rows that came or went before the next part would be in it twice, or not at all
      if (!isSame || part.nodes.length === 0)
        throw new Refusal('CONFLICT', 'The list changed while it was saved. Save it again.');
    }
  }
}

/** Undefined: too many rows for one request. */
const readPart = (read: Read, page: Page): Promise<Connection<unknown> | undefined> =>
  read(page, new AbortController().signal).catch((error) => {
    if (error instanceof Refusal && error.code === 'TOO_LARGE') return undefined;
    throw error;
  });

/** Of a list that is read on from its last row. */
async function readParts({ readOn }: Parts<unknown>, noted: Noted): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let after: string | null = null; ; ) {
    const part = await readOn(after, new AbortController().signal);
    all.push(...(part?.nodes ?? []));
    noted(all.length);
    if (!part?.pageInfo.hasNextPage) return all;
    after = part.pageInfo.endCursor;
  }
}

/** A list as the service writes it: from one moment, with nested lists whole. Throws Refusal. */
export async function exportList(
  { list, filter, orderBy, of }: Exported,
  noted: Noted,
): Promise<{ file: Blob; rows: number }> {
  const response = await fetch(new URL(`export/${list}`, document.baseURI), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-gatehouse-console': '1' },
    body: JSON.stringify({ filter, orderBy, ...(of && { of }) }),
  });
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string; title?: string };
    throw new Refusal('INTERNAL', problem.detail ?? problem.title ?? 'The list cannot be saved at the moment.');
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  const reader = response.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    lines += part.value.reduce((sum, byte) => (byte === lineFeed ? sum + 1 : sum), 0);
    noted(Math.max(0, lines - linesBefore));
  }
  const file = new Blob(parts);
  const [first] = (await file.slice(0, firstLineMax).text()).split('\r\n', 1);
  return { file, rows: Number(/,rows,(\d{1,9}),/.exec(first!)?.[1] ?? lines - linesBefore) };
}

const lineFeed = 10;
/** What the list is, and the headings. */
const linesBefore = 2;
const firstLineMax = 200_000;

/** The first line of a list that the page reads itself, in the form of the service's. */
export function introduction(label: string, rows: number, person: Parameters<typeof nameAndMail>[0]): string {
  const address = decodeURIComponent(location.search.slice(1)) || 'none';
  const made = new Date().toISOString();
  const by = person ? nameAndMail(person) : '';
  const cells = ['Gatehouse export', label, 'filter', address, 'rows', String(rows), 'made', made, 'times in', 'UTC'];
  return `${[...cells, 'days end in', serviceZone(), 'by', by].map(csvCell).join(',')}\r\n`;
}

type Cells = Map<string, string>;

/** The values of a row by their way to it, such as `role.name`; of a list all in one cell. */
function addCells(cells: Cells, way: string, value: unknown): void {
  if (value === null || value === undefined) cells.set(way, '');
  else if (Array.isArray(value)) cells.set(way, value.map(textOf).join('; '));
  else if (isCut(value))
    cells.set(way, `${value.nodes.map(textOf).join('; ')}; and ${value.totalCount - value.nodes.length} more`);
  else if (typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) addCells(cells, way ? `${way}.${name}` : name, inner);
  } else cells.set(way, String(value));
}

/** Whether a nested list has more than was read: the file says so. */
const isCut = (value: unknown): value is Connection<unknown> => {
  const { nodes, totalCount } = value as Partial<Connection<unknown>>;
  return nodes !== undefined && totalCount !== undefined && nodes.length > 0 && nodes.length < totalCount;
};

function textOf(value: unknown): string {
  const cells: Cells = new Map();
  addCells(cells, '', value);
  return [...cells.values()].filter(Boolean).join(' ');
}

// CWE-1236: what a spreadsheet takes for the beginning of a formula, also in full width (OWASP, CSV Injection)
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

function csvCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The lines with their heading. Columns are those of any row; a relation that is null in one row has columns by the others. */
export function csvOf(rows: readonly unknown[]): string {
  const lines = rows.map((row) => {
    const cells: Cells = new Map();
    addCells(cells, '', row);
    return cells;
  });
  const names = new Set(lines.flatMap((cells) => [...cells.keys()]));
  const columns = [...names].filter((name) => ![...names].some((other) => other.startsWith(`${name}.`)));
  const texts = [columns, ...lines.map((cells) => columns.map((column) => cells.get(column) ?? ''))];
  return texts.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const;

/** Saves it under a name such as gatehouse-users-2026-11-23.csv. */
export function saveFile(label: string, format: keyof typeof types, content: string | Blob): void {
  const name = label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const link = document.createElement('a');
  // the mark tells spreadsheets that it is UTF-8
  const parts = format === 'csv' ? ['\uFEFF', content] : [content];
  link.href = URL.createObjectURL(new Blob(parts, { type: types[format] }));
  link.download = `gatehouse-${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
