/**
 * Values that decide access and were changed in Gatehouse since the last import stay, and are listed: secrets and isActive of
 * clients, isBlocked of users, revoked tokens. `--reset-clients` lets the file win for clients.
 */
import { createHash } from 'node:crypto';
import type { Findings } from './findings.js';
import type { ImportRow, Scalar } from './readRows.js';
import type { Values } from './statements.js';

export interface Keeping {
  /** The time of the database, ISO 8601; grants that ended until then count as ended. */
  now: string;
  /** Called with each value that stays. */
  kept: Findings;
  /** Called with each value that the file replaces, if clients are reset; undefined: they are not. */
  reset: Findings | undefined;
}

/** A row of the file and its record; `values` become the new values of the record. */
interface RowComparison extends Keeping {
  row: ImportRow;
  existing: Record<string, Scalar>;
  values: Values;
  /** Names of fields in which the file replaces a change that was made in Gatehouse. */
  resets: string[];
}

/** The values of the row without those that must not replace a change that was made in Gatehouse. */
export function preserveLocalChanges(
  list: string,
  row: ImportRow,
  existing: Record<string, Scalar>,
  keeping: Keeping,
): Pick<RowComparison, 'values' | 'resets'> {
  const comparison: RowComparison = { ...keeping, row, existing, values: { ...row.values }, resets: [] };
  keepRules[list]?.(comparison);
  return comparison;
}

/** Returns the values of a new record that later imports compare with. */
export function importMemoryOf(list: string, values: Values): Values {
  if (list === 'users') return { importedIsBlocked: values.isBlocked ?? false };
  if (list !== 'clients') return {};
  return { importedIsActive: values.isActive ?? true, importedSecret: digestOf(values.clientSecret) };
}

const digestOf = (hash: Scalar | undefined): string | null =>
  typeof hash === 'string' ? createHash('sha256').update(hash).digest('hex') : null;

const keepRules: Record<string, (comparison: RowComparison) => void> = {
  users: (comparison) => keepFlag({ ...comparison, reset: undefined }, 'isBlocked', 'importedIsBlocked', true),
  clients(comparison) {
    keepFlag(comparison, 'isActive', 'importedIsActive', false);
    keepSecret(comparison);
  },
  tokens: keepRevoked,
  // a row without an end gives an ended grant again
  userProfiles({ existing, values, now }) {
    const { validUntil: end } = existing;
    if (values.validUntil === undefined && typeof end === 'string' && end <= now) values.validUntil = null;
  },
};

/** Keeps a flag that was changed here since the last import. For records that were never imported, the stricter value applies. */
function keepFlag(comparison: RowComparison, name: string, memory: string, stricter: boolean): void {
  const { row, existing, values } = comparison;
  if (values[name] === undefined) return;
  const last = existing[memory];
  const isChangedHere = last === null ? values[name] !== stricter : last !== existing[name];
  if (values[name] === existing[name] || !isChangedHere) values[memory] = values[name];
  else if (comparison.reset) {
    values[memory] = values[name];
    reset(comparison, name, `was ${existing[name]}, set here`);
  } else {
    comparison.kept.add(`${row.path}.${name}`, `was set to ${existing[name]} here, and stays so`);
    values[name] = existing[name];
  }
}

/** Keeps a secret that was rotated here. A secret that was only hashed again counts as the imported one. */
function keepSecret(comparison: RowComparison): void {
  const { row, existing, values } = comparison;
  const { clientSecret } = values;
  if (clientSecret === undefined || clientSecret === existing.clientSecret) return;
  if (digestOf(clientSecret) === existing.importedSecret) values.clientSecret = existing.clientSecret;
  else if (existing.importedSecret === null && !comparison.reset) {
    comparison.kept.add(`${row.path}.clientSecret`, 'is not the secret that was made here, which stays');
    values.clientSecret = existing.clientSecret;
  } else {
    if (existing.importedSecret === null) reset(comparison, 'clientSecret', 'was another one, made here');
    values.importedSecret = digestOf(clientSecret);
  }
}

function reset({ row, resets, reset: list }: RowComparison, name: string, text: string): void {
  resets.push(name);
  list?.add(`${row.path}.${name}`, text);
}

function keepRevoked({ row, existing, values, kept }: RowComparison): void {
  if (!existing.isRevoked) return;
  if (!values.isRevoked) kept.add(row.path, 'was revoked here, and stays so');
  for (const name of Object.keys(values)) if (name in existing) values[name] = existing[name];
}
