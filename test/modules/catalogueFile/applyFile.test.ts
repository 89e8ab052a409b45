/** The catalogue as a file in git says: plan, apply, plan again is empty; nothing unmanaged goes; a moved catalogue is refused. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { Permission } from '../../../src/auth/caller.js';
import type { Context } from '../../../src/context.js';
import { applyFile, type FileOptions, type FilePlan, planFile } from '../../../src/modules/catalogueFile/applyFile.js';
import { applyChanges, undoChangeSet } from '../../../src/modules/changes/applyChanges.js';
import { summariesOf } from '../../../src/modules/changes/history/summary.js';
import { planChanges } from '../../../src/modules/changes/planChanges.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { updateApplication } from '../../../src/services/catalogue/applications.js';
import { deleteRole } from '../../../src/services/people/users.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { icons } from '../../support/changeSets.js';
import { exportedText } from '../../support/exportedText.js';
import { newUser } from '../../support/records.js';
import { factor, seed } from '../../support/schedules.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app?.close());

const guid = (kind: number, n: number) => `${String(kind).repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const application = (n: number, more: object = {}) => ({
  applicationGuid: guid(4, n),
  name: `A${n}`,
  ...icons,
  ...more,
});
const plan = (content: unknown, options?: FileOptions) => planFile(app.context, content, options);
const apply = async (content: unknown, options: FileOptions = {}) =>
  applyFile(app.context, content, (await plan(content, options)).hash, options);
const as = (userGuid: string): Context => ({
  ...app.context,
  face: 'graphql',
  caller: { ...app.context.caller, sub: userGuid } as Context['caller'],
});

/** All of the catalogue, as an export has it, with who manages what. */
async function whole(): Promise<string> {
  let text = await exportedText(app.context, { users: true });
  const tables = ['roles', 'access_scopes', 'access_scope_types', 'profiles', 'applications', 'user_profiles'];
  for (const table of [...tables, 'translations', 'access_scope_applications_mappers']) {
    const rows = await app.context.sql.rows<{ row: unknown }>(
      `select to_jsonb(t) - 'revision' - 'modified_date' - 'modified_by' as row from ${table} t
       where managed_by is not null order by 1`,
    );
    text += JSON.stringify(rows);
  }
  return text.replace(/"modified(Date|By)":("[^"]*"|null)/g, '');
}

/** Without the times of records that are made anew. */
const effectOf = ({ effect }: FilePlan) =>
  effect &&
  [effect.gains, effect.loses].map(({ items, ...counts }) => [
    counts,
    items.map(({ user, profile, applications, scopes }) => [
      user.userGuid,
      profile.profileId,
      applications.map(({ applicationGuid }) => applicationGuid),
      scopes,
    ]),
  ]);

const subset = (count: number) => fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }));
const anyFile = fc
  .record({
    roles: subset(2),
    types: subset(3),
    scopes: subset(5),
    profiles: subset(3),
    applications: subset(4),
    links: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
    typeLinks: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
    held: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }),
    texts: subset(4),
    word: fc.constantFrom('one', 'two', 'ünï "x"', null),
    flag: fc.boolean(),
  })
  .map(({ roles, types, scopes, profiles, applications, links, typeLinks, held, texts, word, flag }) => {
    const pick = (list: number[], n: number) => list[n % list.length]!;
    const isWhole = types.length > 0;
    const own = isWhole ? scopes : [];
    const pairs = (from: number[], to: number[], all: [number, number][]) =>
      from.length > 0 && to.length > 0
        ? [...new Map(all.map(([a, b]) => [`${pick(from, a)} ${pick(to, b)}`, [pick(from, a), pick(to, b)]])).values()]
        : [];
    return {
      managedBy: 'random',
      roles: roles.map((n) => ({ roleId: `r${n}`, name: `R${n}`, description: word })),
      accessScopeTypes: types.map((n) => ({ accessScopeTypeGuid: guid(1, n), name: `t${n}`, isActive: flag })),
      accessScopes: own.map((n) => ({
        accessScopeGuid: guid(2, n),
        accessScopeTypeGuid: guid(1, pick(types, n)),
        name: `S${n}`,
        description: word,
      })),
      profiles: profiles.map((n) => ({
        profileId: `p${n}`,
        name: `P${n}`,
        ...(flag && { accessScopeGuids: own.filter((scope) => (scope + n) % 2 === 0).map((scope) => guid(2, scope)) }),
      })),
      userProfiles: pairs(profiles, roles, held as [number, number][]).map(([p, r]) => ({
        userGuid: guid(3, 0),
        profileId: `p${p}`,
        roleId: `r${r}`,
      })),
      applications: applications.map((n) => application(n, { description: word })),
      accessScopeApplicationsMappers: pairs(applications, own, links as [number, number][]).map(([a, s]) => ({
        applicationGuid: guid(4, a!),
        accessScopeGuid: guid(2, s!),
        individualExternalLink: word,
      })),
      accessScopeTypeApplicationsMappers: pairs(applications, types, typeLinks as [number, number][]).map(([a, t]) => ({
        applicationGuid: guid(4, a!),
        accessScopeTypeGuid: guid(1, t!),
      })),
      translations: texts.map((n) => ({
        translationGroup: `g${n}`,
        fieldName: 'name',
        languageCode: 'de',
        translatedText: word ?? 'x',
      })),
    };
  });

