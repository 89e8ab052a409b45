/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RolePageQuery, RolePageQueryVariables, RoleRowsQuery, RoleRowsQueryVariables } from './graph';

export const roleRows: Operation<RoleRowsQuery, RoleRowsQueryVariables> =
  { operationName: 'RoleRows', documentId: 'sha256:ea1bae547ca886f629730b6d5dc61acde51286b50007508be533651f606e3021' };
export const rolePage: Operation<RolePageQuery, RolePageQueryVariables> =
  { operationName: 'RolePage', documentId: 'sha256:1629167e2c30b77e24f5cf21b8b5906406811c4cbe8d5bbf7ed5f80fa095aeb5' };
