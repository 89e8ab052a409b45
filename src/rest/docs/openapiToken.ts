/** The token endpoints, metadata and schemas of the OpenAPI document. */
import { type AccessTokenClaims, accessTokenClaims } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import {
  describe,
  type FieldDescription,
  type FieldType,
  fieldsFor,
  type RecordClass,
} from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { documentedApplicationInput } from '../../services/catalogue/applications.js';
import { mappingInput, scopeMappings } from '../../services/catalogue/mappings.js';
import { navigationsOf, type Shape } from '../../services/read/listShape.js';
import type { InputField } from '../../services/records/input.js';
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

export type Schema = Record<string, unknown>;
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Records of the documented answers by the names that the specification gives them. */
const answers: [string, RecordClass][] = [
  ['ApplicationResponseDTO', Application],
  ['AccessScopeApplicationsMapperDTO', AccessScopeApplicationsMapper],
  ['AccessScopeDTO', AccessScope],
  ['AccessScopeTypeDTO', AccessScopeType],
  ['AccessScopeTypeApplicationsMapperDTO', AccessScopeTypeApplicationsMapper],
  ['TranslationDTO', Translation],
  ['UserDTO', User],
];
const nameOf = (record: RecordClass): string => answers.find(([, candidate]) => candidate === record)![0];

const types: { [type in FieldType]: Schema } = {
  integer: { type: 'integer', format: 'int32' },
  bigint: { type: 'string' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  dateTime: { type: 'string', format: 'date-time' },
  bytes: { type: 'string' },
  json: { type: 'object' },
};
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type, 'null'] });

function answerSchema(record: RecordClass): Schema {
  const properties: Record<string, Schema> = {};
  for (const field of fieldsFor(record, 'rest')) {
    const schema = field.nullable ? orNull(types[field.type]) : types[field.type];
    properties[field.name] = { ...schema, ...(field.max && { maxLength: field.max }), description: field.doc };
  }
  for (const { name, kind, target, doc: description } of navigationsOf(record)) {
    const inner = reference(nameOf(target()));
    properties[name] =
      kind === 'toMany'
        ? { type: ['array', 'null'], items: inner, description }
        : { anyOf: [inner, { type: 'null' }], description };
  }
  const required = Object.keys(properties);
  return { type: 'object', description: describe(record).doc, required, properties, additionalProperties: false };
}

function inputSchema(fields: readonly InputField[], description: string): Schema {
  const properties = fields.map(({ name, field, nullable }) => {
    const schema = nullable ? orNull(types[field.type]) : types[field.type];
    const least = field.type === 'string' && !nullable && { minLength: 1 };
    return [name, { ...schema, ...least, ...(field.max && { maxLength: field.max }), description: field.doc }];
  });
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    description,
    required,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

const problemSchema: Schema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'traceId'],
  properties: {
    type: { type: 'string', description: 'What kind of problem it is.' },
    title: { type: 'string', description: 'The kind, in words.' },
    status: { type: 'integer', description: 'The status code.' },
    detail: { type: 'string', description: 'This occurrence, in words.' },
    code: { type: 'string', description: 'Of a problem with the api-version: which.' },
    errors: {
      type: 'object',
      description: 'Faults of the input by JSON path, parameter or option.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    traceId: { type: 'string', description: 'Names the request in the log.' },
  },
};

/** The schemas of the administration service. */
export function administrationSchemas(): Record<string, Schema> {
  return {
    ...Object.fromEntries(answers.map(([name, record]) => [name, answerSchema(record)])),
    ApplicationCreateDTO: inputSchema(documentedApplicationInput(), 'An application to make.'),
    AccessScopeApplicationsMapperCreateDTO: inputSchema(mappingInput(scopeMappings, 'create'), 'A mapping to make.'),
    AccessScopeApplicationsMapperUpdateDTO: inputSchema(
      mappingInput(scopeMappings, 'update'),
      'A mapping to change: what is absent stays, null clears.',
    ),
    AccessScopeApplicationsMapperDeleteDTO: inputSchema(mappingInput(scopeMappings, 'delete'), 'A mapping to remove.'),
    ProblemDetails: problemSchema,
  };
}

