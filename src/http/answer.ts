/** Answers without Express, written together where several are ready. */
import type { ServerResponse } from 'node:http';

/**
 * Answers that are ready in the same turn of the event loop are written one right after the other at its end: a write wakes
 * whoever reads, which may cost more than all else about an answer, unless it is awake of the one before (decision 0036).
 */

// nobody waits for more than so many others to be made
const heldMax = 8;

const held: (() => void)[] = [];

/** Calls `write` at the end of this turn of the event loop at the latest, after those that were given before. */
export function writeTogether(write: () => void): void {
  if (held.length === 0) setImmediate(writeHeld);
  held.push(write);
  if (held.length >= heldMax) writeHeld();
}

function writeHeld(): void {
  for (const write of held.splice(0)) write();
}

/** An answer as a value, for faces that need nothing of Express; and how it is written. */

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };
const textType = { 'content-type': 'text/plain; charset=utf-8' };

export const json = (status: number, value: object, further?: Readonly<Record<string, string>>): Answer => ({
  status,
  headers: further ? { ...further, ...jsonType } : jsonType,
  body: JSON.stringify(value),
});
/** Of what is JSON already. */
export const jsonText = (status: number, body: string): Answer => ({ status, headers: jsonType, body });
export const text = (status: number, body: string): Answer => ({ status, headers: textType, body });
export const empty = (status: number): Answer => ({ status, headers: {}, body: '' });

/** @param before headers of every answer, name after value; what was set on the response before stays too */
export function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  before: readonly string[] = [],
): void {
  const lines = [...before];
  for (const name in headers) lines.push(name, headers[name]!);
  const length = Buffer.byteLength(body);
  lines.push('content-length', String(length));
  response.writeHead(status, lines);
  // the same bytes where each character is one, and cheaper to write
  writeTogether(() => response.end(body, length === body.length ? 'latin1' : 'utf8'));
}
