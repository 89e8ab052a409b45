/**
 * No escalation, whatever there is: every mutation of the schema and every list of an import, with arguments that point
 * at what grants administration, by a caller with `admin:write` alone. GATEHOUSE_SCHEDULES plays more, GATEHOUSE_SEED
 * the same again.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { openSchema } from '../../src/graphql/schema.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { importLists } from '../../src/modules/transfer/importLists.js';
import { heldScopes } from '../../src/services/access/held.js';
import { reservedTypeGuid } from '../../src/services/adminScopes/guard.js';
import { reservedScopeKeys } from '../../src/services/adminScopes/reservedNames.js';
import {
  letAdminister,
  linkProfile,
  newApplication,
  newClient,
  newHolder,
  newRole,
  newScope,
  newScopeType,
} from '../support/records.js';
import { factor, seed } from '../support/schedules.js';
import { callsOf, type MutationCall, mutationNames, type Pools } from './anyMutation.js';
import { startTestGraph, type TestGraph } from './graph.js';

const schema = openSchema();
const names = mutationNames(schema);
const system = '00000000-0000-0000-0000-000000000001';

let graph: TestGraph;
let guarded: Pools;
beforeAll(async () => {
  graph = await startTestGraph({ ADMIN_WRITE_SCOPES: 'portal:manage', ADMIN_READ_SCOPES: 'portal:7' });
  guarded = await makeGuarded();
});
afterAll(() => graph?.close());

const guidOfType = async (id: number): Promise<string> => {
  const statement = 'select access_scope_type_guid guid from access_scope_types where access_scope_type_id = $1';
  return (await graph.app.context.sql.rows<{ guid: string }>(statement, [id]))[0]!.guid;
};

/** Who administers by the reserved scopes, who by scopes of the settings, and what lets them. */
async function makeGuarded(): Promise<Pools> {
  const { context } = graph.app;
  const administrator = await newHolder(context, { idpname: 'names', idpid: 'root' });
  await letAdminister(context.sql, administrator.profileId);
  const manager = await newHolder(context, { idpname: 'names', idpid: 'manager' });
  const portal = await newScopeType(context, 'portal');
  const manage = await newScope(context, portal, manager.profileId, { access_scope_key: 'manage' });
  const numbered = await newScope(context, portal, manager.profileId, { concrete_id: 7 });
  return {
    userGuid: [administrator.userGuid, manager.userGuid],
    profileId: [administrator.profileId, manager.profileId],
    accessScopeTypeGuid: [reservedTypeGuid, await guidOfType(portal)],
    accessScopeGuid: [...reservedScopeKeys.keys(), manage.access_scope_guid, numbered.access_scope_guid],
  };
}

/** The last ones, among them those that made the administrators. */
const guidsOfChangeSets = async (): Promise<string[]> => {
  const statement = 'select change_set_guid guid from change_sets order by change_set_id desc limit 30';
  return (await graph.app.context.sql.rows<{ guid: string }>(statement)).map(({ guid }) => guid);
};

/** Of another person: a proposal that `admin:write` may approve, and one that it may not. */
async function proposeBoth(userGuid: string): Promise<string[]> {
  const propose =
    'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid } }';
  const roleId = await newRole(graph.app.context);
  const changes = [
    { createRole: { input: { roleId: `new-${randomUUID()}`, name: 'R' } } },
    { assignProfile: { userGuid, profileId: guarded.profileId![0], roleId } },
  ];
  const made = changes.map((change) => graph.data(propose, { changes: [change] }, graph.token(['admin:read'])));
  return (await Promise.all(made)).map(({ proposeChanges }) => proposeChanges.proposalGuid);
}

