/** The token endpoints, their schemas and the metadata documents in OpenAPI. */
import { type AccessTokenClaims, accessTokenClaims } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import type { ProtectedResource } from '../../http/problem.js';
import {
  decisionPointMetadata,
  resourceMetadata as metadataOf,
  openidMetadata,
  metadata as serverMetadata,
} from '../token/metadata.js';
import {
  logoutForm,
  type Members,
  profilesForm,
  profilesMembers,
  tokenForm,
  tokenMembers,
  tokenOnly,
  tokenOnlyForm,
} from '../token/request.js';
import { type ErrorForm, message, oauthError, plainText, sharedErrors } from './openapiErrors.js';
import { answer, demonstrated, headerReferences, problemContent, reference, type Schema } from './openapiRecords.js';

const text: Schema = { type: 'string' };
const object = (required: string[], properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  required,
  properties,
  ...more,
});

type ClaimName = keyof typeof accessTokenClaims;
const claimNames = (isRequired = false): ClaimName[] =>
  (Object.keys(accessTokenClaims) as ClaimName[]).filter((name) => accessTokenClaims[name].required || !isRequired);
const texts: Schema = { type: 'array', items: text };
const confirmation = object(['jkt'], { jkt: text });
const claimTypes = { text, id: text, texts, audience: texts, seconds: { type: 'integer' }, confirmation };
const claimSchema = (name: ClaimName): Schema => {
  const { type, doc } = accessTokenClaims[name];
  return { ...claimTypes[type], description: doc };
};

/** The schema of a request body, made from the members that the endpoint checks. */
function request(members: Members, orNull: boolean): Schema {
  const properties = Object.entries(members).map(([name, { doc: description, required, max, repeatable }]) => {
    const one = { type: required || !orNull ? 'string' : ['string', 'null'] };
    const type = repeatable ? { type: 'array', items: one } : one;
    return [name, { ...type, ...(max && { maxLength: max }), description }];
  });
  const required = Object.keys(members).filter((name) => members[name]!.required);
  return object(required, Object.fromEntries(properties));
}

const entity = object(['type', 'id'], { type: text, id: text, properties: { type: 'object' } });
const question = {
  subject: entity,
  action: object(['name'], { name: text }),
  resource: entity,
  context: { type: 'object' },
};
const decision = object(['decision'], { decision: { type: 'boolean' }, context: { type: 'object' } });

/** The schema of a published document, made from the document. */
function published(document: object, optional: readonly string[] = []): Schema {
  const entries = Object.entries(document).filter(([, value]) => value !== undefined);
  const properties = entries.map(([name, value]) => [name, Array.isArray(value) ? texts : text]);
  return object(
    entries.map(([name]) => name).filter((name) => !optional.includes(name)),
    Object.fromEntries(properties),
  );
}

const claims = (): Record<string, Schema> => Object.fromEntries(claimNames().map((name) => [name, claimSchema(name)]));

