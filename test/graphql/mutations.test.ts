/** Changes over the graph: every mutation does what it says, tells what is wrong by input path, and never overwrites. */
import { randomUUID } from 'node:crypto';
import { newClient, newUser } from '../support/records.js';
import { renewalBody } from '../support/tokens.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const applicationInput = {
  name: 'Atlas',
  iconDefault: 'a.svg',
  iconHover: 'b.svg',
  appType: 'web',
  renderingMode: 'tab',
  linkType: 'external',
};
const createApplication = async (more: object = {}) =>
  (
    await graph.data(
      'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { applicationGuid revision isActive isIframe createdBy modifiedDate translations { totalCount } } }',
      { input: { ...applicationInput, ...more } },
    )
  ).createApplication;
const update = `mutation ($guid: UUID!, $input: UpdateApplicationInput!, $ifRevision: Int) {
  updateApplication(applicationGuid: $guid, input: $input, ifRevision: $ifRevision) { name description isIframe revision modifiedDate modifiedBy } }`;
const errorOf = async (query: string, variables?: object, token?: string) => {
  const { json } = await graph.ask(query, variables, token);
  return json.errors?.[0];
};

it('an application is made, changed by the fields present, and cleared by null', async () => {
  const made = await createApplication({ description: 'Maps', isIframe: true });
  expect(made).toMatchObject({ revision: 1, isActive: true, isIframe: true, modifiedDate: null });
  const { updateApplication } = await graph.data(update, {
    guid: made.applicationGuid,
    input: { description: null, name: 'Atlas 2' },
    ifRevision: 1,
  });
  expect(updateApplication).toMatchObject({ name: 'Atlas 2', description: null, isIframe: true, revision: 2 });
  expect(updateApplication.modifiedDate).toMatch(/Z$/);
});

it('an update that changes nothing leaves the stamps alone', async () => {
  const { applicationGuid: guid } = await createApplication();
  const { updateApplication } = await graph.data(update, { guid, input: { name: 'Atlas' } });
  expect(updateApplication).toMatchObject({ revision: 1, modifiedDate: null });
});

it('one of two administrators who edit a record at once gets CONFLICT, and nothing is lost', async () => {
  const { applicationGuid: guid } = await createApplication();
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => graph.ask(update, { guid, input: { name }, ifRevision: 1 })),
  );
  const codes = answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'done').sort();
  expect(codes).toEqual(['CONFLICT', 'done']);
  expect((await errorOf(update, { guid, input: { name: 'Three' }, ifRevision: 1 })).extensions.code).toBe('CONFLICT');
});

it('faults of an input are told all at once, by path', async () => {
  const error = await errorOf(
    'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { name } }',
    { input: { ...applicationInput, name: '', appType: 'x'.repeat(51), description: 'd'.repeat(256) } },
  );
  expect(error.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    traceId: expect.any(String),
    problems: {
      'input.name': [expect.any(String)],
      'input.appType': [expect.any(String)],
      'input.description': [expect.any(String)],
    },
  });
});

