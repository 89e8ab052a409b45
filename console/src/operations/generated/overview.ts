/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OverviewChangesQuery, OverviewChangesQueryVariables, OverviewEndingQuery, OverviewEndingQueryVariables, OverviewProposalsQuery, OverviewProposalsQueryVariables, OverviewQuery, OverviewQueryVariables, OverviewSignInsQuery, OverviewSignInsQueryVariables } from './graph';

export const overview: Operation<OverviewQuery, OverviewQueryVariables> =
  { operationName: 'Overview', documentId: 'sha256:06d9b99ccc7b744f1bcfe52db571dc48f80962844d9cac67075e4971762f59a2' };
export const overviewProposals: Operation<OverviewProposalsQuery, OverviewProposalsQueryVariables> =
  { operationName: 'OverviewProposals', documentId: 'sha256:ca0ae66bc0d66d86b4cbcf0266b9939ff12289cf41287465027cb1deea5c51b5' };
export const overviewEnding: Operation<OverviewEndingQuery, OverviewEndingQueryVariables> =
  { operationName: 'OverviewEnding', documentId: 'sha256:c36a847936ebb29263b878ac9e1ad1ee676729fe76fd8b9ca9ce32305f5a1e55' };
export const overviewSignIns: Operation<OverviewSignInsQuery, OverviewSignInsQueryVariables> =
  { operationName: 'OverviewSignIns', documentId: 'sha256:4a66e933858e20e8b8acf71927a537c8cf908f92ff82512260f079518ea7793a' };
export const overviewChanges: Operation<OverviewChangesQuery, OverviewChangesQueryVariables> =
  { operationName: 'OverviewChanges', documentId: 'sha256:ee85d4846938e91f43fbfe4742f39261d667e0a0bdded11bab5fb197af5d9854' };