it('on random catalogues: plan, apply, plan again is empty; nothing unmanaged is removed; an undo brings back what was', async () => {
  const { sql } = app.context;
  await newUser(app.context, { user_guid: guid(3, 0) });
  await importFile(app.context, {
    roles: [{ roleId: 'own', name: 'own' }],
    accessScopeTypes: [{ accessScopeTypeGuid: guid(5, 1), name: 'own' }],
    accessScopes: [{ accessScopeGuid: guid(5, 2), accessScopeTypeGuid: guid(5, 1), name: 'own' }],
    profiles: [{ profileId: 'own', name: 'own', accessScopeGuids: [guid(5, 2)] }],
    applications: [{ ...application(9), applicationGuid: guid(5, 4) }],
  });
  const unmanaged = async () => {
    const found = [];
    for (const table of ['roles', 'access_scopes', 'profiles', 'applications', 'access_scope_applications_mappers'])
      found.push(await sql.rows(`select to_jsonb(t) as row from ${table} t where managed_by is null order by 1`));
    return JSON.stringify(found);
  };
  let [refused, removed, undone] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(anyFile, fc.boolean(), fc.nat(), async (file, prune, choice) => {
      // a mapping of somebody else on what the file may come to manage
      if (choice % 5 === 0)
        await sql.rows(
          `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
           select application_id, access_scope_id, created_by from applications a cross join
             (select access_scope_id from access_scopes where access_scope_guid = $1) s
           where managed_by is not null on conflict do nothing`,
          [guid(5, 2)],
        );
      const [before, others] = [await whole(), await unmanaged()];
      const planned = await plan(file, { prune }).catch((error: { code: string }) => error.code);
      expect(await whole()).toBe(before);
      if (typeof planned === 'string') {
        expect([planned, prune]).toEqual(['CONFLICT', true]);
        refused++;
        await sql.rows('delete from access_scope_applications_mappers where managed_by is null');
        return;
      }
      const applied = await applyFile(app.context, file, planned.hash, { prune });
      expect(applied.changes).toEqual(planned.changes);
      expect(effectOf(applied)).toEqual(effectOf(planned));
      expect(await unmanaged()).toBe(others);
      expect((await plan(file, { prune })).changes).toEqual([]);
      removed += applied.summary.removed;
      if (!applied.changeSetGuid || choice % 3 !== 0) return;
      await undoChangeSet(app.context, applied.changeSetGuid, {});
      expect(await whole()).toBe(before);
      undone++;
    }),
    { numRuns: 30 * factor, seed },
  );
  expect(Math.min(refused, removed, undone)).toBeGreaterThan(0);
});

