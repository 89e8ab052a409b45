/** Who may see and change what: every root field by every kind of token, and nothing through nesting that is refused directly. */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { openSchema } from '../../src/graphql/schema.js';
import { newHolder } from '../support/records.js';
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
  /^(client|clients|connector|connectors|tokens|auditEvents|changeSet|changeSets|history|refusal|signingKeys|usage|usageCount|policyReadiness|consoleSessions|endConsoleSession|createClient|updateClient|rotateClientSecret|endPreviousSecret|eventStreams?|(?:create|update|delete)EventStream|rotateEventStreamSecret|sendTestEvent|replayEvents|setClientActive|revokeTokens|rotateSigningKey)$/;

function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return '[]';
  if (isInputObjectType(type))
    return `{${Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type))
      .map((field) => `${field.name}: ${sample(field.type)}`)
      .join(' ')}}`;
  if (isEnumType(type)) return type.getValues()[0]!.name;
  const { name } = type;
  if (name === 'UUID') return `"${randomUUID()}"`;
  if (name === 'Int') return '1';
  if (name === 'DateTime') return '"2099-01-01T00:00:00Z"';
  if (isEnumType(type)) return type.getValues()[0]!.name;
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
    // they need two permissions
    const isAllowed =
      !/^((start|finish|cancel)Review|reviewSize)$/.test(name) &&
      (/^(viewer|requestAccess|withdrawProposal)$/.test(name) ||
        (name === 'search' && /^(read|write|security)$/.test(caller)) ||
        // it only reads
        (name === 'planCatalogue' && caller === 'read') ||
        (restricted.test(name)
          ? caller === 'security'
          : (kind === 'Query' && name !== 'signInNeeds') ||
              /Proposal$|^(proposeChanges|chooseRemedy|decideReviewItems)$/.test(name)
            ? caller === 'read' || caller === 'write'
            : caller === 'write'));
    // __typename alone reads nothing
    expect([caller, codes.includes('FORBIDDEN')]).toEqual([caller, !isAllowed]);
    expect(codes).not.toContain('INTERNAL');
  }
});

it.each([
  ['User.tokens', '{ users { nodes { tokens { nodes { id } } } } }'],
  ['Profile.tokens', '{ profiles { nodes { tokens { nodes { id } } } } }'],
  ['AuditEvent.record', '{ auditEvents { nodes { record { ... on User { firstName } } } } }', ['admin:security']],
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
    names
      .filter((name) => /\.\w*secret$(?<!^Mutation.*)|^Token\.token$|ciphertext|hash|Token\.tokenGuid/i.test(name))
      .toSorted(),
  ).toEqual(['CataloguePlan.hash', 'ClientWithSecret.clientSecret', 'EventStreamWithSecret.secret']);
});
