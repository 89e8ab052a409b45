/**
 * What decides who administers changes only with `admin:security`, whichever door a change comes by. The guarded fields and
 * records are those that the entities declare, and the doors are named by the files that open a change.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Context } from '../../src/context.js';
import { allRecords } from '../../src/entities/all.js';
import { describe as describeRecord } from '../../src/entities/description.js';
import { columnName } from '../../src/entities/fieldTypes.js';
import { applyChanges } from '../../src/modules/changes/applyChanges.js';
import { planChanges } from '../../src/modules/changes/planChanges.js';
import { reservedTypeGuid } from '../../src/services/adminScopes/guard.js';
import { reservedScopeKeys } from '../../src/services/adminScopes/reservedNames.js';
import { execute } from '../../src/services/execute.js';
import { change } from '../../src/services/records/change.js';
import { newConnector } from '../support/connectors.js';
import { letAdminister, linkProfile, newHolder, newProfile, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let approving: TestGraph;
beforeAll(async () => {
  [graph, approving] = await Promise.all([startTestGraph(), startTestGraph({ APPROVALS: 'security' })]);
});
afterAll(() => Promise.all([graph?.close(), approving?.close()]));

/** A person who administers by a profile, beside a profile that is no administrator's. */
interface World {
  userGuid: string;
  userId: number;
  profileId: string;
  plainProfileId: string;
}
async function makeWorld({ app: { context } }: TestGraph, idpname = 'names'): Promise<World> {
  const user = await newUser(context, { idpname, idpid: randomUUID() });
  const profileId = await newProfile(context);
  await letAdminister(context.sql, profileId);
  await linkProfile(context, user.user_id, profileId, 'member');
  return { userGuid: user.user_guid, userId: user.user_id, profileId, plainProfileId: await newProfile(context) };
}

/** A value that each guarded field gets, by `Record.field`. */
const values: Record<string, (world: World) => unknown> = {
  'Profile.externalGroup': () => `group ${randomUUID()}`,
  'Profile.externalGroupAdministers': () => true,
  'Profile.ownerProfileId': ({ plainProfileId }) => plainProfileId,
  'User.idpname': () => 'mine',
  'User.idpid': () => randomUUID(),
  'User.isBlocked': () => true,
};
const guardedNames = allRecords.flatMap((record) =>
  describeRecord(record).fields.flatMap(({ name, guard }) => (guard ? `${record.name}.${name}` : [])),
);
const inputOf = (name: string, world: World): Record<string, unknown> => ({
  [name.split('.')[1]!]: values[name]!(world),
});

it('each guarded field is tried', () => {
  expect(Object.keys(values).sort()).toEqual(guardedNames.toSorted());
});

const codeOf = async (on: TestGraph, query: string, variables: object, token: string): Promise<unknown> =>
  (await on.ask(query, variables, token)).json.errors?.[0]?.extensions.code;
const memberOf = (name: string, { userGuid, profileId }: World, input: object): object =>
  name.startsWith('User.') ? { updateUser: { userGuid, input } } : { updateProfile: { profileId, input } };
/** As a command does. */
const command = async ({ app: { context } }: TestGraph, change: object): Promise<string> =>
  String((await applyChanges(context, planChanges([change]), {})).row.changeSetGuid);