const samples: Record<string, unknown> = {
  name: 'Time sheets',
  iconDefault: 'clock.svg',
  iconHover: 'clock-hover.svg',
  appType: 'web',
  renderingMode: 'tile',
  linkType: 'internal',
  globalExternalLink: 'https://timesheets.example.org',
  translationGroup: 'timesheets',
  state: 'active',
  accessScopeKey: 'timesheets.read',
  fieldName: 'name',
  languageCode: 'de',
  translatedText: 'Zeiterfassung',
  firstName: 'Ada',
  lastName: 'Lovelace',
  isWildcard: false,
};
const sampleOfType: { [type in FieldType]?: unknown } = {
  integer: 1,
  boolean: true,
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  dateTime: '2026-01-31T12:00:00.000Z',
};
const sample = ({ name, type, nullable }: FieldDescription): unknown =>
  samples[name] ?? (nullable ? null : sampleOfType[type]);

/** An answer of this shape. */
export function exampleAnswer({ fields, relations }: Shape): Record<string, unknown> {
  const inner = relations.map(({ relation, shape }) => {
    if (!shape || relation.name === 'modifiedByNavigation') return [relation.name, null];
    return [relation.name, relation.kind === 'toMany' ? [exampleAnswer(shape)] : exampleAnswer(shape)];
  });
  return Object.fromEntries([...fields.map((field) => [field.name, sample(field)]), ...inner]);
}

/** A request with these fields. */
export const exampleInput = (fields: readonly InputField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, field }) => [name, sample(field)]));

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

/** The schema of a request, from the list that the endpoint checks. */
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

