/** One change gives a profile to many people. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import pg from 'pg';
import { applied, apply, errorOf, graph, startChangeSets } from '../../support/changeSets.js';
import { linkProfile, newHolder, newProfile, newRole, newScope, newScopeType, newUser } from '../../support/records.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

const rows = <Row extends object>(text: string, values: unknown[]) => graph.app.context.sql.rows<Row>(text, values);

/** Guids of new users, made by one statement. */
const newPeople = async (count: number): Promise<string[]> => {
  const made = await rows<{ guid: string }>(
    `insert into users (user_guid, first_name, idpname, created_by)
     select gen_random_uuid(), 'Ada', 'guids', '00000000-0000-0000-0000-000000000001' from generate_series(1, $1::int) returning user_guid::text as guid`,
    [count],
  );
  return made.map(({ guid }) => guid);
};

const holdersOf = (profileId: string) =>
  rows<{ guid: string; ends: string | null }>(
    `select u.user_guid::text as guid, to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD') as ends from user_profiles join users u using (user_id)
     where profile_id = $1 order by user_profile_id`,
    [profileId],
  );

const revisionOf = async (profileId: string) =>
  (await rows<{ revision: number }>('select revision from profiles where profile_id = $1', [profileId]))[0]!.revision;

it('gives 900 people a profile in as many statements as one person, tells the effect, and is undone as a whole', async () => {
  const [profileId, roleId] = [await newProfile(graph.app.context), await newRole(graph.app.context)];
  await newScope(graph.app.context, await newScopeType(graph.app.context), profileId, { access_scope_key: 'k' });
  const statementsFor = async (userGuids: string[]) => {
    graph.app.takeStatements();
    const set = await applied([{ assignProfiles: { profileId, roleId, userGuids } }]);
    return { set, statements: graph.app.takeStatements().length };
  };
  const before = await revisionOf(profileId);
  const one = await statementsFor(await newPeople(1));
  const userGuids = await newPeople(900);
  const many = await statementsFor(userGuids);
  expect(many.statements).toBe(one.statements);
  expect(many.set.effect.gains).toMatchObject({ users: 900, profiles: 1 });
  expect(many.set.events.totalCount).toBe(900);
  expect(await revisionOf(profileId)).toBe(before + 2);
  expect((await holdersOf(profileId)).slice(1).map(({ guid }) => guid)).toEqual(userGuids);
  await graph.data('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }', {
    guid: many.set.changeSetGuid,
  });
  expect(await holdersOf(profileId)).toHaveLength(1);
});

it('an undo takes a profile from 300 people in as many statements as from one, with the sessions of those who hold it no longer', async () => {
  const [profileId, roleId, otherRoleId] = [
    await newProfile(graph.app.context),
    await newRole(graph.app.context),
    await newRole(graph.app.context),
  ];
  const undoFor = async (userGuids: string[]) => {
    const { changeSetGuid: guid } = await applied([{ assignProfiles: { profileId, roleId, userGuids } }]);
    // the last one holds it in another role, too
    await applied([{ assignProfile: { profileId, roleId: otherRoleId, userGuid: userGuids.at(-1) } }]);
    await rows(
      `insert into tokens (token_guid, token, user_id, profile_id, created_at, started_at, expires_at)
       select gen_random_uuid(), decode(md5(guid::text), 'hex'), guid, $2, now(), now(), now() + interval '1 day' from unnest($1::uuid[]) guid`,
      [userGuids, profileId],
    );
    // those of the transaction, too
    const query = jest.spyOn(pg.Client.prototype, 'query');
    await graph.data('mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }', { guid });
    const statements = query.mock.calls.length;
    query.mockRestore();
    const active = await rows<{ guid: string }>(
      'select user_id::text as guid from tokens where user_id = any($1::uuid[]) and not is_revoked',
      [userGuids],
    );
    expect(active.map(({ guid }) => guid)).toEqual([userGuids.at(-1)]);
    return statements;
  };
  const before = await revisionOf(profileId);
  const few = await undoFor(await newPeople(2));
  expect(await revisionOf(profileId)).toBe(before + 3);
  expect(few).toBeGreaterThan(10);
  expect(await undoFor(await newPeople(300))).toBe(few);
});