/** Makes a request that gives a field its value, and returns the code of its error. */
type Request = (token: string) => Promise<unknown>;
interface Door {
  /** Whether the field can be changed by it. */
  has?: (name: string) => boolean;
  /** Whether it is the way to a second person. */
  isApproval?: true;
  open(on: TestGraph, name: string, world: World): Promise<Request>;
}
const doors: Record<string, Door> = {
  mutation: {
    open: async (on, name, world) => (token) => {
      const ofUser = name.startsWith('User.');
      const query = ofUser
        ? 'mutation ($key: UUID!, $input: UpdateUserInput!) { updateUser(userGuid: $key, input: $input) { revision } }'
        : 'mutation ($key: ID!, $input: UpdateProfileInput!) { updateProfile(profileId: $key, input: $input) { revision } }';
      const key = ofUser ? world.userGuid : world.profileId;
      return codeOf(on, query, { key, input: inputOf(name, world) }, token);
    },
  },
  'change set': {
    open: async (on, name, world) => (token) => {
      const query = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
      return codeOf(on, query, { changes: [memberOf(name, world, inputOf(name, world))] }, token);
    },
  },
  proposal: {
    isApproval: true,
    async open(on, name, world) {
      const propose =
        'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid revision } }';
      const changes = [memberOf(name, world, inputOf(name, world))];
      const { proposalGuid, revision } = (await on.data(propose, { changes }, on.token(['admin:read']))).proposeChanges;
      const approve =
        'mutation ($guid: UUID!, $revision: Int!) { approveProposal(proposalGuid: $guid, ifRevision: $revision) { state } }';
      return (token) => codeOf(on, approve, { guid: proposalGuid, revision }, token);
    },
  },
  file: {
    // a catalogue file has no people
    has: (name) => !name.startsWith('User.'),
    async open(on, name, world) {
      const file = { profiles: [{ profileId: world.profileId, ...inputOf(name, world) }] };
      const plan = 'mutation ($file: JSON!) { planCatalogue(file: $file) { hash summary { updated } } }';
      const { planCatalogue } = await on.data(plan, { file }, on.token(['admin:read']));
      expect(planCatalogue.summary.updated).toBe(1);
      const query = 'mutation ($file: JSON!, $hash: String!) { applyCatalogue(file: $file, hash: $hash) { hash } }';
      return (token) => codeOf(on, query, { file, hash: planCatalogue.hash }, token);
    },
  },
  undo: {
    // personal data have no history
    has: (name) => !name.startsWith('User.') || name === 'User.isBlocked',
    async open(on, name, world) {
      const input = inputOf(name, world);
      await command(on, memberOf(name, world, input));
      const [[field, value]] = Object.entries(input) as [[string, unknown]];
      const back = { [field]: typeof value === 'boolean' ? !value : null };
      const guid = await command(on, memberOf(name, world, back));
      const query = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }';
      return (token) => codeOf(on, query, { guid }, token);
    },
  },
  // whichever door is added: every change passes this function
  'any statement in a change': {
    open: async (on, name, world) => (token) => {
      const [[field, value]] = Object.entries(inputOf(name, world)) as [[string, unknown]];
      const { table } = describeRecord(allRecords.find((record) => record.name === name.split('.')[0])!);
      const statement = `update ${table} set ${columnName(field)} = $2 where ${table === 'users' ? 'user_id' : 'profile_id'} = $1`;
      const key = table === 'users' ? world.userId : world.profileId;
      return changed(on, token, [statement, [key, value]]);
    },
  },
};

type Statement = [text: string, values: unknown[]];
/** Runs statements in a change of a caller with the scopes of the token. */
async function changed({ app: { context } }: TestGraph, token: string, ...statements: Statement[]): Promise<unknown> {
  const { scopes, sub } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  const caller: Context['caller'] = { kind: 'system', sub, permissions: new Set(scopes) };
  return change({ ...context, caller, face: 'graphql' }, 'admin:write', async (em) => {
    for (const [text, bound] of statements) await execute(em, text, bound);
  }).then(
    () => undefined,
    ({ code }) => code,
  );
}

const writerOf = (on: TestGraph): string => on.token(['admin:read', 'admin:write']);
const stateOf = ({ app: { context } }: TestGraph, { profileId, userGuid }: World): Promise<object[]> =>
  context.sql.rows(
    `select external_group, external_group_administers, owner_profile_id, idpname, idpid, is_blocked from profiles, users
     where profile_id = $1 and user_guid = $2`,
    [profileId, userGuid],
  );
const ways = Object.entries(doors).flatMap(([door, { has = () => true }]) =>
  guardedNames.filter(has).map((name): [string, string] => [name, door]),
);

it.each(ways)('%s of an administrator changes by %s only with admin:security', async (name, door) => {
  const world = await makeWorld(graph);
  const request = await doors[door]!.open(graph, name, world);
  const before = await stateOf(graph, world);
  expect(await request(writerOf(graph))).toBe('FORBIDDEN');
  expect(await stateOf(graph, world)).toEqual(before);
  expect(await request(graph.token())).toBeUndefined();
  expect(await stateOf(graph, world)).not.toEqual(before);
});