it('mappings are made, changed and removed in bulk', async () => {
  const { applicationGuid } = await createApplication();
  const type = (await graph.data('mutation { createAccessScopeType(input: {name: "depot"}) { accessScopeTypeGuid } }'))
    .createAccessScopeType.accessScopeTypeGuid;
  const scopes: string[] = [];
  for (const name of ['A', 'B'])
    scopes.push(
      (
        await graph.data(
          'mutation ($input: CreateAccessScopeInput!) { createAccessScope(input: $input) { accessScopeGuid accessScopeType { name } } }',
          { input: { name, accessScopeKey: name, accessScopeTypeGuid: type } },
        )
      ).createAccessScope.accessScopeGuid,
    );
  const create = `mutation ($app: UUID!, $items: [AccessScopeApplicationsMapperCreateInput!]!) {
    createAccessScopeApplicationsMappers(applicationGuid: $app, items: $items) { state individualExternalLink accessScope { name } application { name } } }`;
  const made = await graph.data(create, {
    app: applicationGuid,
    items: scopes.toReversed().map((accessScopeGuid) => ({ accessScopeGuid })),
  });
  expect(made.createAccessScopeApplicationsMappers).toEqual([
    { state: 'active', individualExternalLink: null, accessScope: { name: 'B' }, application: { name: 'Atlas' } },
    { state: 'active', individualExternalLink: null, accessScope: { name: 'A' }, application: { name: 'Atlas' } },
  ]);
  expect(
    (await errorOf(create, { app: applicationGuid, items: [{ accessScopeGuid: scopes[0] }] })).extensions,
  ).toMatchObject({
    code: 'CONFLICT',
    problems: { 'items[0].accessScopeGuid': [expect.any(String)] },
  });
  const unknown = randomUUID();
  expect((await errorOf(create, { app: applicationGuid, items: [{ accessScopeGuid: unknown }] })).extensions.code).toBe(
    'NOT_FOUND',
  );
  const changed = await graph.data(
    `mutation ($app: UUID!, $items: [AccessScopeApplicationsMapperUpdateInput!]!) {
      updateAccessScopeApplicationsMappers(applicationGuid: $app, items: $items) { state individualExternalLink } }`,
    {
      app: applicationGuid,
      items: [{ accessScopeGuid: scopes[0], state: 'paused', individualExternalLink: 'https://a' }],
    },
  );
  expect(changed.updateAccessScopeApplicationsMappers).toEqual([
    { state: 'paused', individualExternalLink: 'https://a' },
  ]);
  const typed = await graph.data(
    `mutation ($app: UUID!, $type: UUID!) { createAccessScopeTypeApplicationsMappers(applicationGuid: $app, items: [{accessScopeTypeGuid: $type}]) { accessScopeType { name } }
      deleteAccessScopeTypeApplicationsMappers(applicationGuid: $app, accessScopeTypeGuids: [$type]) }`,
    { app: applicationGuid, type },
  );
  expect(typed).toEqual({
    createAccessScopeTypeApplicationsMappers: [{ accessScopeType: { name: 'depot' } }],
    deleteAccessScopeTypeApplicationsMappers: [expect.any(Number)],
  });
  const remove =
    'mutation ($app: UUID!, $guids: [UUID!]!) { deleteAccessScopeApplicationsMappers(applicationGuid: $app, accessScopeGuids: $guids) }';
  for (const guids of [
    [scopes[0], scopes[0]],
    [scopes[0], randomUUID()],
  ]) {
    const { problems } = (await errorOf(remove, { app: applicationGuid, guids })).extensions;
    expect(problems).toEqual({ 'accessScopeGuids[1]': [expect.any(String)] });
  }
  expect(await graph.data(remove, { app: applicationGuid, guids: scopes })).toEqual({
    deleteAccessScopeApplicationsMappers: [expect.any(Number), expect.any(Number)],
  });
  const moved = await graph.data(
    `mutation ($guid: UUID!) { updateAccessScope(accessScopeGuid: $guid, input: {concreteId: 7, accessScopeKey: null}) { concreteId accessScopeKey revision }
      deactivateAccessScope(accessScopeGuid: $guid) { isActive } }`,
    { guid: scopes[0] },
  );
  expect(moved).toEqual({
    updateAccessScope: { concreteId: 7, accessScopeKey: null, revision: 2 },
    deactivateAccessScope: { isActive: false },
  });
  expect(
    (
      await graph.data(
        'mutation ($guid: UUID!) { updateAccessScopeType(accessScopeTypeGuid: $guid, input: {name: "store"}) { name } deactivateAccessScopeType(accessScopeTypeGuid: $guid) { isActive } }',
        { guid: type },
      )
    ).deactivateAccessScopeType,
  ).toEqual({ isActive: false });
});

it('users, profiles and roles are made, linked, unlinked and removed', async () => {
  const { createUser } = await graph.data(
    'mutation { createUser(input: {firstName: "Ada", idpname: "corp", idpid: "ada"}) { userGuid firstName isBlocked } }',
  );
  const guid = createUser.userGuid;
  expect(
    (await errorOf('mutation { createUser(input: {idpname: "corp", idpid: "ada"}) { userGuid } }')).extensions.code,
  ).toBe('CONFLICT');
  await graph.data(
    'mutation { createProfile(input: {profileId: "p1", name: "P"}) { profileId } createRole(input: {roleId: "r1", name: "R"}) { roleId } }',
  );
  expect(
    (await errorOf('mutation { createProfile(input: {profileId: "p1", name: "P"}) { profileId } }')).extensions.code,
  ).toBe('CONFLICT');
  const assign =
    'mutation ($guid: UUID!) { assignProfile(userGuid: $guid, profileId: "p1", roleId: "r1") { user { firstName } profile { name } role { name } } }';
  expect((await graph.data(assign, { guid })).assignProfile).toEqual({
    user: { firstName: 'Ada' },
    profile: { name: 'P' },
    role: { name: 'R' },
  });
  expect((await errorOf(assign, { guid })).extensions.code).toBe('CONFLICT');
  expect((await errorOf(assign, { guid: randomUUID() })).extensions).toMatchObject({
    code: 'NOT_FOUND',
    problems: { userGuid: [expect.any(String)] },
  });
  expect((await errorOf('mutation { deleteRole(roleId: "r1") }')).extensions.code).toBe('CONFLICT');
  const unassign = 'mutation ($guid: UUID!) { unassignProfile(userGuid: $guid, profileId: "p1", roleId: "r1") }';
  expect((await graph.data(unassign, { guid })).unassignProfile).toEqual(expect.any(Number));
  expect((await graph.data(unassign, { guid })).unassignProfile).toBeNull();
  expect(await graph.data('mutation { deleteRole(roleId: "r1") deleteProfile(profileId: "p1") }')).toEqual({
    deleteRole: 'r1',
    deleteProfile: 'p1',
  });
  expect((await errorOf('mutation { deleteProfile(profileId: "p1") }')).extensions.code).toBe('NOT_FOUND');
  expect(
    (await graph.data('mutation ($guid: UUID!) { deactivateUser(userGuid: $guid) { isBlocked revision } }', { guid }))
      .deactivateUser,
  ).toEqual({ isBlocked: true, revision: 2 });
});

