/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, WhyApplicationQuery, WhyApplicationQueryVariables, WhyPersonQuery, WhyPersonQueryVariables, WhyQuery, WhyQueryVariables } from './graph';

export const why: Operation<WhyQuery, WhyQueryVariables> =
  { operationName: 'Why', documentId: 'sha256:18b633234f235326f5ce6ca4fccb08aa9587d3a859a808d798f34945505f6c61' };
export const whyPerson: Operation<WhyPersonQuery, WhyPersonQueryVariables> =
  { operationName: 'WhyPerson', documentId: 'sha256:54ce06f5f5ccf785e07736cf220f8934c60b19c7f42896c612283dae0ba36cb1' };
export const whyApplication: Operation<WhyApplicationQuery, WhyApplicationQueryVariables> =
  { operationName: 'WhyApplication', documentId: 'sha256:684dbfa05375f01991edfac5237597b5f1bb87fc1a9b870b4556fe5e44cdcb40' };
