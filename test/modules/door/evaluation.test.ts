/** AuthZEN Authorization API 1.0: decisions for API gateways, by the standard's own examples and its certification scenario. */
import { randomUUID } from 'node:crypto';
import { forbidden, unauthenticated } from '../../../src/errors.js';
import { explainAccess } from '../../../src/modules/changes/explaining/explainAccess.js';
import { refusedAtDoor } from '../../../src/modules/door/endpoints/verify.js';
import { issueAdminToken } from '../../../src/services/tokens/operatorTokens.js';
import { type Answer, startTestApp, type TestApp } from '../../support/app.js';
import {
  insert,
  linkProfile,
  newApplication,
  newClient,
  newHolder,
  newProfile,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';
import { until } from '../../support/until.js';

let app: TestApp;
let basic: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  basic = credentialsOf(await newClient(app.context, undefined, { may_evaluate: true }));
});
afterAll(() => app.close());

const credentialsOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
});
const one = (body: unknown, headers = basic): Promise<Answer> => app.post('/access/v1/evaluation', body, headers);
const many = (body: unknown, headers = basic): Promise<Answer> => app.post('/access/v1/evaluations', body, headers);
const decisionsOf = ({ json }: Answer) => json.evaluations.map(({ decision }: { decision: boolean }) => decision);

const user = (id: string, profile?: string) => ({ type: 'user', id, ...(profile && { properties: { profile } }) });
const open = { name: 'open' };
const use = { name: 'use' };
const application = (id: string) => ({ type: 'application', id });
const scope = (id: string) => ({ type: 'scope', id });

async function newGoal(): Promise<{ guid: string; id: number }> {
  const { application_guid, application_id } = await newApplication(app.context);
  return { guid: application_guid, id: application_id };
}
const map = (
  applicationId: number,
  by: { access_scope_id: number } | { access_scope_type_id: number },
  state = 'active',
) =>
  insert(
    app.context.sql,
    'access_scope_id' in by ? 'access_scope_applications_mappers' : 'access_scope_type_applications_mappers',
    { application_id: applicationId, state, created_by: systemUser, ...by },
  );

/** A holder of `<type>:north`, and an application that it opens. */
async function newWay() {
  const holder = await newHolder(app.context);
  const typeName = `site-${randomUUID().slice(0, 8)}`;
  const typeId = await newScopeType(app.context, typeName);
  const { access_scope_id } = await newScope(app.context, typeId, holder.profileId, { access_scope_key: 'north' });
  const opened = await newGoal();
  await map(opened.id, { access_scope_id });
  return { ...holder, typeName, typeId, access_scope_id, application: opened };
}