it('a profile gets exactly the access scopes given', async () => {
  const type = (await graph.data('mutation { createAccessScopeType(input: {name: "area"}) { accessScopeTypeGuid } }'))
    .createAccessScopeType.accessScopeTypeGuid;
  const scopes: string[] = [];
  for (const name of ['1', '2', '3'])
    scopes.push(
      (
        await graph.data(
          'mutation ($input: CreateAccessScopeInput!) { createAccessScope(input: $input) { accessScopeGuid } }',
          { input: { name, accessScopeKey: name, accessScopeTypeGuid: type } },
        )
      ).createAccessScope.accessScopeGuid,
    );
  await graph.data('mutation { createProfile(input: {profileId: "p2", name: "P"}) { profileId } }');
  const set =
    'mutation ($guids: [UUID!]!) { setProfileAccessScopes(profileId: "p2", accessScopeGuids: $guids) { profileAccessScopes(orderBy: [{accessScope: {name: ASC}}]) { nodes { accessScope { name } } } } }';
  const names = async (guids: string[]) =>
    (await graph.data(set, { guids })).setProfileAccessScopes.profileAccessScopes.nodes.map(
      (node: { accessScope: { name: string } }) => node.accessScope.name,
    );
  expect(await names([scopes[0]!, scopes[1]!])).toEqual(['1', '2']);
  expect(await names([scopes[2]!, scopes[1]!])).toEqual(['2', '3']);
  expect((await errorOf(set, { guids: [scopes[0], scopes[0]!.toUpperCase()] })).extensions.problems).toEqual({
    'accessScopeGuids[1]': [expect.any(String)],
  });
  expect((await errorOf(set, { guids: [randomUUID()] })).extensions.code).toBe('NOT_FOUND');
  expect(await names([])).toEqual([]);
});

it('translations are given as a whole', async () => {
  const set =
    'mutation ($texts: [TranslationInput!]!) { setTranslations(translationGroup: "g", translations: $texts) { fieldName languageCode translatedText } }';
  const text = (languageCode: string, translatedText: string) => ({ fieldName: 'name', languageCode, translatedText });
  expect((await graph.data(set, { texts: [text('de', 'Eins'), text('fr', 'Un')] })).setTranslations).toEqual([
    text('de', 'Eins'),
    text('fr', 'Un'),
  ]);
  expect((await graph.data(set, { texts: [text('it', 'Uno'), text('de', 'Einser')] })).setTranslations).toEqual([
    text('it', 'Uno'),
    text('de', 'Einser'),
  ]);
  expect((await errorOf(set, { texts: [text('de', 'a'), text('de', 'b')] })).extensions.problems).toEqual({
    'translations[1]': [expect.any(String)],
  });
  expect((await errorOf(set, { texts: [text('de', '')] })).extensions.problems).toEqual({
    'translations[0].translatedText': [expect.any(String)],
  });
});

