/** A model in the shape of the administration service's records, small enough to read and with the same turns and cycles. */
import type { OdataModel, OdataProperty } from '../../../src/rest/odata/model.js';

const required = (type: OdataProperty['type']): OdataProperty => ({ type, nullable: false });
const nullable = (type: OdataProperty['type']): OdataProperty => ({ type, nullable: true });

const user: OdataModel = {
  properties: { userId: required('integer'), userGuid: required('uuid'), firstName: nullable('string') },
  toOne: {},
  toMany: {},
};

const accessScope: OdataModel = {
  properties: { accessScopeId: required('integer'), name: required('string'), isWildcard: required('boolean') },
  toOne: { createdByNavigation: () => user },
  toMany: {},
};

export const application: OdataModel = {
  properties: {
    applicationId: required('integer'),
    applicationGuid: required('uuid'),
    name: nullable('string'),
    description: nullable('string'),
    isActive: required('boolean'),
    isIframe: nullable('boolean'),
    createdDate: required('dateTime'),
    modifiedDate: nullable('dateTime'),
    createdBy: required('uuid'),
    modifiedBy: nullable('uuid'),
  },
  toOne: { createdByNavigation: () => user, modifiedByNavigation: () => user },
  toMany: { accessScopeApplicationsMappers: () => mapping },
};

export const mapping: OdataModel = {
  properties: { accessScopeApplicationsMapperId: required('integer'), state: required('string') },
  toOne: { accessScope: () => accessScope, application: () => application, createdByNavigation: () => user },
  toMany: {},
};
