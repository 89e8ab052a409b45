/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, WhyApplicationQuery, WhyApplicationQueryVariables, WhyPersonQuery, WhyPersonQueryVariables, WhyQuery, WhyQueryVariables } from './graph';

export const why: Operation<WhyQuery, WhyQueryVariables> =
  { operationName: 'Why', documentId: 'sha256:17236085f87a3bfe13c35c564133c5a5dcb96553ca2e440eb92d27110b110839' };
export const whyPerson: Operation<WhyPersonQuery, WhyPersonQueryVariables> =
  { operationName: 'WhyPerson', documentId: 'sha256:54ce06f5f5ccf785e07736cf220f8934c60b19c7f42896c612283dae0ba36cb1' };
export const whyApplication: Operation<WhyApplicationQuery, WhyApplicationQueryVariables> =
  { operationName: 'WhyApplication', documentId: 'sha256:684dbfa05375f01991edfac5237597b5f1bb87fc1a9b870b4556fe5e44cdcb40' };
