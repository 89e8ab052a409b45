/** The rules for rows of an import that are new or changed, beside the format of single values. */
import type { FieldDescription } from '../../entities/description.js';
import { endHasPassed } from '../../services/access/grants.js';
import { everyKey, everyKeyRule, findTextFlaw } from '../../services/access/scopeEntry.js';
import {
  findNumberProblem,
  findScopeProblem,
  findTypeNameProblem,
  type ScopeOfType,
} from '../../services/adminScopes/reservedNames.js';
import { clientTextRules, findKeysProblem } from '../../services/people/clients.js';
import { findFormProblem } from '../../services/records/input.js';
import type { Faults } from './findings.js';
import type { ImportChecks, Merged, Plan } from './importPlan.js';

/** Checks the records that are created or changed, by their new values. */
export function checkMerged({ list, inserts, updates }: Plan, checks: MergeChecks): void {
  const check = mergedRules[list.name];
  for (const merged of [...inserts, ...updates]) {
    checkForms(list.fields, merged, checks.faults);
    check?.(merged, checks);
  }
}

function checkForms(fields: readonly FieldDescription[], merged: Merged, faults: Faults): void {
  for (const field of fields) {
    const problem = findFormProblem(field, newText(merged, field.name));
    if (problem) faults.add(`${merged.row.path}.${field.name}`, problem);
  }
}

type MergeChecks = Pick<ImportChecks, 'now' | 'faults' | 'warnings' | 'isManaged' | 'audiences' | 'withoutIdpname'>;

/** Only for new records: existing ones keep their numbers. */
function checkNumber({ row, values, changed }: Merged, name: string, faults: Faults): void {
  const problem = changed === undefined ? findNumberProblem(values[name] as number | undefined) : undefined;
  if (problem) faults.add(`${row.path}.${name}`, problem);
}

/** The text of a field that is new or changed: what is stored already may be older than a rule. */
function newText({ values, changed }: Merged, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && (changed === undefined || changed.includes(name)) ? value : undefined;
}

/** Invisible characters are refused; white space, quotes and backslashes may come from an old system. */
function checkText(merged: Merged, name: string, { faults, warnings }: MergeChecks): void {
  const text = newText(merged, name);
  const flaw = text === undefined ? undefined : findTextFlaw(text);
  const path = `${merged.row.path}.${name}`;
  if (flaw === 'unseen') faults.add(path, 'must not contain control, format or other invisible characters');
  if (flaw === 'unfit')
    warnings.add(
      path,
      'has white space, a quote or a backslash: appears only in the `scopes` array, not in a `scope` text',
    );
}

/** Scopes of an old system are accepted, and issued as before. */
function checkEveryKey({ row, values, changed }: Merged, { faults, warnings, isManaged }: MergeChecks): void {
  const isNew = changed?.some((name) => name === 'accessScopeKey' || name === 'accessScopeTypeGuid') ?? true;
  if (values.accessScopeKey !== everyKey || !isNew) return;
  const path = `${row.path}.accessScopeKey`;
  if (isManaged) faults.add(path, everyKeyRule);
  else
    warnings.add(
      path,
      `is ${everyKey}, which APIs read as every scope of the type; give it another key, or set isWildcard`,
    );
}

const mergedRules: Record<string, (merged: Merged, checks: MergeChecks) => void> = {
  users({ row, values, changed }, { warnings, withoutIdpname }) {
    const isNew = changed === undefined || changed.includes('idpname');
    if (withoutIdpname !== undefined && isNew && (values.idpname ?? null) === null)
      warnings.add(`${row.path}.idpname`, `is not set: ${withoutIdpname}`);
  },
  clients(merged, { faults, audiences }) {
    const keys = findKeysProblem(merged.values);
    if (keys) faults.add(`${merged.row.path}.${keys.field}`, keys.problem);
    for (const [name, findProblem] of Object.entries(clientTextRules)) {
      const text = newText(merged, name);
      const problem = text === undefined ? undefined : findProblem(text, audiences);
      if (problem) faults.add(`${merged.row.path}.${name}`, problem);
    }
  },
  userProfiles(merged, { faults, now }) {
    const end = newText(merged, 'validUntil');
    if (end !== undefined && end <= now) faults.add(`${merged.row.path}.validUntil`, endHasPassed);
  },
  accessScopeTypes(merged, checks) {
    const { faults } = checks;
    checkNumber(merged, 'accessScopeTypeId', faults);
    const name = newText(merged, 'name');
    const problem = name !== undefined && findTypeNameProblem(String(merged.values.accessScopeTypeGuid), name);
    if (problem) faults.add(`${merged.row.path}.name`, problem);
    else checkText(merged, 'name', checks);
  },
  accessScopes(merged, checks) {
    const { faults } = checks;
    checkNumber(merged, 'accessScopeId', faults);
    const problem = findScopeProblem(merged.values as unknown as ScopeOfType);
    if (problem) faults.add(`${merged.row.path}.${problem.field}`, problem.problem);
    else {
      checkText(merged, 'accessScopeKey', checks);
      checkEveryKey(merged, checks);
    }
  },
};
