/** Reads the operations of the console's built pages; `/console/graphql` executes no others. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FindDocument, readTrustedDocuments } from '../config/trustedDocuments.js';

/** The file is next to the page and is never served. */
const listIn = (folder: string): string => join(folder, 'documents.json');

export const hasDocuments = (folder: string): boolean => existsSync(listIn(folder));

export function openDocuments(folder: string): FindDocument {
  const path = listIn(folder);
  const stampOf = (): string => {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  };
  let stamp = stampOf();
  let find = readTrustedDocuments(path);
  return (id) => {
    const text = find(id);
    // a new build has other operations
    if (text !== undefined || stampOf() === stamp) return text;
    stamp = stampOf();
    find = readTrustedDocuments(path);
    return find(id);
  };
}
