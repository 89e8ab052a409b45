/** Changes of roles. */
import { Role } from '../../entities/Role.js';
import { createRole, deleteRole, roleInput, updateRole } from '../../services/people/roles.js';
import { declareChanges, declareDeletion, type RecordOperations } from '../schema/recordMutations.js';

const operations: RecordOperations = {
  record: Role,
  key: 'roleId',
  fields: roleInput,
  create: createRole,
  update: updateRole,
};

export function declareRole(): void {
  declareChanges(operations);
  declareDeletion(operations, deleteRole, 'Removes a role; CONFLICT while somebody has it.');
}
