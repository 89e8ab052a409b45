/** The token endpoints and the metadata, for the OpenAPI document: the contract of the authorization service. */
import { reference, type Schema } from './openapiSchemas.js';

const text: Schema = { type: 'string' };
const object = (required: string[], properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  required,
  properties,
  ...more,
});

export const tokenSchemas: Record<string, Schema> = {
  TokenRequest: object(['grant_type', 'profileId', 'client_id', 'client_secret'], {
    grant_type: { ...text, description: '`urn:service:authz:exchange` or `refresh_token`.' },
    id_token: { type: ['string', 'null'], description: 'Needed for the exchange.' },
    refresh_token: { type: ['string', 'null'], description: 'Needed for the renewal.' },
    profileId: { ...text, maxLength: 50, description: 'Profile that the token is for.' },
    client_id: { ...text, description: 'Id of the client application.' },
    client_secret: { ...text, description: 'Its secret.' },
  }),
  TokenResponse: object(['access_token', 'refresh_token', 'token_type', 'expires_in'], {
    access_token: { ...text, description: 'JWT for one profile, valid for an hour.' },
    refresh_token: { ...text, maxLength: 512, description: 'Renews it once, for 30 days.' },
    token_type: { ...text, const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
  }),
  TokenOnly: object(['token'], { token: { ...text, description: 'The token in question.' } }),
  RevokeResponse: object(['status'], { status: { enum: ['success', 'token_not_found_or_already_revoked'] } }),
  TokenValidationResponse: object(['is_valid'], {
    is_valid: { type: 'boolean' },
    claims: object(['iss', 'sub', 'aud', 'profileId', 'roleId', 'scopes', 'exp', 'iat'], {
      iss: text,
      sub: text,
      aud: { type: 'array', items: text },
      profileId: text,
      roleId: text,
      scopes: { type: 'array', items: text },
      exp: { type: 'integer' },
      iat: { type: 'integer' },
    }),
    error: text,
  }),
  ErrorResponse: object(['error'], { error: text }),
  JsonWebKeySet: object(['keys'], { keys: { type: 'array', items: { type: 'object' } } }),
  ServerMetadata: object(['issuer', 'token_endpoint', 'jwks_uri'], {
    issuer: text,
    token_endpoint: text,
    jwks_uri: text,
  }),
};

const json = (description: string, name: string, example?: unknown): Schema => ({
  description,
  content: { 'application/json': { schema: reference(name), ...(example !== undefined && { example }) } },
});
const refusal = (description: string): Schema => ({
  description,
  content: {
    'application/problem+json': { schema: reference('ProblemDetails') },
    'text/plain': { schema: text, example: 'Invalid profile' },
  },
});
const problem = { $ref: '#/components/responses/Invalid' };
const notNow = {
  '429': { $ref: '#/components/responses/TooManyRequests' },
  '503': { $ref: '#/components/responses/Unavailable' },
};

const claims = {
  iss: 'https://gatehouse.example.org',
  sub: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  aud: ['GRID', 'IOT'],
  profileId: 'p-1',
  roleId: 'member',
  scopes: ['application:timesheets.read'],
  exp: 1_800_003_600,
  iat: 1_800_000_000,
};

interface Answers {
  request: string;
  example: object;
  responses: Schema;
}

function post(operationId: string, summary: string, { request, example, responses }: Answers): Schema {
  const content = { 'application/json': { schema: reference(request), example } };
  const requestBody = { required: true, content };
  const all = { ...responses, ...notNow };
  return { post: { operationId, tags: ['Tokens'], summary, security: [], requestBody, responses: all } };
}

function get(operationId: string, summary: string, name: string): Schema {
  const responses = { '200': json('The document.', name), '405': { description: 'Only GET and HEAD are allowed.' } };
  return { get: { operationId, tags: ['Metadata'], summary, security: [], responses } };
}

/** The JSON dialect; forms speak OAuth on the same paths (RFC 6749, 7009, 7662, 8693). */
export function tokenPaths(): Schema {
  const tokens = { access_token: 'eyJ…', refresh_token: 'eyJ…', token_type: 'Bearer', expires_in: 3600 };
  return {
    '/token': post('issueToken', 'Exchanges an ID token, or renews', {
      request: 'TokenRequest',
      example: {
        grant_type: 'urn:service:authz:exchange',
        id_token: 'eyJ…',
        profileId: 'p-1',
        client_id: 'shop',
        client_secret: '…',
      },
      responses: {
        '200': json('The tokens.', 'TokenResponse', tokens),
        '400': refusal('A field is missing, the profile is not the user’s, or the grant type is unknown.'),
        '401': json('The client is not known (with a body), or the token is not accepted (without).', 'ErrorResponse', {
          error: 'Invalid client credentials',
        }),
      },
    }),
    '/revoke': post('revokeToken', 'Revokes a renewal token', {
      request: 'TokenOnly',
      example: { token: 'eyJ…' },
      responses: {
        '200': json('It is revoked.', 'RevokeResponse', { status: 'success' }),
        '400': problem,
        '404': json('There is no such active token.', 'RevokeResponse', {
          status: 'token_not_found_or_already_revoked',
        }),
      },
    }),
    '/validate-token': post('validateToken', 'Validates an access token', {
      request: 'TokenOnly',
      example: { token: 'eyJ…' },
      responses: {
        '200': json('It is valid.', 'TokenValidationResponse', { is_valid: true, claims }),
        '400': json('It is not.', 'TokenValidationResponse', { is_valid: false, error: 'Token is invalid or expired' }),
      },
    }),
    '/.well-known/oauth-authorization-server': get(
      'getMetadata',
      'Metadata of the server (RFC 8414)',
      'ServerMetadata',
    ),
    '/.well-known/openid-configuration': get(
      'getConfiguration',
      'The same, where OpenID looks for it',
      'ServerMetadata',
    ),
    '/.well-known/jwks.json': get('getKeys', 'Public keys of access tokens (RFC 7517)', 'JsonWebKeySet'),
  };
}
