/** Saves a list as CSV (RFC 4180), with all that was asked of its rows, to its last row. */
import { Refusal } from '../graph';
import type { Connection, Page, Pages } from '../pages';

type Read = (page: Page, signal: AbortSignal) => Promise<Connection<unknown>>;

/** Rows of a request: as many as the list itself asks for. */
const rowsAtOnce = 200;

/** All rows of the list, in its order. Throws Refusal where it changed while it was read. */
async function readAll(
  { read, rows, total }: Pages<unknown>,
  noted: (count: number) => void,
): Promise<readonly unknown[]> {
  if (!read && rows.length === total) return rows;
  if (!read) throw new Refusal('INTERNAL', 'This list was not read to its end.');
  const all: unknown[] = [];
  const { signal } = new AbortController();
  for (;;) {
    const { nodes, totalCount } = await (read as Read)({ first: rowsAtOnce, offset: all.length }, signal);
    all.push(...nodes);
    noted(all.length);
    if (all.length >= totalCount) return all;
    if (nodes.length === 0) throw new Refusal('CONFLICT', 'The list changed while it was saved. Save it again.');
  }
}

type Cells = Map<string, string>;

/** The values of a row by their way to it, such as `role.name`; of a list all in one cell. */
function addCells(cells: Cells, way: string, value: unknown): void {
  if (value === null || value === undefined) cells.set(way, '');
  else if (Array.isArray(value)) cells.set(way, value.map(textOf).join('; '));
  else if (typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) addCells(cells, way ? `${way}.${name}` : name, inner);
  } else cells.set(way, String(value));
}

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

/** Saves it under a name such as gatehouse-users-2026-11-23.csv, and returns the number of its rows. Throws Refusal. */
export async function saveCsv(label: string, pages: Pages<unknown>, noted: (count: number) => void): Promise<number> {
  const rows = await readAll(pages, noted);
  saveFile(label, 'csv', csvOf(rows));
  return rows.length;
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
