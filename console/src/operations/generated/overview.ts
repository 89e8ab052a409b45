/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:21f0a60a1fbb932452a80ceb87b8c122dfc9ec42834c08c66d6f2f5d46b9fa72' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:6d9dd554519c76ba2bc8e07f489bd258ada8e6729c28207859bffda3dcd332b1' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:ee85d4846938e91f43fbfe4742f39261d667e0a0bdded11bab5fb197af5d9854' };
