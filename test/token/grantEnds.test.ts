/** Grants that end: from that moment, by the database's clock, they count in nothing that issues or judges. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { findSessionCaller, sessionHash } from '../../src/modules/console/sessions.js';
import { removeEndedGrants } from '../../src/modules/governance/endedGrants.js';
import { startApp } from '../../src/startApp.js';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { post, readAnswer } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import {
  insert,
  linkProfile,
  newApplication,
  newClient,
  newProfile,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../support/records.js';
import { factor, seed } from '../support/schedules.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';

let graph: TestGraph;
let client: { client_id: string; client_secret: string };
let strict: typeof client;
let evaluator: string;
let typeId: number;
let typeName: string;

const newCredentials = async (more: object = {}) => {
  const { clientId, clientSecret } = await newClient(graph.app.context, undefined, more);
  return { client_id: clientId, client_secret: clientSecret };
};
beforeAll(async () => {
  graph = await startTestGraph();
  client = await newCredentials();
  strict = await newCredentials({ policy: 'hardened' });
  const { client_id, client_secret } = await newCredentials({ may_evaluate: true });
  evaluator = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  typeName = `ends-${randomUUID().slice(0, 8)}`;
  typeId = await newScopeType(graph.app.context, typeName);
});
afterAll(() => graph?.close());

const rows = <Row extends object>(text: string, values: unknown[] = []) =>
  graph.app.context.sql.rows<Row>(text, values);
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const inSeconds = (seconds: number) => new Date(Math.floor(Date.now() / 1_000 + seconds) * 1_000).toISOString();

/** A person with a profile that has an access scope, which opens an application. */
async function newPerson() {
  const { context } = graph.app;
  const { user_id: userId, user_guid: userGuid } = await newUser(context);
  const profileId = await newProfile(context);
  await linkProfile(context, userId, profileId, 'member');
  const key = randomUUID().slice(0, 8);
  const scope = await newScope(context, typeId, profileId, { access_scope_key: key });
  const application = await newApplication(context);
  await insert(context.sql, 'access_scope_applications_mappers', {
    application_id: application.application_id,
    access_scope_id: scope.access_scope_id,
    state: 'active',
    created_by: systemUser,
  });
  return {
    userId,
    userGuid,
    profileId,
    entry: `${typeName}:${key}`,
    accessScopeGuid: scope.access_scope_guid,
    applicationGuid: application.application_guid,
  };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const endAssignment = ({ userId }: Person, end: string | null) =>
  rows('update user_profiles set valid_until = $2 where user_id = $1', [userId, end]);
const endScope = ({ profileId }: Person, end: string | null) =>
  rows('update profile_access_scopes set valid_until = $2 where profile_id = $1', [profileId, end]);
const exchange = ({ userGuid, profileId }: Person, by = client, url = graph.app.url) =>
  post(`${url}/token`, { ...exchangeBody(graph.app.idToken({ sub: userGuid })), profileId, ...by });
const renew = (
  { profileId }: Pick<Person, 'profileId'>,
  refreshToken: string,
  by = client,
  headers: Record<string, string> = {},
) => graph.app.post('/token', { ...renewalBody(refreshToken), profileId, ...by }, headers);
const evaluate = async ({ userGuid, applicationGuid }: Person): Promise<boolean> => {
  const subject = { type: 'user', id: userGuid };
  const body = { subject, action: { name: 'open' }, resource: { type: 'application', id: applicationGuid } };
  return (await graph.app.post('/access/v1/evaluation', body, { authorization: evaluator })).json.decision;
};
const verify = async ({ applicationGuid }: Person, token: string): Promise<number> =>
  (
    await fetch(`${graph.app.url}/verify?application=${applicationGuid}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;
const explain = async ({ userGuid, applicationGuid }: Person) =>
  (
    await graph.data(
      `query ($userGuid: UUID!, $applicationGuid: UUID!) { explainAccess(userGuid: $userGuid, applicationGuid: $applicationGuid) {
        isOpen reasons ways { links { holds reason } } remedies { changes text } } }`,
      { userGuid, applicationGuid },
    )
  ).explainAccess;
const accessOf = async ({ applicationGuid }: Person) =>
  (
    await graph.data(
      'query ($applicationGuid: UUID!) { accessOf(applicationGuid: $applicationGuid) { userProfiles { totalCount } } }',
      { applicationGuid },
    )
  ).accessOf;
const preview = async ({ userGuid, profileId }: Person) =>
  (
    await graph.data(
      `query ($userGuid: UUID!, $profileId: ID!) { previewToken(userGuid: $userGuid, profileId: $profileId) {
        isIssued refusal claims { exp iat scopes roleId } scopes { isIssued why } } }`,
      { userGuid, profileId },
    )
  ).previewToken;
const opens = async ({ userGuid }: Person) =>
  (await graph.data('query ($userGuid: UUID!) { user(userGuid: $userGuid) { opens { totalCount } } }', { userGuid }))
    .user.opens.totalCount;
const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false) { applyChanges(changes: $changes, dryRun: $dryRun) {
  changeSetGuid effect { gains { users applications } loses { users applications } } } }`;
const problemsOf = async (changes: object[]) => (await graph.ask(apply, { changes })).json.errors?.[0]?.extensions;
const remove = (context = graph.app.context) =>
  removeEndedGrants({ ...context, face: 'schedule' }, new AbortController().signal);

describe('an assignment that has ended', () => {
  const past = () => inSeconds(-60);

  it('gives no token by an exchange, and the log says when it ended', async () => {
    const person = await newPerson();
    await endAssignment(person, inSeconds(600));
    expect((await exchange(person)).status).toBe(200);
    const end = past();
    await endAssignment(person, end);
    expect((await exchange(person)).status).toBe(400);
    expect(graph.app.logged()).toContain(`profile ended at ${end}`);
    await endAssignment(person, null);
    expect((await exchange(person)).status).toBe(200);
  });

  it('gives none by a renewal, nor by one whose answer was lost', async () => {
    const person = await newPerson();
    const { json } = await exchange(person);
    const key = { 'idempotency-key': randomUUID() };
    expect((await renew(person, json.refresh_token, client, key)).status).toBe(200);
    const end = past();
    await endAssignment(person, end);
    expect((await renew(person, json.refresh_token, client, key)).status).toBe(401);
    await endAssignment(person, null);
    const { json: again } = await renew(person, json.refresh_token, client, key);
    expect(again.access_token).toBeDefined();
    await endAssignment(person, end);
    expect((await renew(person, again.refresh_token)).status).toBe(401);
    expect(graph.app.logged()).toContain(`link ended at ${end}`);
  });

  it('leaves no renewal token active for /introspect, as none can be renewed, under both policies', async () => {
    for (const by of [client, strict]) {
      const person = await newPerson();
      const { json } = await exchange(person, by);
      const isActive = async () => {
        const body = new URLSearchParams({ token: json.refresh_token, ...by });
        return (await readAnswer(await fetch(`${graph.app.url}/introspect`, { method: 'POST', body }))).json.active;
      };
      await endAssignment(person, inSeconds(600));
      expect(await isActive()).toBe(true);
      await endAssignment(person, past());
      expect(await isActive()).toBe(false);
      await endAssignment(person, null);
      expect(await isActive()).toBe(true);
    }
  });

  it('is listed by neither /profiles nor the viewer, which tell when others end', async () => {
    const person = await newPerson();
    const list = () =>
      graph.app.post('/profiles', { id_token: graph.app.idToken({ sub: person.userGuid }), ...client });
    const end = inSeconds(600);
    await endAssignment(person, end);
    expect((await list()).json.profiles).toEqual([expect.objectContaining({ validUntil: end })]);
    await linkProfile(graph.app.context, person.userId, person.profileId, 'operator');
    expect((await list()).json.profiles).toEqual([expect.objectContaining({ roleId: 'member', validUntil: null })]);
    await rows("update user_profiles set valid_until = $2 where user_id = $1 and role_id = 'member'", [
      person.userId,
      past(),
    ]);
    expect((await list()).json.profiles).toEqual([expect.objectContaining({ roleId: 'operator', validUntil: null })]);
    await endAssignment(person, past());
    expect((await list()).json.profiles).toEqual([]);
  });

  it('makes nobody a caller of the administration, by a token or a session of the console', async () => {
    const { context, url } = graph.app;
    const person = await newPerson();
    const [administers] = await rows<{ access_scope_id: number }>(
      "select access_scope_id from access_scopes where access_scope_guid = 'ad300000-0000-4000-8000-000000000001'",
    );
    await insert(context.sql, 'profile_access_scopes', {
      profile_id: person.profileId,
      access_scope_id: administers!.access_scope_id,
      created_by: systemUser,
    });
    const { json } = await exchange(person);
    const list = async () =>
      (
        await fetch(`${url}/api/applications`, {
          headers: { authorization: `Bearer ${json.access_token}`, 'api-version': '1.0' },
        })
      ).status;
    const secret = randomUUID();
    await insert(context.sql, 'console_sessions', {
      session_hash: sessionHash(secret),
      user_guid: person.userGuid,
      profile_id: person.profileId,
      issuer: 'i',
      ends_at: inSeconds(3_600),
    });
    const signedIn = async () => (await findSessionCaller(context, secret, ['i']))?.permissions.size;
    await endAssignment(person, inSeconds(600));
    expect([await list(), await signedIn()]).toEqual([200, 1]);
    await endAssignment(person, past());
    expect([await list(), await signedIn()]).toEqual([401, undefined]);
    await endAssignment(person, null);
    await rows('update profile_access_scopes set valid_until = $2 where access_scope_id = $1', [
      administers!.access_scope_id,
      past(),
    ]);
    expect([await list(), await signedIn()]).toEqual([403, 0]);
  });

  it('opens nothing: preview, accessOf, explainAccess, what the user opens, AuthZEN, and tokens of sessions', async () => {
    const person = await newPerson();
    const { json } = await exchange(person, strict);
    const look = async () => [
      (await preview(person)).isIssued,
      (await explain(person)).isOpen,
      (await accessOf(person))[0]?.userProfiles.totalCount === 1,
      (await opens(person)) === 1,
      await evaluate(person),
      (await graph.app.post('/validate-token', { token: json.access_token, ...strict })).status === 200,
      (await verify(person, json.access_token)) === 204,
    ];
    const all = Array(7).fill(true);
    expect(await look()).toEqual(all);
    await endAssignment(person, inSeconds(600));
    expect(await look()).toEqual(all);
    await endAssignment(person, past());
    expect(await look()).toEqual(Array(7).fill(false));
  });

  it('is explained with its end, and a remedy extends it', async () => {
    const person = await newPerson();
    const end = past();
    await endAssignment(person, end);
    const explained = await explain(person);
    expect(explained.reasons).toEqual([`Ada held ${person.profileId} until ${end}.`]);
    expect(explained.ways[0].links.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([
      { holds: false, reason: 'GRANT_ENDED' },
    ]);
    const { changes } = explained.remedies[0];
    expect(changes).toEqual([
      { assignProfile: expect.objectContaining({ profileId: person.profileId, roleId: 'member' }) },
    ]);
    expect(Date.parse(changes[0].assignProfile.validUntil)).toBeGreaterThan(Date.now());
    await graph.data(apply, { changes });
    expect((await explain(person)).isOpen).toBe(true);
  });
});

describe('an access scope that a profile had until a time', () => {
  it('is in no token, opens nothing, and is explained with a remedy that gives it again', async () => {
    const person = await newPerson();
    const end = inSeconds(-60);
    await endScope(person, end);
    expect(claimsOf((await exchange(person)).json.access_token).scopes).toEqual([]);
    expect(await evaluate(person)).toBe(false);
    expect(await accessOf(person)).toEqual([]);
    expect((await preview(person)).scopes).toEqual([
      { isIssued: false, why: `The profile had this access scope until ${end}.` },
    ]);
    const explained = await explain(person);
    expect(explained.reasons).toEqual([`${person.profileId} had the access scope Scope until ${end}.`]);
    await graph.data(apply, { changes: explained.remedies[0].changes });
    expect([(await explain(person)).isOpen, await evaluate(person)]).toEqual([true, true]);
  });

  it('is given again by the whole list, in which others keep their ends', async () => {
    const { profileId, accessScopeGuid } = await newPerson();
    const other = await newScope(graph.app.context, typeId, profileId, { access_scope_key: randomUUID() });
    const end = inSeconds(600);
    await rows('update profile_access_scopes set valid_until = $2 where access_scope_id = $1', [
      other.access_scope_id,
      end,
    ]);
    await rows(
      "update profile_access_scopes set valid_until = now() - interval '1 minute' where profile_id = $1 and access_scope_id <> $2",
      [profileId, other.access_scope_id],
    );
    const accessScopeGuids = [accessScopeGuid, other.access_scope_guid];
    await graph.data(apply, { changes: [{ setProfileAccessScopes: { profileId, accessScopeGuids } }] });
    const ends = await rows<{ valid_until: string | null }>(
      'select valid_until from profile_access_scopes where profile_id = $1 order by valid_until',
      [profileId],
    );
    expect(ends.map(({ valid_until }) => valid_until && new Date(valid_until).toISOString())).toEqual([end, null]);
  });
});

describe('an administration scope', () => {
  it('that has ended is given again, or gets another end, only with admin:security', async () => {
    const { profileId, accessScopeGuid } = await newPerson();
    const reading = 'ad300000-0000-4000-8000-000000000001';
    await rows(
      `insert into profile_access_scopes (profile_id, access_scope_id, valid_until, created_by)
       select $1, access_scope_id, now() - interval '1 second', $2 from access_scopes where access_scope_guid = $3`,
      [profileId, systemUser, reading],
    );
    const writer = graph.token(['admin:read', 'admin:write']);
    const changes = [
      { setProfileAccessScopes: { profileId, accessScopeGuids: [accessScopeGuid, reading] } },
      { assignAccessScope: { profileId, accessScopeGuid: reading } },
      { assignAccessScope: { profileId, accessScopeGuid: reading, validUntil: inSeconds(600) } },
    ];
    for (const change of changes) {
      const refused = (await graph.ask(apply, { changes: [change] }, writer)).json.errors[0];
      expect(refused.extensions.code).toBe('FORBIDDEN');
    }
    expect(
      await rows('select from profile_access_scopes where profile_id = $1 and valid_until <= now()', [profileId]),
    ).toHaveLength(1);
    await graph.data(apply, { changes: [changes[0]!] });
    expect(
      await rows('select from profile_access_scopes where profile_id = $1 and valid_until is null', [profileId]),
    ).toHaveLength(2);
  });
});

describe('an access token', () => {
  it('lives for an hour where no grant ends, and to the end of the first of its grants otherwise', async () => {
    const person = await newPerson();
    const lifetime = async () => {
      const { json } = await exchange(person);
      const { exp, iat } = claimsOf(json.access_token);
      expect(json.expires_in).toBe(exp - iat);
      const renewed = (await renew(person, json.refresh_token)).json;
      expect(claimsOf(renewed.access_token).exp - claimsOf(renewed.access_token).iat).toBe(renewed.expires_in);
      return { exp, iat, renewed: claimsOf(renewed.access_token).exp };
    };
    const whole = await lifetime();
    expect(whole.exp - whole.iat).toBe(3_600);
    const [near, far] = [inSeconds(600), inSeconds(1_200)];
    await endAssignment(person, far);
    expect(await lifetime()).toMatchObject({ exp: Date.parse(far) / 1_000, renewed: Date.parse(far) / 1_000 });
    await endScope(person, near);
    expect(await lifetime()).toMatchObject({ exp: Date.parse(near) / 1_000, renewed: Date.parse(near) / 1_000 });
    expect((await preview(person)).claims.exp).toBe(Date.parse(near) / 1_000);
    await endAssignment(person, inSeconds(86_400));
    await endScope(person, null);
    const long = await lifetime();
    expect(long.exp - long.iat).toBe(3_600);
  });
});

describe('an end', () => {
  it('that has passed is refused, and nothing is changed', async () => {
    const { userGuid, profileId, accessScopeGuid } = await newPerson();
    const validUntil = inSeconds(-1);
    const [before] = await rows('select version from catalogue_version');
    for (const change of [
      { assignProfile: { userGuid, profileId, roleId: 'member', validUntil } },
      { assignAccessScope: { profileId, accessScopeGuid, validUntil } },
    ]) {
      const { code, problems } = await problemsOf([change]);
      expect([code, problems]).toEqual([
        'BAD_USER_INPUT',
        { [`changes[0].${Object.keys(change)[0]}.validUntil`]: ['The end must be in the future.'] },
      ]);
    }
    expect((await rows('select version from catalogue_version'))[0]).toEqual(before);
  });

  it('is set, extended and taken away by the change that gives the grant, which without an end is refused as before', async () => {
    const { userGuid, profileId, accessScopeGuid, userId } = await newPerson();
    const ends = async () =>
      (
        await rows<{ assignment: Date; scope: Date }>(
          `select (select valid_until from user_profiles where user_id = $1) as assignment,
             (select valid_until from profile_access_scopes where profile_id = $2) as scope`,
          [userId, profileId],
        )
      ).map((row) => Object.values(row).map((end) => end && new Date(end).toISOString()))[0];
    const give = (validUntil?: string | null) =>
      graph.data(apply, {
        changes: [
          { assignProfile: { userGuid, profileId, roleId: 'member', validUntil } },
          { assignAccessScope: { profileId, accessScopeGuid, validUntil } },
        ],
      });
    for (const end of [inSeconds(600), inSeconds(1_200), null]) {
      await give(end);
      expect(await ends()).toEqual([end, end]);
    }
    await expect(give()).rejects.toThrow('CONFLICT');
    const { userProfiles } = await graph.data(
      'query ($now: DateTime!) { userProfiles(filter: { validUntil: { gt: $now } }, orderBy: [{ validUntil: ASC }]) { nodes { validUntil lastUsedAt } } }',
      { now: new Date().toISOString() },
    );
    expect(userProfiles.nodes.length).toBeGreaterThan(0);
  });

  it('counts in an effect: one that has passed gave nothing', async () => {
    const person = await newPerson();
    const { userGuid, profileId } = person;
    const changes = [{ unassignProfile: { userGuid, profileId, roleId: 'member' } }];
    const lost = async () => (await graph.data(apply, { changes, dryRun: true })).applyChanges.effect.loses.users;
    expect(await lost()).toBe(1);
    await endAssignment(person, inSeconds(-60));
    expect(await lost()).toBe(0);
  });
});

describe('the schedule', () => {
  it('removes what ended in a change set of its own, with the sessions, and once however many processes look', async () => {
    await remove();
    await rows("update change_sets set face = 'before' where face = 'schedule'");
    const [person, staying] = [await newPerson(), await newPerson()];
    const { json } = await exchange(person);
    const stays = (await exchange(staying)).json;
    const end = inSeconds(-60);
    await endAssignment(person, end);
    await endScope(staying, end);
    const version = async () => (await rows<{ version: string }>('select version from catalogue_version'))[0]!.version;
    const before = await version();
    await Promise.all([remove(), remove()]);
    expect(await version()).not.toBe(before);
    const sets = await rows<{ id: string; note: string; face: string; records: string[] }>(
      `select change_set_id::text as id, note, face, array(select record_table || ' ' || coalesce(before->>'user_id', before->>'profile_id')
         from record_versions where change_set_id = s.change_set_id and after is null order by 1) as records
       from change_sets s where face = 'schedule'`,
    );
    expect(sets).toEqual([
      expect.objectContaining({
        note: `ended on ${end.slice(0, 10)}`,
        face: 'schedule',
        records: [`profile_access_scopes ${staying.profileId}`, `user_profiles ${person.userId}`],
      }),
    ]);
    expect((await renew(person, json.refresh_token)).status).toBe(401);
    expect(graph.app.logged()).toContain('revoked by end of the grant');
    expect((await renew(staying, stays.refresh_token)).status).toBe(200);
    await remove();
    expect(await rows("select from change_sets where face = 'schedule'")).toHaveLength(1);
    // the explanation knows what is gone
    expect((await explain(person)).reasons).toEqual([`Ada held ${person.profileId} until ${end}.`]);
    // taking it back asks for a new end
    const [set] = await rows<{ guid: string }>(
      "select change_set_guid::text as guid from change_sets where face = 'schedule'",
    );
    const undo = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }';
    const { extensions } = (await graph.ask(undo, { guid: set!.guid })).json.errors[0];
    expect(extensions.code).toBe('CONFLICT');
    expect(Object.values(extensions.problems).flat()).toEqual([
      expect.stringMatching(/^UserProfile \d+ ended at \S+Z: give it again with a new end\.$/),
      expect.stringMatching(/^ProfileAccessScope \d+ ended at \S+Z: give it again with a new end\.$/),
    ]);
    const { userGuid, profileId } = person;
    await graph.data(apply, {
      changes: [{ assignProfile: { userGuid, profileId, roleId: 'member', validUntil: inSeconds(600) } }],
    });
    expect((await exchange(person)).status).toBe(200);
  });

  it('makes no change set where nothing ended', async () => {
    const person = await newPerson();
    await endAssignment(person, inSeconds(600));
    await remove();
    const count = () => rows('select from change_sets');
    const before = (await count()).length;
    await remove();
    expect(await count()).toHaveLength(before);
    expect((await exchange(person)).status).toBe(200);
  });

  it('and an extension of the same moment never lose the grant', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const person = await newPerson();
      const { userGuid, profileId } = person;
      await endAssignment(person, inSeconds(-60));
      const validUntil = inSeconds(600);
      const changes = [{ assignProfile: { userGuid, profileId, roleId: 'member', validUntil } }];
      await Promise.all([remove(), graph.data(apply, { changes })]);
      expect((await exchange(person)).status).toBe(200);
    }
  });

  it('of two processes with timers removes within a minute, and both refuse to the second of the database', async () => {
    const { context } = graph.app;
    const config = { ...context.config, port: 0, scheduleSeconds: 1 };
    const log = context.log;
    const processes = await Promise.all([1, 2].map(() => startApp({ config, notice: () => undefined, log })));
    closeAtEnd(async () => {
      for (const { close } of processes) await close();
    });
    const person = await newPerson();
    await rows("update user_profiles set valid_until = now() + interval '1.5 seconds' where user_id = $1", [
      person.userId,
    ]);
    const isOver = async () =>
      (
        await rows<{ over: boolean }>(
          'select valid_until <= clock_timestamp() as over from user_profiles where user_id = $1',
          [person.userId],
        )
      )[0]?.over ?? true;
    let refusals = 0;
    await until(async () => {
      for (const { url } of processes) {
        const wasOver = await isOver();
        const { status } = await exchange(person, client, url);
        if (!(await isOver())) expect(status).toBe(200);
        if (wasOver) expect(status).toBe(400);
        if (wasOver) refusals += 1;
      }
      return refusals >= 4;
    });
    await until(async () => (await rows('select from user_profiles where user_id = $1', [person.userId])).length === 0);
    expect(
      await rows(
        "select from record_versions where record_table = 'user_profiles' and before->>'user_id' = $1 and after is null",
        [String(person.userId)],
      ),
    ).toHaveLength(1);
  });
});

describe('what is issued is what an evaluation of all grants gives', () => {
  const end = fc.constantFrom(null, -3_600, -1, 5, 900, 86_400);
  const draw = fc.record({
    links: fc.array(end, { maxLength: 3 }),
    scopes: fc.array(fc.record({ end, isActive: fc.boolean() }), { maxLength: 4 }),
  });

  it(`with random ends (seed ${seed})`, async () => {
    const { context } = graph.app;
    await fc.assert(
      fc.asyncProperty(draw, async ({ links, scopes }) => {
        const { user_id: userId, user_guid: userGuid } = await newUser(context);
        const profileId = await newProfile(context);
        const now = Date.now();
        const timeOf = (seconds: number | null) => seconds && new Date(now + seconds * 1_000).toISOString();
        for (const [index, seconds] of links.entries()) {
          await linkProfile(context, userId, profileId, `role-${index}`);
          await rows('update user_profiles set valid_until = $3 where user_id = $1 and role_id = $2', [
            userId,
            `role-${index}`,
            timeOf(seconds),
          ]);
        }
        const keys = scopes.map((_, index) => `${profileId}-${index}`);
        for (const [index, { end: seconds, isActive }] of scopes.entries()) {
          const more = { access_scope_key: keys[index], is_active: isActive };
          const { access_scope_id } = await newScope(context, typeId, profileId, more);
          await rows('update profile_access_scopes set valid_until = $2 where access_scope_id = $1', [
            access_scope_id,
            timeOf(seconds),
          ]);
        }
        const lasts = (seconds: number | null) => seconds === null || seconds > 0;
        const link = links.findIndex(lasts);
        const issued = scopes.flatMap(({ end: seconds, isActive }, index) =>
          isActive && lasts(seconds) ? [{ seconds, entry: `${typeName}:${keys[index]}` }] : [],
        );
        const ends = [links[link] ?? null, ...issued.map(({ seconds }) => seconds)].flatMap((seconds) => seconds ?? []);
        const person = { userGuid, profileId } as Person;
        const { status, json } = await exchange(person);
        const shown = await preview(person);
        expect([status === 200, shown.isIssued]).toEqual([link >= 0, link >= 0]);
        if (link < 0) return;
        const renewed = (await renew(person, json.refresh_token)).json;
        for (const claims of [claimsOf(json.access_token), claimsOf(renewed.access_token), shown.claims]) {
          expect(claims.roleId).toBe(`role-${link}`);
          expect(claims.scopes).toEqual(issued.map(({ entry }) => entry).sort());
          const last = Math.min(
            ...ends.map((seconds) => Math.floor((now + seconds * 1_000) / 1_000)),
            claims.iat + 3_600,
          );
          expect(claims.exp).toBe(last);
        }
      }),
      { seed, numRuns: 25 * factor },
    );
  });
});
