/** Changes of access scope types. */
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import {
  accessScopeTypeInput,
  createAccessScopeType,
  updateAccessScopeType,
} from '../../services/catalogue/accessScopeTypes.js';
import { declareChanges, declareDeactivation, type RecordOperations } from '../schema/recordMutations.js';

const operations: RecordOperations = {
  record: AccessScopeType,
  key: 'accessScopeTypeGuid',
  fields: accessScopeTypeInput,
  create: createAccessScopeType,
  update: updateAccessScopeType,
};

export function declareAccessScopeType(): void {
  declareChanges(operations);
  declareDeactivation(operations, { isActive: false }, 'Takes an access scope type out of use.');
}
