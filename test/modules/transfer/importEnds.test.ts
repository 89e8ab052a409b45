/** Ends of grants in import files, exports, and the catalogue's file in git. */
import { randomUUID } from 'node:crypto';
import { applyFile, planFile } from '../../../src/modules/catalogueFile/applyFile.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { exportedText } from '../../support/exportedText.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const load = (file: unknown) => importFile(app.context, file);
const problemsOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, more }) => [code, more.problems],
  );
const exported = (wanted: object = { users: true }) => exportedText(app.context, wanted);

/** A person with a profile that has two access scopes. */
function newFile(ends: { person?: string | null; scopes?: Record<number, string | null> } = {}) {
  const [userGuid, type, ...scopes] = Array.from({ length: 4 }, () => randomUUID());
  const profileId = `p-${userGuid!.slice(0, 8)}`;
  const fileWith = ({ person, scopes: scopeEnds }: typeof ends) => ({
    roles: [{ roleId: 'member', name: 'Member' }],
    users: [{ userGuid, firstName: 'Ada', idpname: 'guids' }],
    accessScopeTypes: [{ accessScopeTypeGuid: type, name: `type-${type}` }],
    accessScopes: scopes.map((accessScopeGuid, index) => ({
      accessScopeGuid,
      accessScopeTypeGuid: type,
      name: `Scope ${index}`,
      accessScopeKey: `k${index}`,
    })),
    profiles: [
      {
        profileId,
        name: 'P',
        accessScopeGuids: scopes,
        ...(scopeEnds && {
          accessScopeEnds: Object.fromEntries(
            Object.entries(scopeEnds).map(([index, end]) => [scopes[Number(index)], end]),
          ),
        }),
      },
    ],
    userProfiles: [{ userGuid, profileId, roleId: 'member', ...(person !== undefined && { validUntil: person }) }],
  });
  return { userGuid, profileId, scopes, fileWith, file: fileWith(ends) };
}

const endsOf = async (profileId: string) =>
  (
    await app.context.sql.rows<{ ends: (string | null)[] }>(
      `select array(select to_char(valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from (
           select 0 as kind, user_profile_id as id, valid_until from user_profiles where profile_id = $1
           union all select 1, profile_access_scope_id, valid_until from profile_access_scopes where profile_id = $1
           order by kind, id) grants) as ends`,
      [profileId],
    )
  )[0]!.ends;

it('an import sets, keeps, changes and takes away ends, and once more changes nothing', async () => {
  const [soon, later] = [inDays(1), inDays(30)];
  const { profileId, fileWith, file } = newFile({ person: soon, scopes: { 0: later } });
  await load(file);
  expect(await endsOf(profileId)).toEqual([soon, later, null]);
  expect(await load(file)).toMatchObject({ created: 0, updated: 0, removed: 0 });
  // a file that says nothing of ends keeps them
  expect(await load(fileWith({}))).toMatchObject({ created: 0, updated: 0, removed: 0 });
  expect(await endsOf(profileId)).toEqual([soon, later, null]);
  expect(await load(fileWith({ person: later, scopes: { 1: soon } }))).toMatchObject({
    created: 0,
    updated: 3,
    removed: 0,
  });
  expect(await endsOf(profileId)).toEqual([later, null, soon]);
  await load(fileWith({ person: null, scopes: {} }));
  expect(await endsOf(profileId)).toEqual([null, null, null]);
});

it('an export has the ends that there are, without what has ended, and gives the same records elsewhere', async () => {
  const [soon, later] = [inDays(1), inDays(30)];
  const { profileId, file, scopes, userGuid } = newFile({ person: soon, scopes: { 0: later } });
  const without = newFile();
  await load(file);
  await load(without.file);
  const text = await exported();
  const lists = JSON.parse(text);
  const profileOf = (id: string) => lists.profiles.find((each: { profileId: string }) => each.profileId === id);
  expect(profileOf(profileId).accessScopeEnds).toEqual({ [scopes[0]!]: later });
  expect(profileOf(without.profileId)).not.toHaveProperty('accessScopeEnds');
  expect(lists.userProfiles.map(({ validUntil }: { validUntil?: string }) => validUntil).sort()).toEqual([
    soon,
    undefined,
  ]);
  await app.context.sql.rows(
    'update user_profiles set valid_until = null; update profile_access_scopes set valid_until = null',
  );
  await load(lists);
  expect(await endsOf(profileId)).toEqual([soon, later, null]);
  await app.context.sql.rows(
    "update user_profiles set valid_until = now() - interval '1 day' where valid_until is not null; update profile_access_scopes set valid_until = now() where valid_until is not null",
  );
  const ended = JSON.parse(await exported());
  expect(ended.userProfiles.map((row: { userGuid: string }) => row.userGuid)).not.toContain(userGuid);
  expect(ended.profiles.find((each: { profileId: string }) => each.profileId === profileId).accessScopeGuids).toEqual([
    scopes[1],
  ]);
  // a row for what has ended gives it again
  await load({
    ...file,
    userProfiles: [{ userGuid, profileId, roleId: 'member' }],
    profiles: [{ profileId, name: 'P', accessScopeGuids: scopes }],
  });
  expect(await endsOf(profileId)).toEqual([null, null, null]);
});

