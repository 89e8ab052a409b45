/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:218e1d4b971097909eb5cf7032a19a243ef43ecff70d46787aa247031e76a2cb' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:4c990362b0502ca3ed20f4f85284e8aac9cb7cd70d2aa24c9ca15e3a1f400b84' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:6c5797830470b89e4904409969640ec4632a1e05bee7f97f9e182e56a4f73cc9' };
