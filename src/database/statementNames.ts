/**
 * Under which names statements are prepared. Each connection keeps what it prepared, here and in PostgreSQL, until it is
 * closed: so only what comes again gets a name, and what gets one has a bound.
 */
import { hash } from 'node:crypto';

/** The name of a statement; undefined for one that is parsed each time: at its first use, and past the bound. */
export type StatementName = (text: string) => string | undefined;

export interface StatementNamesOptions {
  /** Statements that get a name. */
  namesMax?: number;
  /** Of all texts that got one, together. */
  charactersMax?: number;
  /** Statements of which it is known that they came once; the older ones are forgotten. */
  onceMax?: number;
}

export function openStatementNames(options: StatementNamesOptions = {}): StatementName {
  const { namesMax = 1_000, charactersMax = 2_000_000, onceMax = 1_000 } = options;
  const names = new Map<string, string>();
  const once = new Set<string>();
  let characters = 0;

  /** Whether it has come before, as far as is known. */
  function hasCome(name: string): boolean {
    if (once.delete(name)) return true;
    once.add(name);
    if (once.size > onceMax) once.delete(once.values().next().value!);
    return false;
  }

  return (text) => {
    const known = names.get(text);
    if (known) return known;
    if (names.size >= namesMax || characters + text.length > charactersMax) return undefined;
    const name = `g${hash('sha256', text, 'base64url').slice(0, 22)}`;
    if (!hasCome(name)) return undefined;
    names.set(text, name);
    characters += text.length;
    return name;
  };
}
