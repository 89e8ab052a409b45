/** A new role. */
import type { CreateRoleInput } from '../operations/generated/graph';
import { NewRecord } from '../record/NewRecord';
import { roleFields } from './Role';

const fields = [
  {
    name: 'roleId',
    label: 'Id',
    isRequired: true,
    charactersMax: 50,
    hint: 'As tokens name it, such as operator. It stays for ever.',
  },
  ...roleFields,
];

export const NewRole = () => (
  <NewRecord
    kind="role"
    to="/roles"
    label="Roles"
    title="New role"
    sub="As what somebody holds a profile."
    fields={fields}
    member="createRole"
    change={(_guid, input) => ({ createRole: { input: input as CreateRoleInput } })}
  />
);
