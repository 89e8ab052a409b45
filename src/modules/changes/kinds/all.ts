/** All kinds of changes: the only list of them. */
import type { Kind } from './kind.js';
import { mapping } from './mapping.js';
import { bulkMappings } from './mappings.js';
import { profileGrants } from './profileGrants.js';
import { profileScopes } from './profileScopes.js';
import { records } from './records.js';
import { translations } from './translations.js';
import { undo } from './undo.js';

export const kinds: readonly Kind[] = [
  mapping,
  undo,
  ...bulkMappings,
  ...profileGrants,
  ...profileScopes,
  ...records,
  ...translations,
];

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

/** Throws on an unknown one: the graph knows no others. */
export function kindNamed(name: string): Kind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no kind of change is named ${name}`);
  return kind;
}

export interface Change {
  name: string;
  value: Record<string, unknown>;
}

/** Reads a change as it was sent or stored: an object with one member. */
export const readChange = (sent: object): Change => {
  const [name, value] = Object.entries(sent).find(([, value]) => value !== undefined && value !== null)!;
  return { name, value };
};
