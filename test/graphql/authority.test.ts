/** A caller of the administration is judged by what the database says now, whatever the token said when it was issued. */
import { randomUUID } from 'node:crypto';
import { callers } from '../../src/services/tokens/caller.js';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { readAnswer } from '../support/app.js';
import { isJudgement } from '../support/callers.js';
import {
  insert,
  letAdminister,
  linkProfile,
  newApplication,
  newClient,
  newHolder,
  newProfile,
  newRole,
  newScope,
  newScopeType,
} from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { startTestGraph, type TestGraph } from './graph.js';

const system = '00000000-0000-0000-0000-000000000001';

let client: Awaited<ReturnType<typeof newClient>>;

/** A user who holds the reserved scopes of these keys, signed in by an exchange. */
async function signedIn(graph: TestGraph, ...keys: string[]) {
  const { context } = graph.app;
  const { sql } = context;
  const holder = await newHolder(context);
  for (const key of keys) await give(graph, holder.profileId, key);
  const exchanged = await graph.app.post('/token', {
    ...exchangeBody(graph.app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  expect(exchanged.status).toBe(200);
  const { access_token: token, refresh_token: refreshToken } = exchanged.json;
  const run = (text: string, ...values: unknown[]) => sql.rows(text, values);
  return { ...holder, token, refreshToken, run };
}

const give = ({ app }: TestGraph, profileId: string, key: string) => letAdminister(app.context.sql, profileId, key);

/** What both faces answer to the token: the status of REST, and the code of GraphQL or `fine`. */
async function answersTo({ app, ask }: TestGraph, token: string): Promise<[number, string]> {
  const headers = { authorization: `Bearer ${token}`, 'api-version': '1.0' };
  const rest = await readAnswer(await fetch(`${app.url}/api/applications`, { headers }));
  const { json } = await ask('{ applications { totalCount } }', {}, token);
  return [rest.status, json.errors?.[0].extensions.code ?? 'fine'];
}

describe.each(['documented', 'hardened'])('TOKEN_POLICY=%s', (policy) => {
  let graph: TestGraph;
  beforeAll(async () => {
    graph = await startTestGraph({ TOKEN_POLICY: policy, ADMIN_READ_SCOPES: 'portal:look' });
    client = await newClient(graph.app.context);
  });
  afterAll(() => graph?.close());

  type Person = Awaited<ReturnType<typeof signedIn>>;
  it.each<[string, (person: Person) => Promise<unknown>, [number, string]]>([
    [
      'a user who was blocked',
      ({ run, userGuid }) => run('update users set is_blocked = true where user_guid = $1', userGuid),
      [401, 'UNAUTHENTICATED'],
    ],
    [
      'a user who is gone',
      ({ run, userGuid }) => run('delete from users where user_guid = $1', userGuid),
      [401, 'UNAUTHENTICATED'],
    ],
    [
      'one who holds the profile no longer',
      ({ run, userId }) => run('delete from user_profiles where user_id = $1', userId),
      [401, 'UNAUTHENTICATED'],
    ],
    [
      'one whose profile is gone',
      ({ run, profileId }) => run('delete from profiles where profile_id = $1', profileId),
      [401, 'UNAUTHENTICATED'],
    ],
    [
      'one whose profile lost the scope',
      ({ run, profileId }) => run('delete from profile_access_scopes where profile_id = $1', profileId),
      [403, 'FORBIDDEN'],
    ],
  ])('%s is refused from that moment on', async (_who, dismiss, expected) => {
    const person = await signedIn(graph, 'read');
    expect(await answersTo(graph, person.token)).toEqual([200, 'fine']);
    await dismiss(person);
    expect(await answersTo(graph, person.token)).toEqual(expected);
  });

  it('a scope or type that goes out of use permits nothing from that moment on, nor does a legacy one', async () => {
    const person = await signedIn(graph);
    const type = await newScopeType(graph.app.context, 'portal');
    const scope = await newScope(graph.app.context, type, person.profileId, { access_scope_key: 'look' });
    expect(await answersTo(graph, person.token)).toEqual([200, 'fine']);
    const set = (table: string, key: string, id: number, isActive: boolean) =>
      person.run(`update ${table} set is_active = $2 where ${key} = $1`, id, isActive);
    await set('access_scopes', 'access_scope_id', scope.access_scope_id, false);
    expect(await answersTo(graph, person.token)).toEqual([403, 'FORBIDDEN']);
    await set('access_scopes', 'access_scope_id', scope.access_scope_id, true);
    await set('access_scope_types', 'access_scope_type_id', type, false);
    expect(await answersTo(graph, person.token)).toEqual([403, 'FORBIDDEN']);
    await set('access_scope_types', 'access_scope_type_id', type, true);
    expect(await answersTo(graph, person.token)).toEqual([200, 'fine']);
  });

  it('what is given works at once, role and scopes of the viewer are those of now', async () => {
    const person = await signedIn(graph);
    expect(await answersTo(graph, person.token)).toEqual([403, 'FORBIDDEN']);
    await give(graph, person.profileId, 'write');
    const other = await newScopeType(graph.app.context);
    await newScope(graph.app.context, other, person.profileId, { access_scope_key: 'more' });
    await person.run('delete from user_profiles where user_id = $1', person.userId);
    await linkProfile(graph.app.context, person.userId, person.profileId, 'promoted');
    expect(await answersTo(graph, person.token)).toEqual([200, 'fine']);
    const { viewer } = await graph.data('{ viewer { roleId scopes } }', {}, person.token);
    expect(viewer).toEqual({ roleId: 'promoted', scopes: ['admin:write', expect.stringMatching(/:more$/)] });
  });

  it('the judgement is one statement, and callers of the same moment share it', async () => {
    const person = await signedIn(graph, 'read');
    await answersTo(graph, person.token);
    graph.app.takeStatements();
    await graph.ask('{ __typename }', {}, person.token);
    expect(graph.app.takeStatements().filter(isJudgement)).toHaveLength(1);
    const blocked = await signedIn(graph, 'read');
    await blocked.run('update users set is_blocked = true where user_guid = $1', blocked.userGuid);
    graph.app.takeStatements();
    const tokens = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? blocked : person).token);
    const statuses = await Promise.all(
      tokens.map(async (token) => (await graph.ask('{ __typename }', {}, token)).status),
    );
    expect(statuses).toEqual(tokens.map((token) => (token === person.token ? 200 : 401)));
    expect(graph.app.takeStatements().filter(isJudgement).length).toBeLessThan(60);
  });
});

it.each([
  'one',
  'many',
] as const)('the judgement of %s reads a handful of pages, however many scopes the profile has', async (kind) => {
  const graph = await startTestGraph();
  try {
    const { context } = graph.app;
    const { userGuid, profileId } = await newHolder(context);
    await give(graph, profileId, 'read');
    const type = await newScopeType(context);
    const blocks = await context.sql.transaction(async ({ rows }) => {
      await rows(
        `with made as (insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by)
           select 'S', 'key ' || n, $1, $2 from generate_series(1, 10000) n returning access_scope_id)
         insert into profile_access_scopes (profile_id, access_scope_id, created_by) select $3, access_scope_id, $2 from made`,
        [type, system, profileId],
      );
      await rows('analyze');
      const values = [userGuid, profileId, 'admin:read admin:write'];
      const given = kind === 'one' ? values : values.map((value) => Array(32).fill(value));
      const explained = await rows<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${callers.ofUser[kind]}`,
        given,
      );
      const { Plan } = explained[0]!['QUERY PLAN'][0];
      return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
    });
    // the links and scopes of the profile alone fill a hundred and more
    expect(blocks).toBeLessThan(kind === 'one' ? 60 : 32 * 20);
  } finally {
    await graph.close();
  }
});

it('hardened, a session that is revoked ends its callers at once', async () => {
  const graph = await startTestGraph({ TOKEN_POLICY: 'hardened' });
  try {
    client = await newClient(graph.app.context);
    const person = await signedIn(graph, 'read');
    await graph.data('mutation ($user: UUID!) { revokeTokens(userGuid: $user) }', { user: person.userGuid });
    expect(await answersTo(graph, person.token)).toEqual([401, 'UNAUTHENTICATED']);
  } finally {
    await graph.close();
  }
});

describe('a token of the operator', () => {
  let graph: TestGraph;
  beforeAll(async () => {
    graph = await startTestGraph();
  });
  afterAll(() => graph?.close());
  const issue = (userGuid = system, scopes = ['admin:read']) =>
    issueAdminToken(graph.app.context, { scopes, minutes: 5, userGuid });

  it('has the scopes of the command, is listed and audited, and ends when its record is revoked', async () => {
    const token = await issue();
    expect(await answersTo(graph, token)).toEqual([200, 'fine']);
    const { tokens, auditEvents } = await graph.data(
      `query { tokens(last: 1, filter: { tokenType: { eq: "admin" } }) { nodes { id userId profileId isRevoked user { userGuid } } }
        auditEvents(last: 1) { nodes { action subjectType subjectId actor detail } } }`,
    );
    const [record] = tokens.nodes;
    expect(record).toMatchObject({ userId: system, profileId: '', isRevoked: false, user: null });
    expect(auditEvents.nodes[0]).toMatchObject({
      action: 'issue',
      subjectType: 'Token',
      subjectId: record.id,
      actor: system,
      detail: { user: system, scopes: ['admin:read'] },
    });
    expect((await graph.app.post('/validate-token', { token })).status).toBe(200);
    expect(await graph.data('mutation ($id: ID!) { revokeTokens(tokenId: $id) }', { id: record.id })).toEqual({
      revokeTokens: 1,
    });
    expect(await answersTo(graph, token)).toEqual([401, 'UNAUTHENTICATED']);
    expect((await graph.app.post('/validate-token', { token })).status).toBe(400);
  });

  it('has no profile and no role: it opens nothing, whatever profile and role have any name', async () => {
    const { context, url } = graph.app;
    const token = await issue();
    const { profileId, roleId } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    const names = ['operator', ...[profileId, roleId].filter((id) => id !== '')];
    const typeId = await newScopeType(context);
    const { application_id, application_guid: guid } = await newApplication(context);
    for (const name of new Set(names)) {
      await newRole(context, name);
      await newScope(context, typeId, await newProfile(context, name), { access_scope_key: name });
    }
    await insert(context.sql, 'access_scope_type_applications_mappers', {
      access_scope_type_id: typeId,
      application_id,
      state: context.config.mappingActiveStates[0],
      created_by: system,
    });
    const { viewer } = await graph.data('{ viewer { scopes applications { name } } }', {}, token);
    expect(viewer).toEqual({ scopes: ['admin:read'], applications: [] });
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = async (query: string) => (await fetch(`${url}/verify?${query}`, { headers })).status;
    expect(await statusOf('scope=admin:read')).toBe(204);
    for (const query of [`application=${guid}`, ...names.map((name) => `role=${name}`)])
      expect([query, await statusOf(query)]).toEqual([query, 403]);
  });

  it('for a user who was blocked since is refused, and for one who is blocked none is made', async () => {
    const { context } = graph.app;
    const { userGuid } = await newHolder(context);
    const token = await issue(userGuid);
    expect(await answersTo(graph, token)).toEqual([200, 'fine']);
    await context.sql.rows('update users set is_blocked = true where user_guid = $1', [userGuid]);
    expect(await answersTo(graph, token)).toEqual([401, 'UNAUTHENTICATED']);
    await expect(issue(userGuid)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('whose record is gone, as after a restore of an older back-up, is refused', async () => {
    const token = await issue();
    await graph.app.context.sql.rows("delete from tokens where token_type = 'admin' and profile_id = ''");
    expect(await answersTo(graph, token)).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('is no renewal token: no text is known by the hash of its record', async () => {
    const token = await issue();
    const { clientId, clientSecret } = await newClient(graph.app.context);
    const body = {
      grant_type: 'refresh_token',
      profileId: 'operator',
      client_id: clientId,
      client_secret: clientSecret,
    };
    for (const refresh_token of [token, JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid])
      expect((await graph.app.post('/token', { ...body, refresh_token })).status).toBe(401);
    expect((await graph.app.post('/revoke', { token })).status).toBe(404);
    expect(await answersTo(graph, token)).toEqual([200, 'fine']);
  });
});

it('a user who is deleted takes the records of tokens along, and nobody else’s', async () => {
  const graph = await startTestGraph();
  try {
    client = await newClient(graph.app.context);
    const [gone, stays] = [await signedIn(graph), await signedIn(graph)];
    await gone.run('delete from users where user_guid = $1', gone.userGuid);
    const left = await gone.run("select user_id from tokens where token_type = 'refresh'");
    expect(left).toEqual([{ user_id: stays.userGuid }]);
    const { tokens } = await graph.data('{ tokens { nodes { userId user { userGuid } } } }');
    expect(tokens.nodes).toContainEqual({ userId: stays.userGuid, user: { userGuid: stays.userGuid } });
    await insert(graph.app.context.sql, 'tokens', {
      user_id: randomUUID(),
      profile_id: 'p',
      token: Buffer.alloc(32, 1),
      created_at: new Date(),
      expires_at: new Date(),
    });
  } finally {
    await graph.close();
  }
});
