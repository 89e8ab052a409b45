/** The viewer's tiles, the preview of a token and who reaches an application: the same truth from three sides. */
import { validate } from '../../src/services/tokens/validate.js';
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
} from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const system = '00000000-0000-0000-0000-000000000001';
let holder: { userGuid: string; userId: number; profileId: string };
const guids: Record<string, string> = {};

beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const { sql } = context;
  holder = await newHolder(context, { first_name: 'Ada' });
  const types = { depot: await newScopeType(context, 'depot'), closed: await newScopeType(context, 'closed') };
  await sql.rows("update access_scope_types set is_active = false where name = 'closed'");
  const held = async (more: object, type = types.depot) =>
    (await newScope(context, type, holder.profileId, more)).access_scope_id;
  const scopes = {
    a: await held({ access_scope_key: 'a' }),
    b: await held({ access_scope_key: 'b' }),
    off: await held({ access_scope_key: 'off', is_active: false }),
    wild: await held({ is_wildcard: true }),
    number: await held({ concrete_id: 7 }),
    nameless: await held({}),
    closed: await held({ access_scope_key: 'c' }, types.closed),
    foreign: (await newScope(context, types.closed, undefined, { access_scope_key: 'foreign' })).access_scope_id,
  };
  const app = async (name: string, more: object = {}) => {
    const row = await newApplication({ sql }, { name, global_external_link: `https://global/${name}`, ...more });
    guids[name] = row.application_guid;
    return row.application_id;
  };
  const map = (application_id: number, access_scope_id: number, more: object = {}) =>
    insert(sql, 'access_scope_applications_mappers', { application_id, access_scope_id, created_by: system, ...more });
  const mapType = (application_id: number, access_scope_type_id: number, more: object = {}) =>
    insert(sql, 'access_scope_type_applications_mappers', {
      application_id,
      access_scope_type_id,
      created_by: system,
      ...more,
    });
  const one = await app('individual', { translation_group: 'one' });
  await map(one, scopes.a);
  await map(one, scopes.b, { individual_external_link: 'https://individual' });
  await mapType(one, types.depot);
  await mapType(await app('by type'), types.depot);
  await map(await app('global'), scopes.a);
  await map(await app('paused'), scopes.a, { state: 'paused' });
  await map(await app('inactive scope'), scopes.off);
  await map(await app('inactive', { is_active: false }), scopes.a);
  await map(await app('foreign'), scopes.foreign);
  await mapType(await app('closed type'), types.closed);
  await map(await app('scope of a closed type'), scopes.closed);
  for (const [language_code, translated_text] of [
    ['de', 'Einzeln'],
    ['de-CH', 'Einzeln, Schweiz'],
    ['fr', 'Seul'],
  ])
    await insert(sql, 'translations', { translation_group: 'one', field_name: 'name', language_code, translated_text });
});
afterAll(() => graph?.close());

const holding = () => ({ sub: holder.userGuid, profileId: holder.profileId, roleId: 'member' });
const viewer = `query ($language: String) { viewer(languageCode: $language) { userGuid profileId roleId scopes user { firstName isBlocked }
  applications { applicationGuid name link } } }`;

it('any valid access token sees who it names and what its profile opens, in at most four statements', async () => {
  const token = graph.token(['depot:a'], holding());
  graph.app.takeStatements();
  const data = await graph.data(viewer, {}, token);
  expect(graph.app.takeStatements().length).toBeLessThanOrEqual(4);
  expect(data.viewer).toEqual({
    userGuid: holder.userGuid,
    profileId: holder.profileId,
    roleId: 'member',
    scopes: ['depot:a'],
    user: { firstName: 'Ada', isBlocked: false },
    applications: [
      { applicationGuid: guids.individual, name: 'individual', link: 'https://individual' },
      { applicationGuid: guids['by type'], name: 'by type', link: 'https://global/by type' },
      { applicationGuid: guids.global, name: 'global', link: 'https://global/global' },
    ],
  });
});

it.each([
  ['de', 'Einzeln'],
  ['de-CH', 'Einzeln, Schweiz'],
  ['de-AT', 'Einzeln'],
  ['FR', 'Seul'],
  ['it', 'individual'],
  [null, 'individual'],
])('names are translated to %s', async (language, name) => {
  const data = await graph.data(viewer, { language }, graph.token([], holding()));
  expect(data.viewer.applications[0].name).toBe(name);
});

it('a profile shows the same tiles to who administers, all profiles in one statement', async () => {
  const tile = 'applicationGuid name link';
  const own = await graph.data(`{ viewer { applications { ${tile} } } }`, {}, graph.token([], holding()));
  graph.app.takeStatements();
  const { profiles } = await graph.data(`{ profiles { nodes { profileId openedApplications { ${tile} } } } }`);
  expect(graph.app.takeStatements().filter((text) => text.includes('opened.profile_id'))).toHaveLength(1);
  const opened = Object.fromEntries(
    profiles.nodes.map((profile: { profileId: string; openedApplications: object[] }) => [
      profile.profileId,
      profile.openedApplications,
    ]),
  );
  expect(own.viewer.applications.length).toBeGreaterThan(2);
  expect(opened[holder.profileId]).toEqual(own.viewer.applications);
  const german = await graph.data(
    `query ($id: ID!) { profile(profileId: $id) { openedApplications(languageCode: "de") { name } } }`,
    { id: holder.profileId },
  );
  expect(german.profile.openedApplications.map(({ name }: { name: string }) => name)).not.toEqual(
    own.viewer.applications.map(({ name }: { name: string }) => name),
  );
});

