/** Lists saved from the console: whole, as their filter finds them, by the service and for whom it may. */

import { randomUUID } from 'node:crypto';
import type { Permission } from '../../../src/auth/caller.js';
import { exportList, findList } from '../../../src/modules/console/exportedLists/exportList.js';
import { openUsageRecorder, usageList } from '../../../src/modules/insight/usage.js';
import { readCsvUsers } from '../../../src/modules/transfer/csvUsers.js';
import { insert, newProfile, newRole, newUser, systemUser } from '../../support/records.js';
import { until } from '../../support/until.js';
import { fromOwnPage } from './browser.js';
import { type DevelopmentConsole, people, startDevelopmentConsole } from './consoleApp.js';

let own: DevelopmentConsole;
let browser: Awaited<ReturnType<DevelopmentConsole['signIn']>>['browser'];
beforeAll(async () => {
  own = await startDevelopmentConsole({ TIME_ZONE: 'Europe/Berlin' });
  ({ browser } = await own.signIn(people.grace));
});

const gridMonitor = 'de330000-0000-4000-8000-000000000001';

const exported = (list: string, wish: object = {}, headers?: Record<string, string>) =>
  browser.post(`/console/export/${list}`, wish, headers);

/** Cells of a file without line ends in cells. */
const cellsOf = (text: string): string[][] =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    );

it('a file has every row and every value of nested lists, and its first line says what it is', async () => {
  const { context } = own.app;
  const user = await newUser(context, {
    first_name: 'Nadia',
    last_name: 'Horvath',
    email: 'nadia.horvath@example.org',
  });
  await newRole(context, 'technician');
  const names: string[] = [];
  for (let index = 0; index < 41; index++) {
    const profileId = await newProfile(context);
    names.push(profileId);
    await insert(context.sql, 'user_profiles', {
      user_id: user.user_id,
      profile_id: profileId,
      role_id: 'technician',
      created_by: systemUser,
    });
  }
  const { text, headers, status } = await exported('users', { filter: { text: 'nadia.horvath' } });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ]);
  const [first, heads, ...rows] = cellsOf(text);
  expect(first).toEqual([
    ...[
      'Gatehouse export',
      'users',
      'filter',
      '{"text":"nadia.horvath"}',
      'rows',
      '1',
      'made',
      expect.stringMatching(/Z$/),
    ],
    ...['times in', 'UTC', 'days end in', 'Europe/Berlin', 'by', 'Grace Hall, grace@example.com'],
  ]);
  expect(rows).toHaveLength(1);
  const row = Object.fromEntries(heads!.map((head, index) => [head, rows[0]![index]]));
  expect(row).toMatchObject({ email: 'nadia.horvath@example.org', profileCount: '41', isBlocked: 'false' });
  const held = row.profiles!.split('; ').map((entry) => entry.split(' as ')[0]);
  expect(held.sort()).toEqual(names.sort());
});

it.each([
  'users',
  'applications',
  'accessScopes',
  'accessScopeTypes',
  'profiles',
  'roles',
  'userProfiles',
  'clients',
  'connectors',
  'reviews',
  'profileAccessScopes',
  'accessScopeApplicationsMappers',
  'accessScopeTypeApplicationsMappers',
])('the list %s is exported to its last row, also where there are thousands', async (list) => {
  const { sql } = own.app.context;
  await sql.rows(
    `insert into roles (role_id, name, created_by) select 'r' || n, 'R' || n, gen_random_uuid() from generate_series(1, 3000) n
       on conflict do nothing`,
  );
  const table = list.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const [{ count }] = (await sql.rows<{ count: number }>(`select count(*)::int as count from ${table}`)) as [
    { count: number },
  ];
  const lines = (await exported(list)).text.split('\r\n').slice(2, -1);
  expect(lines).toHaveLength(count);
  expect(new Set(lines).size).toBe(count);
});

it('rows come in the order that was asked for', async () => {
  const { text } = await exported('roles', { filter: { name: { startsWith: 'R' } }, orderBy: [{ name: 'DESC' }] });
  const [, heads, ...rows] = cellsOf(text);
  const names = rows.map((row) => row[heads!.indexOf('name')]!);
  expect(names).toEqual(names.toSorted((one, other) => (one < other ? 1 : -1)));
});

