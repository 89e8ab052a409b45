/** What the schema says of permissions is what callers meet: each field and argument, refused where it says so and nowhere else. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLUnionType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { openSchema } from '../../src/graphql/schema.js';
import { newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

const schema = openSchema();
type Field = GraphQLField<unknown, unknown>;
const callers: Record<string, string[]> = {
  'nothing here': ['depot:a'],
  read: ['admin:read'],
  write: ['admin:write', 'admin:read'],
  security: ['admin:security'],
  'read and security': ['admin:read', 'admin:security'],
};
/** The permissions that a description says are required, any of which will do, or all that `and` joins; undefined where it says nothing. */
function saidOf({ description }: { description?: string | null | undefined }): string[] | undefined {
  const said = /Requires (an access token|admin:\w+(?: (?:or|and) admin:\w+)*)\.$/.exec(description ?? '')?.[1];
  return said === 'an access token' ? [] : said?.split(' or ');
}
const lackedBy = (said: string, has: string[]): string[] =>
  said.split(' and ').filter((permission) => !has.includes(permission));
const isRefused = (said: string[] | undefined, has: string[]): boolean =>
  said !== undefined && said.length > 0 && said.every((permissions) => lackedBy(permissions, has).length > 0);

/** The kinds of records of a union that callers with these scopes may not read, by what it says, and the permissions that they lack. */
function lackedOf({ description }: GraphQLUnionType, scopes: string[]): { kinds: string[]; permissions: string[] } {
  const said = [...description!.matchAll(/(admin:\w+) for ([\w, ]+)/g)].filter(
    ([, permission]) => !scopes.includes(permission!),
  );
  return {
    kinds: said.flatMap(([, , kinds]) => kinds!.split(', ')),
    permissions: said.map(([, permission]) => permission!),
  };
}

let graph: TestGraph;
let userGuid: string;
const given: Record<string, string> = {};
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const made = async (mutation: string) => Object.values((await graph.data(`mutation { ${mutation} }`)) as object)[0];
  userGuid = (await newUser(context)).user_guid;
  const token = graph.token(['admin:read', 'admin:write', 'admin:security'], { sub: userGuid });
  const make = async (mutation: string) =>
    Object.values((await graph.data(`mutation { ${mutation} }`, {}, token)) as object)[0];
  const { accessScopeTypeGuid } = await make('createAccessScopeType(input: { name: "kind" }) { accessScopeTypeGuid }');
  const { accessScopeGuid } = await make(
    `createAccessScope(input: { name: "S", accessScopeKey: "s", accessScopeTypeGuid: "${accessScopeTypeGuid}" }) { accessScopeGuid }`,
  );
  const { applicationGuid } = await make(
    'createApplication(input: { name: "A", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "tab", linkType: "l", translationGroup: "a" }) { applicationGuid }',
  );
  await make(
    `createAccessScopeApplicationsMappers(applicationGuid: "${applicationGuid}", items: [{ accessScopeGuid: "${accessScopeGuid}" }]) { state }`,
  );
  await make('createRole(input: { roleId: "r", name: "R" }) { name }');
  await make('createProfile(input: { profileId: "p", name: "P" }) { name }');
  await make(`setProfileAccessScopes(profileId: "p", accessScopeGuids: ["${accessScopeGuid}"]) { name }`);
  await make(`assignProfile(userGuid: "${userGuid}", profileId: "p", roleId: "r") { userProfileId }`);
  await make('createClient(input: { clientId: "c", name: "C" }) { clientSecret }');
  await context.sql.rows(
    `insert into tokens (user_id, profile_id, client_id, token, created_at, expires_at) values ($1, 'p', 'c', '\\x01', now(), now() + interval '1 day')`,
    [userGuid],
  );
  await context.sql.rows(
    `insert into usages (client_id, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
     values ('c', $1, 'GET /api/applications', '', '', '', now(), now(), 1, 0)`,
    [userGuid],
  );
  await context.sql.rows(
    `insert into connectors (connector_id, idpname, role_id, token_hash) values ('c', 'c', 'r', '\\x01')`,
  );
  await made('updateRole(roleId: "r", input: { name: "R2" }) { name }');
  const { changeSets } = await graph.data(
    '{ changeSets(orderBy: [{ occurredAt: DESC }]) { nodes { changeSetGuid undoneBy { changeSetGuid } } } }',
  );
  const { changeSetGuid } = changeSets.nodes[0];
  await made(`undoChangeSet(changeSetGuid: "${changeSetGuid}") { changeSetGuid }`);
  Object.assign(given, { userGuid, accessScopeTypeGuid, accessScopeGuid, applicationGuid, changeSetGuid });
  const [proposal] = await graph.app.context.sql.rows<{ guid: string }>(
    `insert into proposals (title, state, proposed_by, note, changes, permission, expires_at, effect_hash, proposed_counts, change_set_guid)
     select 't', 'APPLIED', actor, 'n', '[]', 'admin:write', now(), '',
       jsonb_build_object('gains', counts, 'loses', counts, 'opened', 0), change_set_guid
     from change_sets, (values ('{"applications": 0, "scopes": 0, "profiles": 0, "users": 0, "sessions": 0}'::jsonb)) zero (counts)
     limit 1 returning proposal_guid::text as guid`,
  );
  const [review] = await graph.app.context.sql.rows<{ guid: string }>(
    `insert into reviews (name, state, undecided, due_at, filter, total, started_by, finished_at, change_set_guid)
     select 'r', 'FINISHED', 'KEEP', now(), '{}', 1, actor, now(), change_set_guid from change_sets limit 1
     returning review_guid::text as guid`,
  );
  await graph.app.context.sql.rows(
    `insert into review_items (review_id, kind, link_id, link_revision, user_guid, profile_id, profile_name, granted_by, granted_at, opens,
       is_unusual, owner_profile_id)
     select review_id, 'USER_PROFILE', 1, 1, $1, 'p', 'P', $1, now(), 0, false, 'p' from reviews`,
    [userGuid],
  );
  Object.assign(given, {
    reviewGuid: review!.guid,
    proposalGuid: proposal!.guid,
    profileId: 'p',
    roleId: 'r',
    clientId: 'c',
    text: 'a',
    subjectType: 'UserProfile',
    subjectId: '1',
  });
});
afterAll(() => graph?.close());

