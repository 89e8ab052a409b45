/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, CancelReviewMutation, CancelReviewMutationVariables, DecideReviewItemsMutation, DecideReviewItemsMutationVariables, FinishReviewMutation, FinishReviewMutationVariables, ReviewEndsQuery, ReviewEndsQueryVariables, ReviewHeadQuery, ReviewHeadQueryVariables, ReviewItemRowsQuery, ReviewItemRowsQueryVariables, ReviewListQuery, ReviewListQueryVariables, ReviewOpensQuery, ReviewOpensQueryVariables, ReviewOwnerNameQuery, ReviewOwnerNameQueryVariables, ReviewOwnersQuery, ReviewOwnersQueryVariables, ReviewProgressQuery, ReviewProgressQueryVariables, ReviewSizeQuery, ReviewSizeQueryVariables, StartReviewMutation, StartReviewMutationVariables } from './graph';

export const reviewList: Operation<ReviewListQuery, ReviewListQueryVariables> =
  { operationName: 'ReviewList', documentId: 'sha256:7eabe25945233f9fe36721bdf2cb00eadbd2391c3b9371bb9a15cd533c72a35e' };
export const reviewHead: Operation<ReviewHeadQuery, ReviewHeadQueryVariables> =
  { operationName: 'ReviewHead', documentId: 'sha256:e36c4784e9541da6f03d01a79162d244e4af3a42e9acff4e2e79bd45f1edc6f3' };
export const reviewItemRows: Operation<ReviewItemRowsQuery, ReviewItemRowsQueryVariables> =
  { operationName: 'ReviewItemRows', documentId: 'sha256:5dcd92c6406235db543831a66a6c5363a9769f7793685b8d65634771d3204de7' };
export const decideReviewItems: Operation<DecideReviewItemsMutation, DecideReviewItemsMutationVariables> =
  { operationName: 'DecideReviewItems', documentId: 'sha256:f1bc11dc3496c0f21d9d1d6fa0f483ec28831086e8ad70cb4e06df5f55210ded' };
export const reviewSize: Operation<ReviewSizeQuery, ReviewSizeQueryVariables> =
  { operationName: 'ReviewSize', documentId: 'sha256:9bc2818264141868e824963ba7c46ce7f7efc24a0d7ebced42f71a321e04fb9b' };
export const startReview: Operation<StartReviewMutation, StartReviewMutationVariables> =
  { operationName: 'StartReview', documentId: 'sha256:15f07339a0fd136b92b9e750e12d5dd2c81b8ff1a123752ec17aeffc12b751d4' };
export const finishReview: Operation<FinishReviewMutation, FinishReviewMutationVariables> =
  { operationName: 'FinishReview', documentId: 'sha256:7c33a33cfa2f8d4254b16d19ab7310b1325fbfa929e93b49e48ba2942513609d' };
export const cancelReview: Operation<CancelReviewMutation, CancelReviewMutationVariables> =
  { operationName: 'CancelReview', documentId: 'sha256:9e52711d0a2e67afb9e467391415778af50bf2cdb3aa92223fa39f7409ae0052' };
export const reviewProgress: Operation<ReviewProgressQuery, ReviewProgressQueryVariables> =
  { operationName: 'ReviewProgress', documentId: 'sha256:83337be6bfceecf58ec7657987acfabb21d076ef4792f8d0876a34486936ef0c' };
export const reviewOwners: Operation<ReviewOwnersQuery, ReviewOwnersQueryVariables> =
  { operationName: 'ReviewOwners', documentId: 'sha256:02e66c33f937db23cee2c686c1b213bac4559171af34f3bcdbba25b57748ff7f' };
export const reviewOwnerName: Operation<ReviewOwnerNameQuery, ReviewOwnerNameQueryVariables> =
  { operationName: 'ReviewOwnerName', documentId: 'sha256:2a8ea99adac90e8b9e8202ff1223d431e66c6e922f6afe503510018f41c31a81' };
export const reviewEnds: Operation<ReviewEndsQuery, ReviewEndsQueryVariables> =
  { operationName: 'ReviewEnds', documentId: 'sha256:f68cf28e9e5e7a94a361d97294879d8a234d7296c40f17dfe30d0b4cdfe61c47' };
export const reviewOpens: Operation<ReviewOpensQuery, ReviewOpensQueryVariables> =
  { operationName: 'ReviewOpens', documentId: 'sha256:406af0fe88241eaa345990909c63d95733a9ff88a8c88f8ac7d8e5e6d367f16a' };
