/** The paths that the modules add to the token endpoints, which are answered without Express. */
import type { OpenEndpoints } from '../rest/token/endpoints.js';
import { evaluationEndpoints } from '../rest/token/evaluation.js';
import { verifyEndpoints } from '../rest/token/verify.js';

export const endpoints: OpenEndpoints[] = [
  evaluationEndpoints, //
  verifyEndpoints,
];
