/** What takes somebody's access away ends the sessions that stand on it, in the same transaction; nobody else's. */

import { importFile } from '../../src/modules/transfer/importFile.js';
import { reservedScopeKeys } from '../../src/services/adminScopes/reservedNames.js';
import { linkProfile, newClient, newHolder, newProfile, newScope, newScopeType, newUser } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { untilBlocked } from '../support/until.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let client: Awaited<ReturnType<typeof newClient>>;
beforeAll(async () => {
  graph = await startTestGraph();
  client = await newClient(graph.app.context);
});
afterAll(() => graph?.close());

const credentials = () => ({ client_id: client.clientId, client_secret: client.clientSecret });
async function signIn(userGuid: string, profileId: string): Promise<string> {
  const { status, json } = await graph.app.post('/token', {
    ...exchangeBody(graph.app.idToken({ sub: userGuid })),
    profileId,
    ...credentials(),
  });
  expect(status).toBe(200);
  return json.refresh_token;
}
const renewing = async (refresh_token: string, profileId: string): Promise<number> =>
  (await graph.app.post('/token', { ...renewalBody(refresh_token), profileId, ...credentials() })).status;
const sessionsOf = async (userGuid: string) =>
  (
    await graph.data(
      `query ($user: UUID!) { tokens(filter: { userId: { eq: $user } }, orderBy: [{ id: ASC }]) { nodes { profileId isRevoked revokedAt revokedByIp } } }`,
      { user: userGuid },
    )
  ).tokens.nodes as { profileId: string; isRevoked: boolean; revokedAt: string | null; revokedByIp: string | null }[];
const revoked = async (userGuid: string) => (await sessionsOf(userGuid)).map(({ isRevoked }) => isRevoked);

/** Somebody with two profiles and a session for each, and a stranger with the same profile. */
async function people() {
  const { context } = graph.app;
  const { userGuid, userId, profileId } = await newHolder(context);
  const other = await newProfile(context);
  await linkProfile(context, userId, other, 'member');
  const stranger = await newUser(context);
  await linkProfile(context, stranger.user_id, profileId, 'member');
  const token = await signIn(userGuid, profileId);
  await signIn(userGuid, other);
  await signIn(stranger.user_guid, profileId);
  return { userGuid, userId, profileId, other, stranger: stranger.user_guid, token };
}

it.each<[string, (userGuid: string) => Promise<unknown>]>([
  [
    'a mutation',
    (guid) => graph.data('mutation ($guid: UUID!) { deactivateUser(userGuid: $guid) { isBlocked } }', { guid }),
  ],
  ['an import', (userGuid) => importFile(graph.app.context, { users: [{ userGuid, isBlocked: true }] })],
])('blocking by %s ends every session of the user, and unblocking brings none back', async (_way, block) => {
  const { userGuid, profileId, stranger, token } = await people();
  await block(userGuid);
  expect(await revoked(userGuid)).toEqual([true, true]);
  expect(await revoked(stranger)).toEqual([false]);
  await graph.app.context.sql.rows('update users set is_blocked = false where user_guid = $1', [userGuid]);
  expect(await renewing(token, profileId)).toBe(401);
});

const unassign =
  'mutation ($guid: UUID!, $profile: ID!, $role: ID!) { unassignProfile(userGuid: $guid, profileId: $profile, roleId: $role) }';

it('unassigning ends the sessions for that profile when it is held in no other role, with who did it and when', async () => {
  const { userGuid, userId, profileId, stranger, token } = await people();
  await linkProfile(graph.app.context, userId, profileId, 'second');
  await graph.data(unassign, { guid: userGuid, profile: profileId, role: 'member' });
  expect(await revoked(userGuid)).toEqual([false, false]);
  await graph.data(unassign, { guid: userGuid, profile: profileId, role: 'second' });
  expect(await sessionsOf(userGuid)).toEqual([
    { profileId, isRevoked: true, revokedAt: expect.any(String), revokedByIp: '127.0.0.1' },
    expect.objectContaining({ isRevoked: false }),
  ]);
  expect(await revoked(stranger)).toEqual([false]);
  await linkProfile(graph.app.context, userId, profileId, 'member');
  expect(await renewing(token, profileId)).toBe(401);
});

it('removing a profile ends the sessions of all who hold it, told in one audit event', async () => {
  const { userGuid, profileId, stranger } = await people();
  await graph.data('mutation ($id: ID!) { deleteProfile(profileId: $id) }', { id: profileId });
  expect(await revoked(userGuid)).toEqual([true, false]);
  expect(await revoked(stranger)).toEqual([true]);
  const { auditEvents } = await graph.data(
    'query ($id: String!) { auditEvents(filter: { subjectType: { eq: "Token" }, subjectId: { eq: $id } }) { nodes { action detail } } }',
    { id: `profileId ${profileId}` },
  );
  expect(auditEvents.nodes).toEqual([{ action: 'revoke', detail: { count: 2 } }]);
});

