/** `/verify` and the decision endpoints of AuthZEN in OpenAPI. */

import { plainText } from '../../../rest/docs/openapiErrors.js';
import {
  type DescribeEndpoints,
  metadataOperation,
  object,
  operation,
  parameter,
  published,
  resourceMetadataOperation,
  schemaAnswer,
  text,
  texts,
} from '../../../rest/docs/openapiOperations.js';
import { demonstrated, problemContent, type Schema } from '../../../rest/docs/openapiRecords.js';
import { decisionPointMetadata } from './metadata.js';

const entity = object(['type', 'id'], { type: text, id: text, properties: { type: 'object' } });
const question = {
  subject: entity,
  action: object(['name'], { name: text }),
  resource: entity,
  context: { type: 'object' },
};
const decision = object(['decision'], { decision: { type: 'boolean' }, context: { type: 'object' } });

const verifyPath: Schema = {
  get: operation('verifyRequest', {
    summary: 'Tells a reverse proxy whether a token permits a request',
    description:
      'Accepts any method. The token is in the Authorization header or in the cookie that VERIFY_COOKIE names. The X-Gatehouse-… headers of the answer identify the caller.',
    security: [{ accessToken: [] }],
    parameters: [
      parameter('query', 'scope', texts, {
        description: 'Required entries of `scopes`. A wildcard entry of the token covers all of its type.',
        // explode is true by default, but orval reads it only when it is written
        explode: true,
      }),
      parameter(
        'query',
        'application',
        { ...text, format: 'uuid' },
        { description: 'An application that the profile must open.' },
      ),
      parameter('query', 'audience', text, { description: 'An audience that the token must have.' }),
      parameter('query', 'role', text, { description: 'The role that the user must have.' }),
    ],
    responses: {
      '204': {
        description: 'The token permits the request. The headers identify the caller.',
        headers: Object.fromEntries(
          ['User', 'Profile', 'Role', 'Scopes', 'Client', 'Scopes-Omitted'].map((name) => [
            `X-Gatehouse-${name}`,
            { schema: text },
          ]),
        ),
      },
      '400': { description: 'A parameter is unknown, malformed or repeated.', content: problemContent },
      '401': { description: 'The token is missing, invalid or expired.', content: problemContent },
      '403': { description: 'The token lacks a scope, the application or the role.', content: problemContent },
    },
  }),
};

function decide(operationId: string, summary: string, schema: 'Evaluation' | 'Evaluations'): Schema {
  const resource = { type: 'application', id: demonstrated.application };
  const evaluated = { subject: { type: 'user', id: demonstrated.user }, action: { name: 'open' } };
  const example = schema === 'Evaluation' ? { ...evaluated, resource } : { ...evaluated, evaluations: [{ resource }] };
  const content = plainText;
  return {
    post: operation(operationId, {
      summary,
      description: 'For clients with mayEvaluate, and for callers with admin:read. Unknown members are ignored.',
      security: [{ clientSecret: [] }, { accessToken: [] }],
      json: [`${schema}Request`, example],
      errors: 'text',
      responses: {
        '200': schemaAnswer('The decision.', `${schema}Response`),
        '400': { description: 'The request is malformed.', content },
        '401': { description: 'The client credentials or the access token are not valid.', content },
        '403': { description: 'The caller has neither mayEvaluate nor admin:read.', content },
      },
    }),
  };
}

export const describeDoor: DescribeEndpoints = (dependencies) => ({
  paths: {
    ...(dependencies.config.verify && {
      '/verify': verifyPath,
      ...resourceMetadataOperation('verify', 'getVerifyMetadata'),
    }),
    '/access/v1/evaluation': decide('evaluateAccess', 'Decides whether a user has access (AuthZEN 1.0)', 'Evaluation'),
    '/access/v1/evaluations': decide('evaluateAccesses', 'Decides up to 1,000 requests (AuthZEN 1.0)', 'Evaluations'),
    '/.well-known/authzen-configuration': metadataOperation(
      'getDecisionPointMetadata',
      'Metadata of the decision point (AuthZEN 1.0)',
      'The addresses of the two evaluation endpoints.',
      'DecisionPointMetadata',
    ),
  },
  schemas: {
    EvaluationRequest: object(['subject', 'action', 'resource'], question),
    EvaluationResponse: decision,
    EvaluationsRequest: object([], {
      ...question,
      evaluations: { type: 'array', maxItems: 1_000, items: object([], question) },
      options: object([], {
        evaluations_semantic: { enum: ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] },
      }),
    }),
    EvaluationsResponse: object([], { evaluations: { type: 'array', items: decision } }),
    DecisionPointMetadata: published(decisionPointMetadata(dependencies)),
  },
});