it('viewer is refused without a token, with a token that is no longer valid, and for an unknown user', async () => {
  expect((await graph.ask(viewer, {}, null)).status).toBe(401);
  const { viewer: stranger } = await graph.data(viewer, {}, graph.token([], { profileId: 'nothing' }));
  expect([stranger.user, stranger.applications]).toEqual([null, []]);
});

const preview = `query ($user: UUID!, $profile: ID!) { previewToken(userGuid: $user, profileId: $profile) {
  isIssued refusal claims { iss sub aud profileId roleId scopes exp iat } userProfile { role { name } }
  scopes { scope isIssued why accessScope { accessScopeKey } profileAccessScope { profileId } } } }`;

it('the preview holds what the exchange would issue, tells why, and issues nothing', async () => {
  const { context } = graph.app;
  const client = await newClient(context);
  await linkProfile(context, holder.userId, holder.profileId, 'second');
  const { previewToken } = await graph.data(preview, { user: holder.userGuid, profile: holder.profileId });
  const [{ count }] = (await context.sql.rows<{ count: number }>(
    "select count(*)::int count from tokens where token_type = 'refresh'",
  )) as [{ count: number }];
  expect(count).toBe(0);
  const issued = await graph.app.post('/token', {
    ...exchangeBody(graph.app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const judged = await validate(context, issued.json.access_token);
  if (!('claims' in judged)) throw new Error(issued.text);
  const { exp, iat, ...claims } = previewToken.claims;
  expect(judged.claims).toMatchObject(claims);
  expect(exp - iat).toBe(3_600);
  expect(previewToken).toMatchObject({ isIssued: true, refusal: null, userProfile: { role: { name: 'member' } } });
  const why = Object.fromEntries(
    previewToken.scopes.map((entry: { scope: string; isIssued: boolean }) => [entry.scope, entry.isIssued]),
  );
  expect(why).toEqual({
    'depot:a': true,
    'depot:b': true,
    'depot:*': true,
    'depot:7': true,
    'depot:off': false,
    'closed:c': false,
    null: false,
  });
  expect(previewToken.scopes.find((entry: { scope: string }) => entry.scope === 'depot:off').why).toMatch(/not active/);
  expect(previewToken.scopes.find((entry: { scope: string }) => entry.scope === 'closed:c').why).toMatch(
    /type is not in use/,
  );
});

it('the preview tells why there would be no token', async () => {
  const { context } = graph.app;
  const stranger = await newUser(context);
  const profile = await newProfile(context);
  const blocked = await newHolder(context, { is_blocked: true });
  const of = async (user: string, profileId: string) => (await graph.ask(preview, { user, profile: profileId })).json;
  expect((await of(stranger.user_guid, profile)).data.previewToken).toMatchObject({
    isIssued: false,
    claims: null,
    refusal: 'The user does not hold the profile.',
  });
  expect((await of(blocked.userGuid, blocked.profileId)).data.previewToken).toMatchObject({
    isIssued: false,
    refusal: 'The user is blocked.',
  });
  expect((await of(system, profile)).errors[0].extensions.code).toBe('NOT_FOUND');
  expect((await of(stranger.user_guid, 'nothing')).errors[0].extensions.code).toBe('NOT_FOUND');
});

it('accessOf tells which profiles and users reach an application, and by which mapping', async () => {
  const { context } = graph.app;
  const blocked = await newUser(context, { is_blocked: true });
  await linkProfile(context, blocked.user_id, holder.profileId, 'third');
  const query = `query ($guid: UUID!) { accessOf(applicationGuid: $guid) { link profile { profileId } accessScope { accessScopeKey }
    accessScopeApplicationsMapper { individualExternalLink } accessScopeTypeApplicationsMapper { accessScopeType { name } }
    userProfiles { nodes { user { userGuid } } } } }`;
  const of = async (name: string) => (await graph.data(query, { guid: guids[name] })).accessOf;
  graph.app.takeStatements();
  const ways = await of('individual');
  expect(graph.app.takeStatements().length).toBeLessThanOrEqual(8);
  expect(ways[0]).toEqual({
    link: 'https://global/individual',
    profile: { profileId: holder.profileId },
    accessScope: { accessScopeKey: 'a' },
    accessScopeApplicationsMapper: { individualExternalLink: null },
    accessScopeTypeApplicationsMapper: null,
    userProfiles: { nodes: [{ user: { userGuid: holder.userGuid } }, { user: { userGuid: holder.userGuid } }] },
  });
  expect(
    ways.filter((way: { accessScopeTypeApplicationsMapper: unknown }) => way.accessScopeTypeApplicationsMapper),
  ).toHaveLength(5);
  expect(ways).toHaveLength(7);
  for (const nobody of ['paused', 'inactive scope', 'inactive', 'foreign', 'closed type', 'scope of a closed type'])
    expect(await of(nobody)).toEqual([]);
  expect((await graph.ask(query, { guid: system })).json.errors[0].extensions.code).toBe('NOT_FOUND');
});