it('a change that fails ends no session', async () => {
  const { userGuid } = await people();
  const update =
    'mutation ($guid: UUID!) { updateUser(userGuid: $guid, input: {isBlocked: true}, ifRevision: 99) { isBlocked } }';
  expect((await graph.ask(update, { guid: userGuid })).json.errors[0].extensions.code).toBe('CONFLICT');
  expect(await revoked(userGuid)).toEqual([false, false]);
});

describe('who grants scopes to a profile can say: to those whom I have seen hold it', () => {
  const set =
    'mutation ($id: ID!, $guids: [UUID!]!, $revision: Int) { setProfileAccessScopes(profileId: $id, accessScopeGuids: $guids, ifRevision: $revision) { revision } }';
  const assign =
    'mutation ($guid: UUID!, $profile: ID!) { assignProfile(userGuid: $guid, profileId: $profile, roleId: "member") { userProfileId } }';
  const revisionOf = async (id: string): Promise<number> =>
    (await graph.data('query ($id: ID!) { profile(profileId: $id) { revision } }', { id })).profile.revision;
  const codeOf = async (query: string, variables: object, token?: string): Promise<string | undefined> =>
    (await graph.ask(query, variables, token)).json.errors?.[0].extensions.code;

  it.each<[string, (profile: string, user: { user_guid: string; user_id: number }) => Promise<unknown>]>([
    ['assigning', (profile, { user_guid: guid }) => graph.data(assign, { guid, profile })],
    [
      'unassigning',
      async (profile, { user_guid: guid, user_id }) => {
        await linkProfile(graph.app.context, user_id, profile, 'member');
        return graph.data(unassign, { guid, profile, role: 'member' });
      },
    ],
    [
      'an import of links',
      (profileId, { user_guid: userGuid }) =>
        importFile(graph.app.context, { userProfiles: [{ userGuid, profileId, roleId: 'member' }] }),
    ],
    [
      'another grant',
      async (id) => {
        const scope = await newScope(graph.app.context, await newScopeType(graph.app.context), undefined, {});
        return graph.data(set, { id, guids: [scope.access_scope_guid] });
      },
    ],
    [
      'an import of its scopes',
      async (profileId) => {
        const scope = await newScope(graph.app.context, await newScopeType(graph.app.context), undefined, {});
        const profiles = [{ profileId, accessScopeGuids: [scope.access_scope_guid] }];
        return importFile(graph.app.context, { profiles });
      },
    ],
  ])('%s in between is a conflict', async (_what, change) => {
    const { profileId: id } = await newHolder(graph.app.context);
    const revision = await revisionOf(id);
    await change(id, await newUser(graph.app.context));
    expect(await codeOf(set, { id, guids: [], revision })).toBe('CONFLICT');
    expect(await codeOf(set, { id, guids: [], revision: await revisionOf(id) })).toBeUndefined();
  });

  it('what changes nothing changes no revision', async () => {
    const { profileId: id } = await newHolder(graph.app.context);
    const revision = await revisionOf(id);
    await graph.data(set, { id, guids: [] });
    await importFile(graph.app.context, { profiles: [{ profileId: id, accessScopeGuids: [] }] });
    expect(await revisionOf(id)).toBe(revision);
  });

  it('an assignment that waited for a grant is judged by what was granted', async () => {
    const { sql } = graph.app.context;
    const id = await newProfile(graph.app.context);
    const { user_guid: guid } = await newUser(graph.app.context);
    const assigned = await sql.transaction(async ({ rows }) => {
      await rows('select from profiles where profile_id = $1 for no key update', [id]);
      const assignment = codeOf(assign, { guid, profile: id }, graph.token(['admin:write']));
      await untilBlocked(sql);
      await rows(
        `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
         select $1, access_scope_id, access_scope_guid from access_scopes where access_scope_guid = any($2::uuid[]) limit 1`,
        [id, [...reservedScopeKeys.keys()]],
      );
      return { assignment };
    });
    expect(await assigned.assignment).toBe('FORBIDDEN');
  });

  it('of a grant and an assignment at the same moment one is refused: nobody slips in', async () => {
    const admin = [...reservedScopeKeys.keys()][0];
    const writer = graph.token(['admin:write']);
    const granter = graph.token(['admin:write', 'admin:security']);
    for (let round = 0; round < 25; round++) {
      const id = await newProfile(graph.app.context);
      const { user_guid: guid } = await newUser(graph.app.context);
      const revision = await revisionOf(id);
      const codes = await Promise.all([
        codeOf(set, { id, guids: [admin], revision }, granter),
        codeOf(assign, { guid, profile: id }, writer),
      ]);
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    }
  });
});
