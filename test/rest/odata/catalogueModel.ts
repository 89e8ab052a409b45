/** A model in the shape of the administration service's records, small enough to read and with the same turns and cycles. */
import type { OdataModel, OdataProperty } from '../../../src/rest/odata/model.js';

type Targets = Record<string, () => OdataModel>;

/** A model of these properties, records and lists of records. */
export function modelOf(
  properties: Record<string, OdataProperty>,
  toOne: Targets = {},
  toMany: Targets = {},
): OdataModel {
  const leadTo = (targets: Targets, isList: boolean) =>
    Object.entries(targets).map(([name, target]) => [name, { isList, target }] as const);
  return {
    properties: new Map(Object.entries(properties)),
    navigations: new Map([...leadTo(toOne, false), ...leadTo(toMany, true)]),
  };
}

const required = (type: OdataProperty['type']): OdataProperty => ({ type, nullable: false });
const nullable = (type: OdataProperty['type']): OdataProperty => ({ type, nullable: true });

const user = modelOf({ userId: required('integer'), userGuid: required('uuid'), firstName: nullable('string') });

const accessScope = modelOf(
  { accessScopeId: required('integer'), name: required('string'), isWildcard: required('boolean') },
  { createdByNavigation: () => user },
);

export const application: OdataModel = modelOf(
  {
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
  { createdByNavigation: () => user, modifiedByNavigation: () => user },
  { accessScopeApplicationsMappers: () => mapping },
);

export const mapping: OdataModel = modelOf(
  { accessScopeApplicationsMapperId: required('integer'), state: required('string') },
  { accessScope: () => accessScope, application: () => application, createdByNavigation: () => user },
);