it('takes records that are there, and tells each field before and after', async () => {
  await importFile(app.context, { applications: [application(1), application(2)] });
  const file = { managedBy: 'maps', applications: [application(1, { name: 'Map' }), application(3)] };
  const planned = await plan(file);
  expect(planned).toMatchObject({
    managedBy: 'maps',
    summary: { created: 1, updated: 1, removed: 0, unlisted: 0 },
    changeSetGuid: null,
  });
  expect(planned.changes[0]).toMatchObject({
    list: 'applications',
    action: 'update',
    key: { applicationGuid: guid(4, 1) },
    fields: [
      { field: 'name', before: 'A1', after: 'Map', changedByHand: null },
      { field: 'managedBy', before: null, after: 'maps', changedByHand: null },
    ],
  });
  const applied = await apply(file);
  const [set] = await app.context.sql.rows<object>(
    'select face, note, managed_by from change_sets where change_set_guid = $1',
    [applied.changeSetGuid],
  );
  expect(set).toEqual({ face: 'cli', note: 'apply maps', managed_by: 'maps' });
  const pruned = await apply({ managedBy: 'maps', applications: [] }, { prune: true });
  expect(pruned.changes.map(({ action, key }) => [action, key.applicationGuid])).toEqual([
    ['remove', guid(4, 1)],
    ['remove', guid(4, 3)],
  ]);
  expect(await app.context.sql.rows('select name from applications')).toEqual([{ name: 'A2' }]);
});

it('what an export gave of records that were never changed is edited, planned and applied, and then nothing is to do', async () => {
  await importFile(app.context, {
    roles: [{ roleId: 'r', name: 'R' }],
    applications: [application(1), application(2)],
  });
  const file = JSON.parse(await exportedText(app.context));
  expect(file.applications[0].modifiedDate).toBeNull();
  file.applications[0].name = 'Edited';
  const edited = { managedBy: 'maps', ...file };
  const planned = await plan(edited);
  expect(planned.changes.find(({ list }) => list === 'applications')).toMatchObject({
    fields: [
      { field: 'name', before: 'A1', after: 'Edited' },
      { field: 'managedBy', before: null, after: 'maps' },
    ],
  });
  expect(await applyFile(app.context, edited, planned.hash)).toMatchObject({ summary: planned.summary });
  expect((await plan(edited)).changes).toEqual([]);
});

it('says who made a managed record differ, when and how: a field, a link of a profile, a record that was removed', async () => {
  const file = {
    managedBy: 'maps',
    roles: [{ roleId: 'gone', name: 'Gone' }],
    accessScopeTypes: [{ accessScopeTypeGuid: guid(1, 1), name: 't' }],
    accessScopes: [1, 2].map((n) => ({ accessScopeGuid: guid(2, n), accessScopeTypeGuid: guid(1, 1), name: `S${n}` })),
    profiles: [{ profileId: 'p', name: 'P', accessScopeGuids: [guid(2, 1)] }],
    applications: [application(1), application(2)],
  };
  await apply(file);
  const ada = (await newUser(app.context, { first_name: 'Ada', last_name: 'L' })).user_guid;
  await updateApplication(as(ada), guid(4, 1), { name: 'By hand' });
  await deleteRole(as(ada), 'gone');
  await importFile(as(ada), { profiles: [{ profileId: 'p', accessScopeGuids: [guid(2, 2)] }] });
  const changed = { ...file, applications: [application(1), application(2, { name: 'by the file' })] };
  const { changes } = await plan(changed);
  const hand = { actor: ada, actorName: 'Ada L', face: 'graphql', occurredAt: expect.stringMatching(/Z$/) };
  expect(changes).toEqual([
    expect.objectContaining({ list: 'roles', action: 'create', removedByHand: expect.objectContaining(hand) }),
    expect.objectContaining({
      list: 'profiles',
      fields: [
        {
          field: 'accessScopeGuids',
          before: [guid(2, 2)],
          after: [guid(2, 1)],
          changedByHand: expect.objectContaining(hand),
        },
      ],
    }),
    expect.objectContaining({
      key: { applicationGuid: guid(4, 1) },
      fields: [{ field: 'name', before: 'By hand', after: 'A1', changedByHand: expect.objectContaining(hand) }],
    }),
    expect.objectContaining({
      key: { applicationGuid: guid(4, 2) },
      fields: [{ field: 'name', before: 'A2', after: 'by the file', changedByHand: null }],
    }),
  ]);
});