it('a text that a spreadsheet would compute is defused', async () => {
  const { sql } = own.app.context;
  await sql.rows(`update roles set description = '=1+1' where role_id = 'technician'`);
  expect((await exported('roles', { filter: { roleId: { eq: 'technician' } } })).text).toContain(`,"'=1+1",`);
});

it('an import passes over the first line of a file that the console saved', async () => {
  const { context } = own.app;
  const { text } = await exported('users', { filter: { userGuid: { eq: people.grace } } });
  const { content } = await readCsvUsers(context, `\uFEFF${text}`, 'userGuid=userGuid,department=department');
  expect(content.users).toMatchObject([{ userGuid: people.grace }]);
});

it('a list that finds nothing is a file that says so', async () => {
  const { text } = await exported('users', { filter: { text: 'nobody-at-all' } });
  const [first, heads, ...rows] = cellsOf(text);
  expect([first![5], heads![0], rows]).toEqual(['0', 'userGuid', []]);
});

it('what is asked wrongly is refused, with the place', async () => {
  for (const [wish, place] of [
    [{ filter: { nmae: 'x' } }, 'filter.nmae'],
    [{ filter: { text: 7 } }, 'filter.text'],
    [{ filter: 'x' }, 'filter'],
    [{ orderBy: [{ name: 'SIDEWAYS' }] }, 'orderBy[0].name'],
    [{ orderBy: [{ name: 'ASC', email: 'ASC' }] }, 'orderBy[0]'],
    [{ filter: { createdDate: { ge: '2027-01-01' } } }, 'filter.createdDate.ge'],
    [[], '$'],
  ] as const) {
    const { status, json } = await exported('users', wish);
    expect([status, JSON.stringify(json).includes(place)]).toEqual([400, true]);
  }
  expect((await exported('tokens')).status).toBe(404);
  expect((await exported('__proto__')).status).toBe(404);
});

