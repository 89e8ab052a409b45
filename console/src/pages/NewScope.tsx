/** A new access scope of a type that is chosen first. */
import { useAddress } from '../address';
import type { CreateAccessScopeInput } from '../operations/generated/graph';
import { NewRecord } from '../record/NewRecord';
import { useScopeTypes } from '../scopeTypes';
import { Segments } from '../ui/Segments';
import { scopeFields } from './Scope';

const beginnings = { isActive: true, isWildcard: false };

export function NewScope() {
  const types = useScopeTypes().data ?? [];
  const [{ type }, change] = useAddress<{ type?: string }>();
  const chosen = types.find(({ name }) => name === type) ?? types[0];
  const options = types.map(({ name }) => [name, name] as const);
  if (!chosen) return null;
  return (
    <NewRecord
      kind="scope"
      to="/scopes"
      label="Access scopes"
      title="New access scope"
      sub={<Segments label="Type" value={chosen.name} options={options} onChange={(name) => change({ type: name })} />}
      fields={scopeFields}
      beginnings={{ ...beginnings, accessScopeTypeGuid: chosen.accessScopeTypeGuid }}
      member="createAccessScope"
      change={(accessScopeGuid, input) => ({
        createAccessScope: { input: { ...(input as CreateAccessScopeInput), accessScopeGuid } },
      })}
    />
  );
}
