/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, DecideReviewItemsMutation, DecideReviewItemsMutationVariables, FinishReviewMutation, FinishReviewMutationVariables, ReviewHeadQuery, ReviewHeadQueryVariables, ReviewItemRowsQuery, ReviewItemRowsQueryVariables, ReviewListQuery, ReviewListQueryVariables, StartReviewMutation, StartReviewMutationVariables } from './graph';

export const reviewList: Operation<ReviewListQuery, ReviewListQueryVariables> =
  { operationName: 'ReviewList', documentId: 'sha256:7eabe25945233f9fe36721bdf2cb00eadbd2391c3b9371bb9a15cd533c72a35e' };
export const reviewHead: Operation<ReviewHeadQuery, ReviewHeadQueryVariables> =
  { operationName: 'ReviewHead', documentId: 'sha256:03272fb4fd241d128f64b19a1c7f3874f4d1e8e5f0a9c8912089543a69c93770' };
export const reviewItemRows: Operation<ReviewItemRowsQuery, ReviewItemRowsQueryVariables> =
  { operationName: 'ReviewItemRows', documentId: 'sha256:9adc445d84687edf105c220b013e0df2fe012cec356c0f46d6259f810c1f83eb' };
export const decideReviewItems: Operation<DecideReviewItemsMutation, DecideReviewItemsMutationVariables> =
  { operationName: 'DecideReviewItems', documentId: 'sha256:f1bc11dc3496c0f21d9d1d6fa0f483ec28831086e8ad70cb4e06df5f55210ded' };
export const startReview: Operation<StartReviewMutation, StartReviewMutationVariables> =
  { operationName: 'StartReview', documentId: 'sha256:732a8d45d88e51fc0c4e4f50d04699fbaa6512727afbb0cf86faeaa320342900' };
export const finishReview: Operation<FinishReviewMutation, FinishReviewMutationVariables> =
  { operationName: 'FinishReview', documentId: 'sha256:3500508a78be10e62d902d04eb53a8f8adb30e2203e17a46e83d6e0e81bfa650' };
