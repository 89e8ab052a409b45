/** The paths that the modules add to the token endpoints, which are answered without Express. */
import type { OpenEndpoints } from '../rest/token/endpoints.js';
import { evaluationEndpoints } from './door/endpoints/evaluation.js';
import { verifyEndpoints } from './door/endpoints/verify.js';

export const endpoints: OpenEndpoints[] = [
  evaluationEndpoints, //
  verifyEndpoints,
];