/** What `admin:write` may do anything with, beside what it may not: and the words that escalations are made of. */
async function makePools(name = ''): Promise<Pools> {
  const { context } = graph.app;
  const plain = await newHolder(context, { idpname: 'names', idpid: randomUUID() });
  await linkProfile(context, plain.userId, plain.profileId, 'second');
  const type = await newScopeType(context);
  const scopes = [
    await newScope(context, type, plain.profileId, { access_scope_key: 'manage' }),
    await newScope(context, type, undefined, { concrete_id: 7 }),
  ];
  const application = await newApplication(context);
  const { clientId } = await newClient(context);
  const words = ['admin', 'security', 'write', '*', 'portal', 'manage', '7', 'names', 'root', 'manager', 'mine'];
  return {
    userGuid: [...guarded.userGuid!, plain.userGuid, plain.userGuid],
    profileId: [...guarded.profileId!, plain.profileId, plain.profileId, `new-${randomUUID()}`],
    roleId: ['member', 'second', await newRole(context), `new-${randomUUID()}`],
    accessScopeTypeGuid: [...guarded.accessScopeTypeGuid!, await guidOfType(type)],
    accessScopeGuid: [...guarded.accessScopeGuid!, ...scopes.map(({ access_scope_guid }) => access_scope_guid)],
    applicationGuid: [application.application_guid],
    clientId: [clientId],
    changeSetGuid: await guidsOfChangeSets(),
    proposalGuid: await proposeBoth(plain.userGuid),
    ifRevision: [null],
    UUID: [randomUUID(), plain.userGuid, null],
    ID: ['1', '2'],
    String: words,
    Int: [7, 1, null],
    Boolean: [true, false],
    DateTime: ['2026-01-01T00:00:00Z', null],
    ...(governed.test(name) && (await makeGoverned(application.application_guid, plain.userGuid))),
    managedBy: ['f'],
    prune: [false],
    takeOver: [false],
    file: [
      { roles: [{ roleId: 'member', name: 'Member' }] },
      ...guarded.accessScopeGuid!.map((guid) => ({
        profiles: [{ profileId: plain.profileId, name: 'Mine', accessScopeGuids: [guid] }],
      })),
      { profiles: [{ profileId: guarded.profileId![0], name: 'Root', accessScopeGuids: [] }] },
      { userProfiles: [{ userGuid: plain.userGuid, profileId: guarded.profileId![0], roleId: 'member' }] },
      { accessScopeTypes: [{ accessScopeTypeGuid: await guidOfType(type), name: 'portal' }] },
      {
        accessScopes: [
          {
            accessScopeGuid: scopes[1]!.access_scope_guid,
            accessScopeKey: 'manage',
            name: 'x',
            accessScopeTypeGuid: guarded.accessScopeTypeGuid!.at(-1),
          },
        ],
      },
    ],
  };
}

