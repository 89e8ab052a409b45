/** Answers without Express. */
import type { ServerResponse } from 'node:http';
import { writeTogether } from '../engine/writeTogether.js';

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
/** For a body that is JSON text already. */
export const jsonText = (status: number, body: string): Answer => ({ status, headers: jsonType, body });
export const textAnswer = (status: number, body: string): Answer => ({ status, headers: textType, body });
export const empty = (status: number): Answer => ({ status, headers: {}, body: '' });

/** @param before headers of every answer, names and values alternating; headers already set on the response stay */
export function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  before: readonly string[] = [],
): void {
  const lines = [...before];
  for (const name in headers) lines.push(name, headers[name]!);
  const length = Buffer.byteLength(body);
  // RFC 9110 §8.6: a 204 has none
  if (status !== 204) lines.push('content-length', String(length));
  response.writeHead(status, lines);
  // for ASCII both encodings have the same bytes, and latin1 is cheaper to write
  writeTogether(() => response.end(body, length === body.length ? 'latin1' : 'utf8'));
}