function sampleOf(name: string, type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleOf(name, type.ofType);
  if (isListType(type)) return '[]';
  if (isInputObjectType(type))
    return `{ ${Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type))
      .map((field) => `${field.name}: ${sampleOf(field.name, field.type)}`)
      .join(' ')} }`;
  if (type.toString() === 'Boolean') return 'true';
  if (type.toString() === 'Int') return '1';
  if (type.toString() === 'DateTime') return '"2099-01-01T00:00:00Z"';
  if (isEnumType(type)) return type.getValues()[0]!.name;
  return JSON.stringify(given[name] ?? (type.toString() === 'UUID' ? userGuid : 'unknown'));
}

function callOf({ name, args }: Field, more = ''): string {
  const required = args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
  const all = [...required.map((argument) => `${argument.name}: ${sampleOf(argument.name, argument.type)}`), more];
  return `${name}${all.some(Boolean) ? `(${all.filter(Boolean).join(' ')})` : ''}`;
}
const selected = (field: Field, inner = '__typename', more = ''): string =>
  `${callOf(field, more)}${isCompositeType(getNamedType(field.type)) ? ` { ${inner} }` : ''}`;

interface Told {
  path?: (string | number)[] | null;
  message: string;
  extensions: { code: string };
}
async function errorsOf(operation: string, scopes: string[]): Promise<Told[]> {
  const { json } = await graph.ask(operation, {}, graph.token(scopes, { sub: userGuid }));
  expect([
    operation,
    (json.errors ?? []).filter(({ extensions }: Told) => /^(INTERNAL|GRAPHQL_)/.test(extensions.code)),
  ]).toEqual([operation, []]);
  return json.errors ?? [];
}
const forbidden = (errors: Told[]): Told[] => errors.filter(({ extensions }) => extensions.code === 'FORBIDDEN');

describe.each(Object.entries(callers))('to a caller with %s', (_name, scopes) => {
  it.each([
    'query',
    'mutation',
  ] as const)('each %s is refused where its description says so, naming the same permission', async (kind) => {
    const root = (kind === 'query' ? schema.getQueryType() : schema.getMutationType())!;
    for (const field of Object.values(root.getFields())) {
      const said = saidOf(field);
      expect([field.name, said]).toEqual([field.name, expect.any(Array)]);
      // what is allowed is not done: nobody asks for this in a test of refusals
      if (kind === 'mutation' && !isRefused(said, scopes)) continue;
      const errors = forbidden(await errorsOf(`${kind} { ${selected(field)} }`, scopes));
      expect([field.name, errors.map(({ message }) => message)]).toEqual([
        field.name,
        isRefused(said, scopes) ? [expect.stringContaining(lackedBy(said![0]!, scopes)[0]!)] : [],
      ]);
    }
  });
});