it('the note and the guid of the change by hand are only for callers who may read change sets', async () => {
  const file = { managedBy: 'maps', roles: [{ roleId: 'gone', name: 'Gone' }], applications: [application(1)] };
  await apply(file);
  const ada = as((await newUser(app.context)).user_guid);
  const rename = { updateApplication: { applicationGuid: guid(4, 1), input: { name: 'By hand' } } };
  await applyChanges(ada, planChanges([rename, { deleteRole: { roleId: 'gone' } }]), { note: 'a secret' });
  const heardBy = async (...permissions: Permission[]) => {
    const caller = { kind: 'system', sub: randomUUID(), permissions: new Set(permissions) } as const;
    const { changes } = await planFile({ ...ada, caller }, file);
    const hands = changes.flatMap(({ removedByHand, fields }) => [removedByHand, fields[0]?.changedByHand]);
    return hands.flatMap((hand) => (hand ? [[hand.face, hand.note, typeof hand.changeSetGuid]] : []));
  };
  const both = (...said: unknown[]) => [said, said];
  expect(await heardBy('admin:read', 'admin:security')).toEqual(both('graphql', 'a secret', 'string'));
  expect(await heardBy('admin:read')).toEqual(both('graphql', null, 'object'));
});

it.each([
  ['somebody changed something', () => updateApplication(app.context, guid(4, 9), { name: 'moved' })],
  ['somebody changed something past the service', () => app.context.sql.rows(`update applications set name = 'moved'`)],
])('refuses a plan since which %s, and changes nothing', async (_what, move) => {
  await importFile(app.context, { applications: [application(9)] });
  const file = { managedBy: 'maps', applications: [application(1)] };
  const { hash } = await plan(file);
  await move();
  const before = await whole();
  await expect(applyFile(app.context, file, hash)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await whole()).toBe(before);
});

it('refuses the plan of another file, of other options, and one that was applied already', async () => {
  await apply({ managedBy: 'maps', applications: [application(1), application(2)] });
  const file = { managedBy: 'maps', applications: [application(1, { name: 'new' })] };
  const { hash } = await plan(file);
  for (const [content, options] of [
    [{ ...file, applications: [application(1, { name: 'other' })] }, {}],
    [file, { prune: true }],
    [file, { takeOver: true }],
  ] as const)
    await expect(applyFile(app.context, content, hash, options)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await applyFile(app.context, file, hash)).summary.updated).toBe(1);
  await expect(applyFile(app.context, file, hash)).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('one of two applies at the same moment wins and the other is refused', async () => {
  const file = { managedBy: 'maps', applications: [application(1)] };
  const { hash } = await plan(file);
  const done = await Promise.allSettled([applyFile(app.context, file, hash), applyFile(app.context, file, hash)]);
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await app.context.sql.rows('select 1 from change_sets where managed_by is not null')).toHaveLength(1);
});

