/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:21f0a60a1fbb932452a80ceb87b8c122dfc9ec42834c08c66d6f2f5d46b9fa72' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:6622044689ef673c435429bfa0cdfd8be2bb7bf52ce19405c2d15a0c1d8c7e21' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:6c5797830470b89e4904409969640ec4632a1e05bee7f97f9e182e56a4f73cc9' };
