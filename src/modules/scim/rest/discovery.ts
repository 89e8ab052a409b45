/** The metadata of SCIM: ServiceProviderConfig, ResourceTypes, Schemas (RFC 7643 §5 to §8). */
import type { JsonObject } from '../../../jsonObject.js';
import { membersMax } from '../groups.js';
import { pageMax } from '../users.js';
import { groupSchema } from './groupResource.js';
import { enterpriseSchema } from './names.js';
import { userSchema } from './userResource.js';

type Locate = (path: string) => string;
const core = 'urn:ietf:params:scim:schemas:core:2.0';

export const serviceProviderConfig = (locate: Locate): JsonObject => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: pageMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the connector, or an access token that its client requested by client_credentials.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: locate('/ServiceProviderConfig') },
});

export const resourceTypes = (locate: Locate): JsonObject[] =>
  [
    { id: 'User', endpoint: '/Users', description: 'A person.', schema: userSchema, extension: enterpriseSchema },
    { id: 'Group', endpoint: '/Groups', description: 'A profile with an externalGroup.', schema: groupSchema },
  ].map(({ id, endpoint, description, schema, extension }) => ({
    schemas: [`${core}:ResourceType`],
    id,
    name: id,
    endpoint,
    description,
    schema,
    ...(extension && { schemaExtensions: [{ schema: extension, required: false }] }),
    meta: { resourceType: 'ResourceType', location: locate(`/ResourceTypes/${id}`) },
  }));

const text = (name: string, description: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const complex = (name: string, description: string, subAttributes: object[], more: object = {}) => ({
  ...text(name, description),
  type: 'complex',
  caseExact: undefined,
  uniqueness: undefined,
  subAttributes,
  ...more,
});
const flag = { type: 'boolean', caseExact: undefined, uniqueness: undefined };
const readOnly = { mutability: 'readOnly' };
const immutable = { mutability: 'immutable' };
const contact = (name: string, description: string, types: readonly string[] = []) =>
  complex(
    name,
    description,
    [
      text('value', 'The value.'),
      text('type', 'The type: work if none was named.', { canonicalValues: ['work', 'home', 'other', ...types] }),
      text('primary', 'Always true.', { ...flag, ...readOnly }),
    ],
    { multiValued: true },
  );

export const schemas = (locate: Locate): JsonObject[] =>
  [
    {
      id: userSchema,
      name: 'User',
      description: 'A person who signs in at the identity provider of the connector.',
      attributes: [
        text('userName', 'Name of the user at the identity provider.', { required: true, uniqueness: 'server' }),
        text('externalId', 'Id of the user at the identity provider: idpid.', {
          caseExact: true,
          uniqueness: 'server',
        }),
        complex('name', 'The parts of the name.', [
          text('formatted', 'The whole name, made of the parts.', readOnly),
          text('familyName', 'Last name.'),
          text('givenName', 'First name.'),
          text('honorificPrefix', 'Academic or other title.'),
        ]),
        text('displayName', 'The whole name, made of the parts.', readOnly),
        text('title', 'Job title.'),
        text('preferredLanguage', 'Preferred language.'),
        contact('emails', 'The e-mail address.'),
        contact('phoneNumbers', 'The telephone number.', ['mobile', 'fax', 'pager']),
        text('active', 'Whether the user may sign in; false blocks the user and ends all sessions.', flag),
      ],
    },
    {
      id: enterpriseSchema,
      name: 'EnterpriseUser',
      description: 'The extension for people of an enterprise.',
      attributes: [text('department', 'Department.')],
    },
    {
      id: groupSchema,
      name: 'Group',
      description: `A profile with an externalGroup. An answer has at most ${membersMax} members; one of groups with more has none.`,
      attributes: [
        text('displayName', 'The externalGroup of the profile.', {
          ...immutable,
          required: true,
          uniqueness: 'server',
        }),
        complex(
          'members',
          'The users to whom the connector gave the profile.',
          [
            text('value', 'Id of the user.', { ...immutable, caseExact: true }),
            text('display', 'Name of the user.', readOnly),
            text('type', 'Always User.', { ...immutable, canonicalValues: ['User'] }),
            text('$ref', 'Address of the user.', {
              ...immutable,
              type: 'reference',
              referenceTypes: ['User'],
            }),
          ],
          { multiValued: true },
        ),
      ],
    },
  ].map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: locate(`/Schemas/${schema.id}`) },
  }));