it('a name and a group of a record that is removed go to another one in the same plan, and back by the undo', async () => {
  const file = (n: number, more: object = {}) => ({
    managedBy: 'maps',
    accessScopeTypes: [{ accessScopeTypeGuid: guid(1, n), name: 'site', ...more }],
    profiles: [{ profileId: `p${n}`, name: 'P', externalGroup: n === 1 ? 'Crew' : 'CREW' }],
  });
  await apply(file(1));
  await expect(plan(file(2))).rejects.toMatchObject({
    more: { problems: { 'accessScopeTypes[0].name': ["is another record's in the database"] } },
  });
  const applied = await apply(file(2), { prune: true });
  expect(applied.changes.map(({ list, action, name }) => [list, action, name])).toEqual([
    ['accessScopeTypes', 'remove', 'site'],
    ['accessScopeTypes', 'create', 'site'],
    ['profiles', 'remove', 'P'],
    ['profiles', 'create', 'P'],
  ]);
  const { sql } = app.context;
  const named = () =>
    sql.rows(`select access_scope_type_guid::text as key, name from access_scope_types where managed_by is not null
      union all select profile_id, external_group from profiles order by 1`);
  expect(await named()).toEqual([
    { key: guid(1, 2), name: 'site' },
    { key: 'p2', name: 'CREW' },
  ]);
  await undoChangeSet(app.context, applied.changeSetGuid!, { dryRun: false });
  expect(await named()).toEqual([
    { key: guid(1, 1), name: 'site' },
    { key: 'p1', name: 'Crew' },
  ]);
});

it('refuses a new owner that it removes itself', async () => {
  const file = { managedBy: 'maps', applications: [application(1)] };
  await apply({ ...file, profiles: [{ profileId: 'crew', name: 'Crew' }] });
  const owned = { ...file, applications: [application(1, { ownerProfileId: 'crew' })] };
  await expect(plan(owned, { prune: true })).rejects.toMatchObject({
    more: { problems: { 'applications[0].ownerProfileId': ['refers to a Profile that --prune removes'] } },
  });
  expect((await apply(owned)).summary).toMatchObject({ updated: 1, unlisted: 1 });
});

it('the history of an exchange, a replacement and their undoing has the names that people gave, and nothing in between', async () => {
  const type = (n: number, name: string) => ({ accessScopeTypeGuid: guid(1, n), name });
  const file = (...types: object[]) => ({ managedBy: 'maps', accessScopeTypes: types });
  const { sql } = app.context;
  const namesIn = (changeSetGuid: string) =>
    sql.rows(
      `select before->>'name' as before, after->>'name' as after from record_versions join change_sets using (change_set_id)
       where change_set_guid = $1 order by record_key`,
      [changeSetGuid],
    );
  const undo = async (changeSetGuid: string) =>
    String((await undoChangeSet(app.context, changeSetGuid, { dryRun: false })).row.changeSetGuid);
  await apply(file(type(1, 'site'), type(2, 'line')));
  const { changeSetGuid: exchange } = await apply(file(type(1, 'line'), type(2, 'site')));
  const [there, back] = [
    { before: 'site', after: 'line' },
    { before: 'line', after: 'site' },
  ];
  expect(await namesIn(exchange!)).toEqual([there, back]);
  expect(await namesIn(await undo(exchange!))).toEqual([back, there]);
  const { changeSetGuid: replacement } = await apply(file(type(1, 'site'), type(3, 'line')), { prune: true });
  expect(await namesIn(replacement!)).toEqual([
    { before: 'line', after: null },
    { before: null, after: 'line' },
  ]);
  expect(await summariesOf(app.context, [replacement!])).toEqual([
    'Access scope type line created, access scope type line removed',
  ]);
  expect(await namesIn(await undo(replacement!))).toEqual([
    { before: null, after: 'line' },
    { before: 'line', after: null },
  ]);
});

it('takes no record from another file unasked', async () => {
  await apply({ managedBy: 'maps', applications: [application(1)] });
  const other = { managedBy: 'others', applications: [application(1)] };
  await expect(plan(other)).rejects.toMatchObject({
    more: { problems: { 'applications[0]': [expect.stringContaining('another file')] } },
  });
  expect((await apply(other, { takeOver: true })).summary.updated).toBe(1);
  expect((await plan({ managedBy: 'maps' }, { prune: true })).changes).toEqual([]);
});