it('people who hold the profile keep their grant, or get the end that is given', async () => {
  const { profileId, userGuid } = await newHolder(graph.app.context);
  const others = await newPeople(2);
  const give = (validUntil?: string | null) =>
    applied([{ assignProfiles: { profileId, roleId: 'member', userGuids: [userGuid, ...others], validUntil } }]);
  const end = '2099-03-01T00:00:00Z';
  await give();
  expect((await holdersOf(profileId)).map(({ ends }) => ends)).toEqual([null, null, null]);
  const [revision, nothing] = [await revisionOf(profileId), await give()];
  expect([nothing.isDryRun, await revisionOf(profileId)]).toEqual([true, revision]);
  await give(end);
  await give();
  expect((await holdersOf(profileId)).map(({ ends }) => ends)).toEqual(Array(3).fill('2099-03-01'));
  await give(null);
  expect((await holdersOf(profileId)).map(({ ends }) => ends)).toEqual([null, null, null]);
  await rows(`update user_profiles set valid_until = now() - interval '1 day' where profile_id = $1`, [profileId]);
  await give();
  expect((await holdersOf(profileId)).map(({ ends }) => ends)).toEqual([null, null, null]);
});

it('one unknown or repeated guid, an end that has passed, or too many people: nobody gets it', async () => {
  const [profileId, roleId] = [await newProfile(graph.app.context), await newRole(graph.app.context)];
  const [ada, bob] = await newPeople(2);
  const faultOf = async (more: object) =>
    (await errorOf([{ assignProfiles: { profileId, roleId, userGuids: [ada, bob], ...more } }])).extensions;
  const at = (field: string) => `changes[0].assignProfiles.${field}`;
  expect(await faultOf({ userGuids: [ada, randomUUID(), bob] })).toMatchObject({
    code: 'NOT_FOUND',
    problems: { [at('userGuids[1]')]: ['There is no such user.'] },
  });
  expect(await faultOf({ userGuids: [ada, bob, ada] })).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { [at('userGuids[2]')]: ['The same as in [0].'] },
  });
  expect(await faultOf({ validUntil: '2020-01-01T00:00:00Z' })).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { [at('validUntil')]: ['The end must be in the future.'] },
  });
  expect(await faultOf({ roleId: 'none' })).toMatchObject({
    code: 'NOT_FOUND',
    problems: { [at('roleId')]: [expect.any(String)] },
  });
  expect((await faultOf({ userGuids: Array.from({ length: 10_001 }, () => randomUUID()) })).code).toBe('TOO_LARGE');
  expect(await holdersOf(profileId)).toEqual([]);
});

it('a profile that administers is given by admin:security only', async () => {
  const { context } = graph.app;
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  const [type] = await rows<{ id: number }>(
    `select access_scope_type_id as id from access_scope_types where access_scope_type_guid = 'ad300000-0000-4000-8000-000000000000'`,
    [],
  );
  await newScope(context, type!.id, profileId, { access_scope_key: 'write2' });
  const changes = [{ assignProfiles: { profileId, roleId, userGuids: await newPeople(2) } }];
  const error = await errorOf(changes, {}, graph.token(['admin:read', 'admin:write']));
  expect(error.extensions.code).toBe('FORBIDDEN');
  expect((await graph.ask(apply, { changes })).json.errors).toBeUndefined();
});

it('a proposal of it names the profile and the number of people, and its owner may approve it', async () => {
  const { context } = graph.app;
  const owner = await newHolder(context);
  const [profileId, roleId] = [await newProfile(context), await newRole(context)];
  await rows('update profiles set owner_profile_id = $1 where profile_id = $2', [owner.profileId, profileId]);
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'k' });
  await linkProfile(context, (await newUser(context)).user_id, profileId, roleId);
  const changes = [{ assignProfiles: { profileId, roleId, userGuids: await newPeople(3) } }];
  const { proposeChanges } = await graph.data(
    'mutation ($changes: [ChangeInput!]!) { proposeChanges(changes: $changes, note: "x") { proposalGuid title revision } }',
    { changes },
    graph.token(['admin:read']),
  );
  expect(proposeChanges.title).toBe(`Give ${profileId} to 3 people as ${roleId}`);
  const { approveProposal } = await graph.data(
    `mutation ($guid: UUID!, $revision: Int!) { approveProposal(proposalGuid: $guid, ifRevision: $revision) { state } }`,
    { guid: proposeChanges.proposalGuid, revision: proposeChanges.revision },
    graph.token(['admin:read'], { sub: owner.userGuid, profileId: owner.profileId }),
  );
  expect(approveProposal.state).toBe('APPLIED');
  expect(await holdersOf(profileId)).toHaveLength(4);
});