it('an end that has passed, or of a scope that is not listed, is refused at its place, and nothing is written', async () => {
  const past = inDays(-1);
  const { fileWith, scopes } = newFile();
  expect(await problemsOf(load(fileWith({ person: past, scopes: { 1: past } })))).toEqual([
    'BAD_USER_INPUT',
    {
      'userProfiles[0].validUntil': ['must be in the future'],
      [`profiles[0].accessScopeEnds.${scopes[1]}`]: ['must be in the future'],
    },
  ]);
  const { profiles, ...file } = fileWith({});
  const [profile] = profiles;
  for (const [more, problems] of [
    [{ accessScopeEnds: [] }, { 'profiles[0].accessScopeEnds': ['must be an object of guids and date-times'] }],
    [{ accessScopeEnds: { x: null } }, { 'profiles[0].accessScopeEnds.x': ['is none of accessScopeGuids'] }],
    [
      { accessScopeEnds: { [scopes[0]!]: 'soon' } },
      { [`profiles[0].accessScopeEnds.${scopes[0]}`]: [expect.stringContaining('ISO 8601')] },
    ],
    [
      { accessScopeEnds: { [scopes[0]!]: inDays(1), [`{${scopes[0]!.toUpperCase()}}`]: inDays(9) } },
      { [`profiles[0].accessScopeEnds.{${scopes[0]!.toUpperCase()}}`]: ['is there in another spelling, too'] },
    ],
    [
      { accessScopeGuids: undefined, accessScopeEnds: {} },
      { 'profiles[0].accessScopeEnds': ['requires the list accessScopeGuids'] },
    ],
  ])
    expect(await problemsOf(load({ ...file, profiles: [{ ...profile, ...more }] }))).toEqual([
      'BAD_USER_INPUT',
      problems,
    ]);
  expect(await app.context.sql.rows('select from profiles')).toHaveLength(0);
});

it('the catalogue’s file plans and applies ends of access scopes', async () => {
  const [soon, later] = [inDays(1), inDays(30)];
  const { profileId, fileWith, scopes } = newFile();
  const catalogue = (ends: Record<number, string>) => {
    const { roles, accessScopeTypes, accessScopes, profiles } = fileWith({ scopes: ends });
    return { managedBy: 'ends', roles, accessScopeTypes, accessScopes, profiles };
  };
  const apply = async (file: object) => applyFile(app.context, file, (await planFile(app.context, file)).hash, {});
  await apply(catalogue({ 0: soon }));
  const planned = await planFile(app.context, catalogue({ 0: later }));
  expect(planned.changes).toEqual([
    expect.objectContaining({
      list: 'profiles',
      action: 'update',
      fields: [
        expect.objectContaining({
          field: 'accessScopeEnds',
          before: [`${scopes[0]} ${soon}`],
          after: [`${scopes[0]} ${later}`],
        }),
      ],
    }),
  ]);
  await apply(catalogue({ 0: later }));
  expect(await endsOf(profileId)).toEqual([later, null]);
  expect((await planFile(app.context, catalogue({ 0: later }))).changes).toEqual([]);
});

it('a catalogue’s file extends a profile with administration scopes only with admin:security', async () => {
  const reading = 'ad300000-0000-4000-8000-000000000001';
  const fileWith = (end: string) => ({
    managedBy: 'ends',
    profiles: [
      { profileId: 'admins', name: 'Admins', accessScopeGuids: [reading], accessScopeEnds: { [reading]: end } },
    ],
  });
  const apply = async (context: typeof app.context, file: object) =>
    applyFile(context, file, (await planFile(app.context, file)).hash, {});
  const [soon, later] = [inDays(1), inDays(30)];
  await apply(app.context, fileWith(soon));
  const permissions = new Set(['admin:read', 'admin:write'] as const);
  const writer = {
    ...app.context,
    face: 'graphql' as const,
    caller: { kind: 'system', sub: randomUUID(), permissions } as const,
  };
  await expect(apply(writer, fileWith(later))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await endsOf('admins')).toEqual([soon]);
  await apply(app.context, fileWith(later));
  expect(await endsOf('admins')).toEqual([later]);
});
