/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RolePageQuery, RolePageQueryVariables, RoleRowsQuery, RoleRowsQueryVariables } from './graph';

export const roleRows: Operation<RoleRowsQuery, RoleRowsQueryVariables> =
  { operationName: 'RoleRows', documentId: 'sha256:ea1bae547ca886f629730b6d5dc61acde51286b50007508be533651f606e3021' };
export const rolePage: Operation<RolePageQuery, RolePageQueryVariables> =
  { operationName: 'RolePage', documentId: 'sha256:9c17ec9c3775be9a025ccc20794b7ed6837bfcee9a6a193cf80518c487c77d48' };
