/** Reads the list of trusted documents; with such a list, GraphQL executes nothing else. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'graphql/language/parser.js';
import { InvalidSetting } from './parsers.js';

/** Returns the text of a document by its id or its SHA-256; undefined for any other. */
export type FindDocument = (id: string) => string | undefined;

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A SHA-256 may have the prefix that the draft of GraphQL over HTTP gives it. */
const bare = (id: string): string => id.replace(/^sha256:/, '');

/**
 * Reads a list as builds write it: texts by their ids (GraphQL Code Generator, Relay), or Apollo's persisted query manifest.
 * Throws InvalidSetting.
 */
export function readTrustedDocuments(path: string): FindDocument {
  const documents = new Map<string, string>();
  const listed = listedIn(readJson(path));
  if (listed.length === 0) throw invalid('it lists none');
  for (const [id, text] of listed) {
    if (typeof id !== 'string' || typeof text !== 'string') throw invalid('an id or a document is not a text');
    requireGraphql(id, text);
    for (const key of [sha256Of(text), bare(id)]) documents.set(key, text);
  }
  return (id) => documents.get(bare(id));
}

const invalid = (reason: string): InvalidSetting =>
  new InvalidSetting(`the path of a JSON file that lists GraphQL documents by their ids: ${reason}`);

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
}

function listedIn(content: unknown): [id: unknown, text: unknown][] {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid('it is not a JSON object');
  const { format, operations } = content as { format?: unknown; operations?: unknown };
  if (format !== 'apollo-persisted-query-manifest') return Object.entries(content);
  if (!Array.isArray(operations)) throw invalid('its operations are not a list');
  return operations.map((operation: { id?: unknown; body?: unknown } | null) => [operation?.id, operation?.body]);
}

function requireGraphql(id: string, text: string): void {
  try {
    parse(text, { noLocation: true });
  } catch (error) {
    throw invalid(`the document ${id.slice(0, 100)} is not GraphQL (${(error as Error).message.slice(0, 200)})`);
  }
}
