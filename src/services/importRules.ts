/** Rules of single lists of an import file, for records as they will be: access scope types and access scopes. */

import type { Merged, Plan } from './importCompare.js';
import type { Faults } from './importFaults.js';
import { findScopeProblem, findTypeNameProblem, type ScopeOfType } from './reservedScopes.js';

/** Judges the records that are made or changed, by the values that they will have. */
export function checkMerged({ list, inserts, updates }: Plan, faults: Faults): void {
  const check = rules[list.name];
  if (check) for (const merged of [...inserts, ...updates]) check(merged, faults);
}

const rules: Record<string, (merged: Merged, faults: Faults) => void> = {
  accessScopeTypes({ row, values: { accessScopeTypeGuid, name } }, faults) {
    const problem = typeof name === 'string' && findTypeNameProblem(String(accessScopeTypeGuid), name);
    if (problem) faults.add(`${row.path}.name`, problem);
  },
  accessScopes({ row, values }, faults) {
    const problem = findScopeProblem(values as unknown as ScopeOfType);
    if (problem) faults.add(`${row.path}.${problem.field}`, problem.problem);
  },
};
