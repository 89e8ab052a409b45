/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RolePageQuery, RolePageQueryVariables, RoleRowsQuery, RoleRowsQueryVariables } from './graph';

export const roleRows: Operation<RoleRowsQuery, RoleRowsQueryVariables> =
  { operationName: 'RoleRows', documentId: 'sha256:fe0fa6a5849ae829b686abc39a066ec2c92e5d1709f2181b7db774b8576ead62' };
export const rolePage: Operation<RolePageQuery, RolePageQueryVariables> =
  { operationName: 'RolePage', documentId: 'sha256:e5a0e7499e861d9582b298317415ce8d21f1931b0cb4e3ef229973a26e4b7cf8' };