export const tokenSchemas = (dependencies: Pick<Dependencies, 'config' | 'issuerUrl'>): Record<string, Schema> => ({
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
  TokenRequest: request(tokenMembers, true),
  TokenForm: request(tokenForm, false),
  TokenResponse: object(['access_token', 'refresh_token', 'token_type', 'expires_in'], {
    access_token: { ...text, description: 'JWT for one profile, valid for an hour.' },
    refresh_token: { ...text, maxLength: 512, description: 'Renewal token. It works once, within 30 days.' },
    token_type: { enum: ['Bearer', 'DPoP'] },
    expires_in: { type: 'integer', description: 'Lifetime of the access token in seconds.' },
    issued_token_type: { ...text, description: 'Only in answers to a token exchange (RFC 8693).' },
    scope: { ...text, description: 'Only in answers to forms that request a scope: the scopes that were issued.' },
  }),
  ProfilesRequest: request(profilesMembers, true),
  ProfilesForm: request(profilesForm, false),
  ProfilesResponse: object(['profiles'], {
    profiles: {
      type: 'array',
      items: object(['profileId', 'name', 'roleId', 'validUntil'], {
        profileId: { ...text, maxLength: 50 },
        name: text,
        roleId: { ...text, maxLength: 50, description: 'The role of the user in this profile.' },
        validUntil: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When the assignment ends. null: it has no end.',
        },
      }),
    },
  }),
  TokenOnly: request(tokenOnly, true),
  TokenOnlyForm: request(tokenOnlyForm, false),
  LogoutForm: request(logoutForm, false),
  RevokeResponse: object(['status'], { status: { enum: ['success', 'token_not_found_or_already_revoked'] } }),
  TokenValidationResponse: object(['is_valid'], {
    is_valid: { type: 'boolean' },
    claims: object(claimNames(true), claims()),
    error: text,
  }),
  ErrorResponse: object(['error'], { error: text, error_description: text }),
  Introspection: object(['active'], {
    active: { type: 'boolean' },
    token_type: { ...text, description: '`Bearer` or `DPoP`; absent for a renewal token.' },
    ...claims(),
  }),
  JsonWebKeySet: object(['keys'], { keys: { type: 'array', items: reference('JsonWebKey') } }),
  JsonWebKey: object(['kty', 'kid', 'alg', 'use'], {
    kty: text,
    kid: { ...text, description: 'The key id that the header of a token names.' },
    alg: text,
    use: text,
    crv: { ...text, description: 'Of EC and OKP keys.' },
    x: { ...text, description: 'Of EC and OKP keys.' },
    y: { ...text, description: 'Of EC keys.' },
    n: { ...text, description: 'Of RSA keys.' },
    e: { ...text, description: 'Of RSA keys.' },
  }),
  ResourceMetadata: published(metadataOf(dependencies, 'api'), ['scopes_supported']),
  ServerMetadata: published(serverMetadata(dependencies)),
  OpenidMetadata: published(openidMetadata(dependencies)),
});

const json = (description: string, name: string, example?: unknown): Schema =>
  answer(description, reference(name), example);
const claimsExample: Omit<AccessTokenClaims, 'aud'> = {
  iss: 'https://gatehouse.example.org',
  sub: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  profileId: 'p-1',
  roleId: 'member',
  scopes: ['application:timesheets.read'],
  exp: 1_800_003_600,
  iat: 1_800_000_000,
};

const parameter = (where: 'header' | 'query', name: string, schema: Schema, more: Schema): Schema => ({
  name,
  in: where,
  required: false,
  schema,
  ...more,
});
const idempotencyKey = parameter(
  'header',
  'Idempotency-Key',
  { ...text, minLength: 16, maxLength: 128 },
  {
    description: 'For renewals. If the answer was lost, the same token with the same key gets the same answer again.',
    example: '2f6ee1c4-6f9b-4f0c-9d0c-6a4d1f3b8f11',
  },
);
const dpop = (description: string): Schema =>
  parameter('header', 'DPoP', { ...text, maxLength: 8192 }, { description });

/**
 * The bodies of an operation: a schema for JSON, for a form, or for both; an example only if it needs no value that the caller alone
 * has, such as a token.
 */
interface Bodies {
  json?: [schema: string, example?: object];
  form?: [schema: string, example?: object];
}

/** An operation of the token service. */
interface Operation extends Bodies {
  summary: string;
  description: string;
  parameters?: Schema[];
  security?: Schema[];
  responses: Schema;
  /** How the errors are written that every endpoint has; absent: as its bodies say. */
  errors?: ErrorForm;
}

const bodyOf = ([schema, example]: [schema: string, example?: object]): Schema => ({
  schema: reference(schema),
  ...(example && { example }),
});

function operation(operationId: string, { json, form, responses, errors, ...more }: Operation): Schema {
  const content = {
    ...(json && { 'application/json': bodyOf(json) }),
    ...(form && { 'application/x-www-form-urlencoded': bodyOf(form) }),
  };
  const hasBody = json !== undefined || form !== undefined;
  const errorForm = errors ?? (json && form ? 'both' : form ? 'oauth' : 'problems');
  const own = Object.entries(responses as Record<string, Schema>).map(([status, response]) => [
    status,
    { ...response, headers: { ...headersFor(status).headers!, ...(response.headers as object) } },
  ]);
  return {
    operationId,
    tags: ['Tokens'],
    // forms may also have the client's credentials in the body
    security: form ? [{}, { client: [] }] : [],
    ...more,
    ...(hasBody && { requestBody: { required: true, content } }),
    responses: {
      ...Object.fromEntries(own),
      ...sharedErrors(errorForm, '410', '429', '500', '503'),
      ...(hasBody && sharedErrors(errorForm, '413')),
      ...(hasBody && errorForm !== 'text' && sharedErrors(errorForm, '415')),
    },
  };
}

