/**
 * What decides who gets in and was changed here since the last import stays as it is, and is listed: secrets and isActive of
 * clients, isBlocked of users, revoked tokens. `--reset-clients` lets the file win for clients.
 */
import { createHash } from 'node:crypto';
import type { Findings } from './faults.js';
import type { ImportRow, Scalar } from './parseRows.js';
import type { Values } from './statements.js';

export interface Keeping {
  /** Called with what stays. */
  kept: Findings;
  /** Called with what the file wins over, where clients are reset; undefined: they are not. */
  reset: Findings | undefined;
}

/** A row of the file and its record; `values` become what the record shall have. */
interface Given extends Keeping {
  row: ImportRow;
  existing: Record<string, Scalar>;
  values: Values;
  /** Names of fields in which the file wins over a change that was made here. */
  resets: string[];
}

/** The values of the row without those that must not come over what was changed here. */
export function keepWhatChangedHere(
  list: string,
  row: ImportRow,
  existing: Record<string, Scalar>,
  keeping: Keeping,
): Pick<Given, 'values' | 'resets'> {
  const given: Given = { ...keeping, row, existing, values: { ...row.values }, resets: [] };
  rules[list]?.(given);
  return given;
}

/** What is remembered of a new record. */
export function memoryOfNew(list: string, values: Values): Values {
  if (list === 'users') return { importedIsBlocked: values.isBlocked ?? false };
  if (list !== 'clients') return {};
  return { importedIsActive: values.isActive ?? true, importedSecret: digestOf(values.clientSecret) };
}

const digestOf = (hash: Scalar | undefined): string | null =>
  typeof hash === 'string' ? createHash('sha256').update(hash).digest('hex') : null;

const rules: Record<string, (given: Given) => void> = {
  users: (given) => keepFlag({ ...given, reset: undefined }, 'isBlocked', 'importedIsBlocked', true),
  clients(given) {
    keepFlag(given, 'isActive', 'importedIsActive', false);
    keepSecret(given);
  },
  tokens: keepRevoked,
};

/** Of a record that no import remembers, the stricter value stands. */
function keepFlag(given: Given, name: string, memory: string, stricter: boolean): void {
  const { row, existing, values } = given;
  if (values[name] === undefined) return;
  const last = existing[memory];
  const isChangedHere = last === null ? values[name] !== stricter : last !== existing[name];
  if (values[name] === existing[name] || !isChangedHere) values[memory] = values[name];
  else if (given.reset) {
    values[memory] = values[name];
    reset(given, name, `was ${existing[name]}, set here`);
  } else {
    given.kept.add(`${row.path}.${name}`, `was set to ${existing[name]} here, and stays so`);
    values[name] = existing[name];
  }
}

/** A secret whose hash was made anew here is the one that the import gave; one that was rotated is remembered no more. */
function keepSecret(given: Given): void {
  const { row, existing, values } = given;
  const { clientSecret } = values;
  if (clientSecret === undefined || clientSecret === existing.clientSecret) return;
  if (digestOf(clientSecret) === existing.importedSecret) values.clientSecret = existing.clientSecret;
  else if (existing.importedSecret === null && !given.reset) {
    given.kept.add(`${row.path}.clientSecret`, 'is not the secret that was made here, which stays');
    values.clientSecret = existing.clientSecret;
  } else {
    if (existing.importedSecret === null) reset(given, 'clientSecret', 'was another one, made here');
    values.importedSecret = digestOf(clientSecret);
  }
}

function reset({ row, resets, reset: list }: Given, name: string, text: string): void {
  resets.push(name);
  list?.add(`${row.path}.${name}`, text);
}

function keepRevoked({ row, existing, values, kept }: Given): void {
  if (!existing.isRevoked) return;
  if (!values.isRevoked) kept.add(row.path, 'was revoked here, and stays so');
  for (const name of Object.keys(values)) if (name in existing) values[name] = existing[name];
}
