/** The changes of applications, access scopes and their types, as mutations and change sets make them. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { recordChanges } from '../records/recordChanges.js';
import {
  accessScopeInput,
  accessScopeTypeInput,
  createAccessScope,
  createAccessScopeType,
  updateAccessScope,
  updateAccessScopeType,
} from './accessScopes.js';
import { applicationInput, createApplication, updateApplication } from './applications.js';

export const applicationChanges = recordChanges({
  record: Application,
  key: 'applicationGuid',
  fields: applicationInput,
  create: createApplication,
  update: updateApplication,
});

export const accessScopeChanges = recordChanges({
  record: AccessScope,
  key: 'accessScopeGuid',
  fields: accessScopeInput,
  create: createAccessScope,
  update: updateAccessScope,
  deactivate: (context, guid, ifRevision) => updateAccessScope(context, guid, { isActive: false }, ifRevision),
});

export const accessScopeTypeChanges = recordChanges({
  record: AccessScopeType,
  key: 'accessScopeTypeGuid',
  fields: accessScopeTypeInput,
  create: createAccessScopeType,
  update: updateAccessScopeType,
  deactivate: (context, guid, ifRevision) => updateAccessScopeType(context, guid, { isActive: false }, ifRevision),
});