const headersFor = (status: string): { headers?: object } =>
  headerReferences(
    'DPoP-Nonce',
    ...(Number(status) >= 400 ? (['trace-id'] as const) : []),
    ...(status === '401' || status === '403' ? (['WWW-Authenticate'] as const) : []),
  );

function metadata(operationId: string, summary: string, description: string, name: string): Schema {
  const responses = {
    '200': json('The metadata document.', name),
    '405': { description: 'Only GET and HEAD are allowed.' },
  };
  return { get: { operationId, tags: ['Metadata'], summary, description, security: [], responses } };
}

const resourceMetadata = (resource: ProtectedResource, operationId: string): Schema => ({
  [`/.well-known/oauth-protected-resource/${resource}`]: metadata(
    operationId,
    `Metadata of the protected resource /${resource} (RFC 9728)`,
    'Says which authorization server issues tokens for this resource.',
    'ResourceMetadata',
  ),
});

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
      security: [{ client: [] }, { accessToken: [] }],
      json: [`${schema}Request`, example],
      errors: 'text',
      responses: {
        '200': json('The decision.', `${schema}Response`),
        '400': { description: 'The request is malformed.', content },
        '401': { description: 'The client credentials or the access token are not valid.', content },
        '403': { description: 'The caller has neither mayEvaluate nor admin:read.', content },
      },
    }),
  };
}

