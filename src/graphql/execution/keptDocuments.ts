/** Documents that were read and judged before, and what they take: their number says little, for one may be a thousand times another. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Of a token of the text, with its node and its place: seen in heap snapshots. */
const bytesOfToken = 450;
const bytesOfCharacter = 2;

/** What a parsed document takes, about. */
export function bytesOf({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  return tokens * bytesOfToken + (loc?.source.body.length ?? 0) * bytesOfCharacter;
}

/** A cache as Apollo asks for it. */
interface Store<Value extends object | string> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** @param sizeOf what a value takes, in bytes @param bytesMax of all, together */
export function openStore<Value extends object | string>(
  bytesMax: number,
  sizeOf: (value: Value) => number,
): Store<Value> {
  const kept = new LRUCache<string, Value>({
    maxSize: bytesMax,
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
  });
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => {
      kept.set(key, value);
    },
    delete: async (key) => kept.delete(key),
  };
}

const documentBytesMax = 32_000_000;
const persistedBytesMax = 4_000_000;

/** Parsed documents by the hash of their text. */
export const openDocumentStore = (): Store<DocumentNode> => openStore(documentBytesMax, bytesOf);

/** Texts that callers registered as persisted queries. */
export const openPersistedQueries = (): Store<string> =>
  openStore(persistedBytesMax, (text) => text.length * bytesOfCharacter);
