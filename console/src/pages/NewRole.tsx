/** A new role. */
import type { CreateRoleInput } from '../operations/generated/graph';
import { roleIsNew } from '../record/formField';
import { NewRecord } from '../record/NewRecord';
import { roleFields } from './Role';

const fields = [
  {
    name: 'roleId',
    isRequired: true,
    charactersMax: 50,
    hint: 'Its name in tokens. It cannot be changed later.',
    lookUp: roleIsNew,
  },
  ...roleFields,
];

export const NewRole = () => (
  <NewRecord
    kind="role"
    to="/roles"
    label="Roles"
    title="New role"
    sub="The role in which a person holds a profile."
    fields={fields}
    member="createRole"
    change={(_guid, input) => ({ createRole: { input: input as CreateRoleInput } })}
  />
);
