/** Settings of the administration: REST, GraphQL and who may use them. */
import { boolean, guid, integer, list, oneOf, origins } from './parsers.js';
import { optional, setting } from './setting.js';
import { readTrustedDocuments } from './trustedDocuments.js';

export const administrationSettings = {
  adminAuth: setting(
    'ADMIN_AUTH',
    oneOf('token', 'none'),
    'token',
    'none: no caller of the administration is asked who it is; for closed networks.',
  ),
  adminAuthNoneAccepted: setting('ADMIN_AUTH_NONE_ACCEPTED', boolean, 'no', 'yes: production accepts ADMIN_AUTH=none.'),
  systemUserGuid: setting(
    'SYSTEM_USER_GUID',
    guid,
    '00000000-0000-0000-0000-000000000001',
    'Author of changes made by commands and with ADMIN_AUTH=none.',
  ),
  adminReadScopes: setting(
    'ADMIN_READ_SCOPES',
    list,
    '',
    'Further scopes that allow what admin:read does, separated by commas.',
  ),
  adminWriteScopes: setting(
    'ADMIN_WRITE_SCOPES',
    list,
    '',
    'Further scopes that allow what admin:write does, separated by commas.',
  ),
  adminCorsOrigins: setting(
    'ADMIN_CORS_ORIGINS',
    origins,
    '',
    'Origins whose pages may call /graphql, such as an admin UI’s, separated by commas. Not set: none.',
  ),
  mappingActiveStates: setting(
    'MAPPING_ACTIVE_STATES',
    list,
    'active',
    'States in which a mapping opens its application, separated by commas.',
  ),
  answersRememberedMb: setting(
    'ANSWERS_REMEMBERED_MB',
    integer(0, 4_096),
    '64',
    'Memory of a process for answers of administrative reads, which are given again while nothing administered has changed, in MB; one has a quarter of it at most. 0: every answer is made anew.',
  ),
  restStatus: setting(
    'REST_STATUS',
    oneOf('legacy', 'standard'),
    'legacy',
    'legacy: every success is 200; standard: 201 for a new application, 204 for deletes.',
  ),
  graphqlDepthMax: setting(
    'GRAPHQL_DEPTH_MAX',
    integer(1, 100),
    '12',
    'Most levels of a GraphQL query; `nodes`, `edges`, `node` and `pageInfo` are none.',
  ),
  graphqlComplexityMax: setting(
    'GRAPHQL_COMPLEXITY_MAX',
    integer(1, 100_000_000),
    '100000',
    'Most records that a GraphQL operation may ask for, by the page sizes that it names and the items of a change.',
  ),
  graphqlAliasesMax: setting('GRAPHQL_ALIASES_MAX', integer(0, 10_000), '50', 'Most aliases of a GraphQL document.'),
  graphqlRootFieldsMax: setting(
    'GRAPHQL_ROOT_FIELDS_MAX',
    integer(1, 1_000),
    '20',
    'Most root fields of a GraphQL operation.',
  ),
  graphqlTokensMax: setting('GRAPHQL_TOKENS_MAX', integer(100, 100_000), '3000', 'Most tokens of a GraphQL document.'),
  graphqlBodyBytesMax: setting(
    'GRAPHQL_BODY_BYTES_MAX',
    integer(1_024, 100_000_000),
    '8388608',
    'Largest body of a GraphQL request, in bytes; of callers without admin:write 262144 at most.',
  ),
  graphqlPageSizeMax: setting(
    'GRAPHQL_PAGE_SIZE_MAX',
    integer(1, 10_000),
    '1000',
    'Largest `first` or `last` of a GraphQL connection.',
  ),
  graphqlIntrospection: setting(
    'GRAPHQL_INTROSPECTION',
    oneOf('development', 'yes', 'no'),
    'development',
    'Whether GraphQL answers introspection: yes, no, or development (not in production).',
  ),
  graphqlDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    readTrustedDocuments,
    'JSON file of the only documents that /graphql executes, as GraphQL Code Generator, Relay or Apollo write it; read at the start. GraphiQL is off then. Not set: any document.',
  ),
  graphiql: setting(
    'GRAPHIQL',
    oneOf('development', 'yes', 'no'),
    'development',
    'Whether a browser finds GraphiQL at /graphql: yes, no, or development (not in production).',
  ),
} as const;