const direct = ways.filter(([, door]) => !doors[door]!.isApproval);
it.each(
  direct,
)('%s of an administrator changes by %s only with a second person if APPROVALS says so', async (name, door) => {
  const world = await makeWorld(approving);
  const request = await doors[door]!.open(approving, name, world);
  const before = await stateOf(approving, world);
  expect(await request(approving.token())).toBe('APPROVAL_REQUIRED');
  expect(await stateOf(approving, world)).toEqual(before);
});

describe('guarded records', () => {
  const link = 'insert into user_profiles (user_id, profile_id, role_id) select $1, $2, role_id from roles limit 1';
  const someType = 'access_scope_type_id = (select min(access_scope_type_id) from access_scope_types where name <> $1)';
  /** Statements that create, change or remove what administers, by record. */
  const attempts: Record<string, (world: World) => Statement[]> = {
    UserProfile: ({ userId, profileId }) => [
      ['delete from user_profiles where user_id = $1', [userId]],
      ["update user_profiles set valid_until = now() + interval '1 day' where profile_id = $1", [profileId]],
      [link.replace('select $1', 'select (select max(user_id) from users where user_id <> $1)'), [userId, profileId]],
    ],
    ProfileAccessScope: ({ profileId, plainProfileId }) => [
      ['delete from profile_access_scopes where profile_id = $1', [profileId]],
      ["update profile_access_scopes set valid_until = now() + interval '1 day' where profile_id = $1", [profileId]],
      ['update profile_access_scopes set profile_id = $2 where profile_id = $1', [profileId, plainProfileId]],
      ['delete from profiles where profile_id = $1', [profileId]],
    ],
    AccessScope: () => [
      ["update access_scopes set name = 'x' where access_scope_guid = $1", [[...reservedScopeKeys.keys()][0]]],
      [
        `update access_scopes set ${someType} where access_scope_guid = $2`,
        ['admin', [...reservedScopeKeys.keys()][0]],
      ],
      [
        `insert into access_scopes (name, access_scope_type_id, access_scope_key)
         select 'x', access_scope_type_id, 'read' from access_scope_types where access_scope_type_guid = $1`,
        [reservedTypeGuid],
      ],
    ],
    AccessScopeType: () => [
      ['update access_scope_types set is_active = false where access_scope_type_guid = $1', [reservedTypeGuid]],
    ],
  };

  it('each is tried', () => {
    const guarded = allRecords.filter((record) => describeRecord(record).isGuarded).map(({ name }) => name);
    expect(Object.keys(attempts).sort()).toEqual(guarded.toSorted());
  });

  it.each(
    Object.keys(attempts),
  )('a %s that administers stays in every change without admin:security', async (record) => {
    const { context } = graph.app;
    await context.sql.rows('insert into access_scope_types (name) values ($1)', [`plain ${randomUUID()}`]);
    for (const statement of attempts[record]!(await makeWorld(graph)))
      expect([statement, await changed(graph, writerOf(graph), statement)]).toEqual([statement, 'FORBIDDEN']);
  });

  it('what only lets a profile administer later is guarded before it does', async () => {
    const profileId = randomUUID();
    const input = { profileId, name: 'Waits', externalGroup: profileId, externalGroupAdministers: true };
    const create = 'mutation ($input: CreateProfileInput!) { createProfile(input: $input) { profileId } }';
    expect(await codeOf(graph, create, { input }, writerOf(graph))).toBe('FORBIDDEN');
    const plan = 'mutation ($file: JSON!) { planCatalogue(file: $file) { hash } }';
    const file = { profiles: [input] };
    const { hash } = (await graph.data(plan, { file })).planCatalogue;
    const applied = 'mutation ($file: JSON!, $hash: String!) { applyCatalogue(file: $file, hash: $hash) { hash } }';
    expect(await codeOf(graph, applied, { file, hash }, writerOf(graph))).toBe('FORBIDDEN');
    expect(await graph.app.context.sql.rows('select from profiles where profile_id = $1', [profileId])).toEqual([]);
    expect(await codeOf(graph, create, { input }, graph.token())).toBeUndefined();
    const update = `mutation { updateProfile(profileId: "${profileId}", input: { externalGroup: "mine" }) { revision } }`;
    expect(await codeOf(graph, update, {}, writerOf(graph))).toBe('FORBIDDEN');
  });

  it('other profiles and people change with admin:write', async () => {
    const { context } = graph.app;
    const plain = ways.filter(([name]) => name !== 'Profile.externalGroupAdministers');
    for (const [name, door] of plain) {
      const { userGuid, userId, profileId } = await newHolder(context, { idpname: 'names', idpid: randomUUID() });
      const other = { userGuid, userId, profileId, plainProfileId: await newProfile(context) };
      const request = await doors[door]!.open(graph, name, other);
      expect([name, door, await request(writerOf(graph))]).toEqual([name, door, undefined]);
    }
  });
});

