/** Saves a list as the file that the service writes. */

import { Refusal, unreachable } from '../graph';
import type { Exported } from '../pages';

type Noted = (count: number) => void;

/** A list as the service writes it: from one moment, with nested lists whole. Throws Refusal. */
export async function exportList(
  { list, filter, orderBy, of }: Exported,
  noted: Noted,
): Promise<{ file: Blob; rows: number }> {
  const away = () => {
    throw unreachable();
  };
  const response = await fetch(new URL(`export/${list}`, document.baseURI), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-gatehouse-console': '1' },
    body: JSON.stringify({ filter, orderBy, of }),
  }).catch(away);
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string; title?: string };
    throw new Refusal('INTERNAL', problem.detail ?? problem.title ?? 'The list cannot be saved at the moment.');
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  const reader = response.body!.getReader();
  for (let part = await reader.read().catch(away); !part.done; part = await reader.read().catch(away)) {
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
