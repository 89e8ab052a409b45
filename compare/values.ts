/**
 * The file of values: one line of JSON for each pseudonym and its value. It contains secrets, so it is not part of the
 * recording. `bearer` is the access token for a service if the value of the recorded one is unknown, and `header:NAME` a
 * header of every request.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { OperatorError } from '../src/errors.js';
import { type OnReplaced, Pseudonymizer } from './redact.js';

export type Side = 'old' | 'new';

interface Line {
  name: string;
  value: string;
  side?: Side;
}

export interface KnownValues {
  pseudonymizer: Pseudonymizer;
  find(side: Side, name: string): string | undefined;
  headers(side: Side): Record<string, string>;
}

const keyName = 'key';
/** Maximum number of pseudonyms that are remembered, so that each is written once. */
const writtenMax = 100_000;

/** Reads the file. Without a path there are no values, and pseudonyms have a new key. Throws OperatorError for any other file. */
export function readValues(path?: string): KnownValues {
  const values = new Map<string, string>();
  const headers: Record<Side, Record<string, string>> = { old: {}, new: {} };
  for (const { name, value, side } of path === undefined ? [] : readLines(path))
    for (const each of side ? [side] : (['old', 'new'] as const))
      if (name.startsWith('header:')) headers[each][name.slice('header:'.length).toLowerCase()] = value;
      else values.set(`${each} ${name}`, value);
  const key = values.get(`old ${keyName}`);
  return {
    pseudonymizer: new Pseudonymizer(key === undefined ? randomBytes(32) : Buffer.from(key, 'base64')),
    find: (side, name) => values.get(`${side} ${name}`),
    headers: (side) => headers[side],
  };
}

/** Makes pseudonyms and writes their values to the file, for a replay. An existing file is continued, with its key. */
export function keepValues(path: string): {
  openPseudonymizer(onReplaced: OnReplaced): Pseudonymizer;
  keep: OnReplaced;
} {
  const lines = existsSync(path) ? readLines(path) : [];
  const written = new LRUCache<string, true>({ max: writtenMax });
  const append = (line: Line) => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  let key = lines.find(({ name }) => name === keyName)?.value;
  if (key === undefined) {
    key = randomBytes(32).toString('base64');
    append({ name: keyName, value: key });
  }
  for (const { name } of lines) written.set(name, true);
  return {
    openPseudonymizer: (onReplaced) => new Pseudonymizer(Buffer.from(key, 'base64'), onReplaced),
    keep(name, value) {
      if (written.has(name)) return;
      written.set(name, true);
      append({ name, value });
    },
  };
}

function readLines(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`);
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        const { name, value, side } = JSON.parse(line);
        if (typeof name !== 'string' || typeof value !== 'string') throw new Error('incomplete');
        if (side !== undefined && side !== 'old' && side !== 'new') throw new Error('no side');
        return { name, value, ...(side && { side }) };
      } catch {
        throw new OperatorError(
          `${path}, line ${index + 1}: a line is {"name": …, "value": …}, and where it is for one side "side": "old" or "new".`,
        );
      }
    });
}
