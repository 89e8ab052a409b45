/** The operations of the consoles that a test file builds: what a test asks is added to them, as a build of its pages would. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../../../src/config/trustedDocuments.js';

const folders: string[] = [];
const documents = new Map<string, string>([['nothing', '{ __typename }']]);

const write = (folder: string): void =>
  writeFileSync(join(folder, 'documents.json'), JSON.stringify(Object.fromEntries(documents)));

/** The list of a console's folder, now and whenever an operation is added. */
export function writeDocuments(folder: string): void {
  folders.push(folder);
  write(folder);
}

/** The id of an operation that the built consoles know from now on. */
export function built(query: string): string {
  const id = sha256Of(query);
  if (!documents.has(id)) {
    documents.set(id, query);
    // a console of a test that is over is gone
    for (const folder of folders.filter(existsSync)) write(folder);
  }
  return `sha256:${id}`;
}
