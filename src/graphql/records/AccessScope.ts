/** Changes of access scopes. */
import { AccessScope } from '../../entities/AccessScope.js';
import { accessScopeInput, createAccessScope, updateAccessScope } from '../../services/catalogue/accessScopes.js';
import { declareChanges, declareDeactivation, type RecordOperations } from '../schema/recordMutations.js';

const operations: RecordOperations = {
  record: AccessScope,
  key: 'accessScopeGuid',
  fields: accessScopeInput,
  create: createAccessScope,
  update: updateAccessScope,
};

export function declareAccessScope(): void {
  declareChanges(operations);
  declareDeactivation(operations, { isActive: false }, 'Takes an access scope out of use: it is in no token any more.');
}