/** A request for what only administrators open, and a review of who administers: each made by another person. */
async function makeGoverned(applicationGuid: string, userGuid: string): Promise<Pools> {
  const { sql } = graph.app.context;
  await sql.rows('update applications set is_requestable = true where application_guid = $1', [applicationGuid]);
  await sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, state, created_by)
     select application_id, access_scope_id, 'active', $3 from applications, access_scopes
     where application_guid = $1 and access_scope_guid = $2`,
    [applicationGuid, guarded.accessScopeGuid!.at(-1), system],
  );
  const request =
    'mutation ($guid: UUID!) { requestAccess(applicationGuid: $guid, reason: "x") { proposalGuid revision } }';
  const { requestAccess } = await graph.data(request, { guid: applicationGuid }, graph.token([], { sub: userGuid }));
  const choices = 'query ($guid: UUID!) { proposal(proposalGuid: $guid) { remedies { remedyId } } }';
  const { proposal } = await graph.data(choices, { guid: requestAccess.proposalGuid });
  const start = `mutation { startReview(name: "r", filter: { kinds: [USER_PROFILE] }, dueAt: "2099-01-01T00:00:00Z", undecided: KEEP) {
    reviewGuid items(first: 5) { nodes { itemGuid } } } }`;
  const { startReview } = await graph.data(start);
  return {
    proposalGuid: [requestAccess.proposalGuid],
    remedyId: proposal.remedies.map(({ remedyId }: { remedyId: string }) => remedyId),
    reviewGuid: [startReview.reviewGuid],
    itemGuid: startReview.items.nodes.map(({ itemGuid }: { itemGuid: string }) => itemGuid),
    until: ['2099-01-01T00:00:00Z', null],
  };
}

/** All that decides who administers, and all that only `admin:security` may touch. */
async function readGuarded(): Promise<object> {
  const { sql } = graph.app.context;
  const administers = `scope like 'admin:%' or scope in ('portal:manage', 'portal:7')`;
  return {
    holders: await sql.rows(
      `select u.user_guid, u.idpname, u.idpid, u.is_blocked, link.profile_id, link.role_id, scope
       from user_profiles link join users u using (user_id), unnest(${heldScopes('link.profile_id')}) scope
       where ${administers} order by link.user_profile_id, scope`,
    ),
    profiles: await sql.rows(
      `select profile_id, scope from profiles p, unnest(${heldScopes('p.profile_id')}) scope
       where ${administers} order by profile_id, scope`,
    ),
    types: await sql.rows(
      'select t::text from access_scope_types t where access_scope_type_guid = any($1) order by 1',
      [guarded.accessScopeTypeGuid],
    ),
    scopes: await sql.rows(
      `select s::text from access_scopes s join access_scope_types t using (access_scope_type_id)
       where t.name = 'admin' or access_scope_guid = any($1) or
         t.name = 'portal' and not is_wildcard and (access_scope_key = 'manage' or access_scope_key is null and concrete_id = 7) order by 1`,
      [guarded.accessScopeGuid],
    ),
    clients: await sql.rows('select c::text from clients c order by 1'),
    keys: await sql.rows('select k::text from signing_keys k order by 1'),
    tokens: await sql.rows('select t::text from tokens t order by 1'),
  };
}

const governed = /Access$|Remedy$|Review(Items)?$/;

/** The hash of the plan of a file, without which none is applied. */
async function planned(file: unknown, token: string): Promise<string> {
  const query = 'mutation($file: JSON!) { planCatalogue(file: $file, managedBy: "f") { hash } }';
  const { json } = await graph.ask(query, { file }, token);
  return json.data?.planCatalogue?.hash ?? '0'.repeat(64);
}

async function play(calls: readonly MutationCall[], token: string): Promise<Record<'done' | 'forbidden', string[]>> {
  const outcomes = { done: [] as string[], forbidden: [] as string[] };
  for (const { name, document, variables } of calls) {
    if (name === 'applyCatalogue') variables.hash = await planned(variables.file, token);
    const { json } = await graph.ask(document, variables, token);
    const code = json.errors?.[0].extensions.code;
    expect([document, variables, code]).not.toContain('INTERNAL');
    if (code === undefined) outcomes.done.push(name);
    if (code === 'FORBIDDEN') outcomes.forbidden.push(name);
  }
  return outcomes;
}

const newPerson = async (): Promise<string> =>
  (await newHolder(graph.app.context, { idpname: 'names', idpid: randomUUID() })).userGuid;
const writer = (): string => graph.token(['admin:write']);

it.each(names)('%s raises nobody', async (name) => {
  const pools = await makePools(name);
  const before = await readGuarded();
  // a request is a known person's
  const token = name === 'requestAccess' ? graph.token(['admin:write'], { sub: await newPerson() }) : writer();
  const { done, forbidden } = await play(fc.sample(callsOf(schema, name, pools), { numRuns: 40, seed: 1 }), token);
  // the arguments reach further than to a refusal of their form
  expect([...done, ...forbidden]).toContain(name);
  expect(await readGuarded()).toEqual(before);
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
  ['the provider of an administrator', 'updateUser(userGuid: $adminUser, input: {idpname: "mine"}) { userGuid }'],
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
])('a mutation of the list that would grant administration is refused: %s', async (_what, mutation) => {
  const plain = await newHolder(graph.app.context);
  const scopes = guarded.accessScopeGuid as string[];
  const variables: Record<string, string> = {
    adminType: reservedTypeGuid,
    adminRead: scopes[0]!,
    portalScope: scopes[reservedScopeKeys.size]!,
    portalType: guarded.accessScopeTypeGuid![1] as string,
    plainProfile: plain.profileId,
    adminProfile: guarded.profileId![0] as string,
    plainUser: plain.userGuid,
    adminUser: guarded.userGuid![0] as string,
  };
  const used = Object.keys(variables).filter((name) => new RegExp(`\\$${name}\\b`).test(mutation));
  const types = used.map((name) => `$${name}: ${name.endsWith('Profile') ? 'ID!' : 'UUID!'}`).join(' ');
  const { json } = await graph.ask(`mutation ${types && `(${types})`} { ${mutation} }`, variables, writer());
  expect(json.errors?.[0].extensions.code).toBe('FORBIDDEN');
});

it.each([
  ['blocked an administrator', 'deactivateUser(userGuid: $user) { isBlocked }'],
  ['took its profile from one', 'unassignProfile(userGuid: $user, profileId: $profile, roleId: "member")'],
  [
    'took a key that a setting names from its scope',
    'updateAccessScope(accessScopeGuid: $scope, input: {accessScopeKey: "elsewhere"}) { name }',
  ],
  [
    'gave such a key to another',
    'updateAccessScope(accessScopeGuid: $plainScope, input: {accessScopeKey: "manage"}) { name }',
  ],
  ['renamed its type', 'updateAccessScopeType(accessScopeTypeGuid: $type, input: {name: "elsewhere"}) { name }'],
])('a change set that %s is undone with admin:security alone', async (_what, mutation) => {
  const { sql } = graph.app.context;
  const variables = {
    user: guarded.userGuid![1],
    profile: guarded.profileId![1],
    scope: guarded.accessScopeGuid![reservedScopeKeys.size],
    type: guarded.accessScopeTypeGuid![1],
    plainScope: randomUUID(),
  };
  const before = await readGuarded();
  await graph.data(
    'mutation ($type: UUID!, $scope: UUID!) { createAccessScope(input: {accessScopeGuid: $scope, accessScopeTypeGuid: $type, name: "x", accessScopeKey: "plain"}) { name } }',
    { type: variables.type, scope: variables.plainScope },
  );
  const used = Object.entries(variables).filter(([name]) => new RegExp(`\\$${name}\\b`).test(mutation));
  const types = used.map(([name]) => `$${name}: ${name === 'profile' ? 'ID!' : 'UUID!'}`).join(' ');
  await graph.data(`mutation (${types}) { ${mutation} }`, Object.fromEntries(used));
  const [set] = await sql.rows<{ guid: string }>(
    'select change_set_guid as guid from change_sets order by change_set_id desc limit 1',
  );
  const undo = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { isDryRun } }';
  const { json } = await graph.ask(undo, { guid: set!.guid }, writer());
  expect(json.errors?.[0].extensions.code).toBe('FORBIDDEN');
  await graph.data(undo, { guid: set!.guid });
  expect(await readGuarded()).toEqual({ ...before, scopes: expect.anything(), types: expect.anything() });
});

it('changes that grant no administration need no admin:security', async () => {
  const plain = await newHolder(graph.app.context);
  const { json } = await graph.ask(
    'mutation ($guid: UUID!, $other: UUID!) { updateUser(userGuid: $guid, input: {firstName: "B"}) { firstName } deactivateUser(userGuid: $other) { isBlocked } }',
    { guid: guarded.userGuid![0], other: plain.userGuid },
    writer(),
  );
  expect(json.errors).toBeUndefined();
});

it('admin:* and imitations of the type admin are refused to everybody', async () => {
  for (const [document, field] of [
    [
      `mutation { createAccessScope(input: {accessScopeTypeGuid: "${reservedTypeGuid}", name: "x", isWildcard: true}) { name } }`,
      'input.isWildcard',
    ],
    [
      `mutation { createAccessScope(input: {accessScopeTypeGuid: "${reservedTypeGuid}", name: "x", accessScopeKey: "*"}) { name } }`,
      'input.accessScopeKey',
    ],
    ['mutation { createAccessScopeType(input: {name: "admin"}) { name } }', 'input.name'],
    ['mutation { createAccessScopeType(input: {name: "a:b"}) { name } }', 'input.name'],
    ['mutation { createAccessScopeType(input: {name: "a b"}) { name } }', 'input.name'],
    [
      `mutation { updateAccessScopeType(accessScopeTypeGuid: "${reservedTypeGuid}", input: {name: "root"}) { name } }`,
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

/** Thirty of any mutations, one after the other; whether they left everything as it was. */
async function raisesNobody(seed: number, token: string): Promise<boolean> {
  const pools = await makePools();
  const before = await readGuarded();
  const anyCall = fc.constantFrom(...names).chain((name) => callsOf(schema, name, pools));
  await play(fc.sample(anyCall, { numRuns: 30, seed }), token);
  return JSON.stringify(await readGuarded()) === JSON.stringify(before);
}

it('several mutations, one after the other, raise nobody', async () => {
  const property = fc.asyncProperty(fc.integer(), (each) => raisesNobody(each, writer()));
  await fc.assert(property, { numRuns: 10 * factor, endOnFailure: true, seed });
});

it('one of two simultaneous changes that together would grant an administration scope is refused', async () => {
  const { sql } = graph.app.context;
  const portal = guarded.accessScopeTypeGuid![1];
  const { profileId } = await newHolder(graph.app.context);
  const document =
    'mutation ($guid: UUID!, $input: UpdateAccessScopeInput!) { updateAccessScope(accessScopeGuid: $guid, input: $input) { revision } }';
  for (let round = 0; round < 20; round++) {
    const scope = await newScope(graph.app.context, await newScopeType(graph.app.context), profileId, {
      access_scope_key: 'harmless',
    });
    const inputs = [{ accessScopeKey: 'manage' }, { accessScopeTypeGuid: portal }];
    const answers = await Promise.all(
      inputs.map((input) => graph.ask(document, { guid: scope.access_scope_guid, input }, writer())),
    );
    const codes = answers.map(({ json }) => json.errors?.[0].extensions.code);
    expect(codes.filter((code) => code === undefined).length).toBe(1);
    expect(['CONFLICT', 'FORBIDDEN']).toContain(codes.find((code) => code !== undefined));
  }
  const [held] = await sql.rows<{ scopes: string[] }>(`select ${heldScopes('$1')} as scopes`, [profileId]);
  expect(held!.scopes).not.toContain('portal:manage');
});

it.each(importLists.map(({ name }) => name))('an import of %s is refused before a row is read', async (name) => {
  const { context } = graph.app;
  for (const permissions of [['admin:read', 'admin:write'], ['admin:read'], []] as const) {
    const caller = { kind: 'system' as const, sub: system, permissions: new Set(permissions) };
    for (const rows of [[], [{}], 'no list'])
      await expect(importFile({ ...context, caller }, { [name]: rows })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  await expect(importFile(context, { [name]: [] })).resolves.toMatchObject({ created: 0 });
});

it('the same mutations change who administers when admin:security asks for them', async () => {
  const token = graph.token(['admin:write', 'admin:security']);
  const property = fc.asyncProperty(fc.integer(), (each) => raisesNobody(each, token));
  expect((await fc.check(property, { numRuns: 30, endOnFailure: true, seed: 1 })).failed).toBe(true);
});
