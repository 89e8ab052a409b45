/** The file that says which clients the new service answers. It is read again when it changes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OperatorError } from '../src/errors.js';
import type { Side } from './values.js';

export interface ClientRules {
  /** Percent of a client's sessions that begin at the new service. */
  clients: ReadonlyMap<string, number>;
  /** Percent for all other clients. */
  others: number;
}

const form = `a client in each line, and perhaps the share of its sessions: "portal", "kiosk 25%", or "* 10%" for all others`;
const readEveryMs = 500;

/** @param text of the file. Throws OperatorError. */
export function readClientRules(text: string): ClientRules {
  const clients = new Map<string, number>();
  for (const line of text.split('\n').map((rawLine) => rawLine.replace(/#.*$/, '').trim())) {
    if (line === '') continue;
    const [, client, percent = '100'] = /^(\S{1,200})(?:[ \t]{1,20}(\d{1,3})%)?$/.exec(line) ?? [];
    if (client === undefined || Number(percent) > 100)
      throw new OperatorError(`The file of clients has a line that is none: ${line.slice(0, 100)}. Write ${form}.`);
    if (clients.has(client)) throw new OperatorError(`The file of clients has ${client} twice.`);
    clients.set(client, Number(percent));
  }
  const others = clients.get('*') ?? 0;
  clients.delete('*');
  return { clients, others };
}

/** A person always has the same place from 0 to 99, so a larger share moves nobody back. */
export function sideOfNewSession({ clients, others }: ClientRules, client: string | undefined, person: string): Side {
  const percent = clients.get(client ?? '') ?? others;
  const place = createHash('sha256').update(`${client}\n${person}`).digest().readUInt32BE() % 100;
  return place < percent ? 'new' : 'old';
}

interface WatchedRules {
  current(): ClientRules;
  close(): void;
}

/**
 * Throws OperatorError if the file cannot be used at the start. @param onChange gets the new rules, or the error if the file
 * cannot be used; the previous rules stay then.
 */
export function watchClientRules(path: string, onChange: (rules: ClientRules | Error) => void): WatchedRules {
  const read = (): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new OperatorError(`${path} cannot be read: ${(error as Error).message}.`);
    }
  };
  let text = read();
  let rules = readClientRules(text);
  let fault: string | undefined;
  // reads the text instead of waiting for events: editors replace the file, and network file systems send no events
  const timer = setInterval(() => {
    try {
      const next = read();
      if (next === text) return;
      text = next;
      rules = readClientRules(next);
      fault = undefined;
      onChange(rules);
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) onChange(error as Error);
      fault = message;
    }
  }, readEveryMs);
  return { current: () => rules, close: () => clearInterval(timer) };
}