describe('lists that are found by more than a filter of their records', () => {
  const rowsOf = async (list: string, wish: object) => {
    const { text, status } = await exported(list, wish);
    expect(status).toBe(200);
    const [first, heads, ...rows] = cellsOf(text);
    return {
      first: first!,
      rows: rows.map((row) => Object.fromEntries(heads!.map((head, index) => [head, row[index]!]))),
    };
  };

  it('the matrix of a type has a line for each mapping of it, of the whole type and of its access scopes', async () => {
    const { sql } = own.app.context;
    const [type] = await sql.rows<{ guid: string; mappings: number }>(
      `select t.access_scope_type_guid::text as guid, (
         (select count(*) from access_scope_type_applications_mappers m where m.access_scope_type_id = t.access_scope_type_id) +
         (select count(*) from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
            where s.access_scope_type_id = t.access_scope_type_id))::int as mappings
       from access_scope_types t where t.name = 'site'`,
    );
    const { first, rows } = await rowsOf('matrix', { of: { accessScopeTypeGuid: type!.guid } });
    expect([rows.length, first[5]]).toEqual([type!.mappings, String(type!.mappings)]);
    expect(new Set(rows.map(({ accessScopeType }) => accessScopeType))).toEqual(new Set(['site']));
    const found = await rowsOf('matrix', {
      of: { accessScopeTypeGuid: type!.guid },
      filter: { name: { eq: 'Grid monitor' } },
    });
    expect(new Set(found.rows.map(({ application }) => application))).toEqual(new Set(['Grid monitor']));
  });

  it('who reaches an application is every grant of a profile that opens it, with the ways', async () => {
    const { context } = own.app;
    const answer = await browser.ask(
      `{ accessOf(applicationGuid: "${gridMonitor}") { userProfiles(first: 100) { nodes { userProfileId } } } }`,
    );
    const ways = answer.json.data.accessOf as { userProfiles: { nodes: { userProfileId: number }[] } }[];
    const grants = new Set(
      ways.flatMap(({ userProfiles }) => userProfiles.nodes.map(({ userProfileId }) => userProfileId)),
    );
    const { rows } = await rowsOf('reach', { of: { applicationGuid: gridMonitor } });
    expect(rows).toHaveLength(grants.size);
    expect(rows.every(({ through }) => through !== '')).toBe(true);
    await context.sql.rows('update applications set is_active = false where application_guid = $1::uuid', [
      gridMonitor,
    ]);
    expect((await rowsOf('reach', { of: { applicationGuid: gridMonitor } })).rows).toEqual([]);
    await context.sql.rows('update applications set is_active = true where application_guid = $1::uuid', [gridMonitor]);
  });

  it('a comparison has each record once, and says who has it', async () => {
    const wish = { of: { compared: 'profile', left: 'grid-operator', right: 'reporting' } };
    const { rows } = await rowsOf('comparedPeople', wish);
    const { sql } = own.app.context;
    const holders = async (of: string, without: string) =>
      (
        await sql.rows(
          `select from users u where exists (select from user_profiles l where l.user_id = u.user_id and l.profile_id = $1)
             and not exists (select from user_profiles l where l.user_id = u.user_id and l.profile_id = $2)`,
          [of, without],
        )
      ).length;
    const having = (words: string) => rows.filter(({ has }) => has === words).length;
    expect([having('only Grid operator'), having('only Reporting')]).toEqual([
      await holders('grid-operator', 'reporting'),
      await holders('reporting', 'grid-operator'),
    ]);
    expect(new Set(rows.map(({ userGuid }) => userGuid)).size).toBe(rows.length);
  });

  it('the history has every change set, each with its sentence', async () => {
    const { sql } = own.app.context;
    await sql.rows(`update roles set description = 'Reads' where role_id = 'technician'`);
    const [{ count }] = (await sql.rows<{ count: number }>('select count(*)::int from change_sets')) as [
      { count: number },
    ];
    const answer = await browser.ask('{ changeSets(first: 1000) { nodes { changeSetGuid summary } } }');
    const said = answer.json.data.changeSets.nodes as { changeSetGuid: string; summary: string | null }[];
    const { rows } = await rowsOf('changeSets', { orderBy: [{ occurredAt: 'DESC' }] });
    expect(rows).toHaveLength(count);
    const summaries = new Map(rows.map(({ changeSetGuid, summary }) => [changeSetGuid, summary]));
    expect(said.filter(({ changeSetGuid, summary }) => summaries.get(changeSetGuid) !== (summary ?? ''))).toEqual([]);
    expect(said.filter(({ summary }) => summary !== null).length).toBeGreaterThan(0);
  });

  const savedBy = async (list: string, ...permissions: Permission[]) => {
    const caller = { kind: 'system', sub: people.grace, permissions: new Set(permissions) } as const;
    let text = '';
    const wish = { filter: null, orderBy: [], of: {} };
    await exportList({ ...own.app.context, caller }, list, findList(list, {})!, wish, async (piece) => {
      text += piece;
    });
    const [, heads, ...rows] = cellsOf(text);
    expect(rows.length).toBeGreaterThan(0);
    return (name: string) => new Set(rows.map((row) => row[heads!.indexOf(name)]));
  };

  it('the history names nobody to a caller who may not read users', async () => {
    const valuesOf = await savedBy('changeSets', 'admin:security');
    for (const name of ['byName', 'byEmail']) expect(valuesOf(name)).toEqual(new Set(['']));
  });

  it('proposals and reviews name their change set only to who may read change sets', async () => {
    const { sql } = own.app.context;
    const set = randomUUID();
    await sql.rows(
      `insert into reviews (name, undecided, due_at, filter, total, started_by, change_set_guid)
       values ('Done', 'KEEP', now() + interval '9 days', '{}', 0, $1::uuid, $2::uuid)`,
      [people.grace, set],
    );
    await sql.rows(
      `insert into proposals (title, proposed_by, note, changes, permission, expires_at, state, effect_hash, proposed_counts, change_set_guid)
       values ('t', $1::uuid, 'n', '[]', 'admin:write', now(), 'APPLIED', '\\x00', '{}', $2::uuid)`,
      [people.grace, set],
    );
    for (const list of ['proposals', 'reviews']) {
      const [allowed, others] = [
        await savedBy(list, 'admin:read', 'admin:security'),
        await savedBy(list, 'admin:read'),
      ];
      expect([list, [...allowed('changeSetGuid')].includes(set)]).toEqual([list, true]);
      expect([list, others('changeSetGuid')]).toEqual([list, new Set([''])]);
    }
  });

  it('the grants of a review are those that its filter finds, and proposals say their counts', async () => {
    const { sql } = own.app.context;
    await sql.rows(
      `insert into reviews (name, undecided, due_at, filter, total, started_by)
       values ('Spring', 'KEEP', now() + interval '9 days', '{}', 0, $1::uuid)`,
      [people.grace],
    );
    const [review] = await sql.rows<{ guid: string }>(
      `select review_guid::text as guid from reviews where name = 'Spring'`,
    );
    const of = { reviewGuid: review!.guid };
    expect((await rowsOf('reviewItems', { of, filter: { decision: ['END'] } })).rows).toEqual([]);
    expect((await rowsOf('proposals', { filter: { state: ['OPEN'] } })).rows).toEqual([]);
  });

  it('what a profile opens is each application that the graph says, with each way and how many other profiles open it', async () => {
    const { sql } = own.app.context;
    await sql.rows(`update applications set name = '=Grid' where application_guid = $1::uuid`, [gridMonitor]);
    for (const [args, of] of [
      ['', {}],
      ['text: "=grid"', { text: '=GRID' }],
      ['onlyThis: true', { onlyThis: 'yes' }],
      ['isActive: false', { isActive: 'no' }],
    ] as const) {
      const answer = await browser.ask(
        `{ profile(profileId: "grid-operator") { opens(first: 100${args && `, ${args}`}) { nodes {
             application { applicationGuid } profiles accessScopes { name } accessScopeTypes { name } } } } }`,
      );
      const said = answer.json.data.profile.opens.nodes as {
        application: { applicationGuid: string };
        profiles: number;
      }[];
      const { rows } = await rowsOf('opened', {
        of: { profileId: 'grid-operator', ...of },
        orderBy: [{ name: 'ASC' }],
      });
      expect(rows.map(({ applicationGuid, otherProfiles }) => [applicationGuid, Number(otherProfiles) + 1])).toEqual(
        said.map(({ application, profiles }) => [application.applicationGuid, profiles]),
      );
      expect(rows.every(({ through, name }) => through !== '' && !name!.startsWith('='))).toBe(true);
    }
    await sql.rows(`update applications set name = 'Grid monitor' where application_guid = $1::uuid`, [gridMonitor]);
  });

  it('what opens an application is each mapping of it, of access scopes and of whole types, and words narrow both', async () => {
    const { sql } = own.app.context;
    const countOf = async (condition: string) => {
      const [row] = await sql.rows<{ count: string }>(
        `select (select count(*) from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
             where m.application_id = a.application_id and ${condition.replaceAll('named', 's')}) +
           (select count(*) from access_scope_type_applications_mappers m join access_scope_types t using (access_scope_type_id)
             where m.application_id = a.application_id and ${condition.replaceAll('named', 't')}) as count
         from applications a where application_guid = $1::uuid`,
        [gridMonitor],
      );
      return Number(row!.count);
    };
    const of = { applicationGuid: gridMonitor };
    const all = (await rowsOf('openedBy', { of })).rows;
    expect([all.length, new Set(all.map(({ applicationGuid }) => applicationGuid))]).toEqual([
      await countOf('true'),
      new Set([gridMonitor]),
    ]);
    const narrowed = (await rowsOf('openedBy', { of: { ...of, text: 'NORTH' } })).rows;
    expect(narrowed).toHaveLength(await countOf(`named.name ilike '%north%'`));
    expect(narrowed.length).toBeGreaterThan(0);
  });

  it('usage is every kind of request that the filter finds, latest first, and names callers to those who may read users', async () => {
    const { context } = own.app;
    const { sql, log } = context;
    const usage = openUsageRecorder({ sql, log, clock: { now: () => new Date() }, retentionDays: 9 });
    const kind = { caller: '', clientId: 'demo-client', option: 'exchange', mediaType: '', operation: 'POST /token' };
    for (let index = 0; index < 450; index++) usage.note({ ...kind, product: `-Portal/${index}` }, index < 3);
    usage.note({ ...kind, clientId: '', caller: people.grace, operation: 'GET /api/roles', product: 'curl/8' }, false);
    await usage.close();
    const { rows, first } = await rowsOf('usage', { of: { clientId: 'demo-client' } });
    expect([rows.length, first[5]]).toEqual([450, '450']);
    expect(new Set(rows.map(({ product }) => product)).size).toBe(450);
    expect(rows.every(({ product, count }) => product!.startsWith("'-Portal/") && count === '1')).toBe(true);
    expect((await rowsOf('usage', { of: { brownedOut: 'yes' } })).rows).toHaveLength(3);
    const inConsole = (await rowsOf('usage', { of: { ofConsole: 'yes' } })).rows;
    const others = (await rowsOf('usage', { of: { ofConsole: 'no' } })).rows;
    expect(inConsole.every(({ operation }) => operation === 'POST /console/graphql')).toBe(true);
    expect(others.some(({ operation }) => operation === 'POST /console/graphql')).toBe(false);
    expect(others.length).toBeGreaterThanOrEqual(451);
    expect((await rowsOf('usage', { of: { since: '2999-01-01T00:00:00Z' } })).rows).toEqual([]);
    const [ofGrace] = (await rowsOf('usage', { of: { operation: '/api/roles' } })).rows;
    expect(ofGrace).toMatchObject({ callerName: 'Grace Hall', callerEmail: 'grace@example.com', caller: people.grace });

    const caller = { kind: 'system', sub: people.grace, permissions: new Set(['admin:security'] as const) } as const;
    let text = '';
    await exportList(
      { ...context, caller },
      'usage',
      usageList,
      { filter: null, orderBy: [], of: { operation: '/api/roles' } },
      async (piece) => {
        text += piece;
      },
    );
    const [, heads, row] = cellsOf(text);
    expect([row![heads!.indexOf('callerName')], row![heads!.indexOf('callerEmail')]]).toEqual(['', '']);
  });

  it('texts have a line for each language of each record, and one for a record without a text', async () => {
    const { sql } = own.app.context;
    const [{ lines }] = (await sql.rows(
      `select sum(greatest(1, (select count(*) from translations t where t.translation_group = a.translation_group and field_name = 'name')))::int as lines
       from applications a where translation_group is not null`,
    )) as [{ lines: number }];
    const filter = { translationGroup: { isNull: false } };
    const { rows } = await rowsOf('applicationTexts', { filter, of: { fieldName: 'name' } });
    expect([rows.length, rows.length > 0]).toEqual([lines, true]);
    const german = await sql.rows(
      `select a.name, t.translated_text as text from applications a join translations t using (translation_group)
       where field_name = 'name' and language_code = 'de' order by 1`,
    );
    const said = rows.filter(({ language }) => language === 'de').map(({ name, text }) => ({ name, text }));
    expect(said.sort((one, other) => (one.name! < other.name! ? -1 : 1))).toEqual(german);
    for (const list of ['accessScopeTexts', 'accessScopeTypeTexts'])
      expect((await exported(list, { filter, of: { fieldName: 'name' } })).status).toBe(200);
    expect((await exported('applicationTexts')).status).toBe(400);
  });

  it('reviews say how many of their grants were kept, ended and left undecided', async () => {
    const { sql } = own.app.context;
    await sql.rows(
      `insert into reviews (name, undecided, due_at, filter, total, started_by)
       values ('Autumn', 'KEEP', now() + interval '9 days', '{}', 3, $1::uuid)`,
      [people.grace],
    );
    await sql.rows(
      `insert into review_items (review_id, kind, link_id, link_revision, profile_id, profile_name, user_name, granted_by, granted_at, opens, is_unusual, decision)
       select review_id, 'USER_PROFILE', n, 1, 'x', 'X', 'Y', gen_random_uuid(), now(), 0, false, (array['KEEP', 'END', null])[n]
       from reviews, generate_series(1, 3) n where name = 'Autumn'`,
    );
    const { rows } = await rowsOf('reviews', {
      filter: { state: ['OPEN'], text: 'autumn' },
      orderBy: [{ dueAt: 'ASC' }],
    });
    expect(rows).toMatchObject([
      {
        name: 'Autumn',
        state: 'OPEN',
        grants: '3',
        kept: '1',
        ended: '1',
        undecided: '1',
        startedByName: 'Grace Hall',
      },
    ]);
    expect((await rowsOf('reviews', { filter: { state: ['FINISHED'] } })).rows).toEqual([]);
  });

  it.each([
    ['reviewItems', {}],
    ['opened', {}],
    ['opened', { of: { profileId: 'grid-operator', onlyThis: 'true' } }],
    ['openedBy', { of: { applicationGuid: 'x' } }],
    ['openedBy', { of: { applicationGuid: gridMonitor, text: '\u0000' } }],
    ['usage', { of: { since: 'yesterday' } }],
    ['usage', { of: { since: '-000001-01-01T00:00:00Z' } }],
    ['reviewItems', { of: { reviewGuid: 'x' } }],
    ['matrix', {}],
    ['matrix', { of: { accessScopeTypeGuid: 7 } }],
    ['reach', { of: 'x' }],
    ['comparedPeople', { of: { compared: 'user', left: 'x', right: 'y' } }],
    ['comparedPeople', { of: { compared: 'profile', left: 'grid-operator' } }],
    ['comparedPeople', { of: { compared: 'profile', left: 'grid-operator', right: '\u0000' } }],
  ])('%s without what it is about is refused: %j', async (list, wish) => {
    expect((await exported(list, wish)).status).toBe(400);
  });

  it('what is gone is 404', async () => {
    const gone = '00000000-0000-4000-8000-00000000dead';
    expect((await exported('reviewItems', { of: { reviewGuid: gone } })).status).toBe(404);
    expect((await exported('comparedScopes', { of: { compared: 'user', left: gone, right: gone } })).status).toBe(404);
  });
});