/** The statements of a change set of these changes, and its answer. */
async function statementsOf(changes: object[]) {
  graph.app.takeStatements();
  const set = await applied(changes);
  return { set, statements: graph.app.takeStatements().length };
}

it('what 300 people hold is given, extended and removed in as many statements as of one person, in the order of the changes', async () => {
  const [profileId, roleId] = [await newProfile(graph.app.context), await newRole(graph.app.context)];
  await newScope(graph.app.context, await newScopeType(graph.app.context), profileId, { access_scope_key: 'k' });
  const userGuids = await newPeople(301);
  const [first, ...others] = userGuids;
  const give = (guids: string[]) => guids.map((userGuid) => ({ assignProfile: { userGuid, profileId, roleId } }));
  const oneGiven = await statementsOf(give([first!]));
  const given = await statementsOf(give(others));
  expect(given.statements).toBe(oneGiven.statements);
  expect(given.set.effect.gains).toMatchObject({ users: 300 });
  const end = '2099-03-01T00:00:00Z';
  const extend = (guids: string[]) =>
    guids.map((userGuid) => ({ assignProfile: { userGuid, profileId, roleId, validUntil: end } }));
  const oneExtended = await statementsOf(extend([first!]));
  const extended = await statementsOf(extend(others));
  expect(extended.statements).toBe(oneExtended.statements);
  expect(new Set((await holdersOf(profileId)).map(({ ends }) => ends))).toEqual(new Set(['2099-03-01']));
  expect(extended.set.events.totalCount).toBe(300);

  const remove = (guids: string[]) => guids.map((userGuid) => ({ unassignProfile: { userGuid, profileId, roleId } }));
  const oneRemoved = await statementsOf(remove([first!]));
  const removed = await statementsOf(remove(others));
  expect(removed.statements).toBe(oneRemoved.statements);
  expect(removed.set.effect.loses).toMatchObject({ users: 300, profiles: 1 });
  expect(await holdersOf(profileId)).toEqual([]);
});

it('what is wrong with some of many assignments is said at each of them', async () => {
  const [profileId, other] = [await newProfile(graph.app.context), await newProfile(graph.app.context)];
  const roleId = await newRole(graph.app.context);
  const userGuids = await newPeople(4);
  await applied([{ assignProfiles: { profileId, roleId, userGuids } }]);
  const unassign = (index: number, ifRevision: number, of = profileId) => ({
    unassignProfile: { userGuid: userGuids[index], profileId: of, roleId, ifRevision },
  });
  expect(
    await errorOf([unassign(0, 1), unassign(1, 9), unassign(2, 1), unassign(3, 8), unassign(0, 7, other)]),
  ).toMatchObject({
    extensions: {
      code: 'CONFLICT',
      problems: { 'changes[1].unassignProfile': expect.anything(), 'changes[3].unassignProfile': expect.anything() },
    },
  });
  const assign = (userGuid: string, of = profileId) => ({
    assignProfile: { userGuid, profileId: of, roleId, validUntil: null },
  });
  expect(await errorOf([assign(userGuids[0]!), assign(randomUUID()), assign(userGuids[1]!)])).toMatchObject({
    extensions: {
      code: 'NOT_FOUND',
      problems: { 'changes[1].assignProfile.userGuid': ['There is no such user.'] },
    },
  });
  expect(await errorOf([assign(userGuids[0]!, 'nowhere'), assign(userGuids[1]!, 'nowhere')])).toMatchObject({
    extensions: {
      code: 'NOT_FOUND',
      problems: { 'changes[0].assignProfile.profileId': ['There is no such profile.'] },
    },
  });
  const give = (userGuid: string) => ({ assignProfile: { userGuid, profileId, roleId } });
  const [somebody] = await newPeople(1);
  expect(await errorOf([give(userGuids[2]!), give(somebody!), give(userGuids[0]!), give(somebody!)])).toMatchObject({
    extensions: {
      code: 'CONFLICT',
      problems: {
        'changes[0].assignProfile': ['It exists already.'],
        'changes[2].assignProfile': ['It exists already.'],
      },
    },
  });
  expect(await errorOf([give(somebody!), give(somebody!)])).toMatchObject({
    extensions: { code: 'CONFLICT', problems: { 'changes[1].assignProfile': ['It exists already.'] } },
  });
  // with and without an end they are not one group
  expect(await errorOf([assign(somebody!), give(userGuids[0]!)])).toMatchObject({
    extensions: { code: 'CONFLICT', problems: { 'changes[1].assignProfile': ['It exists already.'] } },
  });
});
