/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, WhyApplicationQuery, WhyApplicationQueryVariables, WhyPersonQuery, WhyPersonQueryVariables, WhyQuery, WhyQueryVariables, WhyRemediesQuery, WhyRemediesQueryVariables } from './graph';

export const why: Operation<WhyQuery, WhyQueryVariables> =
  { operationName: 'Why', documentId: 'sha256:f100af459fd83e389fe151be482bdc8f5db539177d23fabd7e068d1b0885f64c' };
export const whyRemedies: Operation<WhyRemediesQuery, WhyRemediesQueryVariables> =
  { operationName: 'WhyRemedies', documentId: 'sha256:dead29756b3892f2e802463232a8ae26ef1559649eb8641d5f81e731f7110b79' };
export const whyPerson: Operation<WhyPersonQuery, WhyPersonQueryVariables> =
  { operationName: 'WhyPerson', documentId: 'sha256:54ce06f5f5ccf785e07736cf220f8934c60b19c7f42896c612283dae0ba36cb1' };
export const whyApplication: Operation<WhyApplicationQuery, WhyApplicationQueryVariables> =
  { operationName: 'WhyApplication', documentId: 'sha256:684dbfa05375f01991edfac5237597b5f1bb87fc1a9b870b4556fe5e44cdcb40' };
