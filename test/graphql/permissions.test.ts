/** Who may see and change what: every root field by every kind of token, and nothing through nesting that is refused directly. */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { openSchema } from '../../src/graphql/schema.js';
import { linkProfile, newHolder, newRole, newScope, newScopeType } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph({ ADMIN_WRITE_SCOPES: 'portal:manage' });
});
afterAll(() => graph?.close());

const callers: Record<string, string[]> = {
  'wrong scope': ['depot:a'],
  read: ['admin:read'],
  write: ['admin:write'],
  security: ['admin:security'],
  'admin:*': ['admin:*'],
};
const restricted =
  /^(client|clients|tokens|auditEvents|changeSet|changeSets|history|refusal|signingKeys|createClient|updateClient|rotateClientSecret|endPreviousSecret|setClientActive|revokeTokens|rotateSigningKey)$/;

function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return '[]';
  if (isInputObjectType(type))
    return `{${Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type))
      .map((field) => `${field.name}: ${sample(field.type)}`)
      .join(' ')}}`;
  const { name } = type;
  if (name === 'UUID') return `"${randomUUID()}"`;
  if (name === 'Int') return '1';
  return name === 'Boolean' ? 'true' : `"unknown"`;
}

function fieldCall(type: GraphQLObjectType, name: string): string {
  const field = type.getFields()[name]!;
  const required = field.args.filter((argument) => isNonNullType(argument.type));
  const given =
    required.length > 0
      ? `(${required.map((argument) => `${argument.name}: ${sample(argument.type)}`).join(' ')})`
      : '';
  let named = field.type as never as { ofType?: unknown };
  while (named.ofType) named = named.ofType as never;
  return `${name}${given}${isObjectType(named) ? ' { __typename }' : ''}`;
}

const fields = (['Query', 'Mutation'] as const).flatMap((kind) =>
  Object.keys((openSchema().getType(kind) as GraphQLObjectType).getFields()).map((name) => [kind, name] as const),
);