/** The token endpoints. Each accepts the documented JSON, and OAuth's forms (RFC 6749, 7009, 7662, 8693). */
export function tokenPaths({ audiences }: Pick<Config, 'audiences'>, answered: ReadonlySet<string>): Schema {
  const ifAnswered = (path: string, paths: Schema): Schema => (answered.has(path) ? paths : {});
  const tokens = { access_token: 'eyJ…', refresh_token: 'eyJ…', token_type: 'Bearer', expires_in: 3600 };
  const invalidClient = { error: 'Invalid client credentials' };
  const failedClient = json('The client authentication failed.', 'ErrorResponse', { error: 'invalid_client' });
  const failedClientOr = (subject: string): Schema =>
    json(
      `The client authentication failed (with a body). In JSON also: ${subject} is not accepted (without a body).`,
      'ErrorResponse',
      invalidClient,
    );
  return {
    '/token': {
      post: operation('issueToken', {
        summary: 'Exchanges an ID token, or renews tokens',
        description:
          'Exchanges an ID token of an identity provider for an access token for one profile and a renewal token, or a renewal token for a new pair. A renewal token works once.',
        json: ['TokenRequest'],
        form: ['TokenForm'],
        parameters: [idempotencyKey, dpop('A DPoP proof (RFC 9449). The tokens are bound to its key.')],
        responses: {
          '200': json('The new tokens.', 'TokenResponse', tokens),
          '400': {
            description: 'A field is missing, the profile is not the user’s, or the grant type is unknown.',
            content: { ...problemContent, ...message, ...oauthError },
          },
          '401': failedClientOr('the token'),
        },
      }),
    },
    '/profiles': {
      post: operation('listProfiles', {
        summary: 'Lists the profiles of the user that an ID token identifies',
        description:
          'Lets the user choose a profile before the first exchange. The request is checked like an exchange and refused with the same errors. No token is issued.',
        json: ['ProfilesRequest'],
        form: ['ProfilesForm'],
        parameters: [dpop('A DPoP proof (RFC 9449), for clients that must send one.')],
        responses: {
          '200': json('The profiles, ordered by profile id.', 'ProfilesResponse', {
            profiles: [{ profileId: 'p-1', name: 'Timesheets', roleId: 'member', validUntil: null }],
          }),
          '400': {
            description: 'A field is missing, or the user is unknown or blocked.',
            content: { ...problemContent, ...message, ...oauthError },
          },
          '401': failedClientOr('the ID token'),
        },
      }),
    },
    '/revoke': {
      post: operation('revokeToken', {
        summary: 'Revokes a renewal token',
        description:
          'The renewal token can no longer be used, and its session ends. Access tokens that were issued stay valid until they expire.',
        json: ['TokenOnly'],
        form: ['TokenOnlyForm'],
        responses: {
          '200': json(
            'The token is revoked. A form gets an answer without a body, also for an unknown token.',
            'RevokeResponse',
            { status: 'success' },
          ),
          '400': {
            description: 'A field is missing. For forms also: the token is an access token.',
            content: { ...problemContent, ...oauthError },
          },
          '401': failedClient,
          '404': json('No active token matches.', 'RevokeResponse', { status: 'token_not_found_or_already_revoked' }),
        },
      }),
    },
    '/validate-token': {
      post: operation('validateToken', {
        summary: 'Validates an access token',
        description:
          'Checks signature and expiry. Services that verify signatures themselves need no request: the keys are at /.well-known/jwks.json.',
        json: ['TokenOnly'],
        responses: {
          '200': json('The token is valid.', 'TokenValidationResponse', {
            is_valid: true,
            claims: { ...claimsExample, aud: audiences },
          }),
          '400': json('The token is not valid.', 'TokenValidationResponse', {
            is_valid: false,
            error: 'Token is invalid or expired',
          }),
          '401': json('With TOKEN_POLICY=hardened: the client authentication failed.', 'ErrorResponse', invalidClient),
        },
      }),
    },
    '/introspect': {
      post: operation('introspectToken', {
        summary: 'Returns the current state of a token (RFC 7662)',
        description: 'Accepts access tokens and renewal tokens of this service. Any other token is not active.',
        form: ['TokenOnlyForm'],
        responses: {
          '200': json('The claims of an active token, or `active: false`.', 'Introspection', { active: false }),
          '400': { description: 'A parameter is missing or repeated.', content: oauthError },
          '401': failedClient,
        },
      }),
    },
    '/backchannel-logout': {
      post: operation('endProviderSession', {
        summary: 'Ends the sessions of a user who signed out at an identity provider',
        description:
          'The identity provider sends a logout token (OpenID Connect Back-Channel Logout 1.0). The renewal tokens of that sign-in are revoked.',
        form: ['LogoutForm'],
        responses: {
          '200': { description: 'The sessions ended, or there were none. The body is empty.' },
          '400': { description: 'The logout token is missing or invalid. No session ended.', content: oauthError },
        },
      }),
    },
    ...ifAnswered('/verify', { '/verify': verifyPath }),
    ...ifAnswered('/access/v1/evaluation', {
      '/access/v1/evaluation': decide(
        'evaluateAccess',
        'Decides whether a user has access (AuthZEN 1.0)',
        'Evaluation',
      ),
      '/access/v1/evaluations': decide('evaluateAccesses', 'Decides up to 1,000 requests (AuthZEN 1.0)', 'Evaluations'),
      '/.well-known/authzen-configuration': metadata(
        'getDecisionPointMetadata',
        'Metadata of the decision point (AuthZEN 1.0)',
        'The addresses of the two evaluation endpoints.',
        'DecisionPointMetadata',
      ),
    }),
    '/.well-known/oauth-authorization-server': metadata(
      'getMetadata',
      'Metadata of the authorization server (RFC 8414)',
      'The addresses of the endpoints, and the grants, algorithms and authentication methods that they support.',
      'ServerMetadata',
    ),
    '/.well-known/openid-configuration': metadata(
      'getConfiguration',
      'The same metadata, at the address of OpenID Connect Discovery',
      'For libraries that support only OpenID Connect Discovery, with the members that it requires. There is no authorization endpoint.',
      'OpenidMetadata',
    ),
    ...resourceMetadata('api', 'getApiMetadata'),
    ...resourceMetadata('graphql', 'getGraphqlMetadata'),
    ...ifAnswered('/verify', resourceMetadata('verify', 'getVerifyMetadata')),
    '/.well-known/jwks.json': metadata(
      'getKeys',
      'Public keys of access tokens (RFC 7517)',
      'The current key, the next one, and earlier ones that may have signed tokens that are still valid.',
      'JsonWebKeySet',
    ),
  };
}