it('a client’s secret is told once; during a rotation the one before lives on', async () => {
  const made = (
    await graph.data(
      'mutation { createClient(input: {clientId: "portal", name: "Portal"}) { clientSecret client { clientId isActive previousSecretEndsAt } } }',
    )
  ).createClient;
  expect(made.client).toEqual({ clientId: 'portal', isActive: true, previousSecretEndsAt: null });
  expect(made.clientSecret.length).toBeGreaterThan(20);
  const rotated = (
    await graph.data(
      'mutation { rotateClientSecret(clientId: "portal", keepPreviousHours: 2) { clientSecret client { previousSecretEndsAt secretLastUsedAt previousSecretLastUsedAt } } }',
    )
  ).rotateClientSecret;
  expect(rotated.clientSecret).not.toBe(made.clientSecret);
  expect(Date.parse(rotated.client.previousSecretEndsAt) - Date.now()).toBeGreaterThan(7_000_000);
  const [stored] = await graph.app.context.sql.rows<{ client_secret: string }>(
    "select client_secret from clients where client_id = 'portal'",
  );
  expect(await graph.app.context.secrets.check('portal', rotated.clientSecret, stored!.client_secret)).toMatchObject({
    ok: true,
  });
  expect(graph.app.logged()).not.toContain(rotated.clientSecret);
  expect(
    (await graph.data('mutation { setClientActive(clientId: "portal", isActive: false) { isActive } }'))
      .setClientActive,
  ).toEqual({ isActive: false });
  expect(
    (await errorOf('mutation { setClientActive(clientId: "nobody", isActive: false) { isActive } }')).extensions.code,
  ).toBe('NOT_FOUND');
  expect(
    (await errorOf('mutation { createClient(input: {clientId: "portal", name: "P"}) { clientSecret } }')).extensions
      .code,
  ).toBe('CONFLICT');
});

it('the secret before a rotation is ended at once, and the one that is there goes on', async () => {
  const { context } = graph.app;
  const { clientId, clientSecret: before } = await newClient(context);
  const rotate = `mutation { rotateClientSecret(clientId: "${clientId}", keepPreviousHours: 24) { clientSecret } }`;
  const { clientSecret: after } = (await graph.data(rotate)).rotateClientSecret;
  const isTaken = async (client_secret: string) => {
    const body = {
      ...renewalBody('none'),
      profileId: 'p',
      client_id: clientId,
      client_secret,
    };
    return !(await graph.app.post('/token', body)).text.includes('Invalid client credentials');
  };
  expect([await isTaken(before), await isTaken(after)]).toEqual([true, true]);
  const ended = `mutation { endPreviousSecret(clientId: "${clientId}") { previousSecretEndsAt previousSecretLastUsedAt } }`;
  expect((await graph.data(ended)).endPreviousSecret).toEqual({
    previousSecretEndsAt: null,
    previousSecretLastUsedAt: null,
  });
  expect([await isTaken(before), await isTaken(after)]).toEqual([false, true]);
  expect((await errorOf('mutation { endPreviousSecret(clientId: "nobody") { name } }')).extensions.code).toBe(
    'NOT_FOUND',
  );
});

it('tokens are revoked by any criteria, at least one, and counted', async () => {
  const user = await newUser(graph.app.context);
  for (const profile of ['x', 'y'])
    await graph.app.context.sql.rows(
      `insert into tokens (user_id, profile_id, token, created_at, expires_at) values ($1, $2, decode(md5(random()::text), 'hex'), now(), now() + interval '1 day')`,
      [user.user_guid, profile],
    );
  const revoke = 'mutation ($guid: UUID, $profile: ID) { revokeTokens(userGuid: $guid, profileId: $profile) }';
  expect((await errorOf(revoke)).extensions.code).toBe('BAD_USER_INPUT');
  expect((await graph.data(revoke, { guid: user.user_guid, profile: 'x' })).revokeTokens).toBe(1);
  expect((await graph.data(revoke, { guid: user.user_guid })).revokeTokens).toBe(1);
  expect((await graph.data(revoke, { guid: user.user_guid })).revokeTokens).toBe(0);
  const events = await graph.data(
    '{ auditEvents(filter: {action: {eq: "revoke"}}) { nodes { subjectType detail actor actorNavigation { userGuid } } } tokens { nodes { isRevoked revokedAt user { userGuid } profile { name } client { name } } } }',
  );
  expect(events.auditEvents.nodes).toHaveLength(2);
  expect(events.auditEvents.nodes[0].detail).toEqual({ count: 1 });
});

it('the signing key rotates, and what it signed goes on to be good', async () => {
  const token = graph.token();
  const { rotateSigningKey } = await graph.data(
    'mutation { rotateSigningKey { kid state alg publicJwk } }',
    undefined,
    token,
  );
  expect(rotateSigningKey).toMatchObject({ state: 'active', alg: 'ES256', publicJwk: { kty: 'EC' } });
  const { signingKeys } = await graph.data('{ signingKeys { nodes { kid state publicJwk } } }', undefined, token);
  expect(JSON.stringify(signingKeys)).not.toContain('"d"');
  expect(signingKeys.nodes.map(({ state }: { state: string }) => state).sort()).toEqual([
    'active',
    'active',
    'next',
    'retired',
  ]);
});
