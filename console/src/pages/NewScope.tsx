/** A new access scope of a type. */
import type { CreateAccessScopeInput } from '../operations/generated/graph';
import type { FormField } from '../record/formField';
import { NewRecord } from '../record/NewRecord';
import { useScopeTypes } from '../scopeTypes';
import { scopeFields } from './Scope';

const beginnings = { isActive: true, isWildcard: false };

export function NewScope() {
  const options = (useScopeTypes().data ?? []).map(({ accessScopeTypeGuid: value, name: label }) => ({ value, label }));
  const type: FormField = {
    name: 'accessScopeTypeGuid',
    kind: 'select',
    isRequired: true,
    options,
    hint: 'The part of a scope in tokens before the colon.',
  };
  return (
    <NewRecord
      kind="scope"
      to="/scopes"
      label="Access scopes"
      title="New access scope"
      sub="It opens nothing at first, and no profile has it."
      fields={[type, ...scopeFields]}
      beginnings={beginnings}
      member="createAccessScope"
      change={(accessScopeGuid, input) => ({
        createAccessScope: { input: { ...(input as CreateAccessScopeInput), accessScopeGuid } },
      })}
    />
  );
}