it('a connector gives an administrator no other identity, whatever it sends', async () => {
  const { context, url } = graph.app;
  const { scim, idpname } = await newConnector(context, url, `okta-${randomUUID().slice(0, 8)}`);
  const { userGuid } = await makeWorld(graph, idpname);
  const body = { userName: randomUUID(), externalId: 'mallory', active: true };
  for (const [method, sent] of [
    ['PUT', body],
    ['PATCH', { Operations: [{ op: 'replace', path: 'externalId', value: 'mallory' }] }],
    ['PATCH', { Operations: [{ op: 'replace', value: { externalId: 'mallory', active: false } }] }],
  ] as const)
    expect((await scim(method, `/Users/${userGuid}`, sent)).status).toBe(403);
  expect((await scim('DELETE', `/Users/${userGuid}`)).status).toBe(204);
});

it('the user whose tokens commands issue is made, blocked and identified only with admin:security', async () => {
  const { context } = graph.app;
  const userGuid = context.config.systemUserGuid;
  const create = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { userGuid } }';
  const update =
    'mutation ($userGuid: UUID!, $input: UpdateUserInput!) { updateUser(userGuid: $userGuid, input: $input) { userGuid } }';
  const [writer, keeper] = [graph.token(['admin:read', 'admin:write']), graph.token()];
  const input = { userGuid, isBlocked: true };
  expect(await codeOf(graph, create, { input }, writer)).toBe('FORBIDDEN');
  expect(await codeOf(graph, create, { input: { userGuid } }, keeper)).toBeUndefined();
  for (const input of [{ isBlocked: true }, { idpname: 'names', idpid: 'mallory' }])
    expect(await codeOf(graph, update, { userGuid, input }, writer)).toBe('FORBIDDEN');
  expect(await codeOf(graph, update, { userGuid, input: { firstName: 'Service' } }, writer)).toBeUndefined();
  await context.sql.rows('delete from users where user_guid = $1', [userGuid]);
});

/** The doors: files that open a change, and what is tried there. A file that is added is named here, or fails. */
const openings: Record<string, string> = {
  'modules/events/streams.ts': 'always requires admin:security',
  'modules/scim/connectors.ts': 'always requires admin:security',
  'modules/scim/groups.ts': 'test/modules/scim/groups.test.ts',
  'modules/scim/users.ts': 'a connector gives an administrator no other identity',
  'services/catalogue/accessScopes.ts': 'mutation, change set',
  'services/catalogue/applications.ts': 'no guarded field',
  'services/catalogue/mappingCells.ts': 'no guarded field',
  'services/catalogue/mappings.ts': 'no guarded field',
  'services/catalogue/translations.ts': 'no guarded field',
  'modules/changes/applyChanges.ts': 'change set, proposal, undo',
  'modules/console/sessions.ts': 'only ends sessions',
  'modules/catalogueFile/applyFile.ts': 'file',
  'services/people/clients.ts': 'always requires admin:security',
  'modules/governance/endedGrants.ts': 'only removes grants that are over',
  'services/people/profiles.ts': 'mutation, change set',
  'services/people/users.ts': 'mutation, change set',
  'modules/governance/reviews/finishReview.ts': 'always requires admin:security',
  'services/tokens/revokeSessions.ts': 'only ends sessions',
  'modules/transfer/csvUsers.ts': 'a command of an operator, who has the database',
  'modules/transfer/importFile.ts': 'a command of an operator, who has the database',
};
it('each file that opens a change is a door that is tried', () => {
  const folder = new URL('../../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true }).filter((path) =>
    /^(services|modules).*\.ts$/.test(String(path)),
  ) as string[];
  const opens = /import \{[^}]*\b(change|changeBy|changeOrTry|remove)\b[^}]*\} from '[^']*\/(change|changeOrTry)\.js'/;
  const found = files.filter(
    (path) => !path.startsWith('services/records/') && opens.test(readFileSync(new URL(path, folder), 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(openings).sort());
});