it.each(fields)('%s.%s is judged for every kind of token', async (kind, name) => {
  const document = `${kind.toLowerCase()} { ${fieldCall(openSchema().getType(kind) as GraphQLObjectType, name)} }`;
  expect((await graph.ask(document, undefined, null)).status).toBe(401);
  for (const [caller, scopes] of Object.entries(callers)) {
    const { json } = await graph.ask(document, undefined, graph.token(scopes));
    const codes = (json.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
    const isAllowed =
      name === 'viewer' ||
      (name === 'search' && /^(read|write|security)$/.test(caller)) ||
      (restricted.test(name)
        ? caller === 'security'
        : kind === 'Query'
          ? caller === 'read' || caller === 'write'
          : caller === 'write');
    // __typename alone reads nothing
    expect([caller, codes.includes('FORBIDDEN')]).toEqual([caller, !isAllowed]);
    expect(codes).not.toContain('INTERNAL');
  }
});

it.each([
  ['User.tokens', '{ users { nodes { tokens { nodes { id } } } } }'],
  ['Profile.tokens', '{ profiles { nodes { tokens { nodes { id } } } } }'],
  ['AuditEvent.subject', '{ auditEvents { nodes { subject { user { firstName } } } } }', ['admin:security']],
  ['viewer.user.tokens', '{ viewer { user { tokens { nodes { id } } } } }', ['depot:a']],
  ['viewer.user.userProfiles', '{ viewer { user { userProfiles { nodes { profileId } } } } }', ['depot:a']],
  ['viewer.user.createdByNavigation', '{ viewer { user { createdByNavigation { firstName } } } }', ['depot:a']],
  ['Token.client', '{ tokens { nodes { client { name } } } }'],
  ['AuditEvent.actorNavigation', '{ auditEvents { nodes { actorNavigation { firstName } } } }'],
  ['users through tokens with security alone', '{ tokens { nodes { user { firstName } } } }', ['admin:security']],
  [
    'an ordering over users with security alone',
    '{ tokens(orderBy: [{user: {email: ASC}}]) { nodes { id } } }',
    ['admin:security'],
  ],
  [
    'a filter over users with security alone',
    '{ tokens(filter: {user: {email: {startsWith: "a"}}}) { nodes { id } } }',
    ['admin:security'],
  ],
])('%s is refused as it is directly', async (_name, query, scopes = ['admin:read']) => {
  const { userGuid } = await newHolder(graph.app.context);
  const { json } = await graph.ask(query as string, undefined, graph.token(scopes as string[], { sub: userGuid }));
  expect(Object.values(json.data?.viewer?.user ?? {})).toEqual(json.data?.viewer?.user ? [null] : []);
  expect(json.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('no field shows a hash, a secret or a private key', () => {
  const names = Object.values(openSchema().getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
  expect(
    names.filter((name) => /\.\w*secret$(?<!^Mutation.*)|^Token\.token$|ciphertext|hash|Token\.tokenGuid/i.test(name)),
  ).toEqual(['ClientWithSecret.clientSecret']);
});

describe('no escalation with admin:write alone', () => {
  const writer = () => graph.token(['admin:write']);
  const refused = async (document: string, variables: object) => {
    const { json } = await graph.ask(document, variables, writer());
    expect(json.errors?.[0].extensions.code).toBe('FORBIDDEN');
  };
  const adminType = 'ad300000-0000-4000-8000-000000000000';
  const adminRead = 'ad300000-0000-4000-8000-000000000001';
  let administrators: { userGuid: string; profileId: string };
  let plain: { userGuid: string; profileId: string };
  let portalType: string;
  let portalScope: string;

  beforeAll(async () => {
    const { context } = graph.app;
    administrators = await newHolder(context, { idpname: 'corp', idpid: 'root' });
    plain = await newHolder(context);
    await context.sql.rows(
      `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
       select $1, access_scope_id, '00000000-0000-0000-0000-000000000001' from access_scopes where access_scope_guid = $2`,
      [administrators.profileId, adminRead],
    );
    const typeId = await newScopeType(context, 'portal');
    portalScope = (await newScope(context, typeId, undefined, { access_scope_key: 'manage' })).access_scope_guid;
    const [row] = await context.sql.rows<{ guid: string }>(
      'select access_scope_type_guid guid from access_scope_types where access_scope_type_id = $1',
      [typeId],
    );
    portalType = row!.guid;
    await newRole(context, 'member');
  });

  it.each([
    ['the type admin', 'updateAccessScopeType(accessScopeTypeGuid: $adminType, input: {isActive: false}) { name }'],
    [
      'a new scope in it',
      'createAccessScope(input: {accessScopeTypeGuid: $adminType, name: "x", accessScopeKey: "read"}) { name }',
    ],
    ['one of its scopes', 'updateAccessScope(accessScopeGuid: $adminRead, input: {name: "x"}) { name }'],
    ['deactivation of one', 'deactivateAccessScope(accessScopeGuid: $adminRead) { name }'],
    [
      'another scope moved into it',
      'updateAccessScope(accessScopeGuid: $portalScope, input: {accessScopeTypeGuid: $adminType}) { name }',
    ],
    [
      'its link to a profile',
      'setProfileAccessScopes(profileId: $plainProfile, accessScopeGuids: [$adminRead]) { name }',
    ],
    ['its unlinking', 'setProfileAccessScopes(profileId: $adminProfile, accessScopeGuids: []) { name }'],
    [
      'a user linked to a profile that has it',
      'assignProfile(userGuid: $plainUser, profileId: $adminProfile, roleId: "member") { profileId }',
    ],
    ['a user unlinked from it', 'unassignProfile(userGuid: $adminUser, profileId: $adminProfile, roleId: "member")'],
    ['removal of such a profile', 'deleteProfile(profileId: $adminProfile)'],
    ['the sign-in of an administrator', 'updateUser(userGuid: $adminUser, input: {idpid: "mine"}) { userGuid }'],
    ['an administrator unblocked', 'updateUser(userGuid: $adminUser, input: {isBlocked: false}) { userGuid }'],
    [
      'a scope that a setting makes one',
      'setProfileAccessScopes(profileId: $plainProfile, accessScopeGuids: [$portalScope]) { name }',
    ],
    [
      'a new scope that a setting makes one',
      'createAccessScope(input: {accessScopeTypeGuid: $portalType, name: "x", accessScopeKey: "manage"}) { name }',
    ],
    ['a type renamed to what a setting names', 'createAccessScopeType(input: {name: "portal"}) { name }'],
  ])('%s', async (_what, mutation) => {
    const variables: Record<string, string> = {
      adminType,
      adminRead,
      portalScope,
      portalType,
      plainProfile: plain.profileId,
      adminProfile: administrators.profileId,
      plainUser: plain.userGuid,
      adminUser: administrators.userGuid,
    };
    const used = Object.keys(variables).filter((name) => new RegExp(`\\$${name}\\b`).test(mutation));
    const types = used.map((name) => `$${name}: ${name.endsWith('Profile') ? 'ID!' : 'UUID!'}`).join(' ');
    const document = `mutation ${types && `(${types})`} { ${mutation} }`;
    await refused(document, variables);
  });

  it('what grants nothing is free', async () => {
    const { json } = await graph.ask(
      'mutation ($guid: UUID!, $other: UUID!) { updateUser(userGuid: $guid, input: {firstName: "B"}) { firstName } deactivateUser(userGuid: $other) { isBlocked } }',
      { guid: administrators.userGuid, other: plain.userGuid },
      writer(),
    );
    expect(json.errors).toBeUndefined();
  });

  it('admin:* and imitations of the type admin are refused to everybody', async () => {
    for (const [document, field] of [
      [
        `mutation { createAccessScope(input: {accessScopeTypeGuid: "${adminType}", name: "x", isWildcard: true}) { name } }`,
        'input.isWildcard',
      ],
      [
        `mutation { createAccessScope(input: {accessScopeTypeGuid: "${adminType}", name: "x", accessScopeKey: "*"}) { name } }`,
        'input.accessScopeKey',
      ],
      ['mutation { createAccessScopeType(input: {name: "admin"}) { name } }', 'input.name'],
      ['mutation { createAccessScopeType(input: {name: "a:b"}) { name } }', 'input.name'],
      ['mutation { createAccessScopeType(input: {name: "a b"}) { name } }', 'input.name'],
      [
        `mutation { updateAccessScopeType(accessScopeTypeGuid: "${adminType}", input: {name: "root"}) { name } }`,
        'input.name',
      ],
    ] as const) {
      const { json } = await graph.ask(document);
      expect(json.errors[0].extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        problems: { [field]: [expect.any(String)] },
      });
    }
  });

  it('with admin:security besides it works', async () => {
    await linkProfile(
      graph.app.context,
      (
        await graph.app.context.sql.rows<{ user_id: number }>('select user_id from users where user_guid = $1', [
          plain.userGuid,
        ])
      )[0]!.user_id,
      plain.profileId,
      'second',
    );
    const { json } = await graph.ask(
      'mutation ($guid: UUID!, $profile: ID!) { assignProfile(userGuid: $guid, profileId: $profile, roleId: "member") { profileId } }',
      { guid: plain.userGuid, profile: administrators.profileId },
      graph.token(['admin:write', 'admin:security']),
    );
    expect(json.errors).toBeUndefined();
  });
});