/** Every way from a field downwards, once for each field of each type: what was refused, and where the schema says so. */
async function walk(scopes: string[], met: Set<string>, from = /./): Promise<void> {
  const seen = new Set<string>();
  const { permissions: lacked } = lackedOf(schema.getType('ChangedRecord') as GraphQLUnionType, scopes);
  // a record of a kind that they may not read
  const isOfKind = ({ message, path }: Told) =>
    path?.at(-1) === 'record' && lacked.some((permission) => message.includes(permission));
  const refusedOf = (errors: Told[]) => forbidden(errors).filter((error) => !isOfKind(error));
  const queue: { type: GraphQLObjectType; wrap(inner: string): string }[] = [];
  const enter = (type: unknown, wrap: (inner: string) => string) => {
    if (isUnionType(type))
      for (const of of type.getTypes().filter(({ name }) => !lackedOf(type, scopes).kinds.includes(name)))
        enter(of, (inner) => wrap(`... on ${of.name} { ${inner} }`));
    else if (isObjectType(type)) queue.push({ type, wrap });
  };
  const roots = Object.values(schema.getQueryType()!.getFields()).filter(
    (field) => from.test(field.name) && !isRefused(saidOf(field), scopes),
  );
  for (const field of roots) enter(getNamedType(field.type), (inner) => `{ ${selected(field, inner)} }`);
  if (scopes.includes('admin:write'))
    enter(
      schema.getType('ChangeSet'),
      (inner) =>
        `mutation { applyChanges(dryRun: true, changes: [{ createRole: { input: { roleId: "x", name: "x" } } }]) { ${inner} } }`,
    );
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { type, wrap } = next;
    // a type by its first ways: not each of them leads to a record
    const ways = [1, 2, 3].map((way) => `${type.name} ${way}`);
    const free = ways.find((way) => !seen.has(way));
    if (!free) continue;
    seen.add(free);
    const fields = Object.values(type.getFields());
    const refused = fields.filter((field) => isRefused(saidOf(field), scopes));
    const asked = (chosen: Field[]) =>
      errorsOf(wrap(`__typename ${chosen.map((field) => selected(field)).join(' ')}`), scopes);
    const allowed = fields.filter((field) => !refused.includes(field));
    const place = `${type.name} ${wrap('…')}`;
    expect([place, refusedOf(await asked(allowed))]).toEqual([place, []]);
    for (const field of refused) {
      const errors = refusedOf(await asked([field]));
      for (const { message } of errors)
        expect([place, message]).toEqual([place, expect.stringContaining(lackedBy(saidOf(field)![0]!, scopes)[0]!)]);
      if (errors.length > 0) met.add(`${type.name}.${field.name}`);
    }
    for (const field of allowed) enter(getNamedType(field.type), (inner) => wrap(selected(field, inner)));
  }
}

it('a nested field is refused where its description says so, and nowhere else', async () => {
  const met = new Set<string>();
  for (const scopes of Object.values(callers)) await walk(scopes, met);
  for (const [subjectType, subjectId] of [
    ['AccessScopeApplicationsMapper', '1'],
    ['AccessScope', given.accessScopeGuid!],
  ]) {
    Object.assign(given, { subjectType, subjectId });
    await walk(['admin:security'], met, /^history$/);
  }
  const said = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !/^(Query|Mutation|__.*)$/.test(name))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => saidOf(field))
        .map((field) => `${type.name}.${field.name}`),
    );
  expect([...met].sort()).toEqual(said.sort());
  expect(said).toContain('User.tokens');
  const union = schema.getType('ChangedRecord') as GraphQLUnionType;
  expect(lackedOf(union, []).kinds.sort()).toEqual(
    union
      .getTypes()
      .map(({ name }) => name)
      .sort(),
  );
});

it('a member of a filter or an ordering is refused where its description says so, and nowhere else', async () => {
  const met = new Set<string>();
  const said = new Set<string>();
  for (const field of Object.values(schema.getQueryType()!.getFields()))
    for (const argument of field.args.filter(({ name }) => name === 'filter' || name === 'orderBy')) {
      const input = getNamedType(argument.type);
      if (!isInputObjectType(input)) continue;
      for (const member of Object.values(input.getFields())) {
        const inner = getNamedType(member.type);
        const isRelation =
          isInputObjectType(inner) && /(?<!^(?:String|Int|ID|UUID|Boolean|DateTime))(Filter|OrderBy)$/.test(inner.name);
        if (!isRelation || ['and', 'or', 'not'].includes(member.name)) continue;
        const leaf = (record: string) => {
          const fields = (
            schema.getType(`${record}${argument.name === 'filter' ? 'Filter' : 'OrderBy'}`) as GraphQLObjectType
          ).getFields();
          const [name] = Object.entries(fields).find(([, { type }]) =>
            /^(String|Int|ID|UUID|DateTime)Filter$|^Direction$/.test(String(type)),
          )!;
          return argument.name === 'filter' ? `{ ${name}: { isNull: false } }` : `{ ${name}: ASC }`;
        };
        const record = inner.name.replace(/(ListFilter|Filter|OrderBy)$/, '');
        const value = inner.name.endsWith('ListFilter') ? `{ some: ${leaf(record)} }` : leaf(record);
        if (saidOf(member)) said.add(`${input.name}.${member.name}`);
        for (const scopes of Object.values(callers)) {
          if (isRefused(saidOf(field), scopes)) continue;
          const errors = forbidden(
            await errorsOf(
              `{ ${selected(field, 'totalCount', `${argument.name}: { ${member.name}: ${value} }`)} }`,
              scopes,
            ),
          );
          const place = `${input.name}.${member.name} ${scopes}`;
          expect([place, errors.length > 0]).toEqual([place, isRefused(saidOf(member), scopes)]);
          if (errors.length > 0) met.add(`${input.name}.${member.name}`);
        }
      }
    }
  expect([...met].sort()).toEqual([...said].sort());
  expect(met).toContain('TokenFilter.user');
});
