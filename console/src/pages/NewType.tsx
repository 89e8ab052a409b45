/** A new access scope type. */
import type { CreateAccessScopeTypeInput } from '../operations/generated/graph';
import { NewRecord } from '../record/NewRecord';
import { typeFields } from './Type';

const beginnings = { isActive: true };

export const NewType = () => (
  <NewRecord
    kind="type"
    to="/types"
    label="Access scope types"
    title="New type"
    sub="What its access scopes will be about."
    fields={typeFields}
    beginnings={beginnings}
    member="createAccessScopeType"
    change={(accessScopeTypeGuid, input) => ({
      createAccessScopeType: { input: { ...(input as CreateAccessScopeTypeInput), accessScopeTypeGuid } },
    })}
  />
);
