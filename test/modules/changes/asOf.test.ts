/** Questions about the past are answered as they would have been then. */
import { randomUUID } from 'node:crypto';
import { removeEndedGrants } from '../../../src/modules/governance/endedGrants.js';
import { exportFile } from '../../../src/modules/transfer/exportFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { exportedText } from '../../support/exportedText.js';
import { linkProfile, newProfile, newRole, newScope, newScopeType, newUser } from '../../support/records.js';
import { elapse, until } from '../../support/until.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
const applied = (changes: object[]) => graph.data(apply, { changes });

const exported = (asOf?: string) => exportedText(graph.app.context, asOf === undefined ? {} : { asOf });

/** A moment between two changes. */
async function moment(): Promise<string> {
  await elapse(5);
  const [row] = await graph.app.context.sql.rows<{ now: string }>('select clock_timestamp() as now');
  await elapse(5);
  return row!.now;
}

it('an export as of a time is the export made then, byte for byte', async () => {
  const kept: [string, string][] = [];
  const keep = async () => kept.push([await moment(), await exported()]);
  const [app, type, scope] = [randomUUID(), randomUUID(), randomUUID()];
  await keep();
  await applied([
    { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: 'as-of' } } },
    {
      createAccessScope: {
        input: { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S', accessScopeKey: 'k' },
      },
    },
    { createApplication: { input: { applicationGuid: app, name: 'A', description: 'd', ...icons, isIframe: true } } },
    { createProfile: { input: { profileId: 'as-of', name: 'P' } } },
    { setProfileAccessScopes: { profileId: 'as-of', accessScopeGuids: [scope] } },
  ]);
  await keep();
  await applied([
    { mapping: { applicationGuid: app, accessScopeGuid: scope, to: 'active', individualExternalLink: 'https://x' } },
    { mapping: { applicationGuid: app, accessScopeTypeGuid: type, to: 'planned' } },
    { updateApplication: { applicationGuid: app, input: { name: 'B', description: null } } },
    {
      setTranslations: {
        translationGroup: 'g',
        translations: [{ fieldName: 'name', languageCode: 'de', translatedText: 'Ä "x"' }],
      },
    },
  ]);
  await keep();
  await graph.app.context.sql.rows("update access_scopes set name = 'by hand' where access_scope_guid = $1", [scope]);
  await keep();
  await applied([
    { mapping: { applicationGuid: app, accessScopeGuid: scope, from: 'active' } },
    { deleteProfile: { profileId: 'as-of' } },
    { setTranslations: { translationGroup: 'g', translations: [] } },
  ]);
  await keep();
  expect(new Set(kept.map(([, text]) => text)).size).toBe(kept.length);
  for (const [time, text] of kept) expect(await exported(time)).toBe(text);
  await expect(exported('2001-01-01T00:00:00Z')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(
    exportFile(graph.app.context, { asOf: kept[0]![0], users: true }, async () => undefined),
  ).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

it('an export as of a time has what has ended since, with its end, also once the schedule has removed it', async () => {
  const { context } = graph.app;
  const profileId = await newProfile(context);
  const scope = await newScope(context, await newScopeType(context), undefined, { access_scope_key: 'ends' });
  const validUntil = new Date(Date.now() + 2_000).toISOString();
  await applied([{ assignAccessScope: { profileId, accessScopeGuid: scope.access_scope_guid, validUntil } }]);
  const [time, text] = [await moment(), await exported()];
  expect(text).toContain(validUntil.slice(0, 19));
  await until(async () => (await context.sql.rows('select where now() > $1::timestamptz', [validUntil])).length > 0);
  expect(await exported(time)).toBe(text);
  await removeEndedGrants({ ...context, face: 'schedule' }, new AbortController().signal);
  expect(await exported()).not.toContain(validUntil.slice(0, 19));
  expect(await exported(time)).toBe(text);
});

it('the people who reached an application at an earlier time are answered with the records of that time', async () => {
  const { context } = graph.app;
  const [app, type, scope] = [randomUUID(), randomUUID(), randomUUID()];
  const [user, role] = [await newUser(context), await newRole(context)];
  const profile = await newProfile(context);
  await linkProfile(context, user.user_id, profile, role);
  await applied([
    { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `t-${type}` } } },
    {
      createAccessScope: {
        input: { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S', accessScopeKey: 'k' },
      },
    },
    { createApplication: { input: { applicationGuid: app, name: 'A', ...icons } } },
    { setProfileAccessScopes: { profileId: profile, accessScopeGuids: [scope] } },
    { mapping: { applicationGuid: app, accessScopeGuid: scope, to: 'active' } },
  ]);
  const then = await moment();
  await applied([
    { mapping: { applicationGuid: app, accessScopeGuid: scope, from: 'active' } },
    { updateProfile: { profileId: profile, input: { name: 'Renamed' } } },
    { unassignProfile: { userGuid: user.user_guid, profileId: profile, roleId: role } },
  ]);
  const ask = `query ($app: UUID!, $asOf: DateTime) { accessOf(applicationGuid: $app, asOf: $asOf) {
    profile { name } accessScope { name } accessScopeApplicationsMapper { state } userProfiles { totalCount nodes { user { firstName } } } } }`;
  expect((await graph.data(ask, { app })).accessOf).toEqual([]);
  expect((await graph.data(ask, { app, asOf: then })).accessOf).toEqual([
    {
      profile: { name: profile },
      accessScope: { name: 'S' },
      accessScopeApplicationsMapper: { state: 'active' },
      userProfiles: { totalCount: 1, nodes: [{ user: { firstName: 'Ada' } }] },
    },
  ]);
  for (const asOf of ['2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])
    expect((await graph.ask(ask, { app, asOf })).json.errors[0].extensions.problems).toEqual({
      asOf: [expect.any(String)],
    });
});

it('a history tells who changed what, field by field, the newest first', async () => {
  const guid = randomUUID();
  await applied([{ createApplication: { input: { applicationGuid: guid, name: 'A', ...icons } } }]);
  await graph.data(
    'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, note: "a new name") { note } }',
    { changes: [{ updateApplication: { applicationGuid: guid, input: { name: 'B', description: 'd' } } }] },
  );
  const ask = `query ($id: String!, $type: String!) { history(subjectType: $type, subjectId: $id, first: 1) {
    totalCount pageInfo { hasNextPage } nodes { action changes { field before after } changeSet { note face actor } } } }`;
  expect((await graph.data(ask, { id: guid, type: 'Application' })).history).toEqual({
    totalCount: 2,
    pageInfo: { hasNextPage: true },
    nodes: [
      {
        action: 'update',
        changes: [
          { field: 'name', before: 'A', after: 'B' },
          { field: 'description', before: null, after: 'd' },
        ],
        changeSet: { note: 'a new name', face: 'graphql', actor: expect.any(String) },
      },
    ],
  });
  expect((await graph.ask(ask, { id: guid, type: 'Client' })).json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
});
