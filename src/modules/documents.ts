/** What `npm run generate` writes into documents about the modules. */
import { importReference } from './transfer/importReference.js';

export const documents: { path: string; place: string; text(): string }[] = [
  { path: 'docs/import.md', place: 'lists', text: importReference },
];
