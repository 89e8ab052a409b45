/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:b5cbe11529254c7582a2f189f327f66533d0446943614a08ef19ecd646c797bb' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:ca0ae66bc0d66d86b4cbcf0266b9939ff12289cf41287465027cb1deea5c51b5' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:ee85d4846938e91f43fbfe4742f39261d667e0a0bdded11bab5fb197af5d9854' };