export const tokenSchemas: Record<string, Schema> = {
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
  DecisionPointMetadata: object(['policy_decision_point', 'access_evaluation_endpoint'], {
    policy_decision_point: text,
    access_evaluation_endpoint: text,
    access_evaluations_endpoint: text,
  }),
  TokenRequest: request(tokenMembers, true),
  TokenForm: request(tokenForm, false),
  TokenResponse: object(['access_token', 'refresh_token', 'token_type', 'expires_in'], {
    access_token: { ...text, description: 'JWT for one profile, valid for an hour.' },
    refresh_token: { ...text, maxLength: 512, description: 'Renews it once, for 30 days.' },
    token_type: { enum: ['Bearer', 'DPoP'] },
    expires_in: { type: 'integer', description: 'Seconds.' },
    issued_token_type: { ...text, description: 'Of the token exchange (RFC 8693).' },
    scope: { ...text, description: 'In forms, for who asked for a scope.' },
  }),
  ProfilesRequest: request(profilesMembers, true),
  ProfilesForm: request(profilesForm, false),
  ProfilesResponse: object(['profiles'], {
    profiles: {
      type: 'array',
      items: object(['profileId', 'name', 'roleId', 'validUntil'], {
        profileId: { ...text, maxLength: 50 },
        name: text,
        roleId: { ...text, maxLength: 50, description: 'Role of the person in the profile.' },
        validUntil: { type: ['string', 'null'], format: 'date-time', description: 'null: no end.' },
      }),
    },
  }),
  TokenOnly: request(tokenOnly, true),
  TokenOnlyForm: request(tokenOnlyForm, false),
  LogoutForm: request(logoutForm, false),
  RevokeResponse: object(['status'], { status: { enum: ['success', 'token_not_found_or_already_revoked'] } }),
  TokenValidationResponse: object(['is_valid'], {
    is_valid: { type: 'boolean' },
    claims: object(claimNames(true), Object.fromEntries(claimNames().map((name) => [name, claimSchema(name)]))),
    error: text,
  }),
  ErrorResponse: object(['error'], { error: text, error_description: text }),
  Introspection: object(['active'], { active: { type: 'boolean' } }, { additionalProperties: true }),
  JsonWebKeySet: object(['keys'], { keys: { type: 'array', items: { type: 'object' } } }),
  ResourceMetadata: object(['resource', 'authorization_servers'], {
    resource: text,
    authorization_servers: texts,
    bearer_methods_supported: texts,
    scopes_supported: texts,
    resource_name: text,
  }),
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
const problemContent = { 'application/problem+json': { schema: reference('ProblemDetails') } };
/** Errors of the form dialect (RFC 6749 §5.2). */
const oauthError = {
  'application/json': { schema: reference('ErrorResponse'), example: { error: 'invalid_request' } },
};
const refusal = (description: string, content: Schema): Schema => ({ description, content });
const notNow = {
  '429': { $ref: '#/components/responses/TooManyRequests' },
  '503': { $ref: '#/components/responses/Unavailable' },
};

const claimsExample: Omit<AccessTokenClaims, 'aud'> = {
  iss: 'https://gatehouse.example.org',
  sub: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  profileId: 'p-1',
  roleId: 'member',
  scopes: ['application:timesheets.read'],
  exp: 1_800_003_600,
  iat: 1_800_000_000,
};

interface Exchanged {
  json?: { schema: string; example: object };
  form?: { schema: string; example: object };
  responses: Schema;
  headers?: Record<string, Schema>;
}

const idempotencyKey: Schema = {
  description: 'Of a renewal: sent again with the same token and key, a lost answer is given again.',
  schema: { type: 'string', minLength: 16, maxLength: 128 },
  example: '2f6ee1c4-6f9b-4f0c-9d0c-6a4d1f3b8f11',
};

const dpop: Schema = {
  description: 'A proof (RFC 9449): the tokens are bound to its key.',
  schema: { type: 'string', maxLength: 8192 },
  example: 'eyJ0eXAiOiJkcG9wK2p3dCIs…',
};

function post(
  operationId: string,
  summary: string,
  description: string,
  { json, form, responses, headers = {} }: Exchanged,
): Schema {
  const content = {
    ...(json && { 'application/json': { schema: reference(json.schema), example: json.example } }),
    ...(form && { 'application/x-www-form-urlencoded': { schema: reference(form.schema), example: form.example } }),
  };
  const requestBody = { required: true, content };
  // in a form the client may stand in the body, too
  const security = form ? [{}, { client: [] }] : [];
  const all = { ...responses, ...notNow };
  const parameters = Object.entries(headers).map(([name, more]) => ({ name, in: 'header', required: false, ...more }));
  const given = parameters.length > 0 ? { parameters } : {};
  return {
    post: { operationId, tags: ['Tokens'], summary, description, security, ...given, requestBody, responses: all },
  };
}

function get(operationId: string, summary: string, description: string, name: string): Schema {
  const responses = { '200': json('The document.', name), '405': { description: 'Only GET and HEAD are allowed.' } };
  return { get: { operationId, tags: ['Metadata'], summary, description, security: [], responses } };
}

const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
});
const verifyPath: Schema = {
  get: {
    operationId: 'verifyRequest',
    tags: ['Tokens'],
    summary: 'Says to a reverse proxy whether a token opens a request',
    description:
      'Any method. The token comes by Authorization or by the cookie VERIFY_COOKIE; headers X-Gatehouse-… say who sent it.',
    security: [{ accessToken: [] }],
    parameters: [
      // the default, which orval does not know
      { ...query('scope', texts, 'Entries of `scopes` that are needed; wildcards count.'), explode: true },
      query('application', { ...text, format: 'uuid' }, 'An application that the profile must open.'),
      query('audience', text, 'An audience that the token must have.'),
      query('role', text, 'The role that the user must have.'),
    ],
    responses: {
      '204': { description: 'It does.' },
      '400': refusal('A parameter is unknown, malformed or stands twice.', problemContent),
      '401': refusal('There is no good token.', problemContent),
      '403': refusal('The token lacks a scope, the application or the role.', problemContent),
      ...notNow,
    },
  },
};