it.each([
  '1',
  '2',
  '3',
  '6',
])('each list is sent whole where one person may use a single connection of %s, also many at the same moment', async (max) => {
  const small = await startDevelopmentConsole({ DATABASE_POOL_MAX: max });
  const { browser: one } = await small.signIn(people.grace);
  const save = async (list: string) => (await one.post(`/console/export/${list}`, {})).status;
  for (const list of ['users', 'changeSets', 'connectors']) expect([list, await save(list)]).toEqual([list, 200]);
  const lists = Array.from({ length: 6 }, () => 'changeSets');
  expect(await Promise.all(lists.map(save))).toEqual(lists.map(() => 200));
});

it.each(['roles', 'changeSets'])('the list %s is no longer read when the browser has left', async (list) => {
  const { sql } = own.app.context;
  const table = list === 'roles' ? 'roles' : 'audit_events';
  const isWaiting = async () => {
    const rows = await sql.rows(
      `select from pg_locks lock join pg_stat_activity using (pid)
       where not lock.granted and relation = '${table}'::regclass and lock.database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  };
  await sql.transaction(async (lock) => {
    await lock.rows(`lock table ${table} in access exclusive mode`);
    const leaving = new AbortController();
    const answer = fetch(`${own.app.url}/console/export/${list}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        ...fromOwnPage,
      },
      body: '{}',
      signal: leaving.signal,
    });
    await until(isWaiting);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await until(async () => !(await isWaiting()));
  });
  expect((await exported(list)).status).toBe(200);
});

it('no other site and nobody without a session or the permission gets a file', async () => {
  expect((await exported('users', {}, { ...fromOwnPage, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await exported('users', {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(403);
  expect((await own.newBrowser().post('/console/export/users', {})).status).toBe(401);
  const { sql } = own.app.context;
  const held = `profile_access_scopes has using access_scopes s
    where s.access_scope_id = has.access_scope_id and has.profile_id = 'administration'`;
  await sql.rows(`delete from ${held} and s.access_scope_key <> 'read' and s.access_scope_key not like '%read%'`);
  const may = await browser.ask('{ viewer { permissions } }');
  expect(may.json.data.viewer.permissions).toEqual(['admin:read']);
  for (const list of ['clients', 'usage', 'connectors']) expect((await exported(list)).status).toBe(403);
  expect((await exported('users')).status).toBe(200);
});
