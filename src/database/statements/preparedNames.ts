/**
 * Under which names statements are prepared. Only what comes again gets a name, and the names used last are kept. What a
 * connection has prepared, here and in PostgreSQL, is kept until it forgets all of it, and has the same bound.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';

interface PreparedNamesOptions {
  /** Statements that have a name, and those that a connection has prepared. */
  namesMax?: number;
  /** Of their texts, together. */
  charactersMax?: number;
  /** Statements of which it is known that they came once; the older ones are forgotten. */
  onceMax?: number;
}

interface PreparedNames {
  /** The name of a statement; undefined for one that is parsed each time: at its first use, and when it is too long. */
  nameOf(text: string): string | undefined;
  /** Notes that the connection prepares the statement, and says whether it must forget what it has first. */
  isFull(client: PoolClient, name: string, text: string): boolean;
}

export function openPreparedNames(options: PreparedNamesOptions = {}): PreparedNames {
  const { namesMax = 1_000, charactersMax = 2_000_000, onceMax = 1_000 } = options;
  const names = new LRUCache<string, string>({
    max: namesMax,
    maxSize: charactersMax,
    sizeCalculation: (_name, text) => Math.max(1, text.length),
  });
  const once = new Set<string>();
  const prepared = new WeakMap<PoolClient, { names: Set<string>; characters: number }>();

  /** Whether it has come before, as far as is known. */
  function hasCome(name: string): boolean {
    if (once.delete(name)) return true;
    once.add(name);
    if (once.size > onceMax) once.delete(once.values().next().value!);
    return false;
  }

  return {
    nameOf(text) {
      const known = names.get(text);
      if (known || text.length > charactersMax) return known;
      const name = `g${hash('sha256', text, 'base64url').slice(0, 22)}`;
      if (!hasCome(name)) return undefined;
      names.set(text, name);
      return name;
    },
    isFull(client, name, text) {
      const held = prepared.get(client);
      if (held?.names.has(name)) return false;
      if (held && held.names.size < namesMax && held.characters + text.length <= charactersMax) {
        held.names.add(name);
        held.characters += text.length;
        return false;
      }
      prepared.set(client, { names: new Set([name]), characters: text.length });
      return held !== undefined;
    },
  };
}

/** Ends all that the connection has prepared, in PostgreSQL and in the library. */
export async function forgetPrepared(client: PoolClient): Promise<void> {
  await client.query('deallocate all');
  const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string> } };
  connection.parsedStatements = {};
}