it('never removes what others need, and names it', async () => {
  await apply({
    managedBy: 'maps',
    accessScopeTypes: [{ accessScopeTypeGuid: guid(1, 1), name: 't' }],
    applications: [application(1)],
  });
  await importFile(app.context, {
    accessScopeTypeApplicationsMappers: [{ applicationGuid: guid(4, 1), accessScopeTypeGuid: guid(1, 1) }],
  });
  await expect(plan({ managedBy: 'maps' }, { prune: true })).rejects.toMatchObject({
    code: 'CONFLICT',
    more: { problems: { [`Application ${guid(4, 1)}`]: [expect.stringContaining('is needed by')] } },
  });
});

it('refuses personal data, secrets and tokens, and a prune of what nobody manages', async () => {
  const file = {
    users: [{ userGuid: randomUUID() }],
    clients: [{ clientId: 'c', name: 'c', clientSecret: 's' }],
    tokens: [],
  };
  await expect(plan(file, { prune: true })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    more: {
      problems: {
        users: expect.any(Array),
        clients: expect.any(Array),
        tokens: expect.any(Array),
        managedBy: expect.any(Array),
      },
    },
  });
});

it('a plan needs admin:read, applying needs admin:write; both leave the reserved records to themselves', async () => {
  const caller = { ...app.context.caller, permissions: new Set(['admin:read']) } as Context['caller'];
  const { hash } = await planFile({ ...app.context, caller }, {});
  await expect(applyFile({ ...app.context, caller }, {}, hash)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const nobody = { ...caller, permissions: new Set() } as Context['caller'];
  await expect(planFile({ ...app.context, caller: nobody }, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const exported = { ...JSON.parse(await exportedText(app.context)), managedBy: 'all' };
  expect((await plan(exported)).changes).toEqual([]);
  await apply({ ...exported, roles: [{ roleId: 'r', name: 'R' }] });
  const pruned = await plan({ managedBy: 'all' }, { prune: true });
  expect(pruned.changes.map(({ list }) => list)).toEqual(['roles']);
});

describe('a plan by a request', () => {
  const inRequest = (): Context => ({ ...app.context, face: 'graphql' });

  it('holds the lock of changes no longer than a statement may take, its effect included; a command has no limit', async () => {
    const now = performance.now.bind(performance);
    const planned = async (context: Context) => {
      // when all rows are written
      const onProgress = (done: number, total: number) => {
        if (done === total) jest.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
      };
      return planFile(context, { roles: [{ roleId: 'long', name: 'Long' }] }, { onProgress }).finally(() =>
        jest.restoreAllMocks(),
      );
    };
    await expect(planned(inRequest())).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: 'The plan took more than 120 s: split the file under several names, or plan on the server.',
    });
    expect((await planned(app.context)).summary.created).toBe(1);
  });

  it('that is cancelled by the timeout of a statement says so, and not that the database is not available', async () => {
    const brief = await startTestApp({ DATABASE_STATEMENT_TIMEOUT_MS: '200' });
    await importFile(brief.context, { roles: [{ roleId: 'held', name: 'Held' }] });
    const held = brief.running.database.background.transaction(async (sql) => {
      await sql.rows('select 1 from roles for update');
      return planFile({ ...brief.context, face: 'graphql' }, { roles: [{ roleId: 'held', name: 'Other' }] });
    });
    await expect(held).rejects.toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('0.2 s') });
  });

  it('of a file with very many mistakes ends after a thousand of them, and says that there may be more', async () => {
    const content = { roles: Array.from({ length: 2_000 }, () => 7) };
    await expect(planFile(inRequest(), content)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      more: {
        problems: { 'roles[0]': [expect.stringContaining('must be an object (1000 of these')] },
        extra: { moreProblems: true },
      },
    });
    await expect(planFile(app.context, content)).rejects.toMatchObject({
      more: { problems: { 'roles[0]': [expect.stringContaining('(2000 of these')] } },
    });
  });
});