describe('a decision', () => {
  it('names a person without a name, like explainAccess, by the e-mail address, else by the name for SCIM', async () => {
    const way = await newWay();
    const answers = async () => {
      const explained = await explainAccess(app.context, { ...way, applicationGuid: way.application.guid }, false);
      const { json } = await one({
        subject: user(way.userGuid),
        action: open,
        resource: application(way.application.guid),
      });
      return [explained.reasons[0], json.context.reasons[0]];
    };
    for (const [set, name] of [
      ["first_name = null, last_name = null, email = 'ada@example.com', user_name = 'ada'", 'ada@example.com'],
      ['email = null', 'ada'],
      ['user_name = null', way.userGuid],
      ["first_name = 'Ada \u202Egreb'", 'Ada \uFFFDgreb'],
    ]) {
      await app.context.sql.rows(`update users set ${set} where user_guid = $1`, [way.userGuid]);
      expect(await answers()).toEqual([`${name} is not blocked.`, `${name} is not blocked.`]);
    }
  });

  it('is that of explainAccess, in its words, for what opens and for what is missing', async () => {
    const way = await newWay();
    const { userGuid, profileId } = way;
    const { sql } = app.context;
    const question = { subject: user(userGuid), action: open, resource: application(way.application.guid) };
    const both = async () => {
      const { json } = await one(question);
      const explained = await explainAccess(app.context, { userGuid, applicationGuid: way.application.guid }, false);
      expect(json).toEqual({ decision: explained.isOpen, context: { reasons: explained.reasons } });
      return json;
    };
    expect((await both()).decision).toBe(true);
    for (const [breaking, mending, id] of [
      [
        'update users set is_blocked = true where user_guid = $1',
        'update users set is_blocked = false where user_guid = $1',
        userGuid,
      ],
      [
        'update access_scopes set is_active = false where access_scope_id = $1',
        'update access_scopes set is_active = true where access_scope_id = $1',
        way.access_scope_id,
      ],
      [
        'update access_scope_types set is_active = false where access_scope_type_id = $1',
        'update access_scope_types set is_active = true where access_scope_type_id = $1',
        way.typeId,
      ],
      [
        "update access_scope_applications_mappers set state = 'paused' where application_id = $1",
        "update access_scope_applications_mappers set state = 'active' where application_id = $1",
        way.application.id,
      ],
      [
        'update applications set is_active = false where application_id = $1',
        'update applications set is_active = true where application_id = $1',
        way.application.id,
      ],
    ] as const) {
      await sql.rows(breaking, [id]);
      expect((await both()).decision).toBe(false);
      await sql.rows(mending, [id]);
    }
    const other = await newProfile(app.context);
    const asked = await one({ ...question, subject: user(userGuid, other) });
    expect(asked.json).toEqual({ decision: false, context: { reasons: [`Ada does not hold ${other}.`] } });
    expect((await one({ ...question, subject: user(userGuid, profileId) })).json.decision).toBe(true);
  });

  it('of a scope is granted by the entry or the wildcard of its type, of the profile that is asked for', async () => {
    const { userGuid, profileId, userId, typeName, typeId } = await newWay();
    const asked = (id: string, profile?: string) =>
      one({ subject: user(userGuid, profile), action: use, resource: scope(id) });
    expect((await asked(`${typeName}:north`)).json).toEqual({
      decision: true,
      context: {
        reasons: [
          'Ada is not blocked.',
          `Ada holds ${profileId}.`,
          `${profileId} has the access scope Scope.`,
          'Scope is in use.',
          `Its type ${typeName} is in use.`,
        ],
      },
    });
    expect((await asked(`${typeName}:south`)).json).toEqual({
      decision: false,
      context: { reasons: [`No profile of Ada has the access scope ${typeName}:south.`] },
    });
    const everywhere = await newProfile(app.context);
    await linkProfile(app.context, userId, everywhere, 'member');
    await newScope(app.context, typeId, everywhere, { is_wildcard: true });
    expect((await asked(`${typeName}:south`)).json.decision).toBe(true);
    expect((await asked(`${typeName}:south`, profileId)).json).toEqual({
      decision: false,
      context: { reasons: [`${profileId} does not have the access scope ${typeName}:south.`] },
    });
  });

  it('is open by a mapping of the type of a held scope', async () => {
    const { userGuid, typeId } = await newWay();
    const opened = await newGoal();
    await map(opened.id, { access_scope_type_id: typeId });
    const { json } = await one({ subject: user(userGuid), action: open, resource: application(opened.guid) });
    expect([json.decision, json.context.reasons[5]]).toEqual([
      true,
      expect.stringMatching(/^A mapping of the type site-/),
    ]);
  });

  it('is that of context.asOf, in the past', async () => {
    const way = await newWay();
    const question = { subject: user(way.userGuid), action: open, resource: application(way.application.guid) };
    const [row] = await app.context.sql.rows<{ now: string }>("select now() + interval '1 millisecond' as now");
    const passed = 'select now() > $1::timestamptz as is_over';
    await until(async () => (await app.context.sql.rows<{ is_over: boolean }>(passed, [row!.now]))[0]!.is_over);
    await app.context.sql.rows('delete from access_scope_applications_mappers where application_id = $1', [
      way.application.id,
    ]);
    const body = {
      ...question,
      evaluations: [{}, { context: { asOf: row!.now } }, { context: { asOf: '2999-01-01T00:00:00Z' } }],
    };
    const { json } = await many(body);
    expect(json.evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual([false, true, false]);
    expect(json.evaluations[2].context.error).toEqual({ status: 400, message: 'The time is in the future.' });
    expect((await one({ ...question, context: { asOf: '2999-01-01T00:00:00Z' } })).status).toBe(400);
    expect((await one({ ...question, context: { asOf: 'yesterday' } })).status).toBe(400);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    '2026-02-31T00:00:00Z',
    '2026-02-28T24:00:00Z',
  ])('refuses context.asOf %s, which is no time of the calendar, for its question alone', async (asOf) => {
    const { userGuid, application: goal } = await newWay();
    const question = { subject: user(userGuid), action: open, resource: application(goal.guid) };
    expect((await one({ ...question, context: { asOf } })).status).toBe(400);
    const { status, json } = await many({ ...question, evaluations: [{}, { context: { asOf } }] });
    expect([status, json.evaluations[0].decision]).toEqual([200, true]);
    expect(json.evaluations[1].context.error.status).toBe(400);
  });

  it('names what is not known, and denies it', async () => {
    const { userGuid, application: opened } = await newWay();
    const cases: [object, string][] = [
      [{ subject: user(randomUUID()), action: open, resource: application(opened.guid) }, 'The user was not found.'],
      [{ subject: user('alice'), action: open, resource: application(opened.guid) }, 'The user was not found.'],
      [
        { subject: user(userGuid), action: open, resource: application(randomUUID()) },
        'The application was not found.',
      ],
      [{ subject: user(userGuid), action: open, resource: application('x') }, 'The application was not found.'],
      [
        { subject: user(userGuid, 'nope'), action: open, resource: application(opened.guid) },
        'The profile was not found.',
      ],
    ];
    for (const [question, message] of cases)
      expect((await one(question)).json).toEqual({ decision: false, context: { error: { status: 404, message } } });
  });
});

describe('a batch', () => {
  it('of 1,000 is one statement, in the order of its questions; 1,001 are 400', async () => {
    const way = await newWay();
    const closed = await newGoal();
    const evaluations = Array.from({ length: 1_000 }, (_, index) => ({
      resource: application(index % 3 === 0 ? way.application.guid : closed.guid),
    }));
    const body = { subject: user(way.userGuid), action: open, evaluations };
    await one({ ...body, resource: application(closed.guid) });
    app.takeStatements();
    const answer = await many(body);
    expect(decisionsOf(answer)).toEqual(evaluations.map((_, index) => index % 3 === 0));
    expect(app.takeStatements().filter((text) => text.includes('ordinality asked(user_guid')).length).toBe(1);
    expect((await many({ ...body, evaluations: [...evaluations, {}] })).status).toBe(400);
  });

  it('ends as its semantic says: with all, the first denial, or the first permission', async () => {
    const way = await newWay();
    const closed = application((await newGoal()).guid);
    const opened = application(way.application.guid);
    const asked = async (resources: object[], evaluations_semantic?: string) =>
      decisionsOf(
        await many({
          subject: user(way.userGuid),
          action: open,
          ...(evaluations_semantic && { options: { evaluations_semantic, another_option: 'value' } }),
          evaluations: resources.map((resource) => ({ resource })),
        }),
      );
    const mixed = [opened, closed, opened];
    expect(await asked(mixed)).toEqual([true, false, true]);
    expect(await asked(mixed, 'execute_all')).toEqual([true, false, true]);
    expect(await asked(mixed, 'deny_on_first_deny')).toEqual([true, false]);
    expect(await asked(mixed, 'permit_on_first_permit')).toEqual([true]);
    expect(await asked([closed, closed, opened, closed], 'permit_on_first_permit')).toEqual([false, false, true]);
    expect(
      (
        await many({
          subject: user(way.userGuid),
          action: open,
          options: { evaluations_semantic: 'x' },
          evaluations: [{}],
        })
      ).status,
    ).toBe(400);
  });

  it('replaces a default as a whole, inherits what an evaluation lacks, and denies what is still missing', async () => {
    const way = await newWay();
    const other = await newHolder(app.context);
    const { json, status } = await many({
      subject: user(way.userGuid),
      action: open,
      context: { time: '2024-05-31T15:22-07:00' },
      evaluations: [
        { resource: application(way.application.guid) },
        { resource: application(way.application.guid), subject: user(other.userGuid) },
        { resource: scope(`${way.typeName}:north`), action: use },
        {},
        { resource: { type: 'application' } },
        7,
      ],
    });
    expect(status).toBe(200);
    expect(json.evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(json.evaluations.slice(3).map(({ context }: { context: { error: object } }) => context.error)).toEqual([
      { status: 400, message: 'resource must be an object.' },
      { status: 400, message: 'resource.id must be a string.' },
      { status: 400, message: 'An evaluation must be an object.' },
    ]);
  });

  it('without evaluations is one question', async () => {
    const way = await newWay();
    const question = { subject: user(way.userGuid), action: open, resource: application(way.application.guid) };
    for (const evaluations of [undefined, []])
      expect((await many({ ...question, evaluations })).json).toMatchObject({ decision: true });
  });
});

describe('the standard', () => {
  const alice = { type: 'user', id: 'alice' };
  const read = { name: 'read' };
  const record = { type: 'record', id: 'record-1' };

  it.each<[string, object]>([
    [
      'its example of a request',
      {
        subject: { type: 'user', id: 'alice@example.com' },
        resource: { type: 'account', id: '123' },
        action: { name: 'can_read', properties: { method: 'GET' } },
        context: { time: '1985-10-26T01:22-07:00' },
      },
    ],
    [
      'additional properties',
      {
        subject: { ...alice, properties: { department: 'Sales', role: 'manager' } },
        action: { ...read, properties: { method: 'GET' } },
        resource: { ...record, properties: { status: 'active' } },
      },
    ],
    ['unknown members', { subject: alice, action: read, resource: record, foo: 'bar', futureField: { nested: true } }],
  ])('%s is answered with a decision', async (_name, body) => {
    const { status, json, headers } = await one(body);
    expect([status, json.decision, headers.get('content-type')]).toEqual([
      200,
      false,
      'application/json; charset=utf-8',
    ]);
  });

  it.each<[string, unknown]>([
    ['no subject', { action: read, resource: record }],
    ['no action', { subject: alice, resource: record }],
    ['no resource', { subject: alice, action: read }],
    ['a subject without type', { subject: { id: 'alice' }, action: read, resource: record }],
    ['a subject without id', { subject: { type: 'user' }, action: read, resource: record }],
    ['an action without name', { subject: alice, action: {}, resource: record }],
    ['a resource without type', { subject: alice, action: read, resource: { id: 'record-1' } }],
    ['a resource without id', { subject: alice, action: read, resource: { type: 'record' } }],
    ['a subject that is no object', { subject: 'alice', action: read, resource: record }],
    ['a name that is no string', { subject: alice, action: { name: 123 }, resource: record }],
    ['malformed JSON', '{"subject"'],
    ['an empty body', ''],
    ['an array', []],
  ])('%s is 400 with a message', async (_name, body) => {
    for (const ask of [one, many]) {
      const { status, text, headers } = await ask(body);
      expect([status, headers.get('content-type'), headers.get('trace-id')]).toEqual([
        400,
        'text/plain; charset=utf-8',
        expect.any(String),
      ]);
      expect(text.length).toBeGreaterThan(10);
    }
  });

  it('members that a typed client leaves unset and writes as null are as if absent', async () => {
    const { userGuid, application: opened } = await newWay();
    const properties = null;
    const subject = { ...user(userGuid), properties };
    const action = { ...open, properties };
    const resource = { ...application(opened.guid), properties };
    for (const context of [null, { asOf: null }])
      expect((await one({ subject, action, resource, context })).json.decision).toBe(true);
    const unset = { subject: null, action: null, resource: null, context: null };
    for (const options of [null, { evaluations_semantic: null }]) {
      const whole = { ...unset, options, evaluations: [{ subject, action, resource, context: null }] };
      const inherited = { subject, action, resource, options, evaluations: [unset] };
      for (const body of [whole, inherited]) expect(decisionsOf(await many(body))).toEqual([true]);
    }
    expect((await many({ subject, action, resource, evaluations: null })).json.decision).toBe(true);
    expect((await one({ subject: null, action, resource })).status).toBe(400);
  });

  it('another media type is 400, and another method 405', async () => {
    const body = JSON.stringify({ subject: alice, action: read, resource: record });
    expect((await one(body, { ...basic, 'content-type': 'text/plain' })).status).toBe(400);
    expect((await fetch(`${app.url}/access/v1/evaluation`, { headers: basic })).status).toBe(405);
  });

  it('X-Request-ID is answered, with an error too, and is not needed', async () => {
    const id = { 'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716' };
    const body = { subject: alice, action: read, resource: record };
    for (const [headers, status] of [
      [{ ...basic, ...id }, 200],
      [id, 401],
    ] as [Record<string, string>, number][]) {
      const answer = await one(body, headers);
      expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, id['x-request-id']]);
    }
    expect((await one(body)).headers.get('x-request-id')).toBeNull();
  });

  it('the metadata names the endpoints, below the host and below BASE_PATH', async () => {
    const expected = (url: string) => ({
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${url}/access/v1/evaluations`,
    });
    const answer = await fetch(`${app.url}/.well-known/authzen-configuration`);
    expect([await answer.json(), answer.headers.get('cache-control')]).toEqual([
      expected(app.url),
      'public, max-age=300',
    ]);
    const tenant = await startTestApp({ BASE_PATH: '/tenant1', ISSUER_URL: 'https://pdp.example.com/tenant1' });
    for (const path of ['/.well-known/authzen-configuration/tenant1', '/tenant1/.well-known/authzen-configuration'])
      expect(await (await fetch(tenant.url + path)).json()).toEqual(expected('https://pdp.example.com/tenant1'));
  });

  it('the roles of the interoperability scenario give its decisions, as profiles with scopes', async () => {
    const actions = ['can_read_todos', 'can_create_todo', 'can_update_todo', 'can_delete_todo'];
    const roles: Record<string, boolean[]> = {
      admin: [true, true, true, true],
      editor: [true, true, true, true],
      viewer: [true, false, false, false],
    };
    const type = `todo-${randomUUID().slice(0, 8)}`;
    const typeId = await newScopeType(app.context, type);
    const scopes = await Promise.all(
      actions.map((key) => newScope(app.context, typeId, undefined, { access_scope_key: key })),
    );
    for (const [role, decisions] of Object.entries(roles)) {
      const { user_id, user_guid } = await newUser(app.context);
      const profile = await newProfile(app.context, `${role}-${type}`);
      await linkProfile(app.context, user_id, profile, role);
      for (const [index, { access_scope_id }] of scopes.entries())
        if (decisions[index])
          await insert(app.context.sql, 'profile_access_scopes', {
            profile_id: profile,
            access_scope_id,
            created_by: systemUser,
          });
      const evaluations = actions.map((name) => ({ resource: scope(`${type}:${name}`) }));
      expect(decisionsOf(await many({ subject: user(user_guid), action: use, evaluations }))).toEqual(decisions);
    }
  });
});

describe('the caller', () => {
  const body = { subject: user(randomUUID()), action: open, resource: application(randomUUID()) };
  const tokenWith = async (...scopes: string[]) => ({
    authorization: `Bearer ${await issueAdminToken(app.context, { scopes, minutes: 5, userGuid: systemUser })}`,
  });

  it('is a client with mayEvaluate, or has admin:read', async () => {
    expect((await one(body, await tokenWith('admin:read'))).status).toBe(200);
    expect((await one(body, basic)).status).toBe(200);
  });

  it('is refused without credentials, with wrong ones, without mayEvaluate and without the scope', async () => {
    const nobody = await one(body, {});
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const wrong = await one(body, credentialsOf({ clientId: 'nobody', clientSecret: 'x' }));
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic realm=/),
    ]);
    expect((await one(body, credentialsOf(await newClient(app.context)))).status).toBe(403);
    expect((await one(body, await tokenWith('admin:security'))).status).toBe(403);
    const inactive = await newClient(app.context, undefined, { may_evaluate: true, is_active: false });
    expect((await one(body, credentialsOf(inactive))).status).toBe(401);
  });

  it('without the scope is explained as that', () => {
    expect(refusedAtDoor(forbidden('admin:read'))?.reason).toBe('insufficientScope');
    expect(refusedAtDoor(unauthenticated('no access token'))?.reason).toBe('invalidAccessToken');
  });

  it('learns nothing of the body before it is known', async () => {
    expect((await one('{', {})).status).toBe(401);
  });
});

it('a database that is away is 503 with a message', async () => {
  const away = await startTestApp({ ADMIN_AUTH: 'none' });
  await away.database.drop();
  const body = { subject: user(randomUUID()), action: open, resource: application(randomUUID()) };
  const { status, headers, text } = await away.post('/access/v1/evaluation', body);
  expect([status, headers.get('retry-after'), text]).toEqual([
    503,
    '5',
    expect.stringContaining('The database is not available'),
  ]);
});
