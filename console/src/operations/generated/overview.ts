/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:2490f64c610ee4fce752d8d0dbb2f9a19aa86dcbd2d0d32b7bfff66b08895b29' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:4c990362b0502ca3ed20f4f85284e8aac9cb7cd70d2aa24c9ca15e3a1f400b84' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:ee66d6f06d2d01955452655372ae33b26ca1b34fe5bf056a3504c05fe68f93ec' };