const message = { 'text/plain': { schema: text } };
function decide(operationId: string, summary: string, schema: 'Evaluation' | 'Evaluations'): Schema {
  const description = 'The caller is a client with mayEvaluate, or has admin:read. Unknown members are ignored.';
  const resource = { type: 'application', id: claimsExample.sub };
  const asked = { subject: { type: 'user', id: claimsExample.sub }, action: { name: 'open' } };
  const example = schema === 'Evaluation' ? { ...asked, resource } : { ...asked, evaluations: [{ resource }] };
  return {
    post: {
      operationId,
      tags: ['Tokens'],
      summary,
      description,
      security: [{ client: [] }, { accessToken: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: reference(`${schema}Request`), example } },
      },
      responses: {
        '200': json('The decision.', `${schema}Response`),
        '400': refusal('The request is malformed.', message),
        '401': refusal('The caller is not known.', message),
        '403': refusal('The caller may not ask.', message),
        ...notNow,
      },
    },
  };
}

/** JSON is the documented dialect; forms speak OAuth on the same paths (RFC 6749, 7009, 7662, 8693). */
export function tokenPaths({ audiences, verify }: Pick<Config, 'audiences' | 'verify'>): Schema {
  const claims = { ...claimsExample, aud: audiences };
  const tokens = { access_token: 'eyJ…', refresh_token: 'eyJ…', token_type: 'Bearer', expires_in: 3600 };
  const client = { client_id: 'shop', client_secret: '…' };
  const invalidClient = { error: 'Invalid client credentials' };
  const unknownClient = { '401': json('The client is not known.', 'ErrorResponse', { error: 'invalid_client' }) };
  return {
    '/token': post(
      'issueToken',
      'Exchanges an ID token, or renews',
      'An ID token of an identity provider becomes an access token for one profile and a renewal token; a renewal token becomes a new pair, once.',
      {
        json: {
          schema: 'TokenRequest',
          example: { grant_type: 'urn:service:authz:exchange', id_token: 'eyJ…', profileId: 'p-1', ...client },
        },
        form: { schema: 'TokenForm', example: { grant_type: 'refresh_token', refresh_token: 'eyJ…', ...client } },
        headers: { 'Idempotency-Key': idempotencyKey, DPoP: dpop },
        responses: {
          '200': json('The tokens.', 'TokenResponse', tokens),
          '400': refusal('A field is missing, the profile is not the user’s, or the grant type is unknown.', {
            ...problemContent,
            'text/plain': { schema: text, example: 'Invalid profile' },
            ...oauthError,
          }),
          '401': json(
            'The client is not known (with a body), or in JSON the token is not accepted (without).',
            'ErrorResponse',
            invalidClient,
          ),
        },
      },
    ),
    '/profiles': post(
      'listProfiles',
      'Lists the profiles that the person of an ID token holds',
      'Before the first exchange: judged as an exchange is, refused in the same words, and nothing is issued.',
      {
        json: { schema: 'ProfilesRequest', example: { id_token: 'eyJ…', ...client } },
        form: { schema: 'ProfilesForm', example: { id_token: 'eyJ…', ...client } },
        headers: { DPoP: { ...dpop, description: 'A proof (RFC 9449), for clients that must send one.' } },
        responses: {
          '200': json('The profiles, in order of profile id. Nothing is issued.', 'ProfilesResponse', {
            profiles: [{ profileId: 'p-1', name: 'Timesheets', roleId: 'member', validUntil: null }],
          }),
          '400': refusal('A field is missing, or the person is not known or blocked.', {
            ...problemContent,
            'text/plain': { schema: text, example: 'Invalid profile' },
            ...oauthError,
          }),
          '401': json(
            'The client is not known (with a body), or in JSON the ID token is not accepted (without).',
            'ErrorResponse',
            invalidClient,
          ),
        },
      },
    ),
    '/revoke': post(
      'revokeToken',
      'Revokes a renewal token',
      'It renews no more, and its session has ended; access tokens live on until they expire.',
      {
        json: { schema: 'TokenOnly', example: { token: 'eyJ…' } },
        form: { schema: 'TokenOnlyForm', example: { token: 'eyJ…', ...client } },
        responses: {
          '200': json('It is revoked. In forms of any token but an access token, and empty.', 'RevokeResponse', {
            status: 'success',
          }),
          '400': refusal('A field is missing; in a form the token is an access token.', {
            ...problemContent,
            ...oauthError,
          }),
          ...unknownClient,
          '404': json('There is no such active token.', 'RevokeResponse', {
            status: 'token_not_found_or_already_revoked',
          }),
        },
      },
    ),
    '/validate-token': post(
      'validateToken',
      'Validates an access token',
      'By signature and expiry. Who can verify signatures needs no request: the keys are at /.well-known/jwks.json.',
      {
        json: { schema: 'TokenOnly', example: { token: 'eyJ…' } },
        responses: {
          '200': json('It is valid.', 'TokenValidationResponse', { is_valid: true, claims }),
          '400': json('It is not.', 'TokenValidationResponse', {
            is_valid: false,
            error: 'Token is invalid or expired',
          }),
          '401': json('Hardened: the client is not known.', 'ErrorResponse', invalidClient),
        },
      },
    ),
    '/introspect': post(
      'introspectToken',
      'Says what a token means now (RFC 7662)',
      'Of an access token or a renewal token of ours; any other is not active.',
      {
        form: { schema: 'TokenOnlyForm', example: { token: 'eyJ…', ...client } },
        responses: {
          '200': json('Its claims, or that it is not active.', 'Introspection', { active: false }),
          '400': refusal('A parameter is missing or stands twice.', oauthError),
          ...unknownClient,
        },
      },
    ),
    '/backchannel-logout': post(
      'endProviderSession',
      'Ends the sessions of who signed out at an identity provider',
      'The identity provider sends a logout token (OpenID Connect Back-Channel Logout 1.0); the renewal tokens of that sign-in are revoked.',
      {
        form: { schema: 'LogoutForm', example: { logout_token: 'eyJ…' } },
        responses: {
          '200': { description: 'They are ended, if there were any.' },
          '400': refusal('The logout token is missing or not good: nothing ended.', oauthError),
        },
      },
    ),
    ...(verify && { '/verify': verifyPath }),
    '/access/v1/evaluation': decide(
      'evaluateAccess',
      'Decides whether a user may do something (AuthZEN 1.0)',
      'Evaluation',
    ),
    '/access/v1/evaluations': decide('evaluateAccesses', 'Decides up to 1,000 questions (AuthZEN 1.0)', 'Evaluations'),
    '/.well-known/authzen-configuration': get(
      'getDecisionPointMetadata',
      'Where decisions are asked for (AuthZEN 1.0)',
      'The addresses of the two endpoints.',
      'DecisionPointMetadata',
    ),
    '/.well-known/oauth-authorization-server': get(
      'getMetadata',
      'Metadata of the server (RFC 8414)',
      'Where the endpoints are, and which grants, algorithms and ways of authentication they take.',
      'ServerMetadata',
    ),
    '/.well-known/openid-configuration': get(
      'getConfiguration',
      'The same, where OpenID looks for it',
      'For libraries that know OpenID Connect Discovery alone; there is no authorization endpoint.',
      'ServerMetadata',
    ),
    '/.well-known/oauth-protected-resource/api': get(
      'getApiMetadata',
      'Who issues the tokens that /api takes (RFC 9728)',
      'What a client needs to know to get a token for them.',
      'ResourceMetadata',
    ),
    '/.well-known/oauth-protected-resource/graphql': get(
      'getGraphqlMetadata',
      'Who issues the tokens that /graphql takes (RFC 9728)',
      'What a client needs to know to get a token for them.',
      'ResourceMetadata',
    ),
    '/.well-known/jwks.json': get(
      'getKeys',
      'Public keys of access tokens (RFC 7517)',
      'The key that signs, the next one, and those before that tokens may still be signed with.',
      'JsonWebKeySet',
    ),
  };
}
