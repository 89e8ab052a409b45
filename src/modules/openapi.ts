/** What the modules add to `/openapi.json`. */
import type { DescribeEndpoints } from '../rest/docs/openapiOperations.js';
import { describeDoor } from './door/endpoints/openapi.js';

export const descriptions: DescribeEndpoints[] = [
  describeDoor, //
];
