/** The token endpoints, their schemas and the metadata documents in OpenAPI. */
import { type AccessTokenClaims, accessTokenClaims } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { administrationMetadata, openidMetadata, metadata as serverMetadata } from '../token/metadata.js';
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
import { message, oauthError } from './openapiErrors.js';
import {
  metadataOperation,
  object,
  operation,
  parameter,
  published,
  resourceMetadataOperation,
  schemaAnswer,
  text,
  texts,
} from './openapiOperations.js';
import { problemContent, reference, type Schema } from './openapiRecords.js';

type ClaimName = keyof typeof accessTokenClaims;
const claimNames = (isRequired = false): ClaimName[] =>
  (Object.keys(accessTokenClaims) as ClaimName[]).filter((name) => accessTokenClaims[name].required || !isRequired);
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

const claims = (): Record<string, Schema> => Object.fromEntries(claimNames().map((name) => [name, claimSchema(name)]));

export const tokenSchemas = (dependencies: Pick<Dependencies, 'config' | 'issuerUrl'>): Record<string, Schema> => ({
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
  ResourceMetadata: published(administrationMetadata(dependencies, 'api'), ['scopes_supported']),
  ServerMetadata: published(serverMetadata(dependencies, [dependencies.config.signingAlg])),
  OpenidMetadata: published(openidMetadata(dependencies, [dependencies.config.signingAlg])),
});

const claimsExample: Omit<AccessTokenClaims, 'aud'> = {
  iss: 'https://gatehouse.example.org',
  sub: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  profileId: 'p-1',
  roleId: 'member',
  scopes: ['application:timesheets.read'],
  exp: 1_800_003_600,
  iat: 1_800_000_000,
};

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

/** The token endpoints. Each accepts the documented JSON, and OAuth's forms (RFC 6749, 7009, 7662, 8693). */
export function tokenPaths({ audiences }: Pick<Config, 'audiences'>): Schema {
  const tokens = { access_token: 'eyJ…', refresh_token: 'eyJ…', token_type: 'Bearer', expires_in: 3600 };
  const invalidClient = { error: 'Invalid client credentials' };
  const failedClient = schemaAnswer('The client authentication failed.', 'ErrorResponse', { error: 'invalid_client' });
  const failedClientOr = (subject: string): Schema =>
    schemaAnswer(
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
          '200': schemaAnswer('The new tokens.', 'TokenResponse', tokens),
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
          '200': schemaAnswer('The profiles, ordered by profile id.', 'ProfilesResponse', {
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
          '200': schemaAnswer(
            'The token is revoked. A form gets an answer without a body, also for an unknown token.',
            'RevokeResponse',
            { status: 'success' },
          ),
          '400': {
            description: 'A field is missing. For forms also: the token is an access token.',
            content: { ...problemContent, ...oauthError },
          },
          '401': failedClient,
          '404': schemaAnswer('No active token matches.', 'RevokeResponse', {
            status: 'token_not_found_or_already_revoked',
          }),
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
          '200': schemaAnswer('The token is valid.', 'TokenValidationResponse', {
            is_valid: true,
            claims: { ...claimsExample, aud: audiences },
          }),
          '400': schemaAnswer('The token is not valid.', 'TokenValidationResponse', {
            is_valid: false,
            error: 'Token is invalid or expired',
          }),
          '401': schemaAnswer(
            'With TOKEN_POLICY=hardened: the client authentication failed.',
            'ErrorResponse',
            invalidClient,
          ),
        },
      }),
    },
    '/introspect': {
      post: operation('introspectToken', {
        summary: 'Returns the current state of a token (RFC 7662)',
        description: 'Accepts access tokens and renewal tokens of this service. Any other token is not active.',
        form: ['TokenOnlyForm'],
        responses: {
          '200': schemaAnswer('The claims of an active token, or `active: false`.', 'Introspection', { active: false }),
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
    '/.well-known/oauth-authorization-server': metadataOperation(
      'getMetadata',
      'Metadata of the authorization server (RFC 8414)',
      'The addresses of the endpoints, and the grants, algorithms and authentication methods that they support.',
      'ServerMetadata',
    ),
    '/.well-known/openid-configuration': metadataOperation(
      'getConfiguration',
      'The same metadata, at the address of OpenID Connect Discovery',
      'For libraries that support only OpenID Connect Discovery, with the members that it requires. There is no authorization endpoint.',
      'OpenidMetadata',
    ),
    ...resourceMetadataOperation('api', 'getApiMetadata'),
    ...resourceMetadataOperation('graphql', 'getGraphqlMetadata'),
    '/.well-known/jwks.json': metadataOperation(
      'getKeys',
      'Public keys of access tokens (RFC 7517)',
      'The current key, the next one, and earlier ones that may have signed tokens that are still valid.',
      'JsonWebKeySet',
    ),
  };
}
